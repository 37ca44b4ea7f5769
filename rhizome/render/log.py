"""Events of the log, and how whole it is."""

import json

from rhizome.render.finding import read
from rhizome.render.text import SHORT, Answer, clean, counted, line, ref, when

LINE_CHARS = 160
"""So much of what an event says is shown in a listing."""


def verify(found: Answer) -> list[str]:
    return [
        f"{clean(bad['segment'])}:{bad['offset']}: {line(bad['why'])} ({bad['length']} bytes)"
        for bad in found["damaged"]
    ] or [f"ok: {found['events']} events, head {found['head']['seq']} {found['head']['h'][:SHORT]}"]


def repair(found: Answer) -> list[str]:
    if not found["given_up"] and not found["aside"] and not found["damaged"]:
        return ["nothing is damaged"]
    lines = [f"set aside: {clean(name)}" for name in found["aside"]]
    lines += [f"given up: {clean(bad['segment'])}:{bad['offset']}: {line(bad['why'])}" for bad in found["given_up"]]
    lines += [f"damaged: {clean(bad['segment'])}:{bad['offset']}: {line(bad['why'])}" for bad in found["damaged"]]
    sound = "what is left is sound; `rhizome rebuild --verify` compares the notes"
    return lines if found["damaged"] else [*lines, sound]


def events(found: Answer) -> list[str]:
    if found["format"] == "jsonl":
        return [json.dumps(event, ensure_ascii=True) for event in found["events"]]
    if found["whole"]:
        return [text for event in found["events"] for text in whole(event)]
    lines = []
    for event in found["events"]:
        about = ", ".join(line(event[name]) for name in ("kind", "origin", "session", "scope") if event[name])
        at = when(line(event["happened_at"] or event["recorded_at"]))
        lines.append(f"{ref(event['event'])}: {at} [{about}] {line(event['line'])[:LINE_CHARS]}".rstrip())
    more = ["... and more; -n 0 shows all"] if found["more"] else []
    return lines + more or ["no such events"]


def whole(event: Answer) -> list[str]:
    """One event whole: every field it has, then its text."""
    lines = [f"{name}: {line(value)}" for name, value in event.items()
             if name not in ("text", "line") and value not in (None, "")]  # fmt: skip
    return [*lines, "", *read(event)]


def stats(found: Answer) -> list[str]:
    if found.get("format") == "jsonl":
        return [json.dumps({name: value for name, value in found.items() if name != "format"}, ensure_ascii=True)]
    lines = [f"{counted(found['events'], 'event')} in {counted(found['sessions'], 'session')}"]
    for name in ("kinds", "origins", "scopes"):
        counts = found.get(name, {})
        lines += [f"by {name.removesuffix('s')}:"] if counts else []
        lines += [f"  {number:>9} {line(what)}" for what, number in counts.items()]
    for home, about in found.get("homes", {}).items():
        size = f"{about['bytes'] / 1e6:.1f} MB"
        parts = f"{counted(about['segments'], 'segment')}, {about['sealed']} sealed"
        lines.append(f"home {clean(home)}: {counted(about['events'], 'event')}, {parts}, {size}")
    return lines
