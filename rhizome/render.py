"""Answers as a person reads them in a terminal. Listings start with `path:line:` so that editors can jump there."""

import re
import sys
from collections.abc import Callable
from typing import Any

Answer = dict[str, Any]

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def clean(text: object) -> str:
    """Text that cannot move a cursor, ring a bell or turn a line around."""
    return CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", str(text))


def line(text: object) -> str:
    return clean(" ".join(str(text).split()))


def answer(verb: str, found: Answer) -> None:
    """Print the answer of a verb; `read` prints the exact bytes."""
    if verb == "read":
        sys.stdout.flush()
        sys.stdout.buffer.write(found["text"].encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()
        return
    text = "\n".join(VERBS[verb](found))
    if text:
        print(text)


def progress() -> Callable[[str, int, int], None] | None:
    """A line on stderr that counts files, only where a person watches."""
    if not sys.stderr.isatty():
        return None

    def tell(path: str, done: int, total: int) -> None:
        end = "\r" if done < total else "\r\033[K"
        print(
            f"\r\033[K{done}/{total} {line(path)[-60:]}" if done < total else "", end=end, file=sys.stderr, flush=True
        )

    return tell


def init(found: Answer) -> list[str]:
    made = "Made a home" if found["created"] else "There already is a home"
    return [
        f"{made} at {clean(found['home'])}.",
        f"Notes: {clean(found['notes'])}",
        'Next: `rhizome import` reads this machine\'s agent sessions; `rhizome search "..."` answers.',
    ]


def import_(found: Answer) -> list[str]:
    columns = ("new", "seen", "revised", "attached", "unparsed", "pending", "redacted")
    names = [*found["sources"], "all"] if len(found["sources"]) > 1 else list(found["sources"])
    width = max([len("harness"), *map(len, names)])
    rows = [f"{'harness':<{width}}" + "".join(f"{column:>10}" for column in columns)]
    for name in names:
        counts = found if name == "all" else found["sources"][name]
        rows.append(f"{clean(name):<{width}}" + "".join(f"{counts[column]:>10}" for column in columns))
    if not found["sources"]:
        rows = ["No sessions found. Name a file or a folder: `rhizome import PATH`."]
    if found["skipped"]:
        rows.append(f"{found['skipped']} other files skipped: no sessions")
    return rows + [f"not read: {clean(problem)}" for problem in found["problems"]]


def hits(found: list[Answer]) -> list[str]:
    lines = []
    for hit in found:
        receipt = hit["receipt"]
        lines.append(f"{clean(hit['ref'])}: {line(hit['title'])}  [{hit['layer']}, {receipt['status']}]")
        lines.append(f"    {line(hit['snippet'])}")
        told = [
            f"{name} {line(receipt[name])}"
            for name in ("origin", "source", "recorded_at", "confirmed_at", "superseded_by")
            if receipt[name]
        ]
        lines.append("    receipt: " + " · ".join(told))
        if hit.get("parts"):
            lines.append(
                "    score: " + f"{hit['score']:.3f} = " + " + ".join(f"{k} {v:.3f}" for k, v in hit["parts"].items())
            )
    return lines


def search(found: Answer) -> list[str]:
    if found["status"] == "found":
        told = ["(degraded: words only, or part of the log is damaged)"] if found.get("degraded") else []
        return hits(found["hits"]) + told
    lines = [
        f"insufficient evidence: {found['reason'].replace('_', ' ')}"
        + (f" ({line(found['detail'])})" if found["detail"] else "")
    ]
    if found["nearest"]:
        lines += ["nearest, too weak to be an answer:", *hits(found["nearest"])]
    return lines


def graph(found: Answer) -> list[str]:
    lines = [clean(found["note"])]
    for arrow, name in (("→", "links"), ("←", "backlinks"), ("⇗", "external")):
        for edge in found[name]:
            other = edge["source"] if name == "backlinks" else edge["target"]
            place = f"{edge['source']}:{edge['line']}"
            why = f": {line(edge['why'])}" if edge["why"] else ""
            rung = "" if edge["resolved_by"] not in ("broken", "ambiguous", "outside") else f" ({edge['resolved_by']})"
            lines.append(f"{clean(place)}: {arrow} {clean(other)}{rung} [{line(edge['label'])}]{why}")
    if len(lines) == 1:
        lines.append("  no links in or out")
    return lines


def fact_lines(found: Answer) -> list[str]:
    value = f" = {line(found['value'])}" if found["value"] else ""
    lines = [
        f"{clean(found['scope'])} · {line(found['fact_key'])}{value}  [{found['status']}, {found['type']}, "
        f"confidence {found['confidence']:g}, v{found['version']}]",
        f"    {line(found['statement'])}",
        f"    observed {clean(found['observed_at'])}, confirmed {clean(found['last_confirmed_at'])}",
    ]
    return lines + [
        f"    event {clean(evidence['event'])[:12]}: “{line(evidence['quote'])}”" for evidence in found["evidence"]
    ]


def fact(found: Answer) -> list[str]:
    lines = fact_lines(found["fact"]) if found["fact"] else [f"no current fact for {line(found['key'])}"]
    if found.get("history"):
        lines.append("history:")
        for past in found["history"]:
            lines += ["  " + text for text in fact_lines(past)]
    return lines


def facts(found: Answer) -> list[str]:
    return [text for one in found["facts"] for text in fact_lines(one)[:2]] or ["no facts yet"]


def remember(found: Answer) -> list[str]:
    told = {
        "new": "noted; the next consolidation takes it in",
        "confirmed": "it is already known; this confirms it",
        "conflicts": "noted, but it contradicts what holds now",
        "duplicate": "already proposed",
        "refused": "refused",
        "over_quota": "refused: too many proposals in this session",
    }[found["outcome"]]
    other = f" ({line(found['other'])})" if found.get("other") else ""
    return [f"{told}{other}" + (f" [event {found['event'][:12]}]" if found["event"] else "")]


def consolidate(found: Answer) -> list[str]:
    if found.get("run") is None and not found["commits"]:
        return [found.get("note") or "nothing to consolidate"]
    counts = " · ".join(
        f"{found[name]} {name}"
        for name in ("turns", "asserted", "superseded", "confirmed", "proposed", "expired", "commits", "pending")
    )
    lines = [f"run {clean(found['run'] or 'before')}: {counts}"]
    lines += [f"  {clean(problem)}" for problem in found.get("problems", ())]
    if "identical" in found:
        lines.append("proof: identical" if found["identical"] else "proof: DIFFERENT; see `rhizome rebuild --verify`")
    return lines


def rebuild(found: Answer) -> list[str]:
    if found["identical"]:
        return ["identical"]
    lines = []
    for difference in found["differences"]:
        lines.append(f"{clean(difference['path'])}:1: {line(difference['what'])}")
        lines += [clean(text) for text in difference["diff"].splitlines()]
    return lines


def list_(found: Answer) -> list[str]:
    return [
        f"{clean(note['path'])}:1: {line(note['title'])}"
        + (f" ({', '.join(map(line, note['aliases']))})" if note["aliases"] else "")
        + (f" [{note['tier']}{', derived' if note['derived'] else ''}]")
        for note in found["notes"]
    ] or ["no notes yet"]


def status(found: Answer) -> list[str]:
    lines = []
    for name, value in found.items():
        if name == "schema_version":
            continue
        if isinstance(value, list):
            lines.append(f"{name}: {len(value)}")
            lines += [f"  {clean(item)}" for item in value]
        elif isinstance(value, dict):
            lines.append(f"{name}: " + ", ".join(f"{key} {line(item)}" for key, item in value.items()))
        else:
            lines.append(f"{name}: {line(value)}")
    return lines


def log_verify(found: Answer) -> list[str]:
    return [
        f"{clean(bad['segment'])}:{bad['offset']}: {line(bad['why'])} ({bad['length']} bytes)"
        for bad in found["damaged"]
    ] or [f"ok: {found['events']} events, head {found['head']['seq']} {found['head']['h'][:12]}"]


VERBS: dict[str, Callable[[Answer], list[str]]] = {
    "init": init,
    "import": import_,
    "search": search,
    "graph": graph,
    "fact": fact,
    "facts": facts,
    "remember": remember,
    "consolidate": consolidate,
    "rebuild": rebuild,
    "list": list_,
    "status": status,
    "log verify": log_verify,
}
