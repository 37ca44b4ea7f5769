"""Answers as a person reads them in a terminal. Listings start with `path:line:` so that editors can jump there.

What comes out of notes and sessions is data: no control character of it reaches a terminal.
"""

import json
import re
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.progress import Progress

Answer = dict[str, Any]

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
EVENT = re.compile("[0-9a-f]{32}")
SHORT = 12
"""So many digits of an event id are shown; `read` takes them."""

LINE_CHARS = 160
"""So much of what an event says is shown in a listing."""

SHOWN = {"recorded_at": "recorded", "confirmed_at": "confirmed", "superseded_by": "superseded by"}
REASONS = {
    "empty": "there is nothing here yet. `rhizome import` brings sessions in; a note is any Markdown file you write.",
    "off_topic": "nothing here is about this.",
    "index_behind": "the index has not caught up; ask again after `rhizome rebuild`.",
    "damaged": "part of the log cannot be believed; see `rhizome log verify`.",
}


def clean(text: object) -> str:
    """Text that cannot move a cursor, ring a bell or turn a line around."""
    return CONTROL.sub(escaped, str(text))


def escaped(found: re.Match[str]) -> str:
    point = ord(found[0])
    return f"\\x{point:02x}" if point < 256 else f"\\u{point:04x}"


def line(text: object) -> str:
    return clean(" ".join(str(text).split()))


def ref(name: str) -> str:
    """A ref as a person needs it: an event by its first digits."""
    return name[:SHORT] if EVENT.fullmatch(name) else clean(name)


def when(text: str) -> str:
    """A time to the second, its offset kept."""
    return clean(re.sub(r"(:\d\d)\.\d+", r"\1", text))


def answer(verb: str, found: Answer) -> None:
    """Print the answer of a verb; `read` prints the exact bytes, unless a terminal would obey them."""
    if verb == "read" and not sys.stdout.isatty():
        sys.stdout.flush()
        sys.stdout.buffer.write(found["text"].encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()
        return
    text = "\n".join(VERBS[verb](found))
    if text:
        print(text)


def confirm() -> Callable[[str], bool] | None:
    """A way to ask whoever sits at the terminal; anything but yes is no. None where nobody reads the question."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None

    def asked(question: str) -> bool:
        print(f"{line(question)} [y/N] ", end="", file=sys.stderr, flush=True)
        return sys.stdin.readline().strip().lower() in ("y", "yes")

    return asked


def progress() -> Callable[[str, int, int], None] | None:
    """A bar on stderr that counts files, only where a person watches."""
    if sys.stderr is None or not sys.stderr.isatty():
        return None

    shown: list[Progress] = []

    def tell(path: str, done: int, total: int) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        if not shown:
            columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn())
            shown.append(Progress(*columns, console=Console(stderr=True), transient=True))
            shown[0].add_task("", total=total)
            shown[0].start()
        shown[0].update(shown[0].task_ids[0], completed=done, description=line(path)[-60:], refresh=True)
        if done == total:
            shown.pop().stop()

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
    if found["redacted_by"]:
        told = (f"{number} {clean(rule)}" for rule, number in sorted(found["redacted_by"].items()))
        rows.append(f"redacted: {', '.join(told)}")
    if found["skipped"]:
        rows.append(f"{counted(found['skipped'], 'other file')} skipped: no session")
    return rows + [f"not read: {line(problem)}" for problem in found["problems"]]


def counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def read(found: Answer) -> list[str]:
    """A text for a terminal: line by line, with nothing in it that a terminal obeys."""
    return [clean(text) for text in found["text"].encode("utf-8", "surrogateescape").decode("utf-8", "replace")
            .replace("\r\n", "\n").removesuffix("\n").split("\n")]  # fmt: skip


def hits(found: Iterable[Answer]) -> list[str]:
    lines = []
    for hit in found:
        lines.append(f"{ref(hit['ref'])}: {line(hit['title'])}  [{hit['layer']}, {line(hit['receipt']['status'])}]")
        lines.append(f"    {line(hit['snippet'])}")
        lines.append("    receipt: " + " · ".join(receipt(hit["receipt"])))
        if hit.get("parts"):
            parts = " + ".join(f"{name} {value:.3f}" for name, value in hit["parts"].items())
            lines.append(f"    score: {hit['score']:.3f} = {parts}")
    return lines


def receipt(found: Answer) -> list[str]:
    """Who said it, where it stands, and when; what is not known is left out."""
    told = [f"origin {line(found['origin'] or 'unknown')}"]
    if found["source"]:
        told.append(f"source {ref(line(found['source']))}")
    told += [f"{word} {when(line(found[name]))}" for name, word in SHOWN.items() if found[name]]
    return told


def search(found: Answer) -> list[str]:
    if found["status"] == "found":
        told = ["(degraded: words only, or part of the log is damaged)"] if found.get("degraded") else []
        return hits(found["hits"]) + told
    nearest = found["nearest"]
    lines = [f"insufficient evidence: {reason(found, numbers=any('parts' in hit for hit in nearest))}"]
    return lines + (["The nearest, too weak to be an answer:", *hits(nearest)] if nearest else [])


def reason(found: Answer, *, numbers: bool) -> str:
    """Why there is no answer, in a sentence; with the floor's numbers only where they were asked for."""
    detail = line(found["detail"] or "")
    if numbers:
        return f"{line(found['reason']).replace('_', ' ')}: {detail}"
    told = detail.rpartition(" (covers ")[0] or detail
    known = REASONS.get(found["reason"], "")
    if found["reason"] == "off_topic" and found["nearest"] == []:
        return told or known
    return known or f"{told}."


def graph(found: Answer) -> list[str]:
    lines = [clean(found["note"])]
    for arrow, name in (("→", "links"), ("←", "backlinks"), ("⇗", "external")):
        for edge in found[name]:
            other = edge["source"] if name == "backlinks" else edge["target"]
            place = f"{edge['source']}:{edge['line']}"
            why = f": {line(edge['why'])}" if edge["why"] else ""
            rung = f" ({edge['resolved_by']})" if edge["resolved_by"] in ("broken", "ambiguous", "outside") else ""
            lines.append(f"{clean(place)}: {arrow} {clean(other)}{rung} [{line(edge['label'])}]{why}")
    return lines if len(lines) > 1 else [*lines, "  no links in or out"]


def fact_lines(found: Answer) -> list[str]:
    value = f" = {line(found['value'])}" if found["value"] else ""
    proof = found["evidence"][0]["event"] if found["evidence"] else found["id"]
    about = f"{found['status']}, {found['type']}, {line(found['scope'])}, confidence {found['confidence']:g}"
    lines = [
        f"{ref(proof)}: {line(found['fact_key'])}{value}  [{about}, v{found['version']}]",
        f"    {line(found['statement'])}",
        f"    observed {when(found['observed_at'])} · confirmed {when(found['last_confirmed_at'])}",
    ]
    return lines + [f"    said in {ref(each['event'])}: “{line(each['quote'])}”" for each in found["evidence"]]


def fact(found: Answer) -> list[str]:
    lines = fact_lines(found["fact"]) if found["fact"] else [f"no current fact for {line(found['key'])}"]
    if found["history"]:
        lines += ["history:", *(text for past in found["history"] for text in fact_lines(past)[:3])]
    return lines


def facts(found: Answer) -> list[str]:
    return [text for one in found["facts"] for text in fact_lines(one)[:2]] or ["no facts"]


def why(found: Answer) -> list[str]:
    """The chain, one step a line, from the words to the turns in which they were said."""
    place = f"{clean(found['ref'])}:{found['line']}" if found["line"] else ref(found["ref"])
    lines = [f"{place}: {line(found['text'])}".rstrip(": ")]
    if commit := found["commit"]:
        who = f"{when(commit['time'])} {line(commit['author'])}"
        lines.append(f"  commit  {commit['id'][:SHORT]} {who}: {line(commit['subject'])}")
    elif found["line"]:
        lines.append("  commit  none yet; the next verb that writes makes it")
    if call := found["call"]:
        event = f" (event {ref(call['event'])}, {when(call['recorded_at'])})" if call["event"] else ""
        lines.append(f"  call    {clean(call['id'])}{event}")
    lines += scene(found["event"]) if found["event"] else []
    for each in found["facts"]:
        about, *rest = fact_lines(each["fact"])[:3]
        lines += [f"  fact    {about}", *(f"      {told}" for told in rest)]
        lines += [told for evidence in each["evidence"] for told in scene(evidence)]
    return lines


def scene(found: Answer) -> list[str]:
    """An event and the turns around it; the words that were quoted stand behind a mark."""
    if found["withheld"]:
        return [f"  event   {ref(found['event'])}: {found['withheld']}"]
    who, at = found["origin"] or found["actor"] or "unknown", found["happened_at"] or found["recorded_at"]
    said = f"{line(who)}, {when(at)}"
    session = f", {line(found['session'])} “{line(found['title'] or '')}”" if found["session"] else ""
    words = found["quote"] or (found["text"] if not found["turns"] else "")
    lines = [f"  event   {ref(found['event'])}: {said}{session}" + (f": “{line(words)}”" if words else "")]
    for turn in found["turns"]:
        for each in turn["messages"]:
            voice = line(each["tool"] or each["origin"])
            mark = ">" if each["quoted"] else " "
            lines.append(f"    {mark} {when(each['at'] or '')} {voice}: {line(each['text'])}")
    return lines


def blame(found: Answer) -> list[str]:
    """One line a line: where it stands, its commit and call, the key and event behind it, its text."""
    lines = []
    for each in found["lines"]:
        commit = f"{each['commit'][:8]} {each['time'][:10]}" if each["commit"] else f"{'-' * 8} {'uncommitted':<10}"
        event = f", event {ref(each['event'])}" if each["event"] else ""
        behind = f" [{line(each['fact_key'])}{event}]" if each["fact_key"] else ""
        call = clean(each["call"] or each["author"] or "")
        lines.append(f"{clean(found['ref'])}:{each['line']}: {commit} {call}{behind}  {line(each['text'])}".rstrip())
    return lines or [f"{clean(found['ref'])}:1: empty"]


def remember(found: Answer) -> list[str]:
    told = {
        "new": "noted; the next consolidation takes it in",
        "confirmed": "it is already known; this confirms it",
        "conflicts": "noted, but it contradicts what holds now",
        "duplicate": "already proposed",
        "refused": "refused",
        "over_quota": "refused: too many proposals in this session",
    }[found["outcome"]]
    other = f": {line(found['other'])}" if found.get("other") else ""
    return [f"{told}{other}" + (f" [event {ref(found['event'])}]" if found["event"] else "")]


def review(found: Answer) -> list[str]:
    """What awaits a person, each item with what it suggests and what may be decided."""
    lines = []
    for item in found["items"]:
        lines.append(f"{ref(item['id'])}: {item['what']}: {line(item['told'])}")
        lines += [f"    {line(each)}" for each in item["receipts"]]
        others = [decision for decision in item["decisions"] if decision != "accept"]
        lines.append(f"    accept: {line(item['suggests'])} · or {', '.join(others)}")
    return lines or ["nothing awaits you"]


def decision(found: Answer) -> list[str]:
    item = found["item"]
    done = {"accept": f"accepted: {line(item['suggests'])}", "reject": "rejected", "edit": "said in your words",
            "merge": "merged"}[found["decision"]]  # fmt: skip
    return [f"{done}; the next consolidation writes it into the notes [{ref(found['events'][0])}]"]


def schedule(found: Answer) -> list[str]:
    changed = set(found.get("changed", ()))
    files = found["files"].items()
    lines = [f"{clean(path)}: {state}" + (" (changed)" if path in changed else "") for path, state in files]
    if found["installed"]:
        return [*lines, f"every night at {found['at']}, from the next login on; now: {clean(found['start'])}"]
    return [*lines, f"not scheduled; if it still runs: {clean(found['stop'])}" if changed else "not scheduled"]


def consolidate(found: Answer) -> list[str]:
    names = ("turns", "asserted", "superseded", "confirmed", "proposed", "expired", "commits", "pending")
    counts = " · ".join(f"{found[name]} {name}" for name in names)
    lines = [f"run {clean(found['run'] or 'before')}: {counts}"]
    if found["run"] is None and not found["commits"]:
        lines = [found.get("note") or "nothing to consolidate"]
    for asked in found.get("questions", ()):
        who = f"{asked['backend']} {asked['model']}".strip()
        lines.append(f"would ask {line(who)} about {counted(asked['turns'], 'turn')}, some {asked['tokens']} tokens:")
        lines += [f"    {clean(text)}" for text in asked["text"].splitlines()]
    if found.get("tokens"):
        lines.append(f"{'about ' if found.get('questions') else ''}{found['tokens']} tokens")
    lines += [f"  {line(problem)}" for problem in found["problems"]]
    if not found.get("identical", True):
        lines.append("proof: DIFFERENT; `rhizome rebuild --verify` shows how")
        return lines + [f"{clean(each['path'])}:1: {line(each['what'])}" for each in found["differences"]]
    return [*lines, "proof: identical"] if "identical" in found and found["run"] else lines


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
    log, counts, index = found["log"], found["counts"], found["index"]
    behind = f"{counted(index['behind'] or 0, 'newer event')}, which a search reads from the log"
    behind = behind if index["behind"] else "up to date"
    behind = "not built" if index["seq"] is None else behind
    damage = f"{log['damaged']} DAMAGED, see `rhizome log verify`" if log["damaged"] else "nothing known to be damaged"
    lines = [
        f"home: {clean(found['home'])} (of {line(found['person'])})",
        f"notes: {clean(found['notes'])}",
        f"log: {counts['events']} events, head {log['seq']} {log['h'][:SHORT]}, {damage}",
        f"counts: {counts['notes']} notes, {counts['facts']} current facts",
        f"index: {behind}",
    ]
    for name, what in (
        ("uncommitted", "not committed yet; the next verb that writes does it"),
        ("held", "held back"),
        ("outages", "could not be looked at"),
        ("busy", "nothing is committed there now"),
    ):
        if found[name]:
            lines += [f"{name}: {len(found[name])} {what}", *(f"  {line(item)}" for item in found[name])]
    return lines


def doctor(found: Answer) -> list[str]:
    lines = []
    for each in found["findings"]:
        lines += [f"{clean(each['code'])}: {line(each['message'])}", f"    {line(each['hint'])}"]
    accepted = f" ({found['accepted']} accepted in rhizome.toml)" if found["accepted"] else ""
    told = counted(len(found["findings"]), "finding") if lines else "nothing needs attention"
    return [*lines, told + accepted]


def log_verify(found: Answer) -> list[str]:
    return [
        f"{clean(bad['segment'])}:{bad['offset']}: {line(bad['why'])} ({bad['length']} bytes)"
        for bad in found["damaged"]
    ] or [f"ok: {found['events']} events, head {found['head']['seq']} {found['head']['h'][:SHORT]}"]


def log_repair(found: Answer) -> list[str]:
    if not found["given_up"] and not found["aside"] and not found["damaged"]:
        return ["nothing is damaged"]
    lines = [f"set aside: {clean(name)}" for name in found["aside"]]
    lines += [f"given up: {clean(bad['segment'])}:{bad['offset']}: {line(bad['why'])}" for bad in found["given_up"]]
    lines += [f"damaged: {clean(bad['segment'])}:{bad['offset']}: {line(bad['why'])}" for bad in found["damaged"]]
    sound = "what is left is sound; `rhizome rebuild --verify` compares the notes"
    return lines if found["damaged"] else [*lines, sound]


def log_events(found: Answer) -> list[str]:
    if found["format"] == "jsonl":
        return [json.dumps(event, ensure_ascii=True) for event in found["events"]]
    if found["whole"]:
        return [text for event in found["events"] for text in log_event(event)]
    lines = []
    for event in found["events"]:
        about = ", ".join(line(event[name]) for name in ("kind", "origin", "session", "scope") if event[name])
        at = when(line(event["happened_at"] or event["recorded_at"]))
        lines.append(f"{ref(event['event'])}: {at} [{about}] {line(event['line'])[:LINE_CHARS]}".rstrip())
    more = ["... and more; -n 0 shows all"] if found["more"] else []
    return lines + more or ["no such events"]


def log_event(event: Answer) -> list[str]:
    """One event whole: every field it has, then its text."""
    lines = [f"{name}: {line(value)}" for name, value in event.items()
             if name not in ("text", "line") and value not in (None, "")]  # fmt: skip
    return [*lines, "", *read(event)]


def log_stats(found: Answer) -> list[str]:
    if found["format"] == "jsonl":
        return [json.dumps({name: value for name, value in found.items() if name != "format"}, ensure_ascii=True)]
    lines = [f"{counted(found['events'], 'event')} in {counted(found['sessions'], 'session')}"]
    for name in ("kinds", "origins", "scopes"):
        lines += [f"  {number:>9} {line(what)}" for what, number in found.get(name, {}).items()]
    for home, about in found.get("homes", {}).items():
        size = f"{about['bytes'] / 1e6:.1f} MB"
        parts = f"{counted(about['segments'], 'segment')}, {about['sealed']} sealed"
        lines.append(f"home {clean(home)}: {counted(about['events'], 'event')}, {parts}, {size}")
    return lines


def export_key(found: Answer) -> list[str]:
    return [found["key"] or f"the key is in {clean(found['path'])}; keep it as secret as the memory"]


def import_key(found: Answer) -> list[str]:
    kept = f"this home now names events by that key; the one it had is kept in {clean(found['kept'])}"
    return [kept if found["changed"] else "that is this home's key already"]


VERBS: dict[str, Callable[[Answer], list[str]]] = {
    "init": init,
    "import": import_,
    "search": search,
    "read": read,
    "graph": graph,
    "fact": fact,
    "facts": facts,
    "review": review,
    "review accept": decision,
    "review reject": decision,
    "review edit": decision,
    "review merge": decision,
    "schedule install": schedule,
    "schedule status": schedule,
    "schedule remove": schedule,
    "why": why,
    "blame": blame,
    "remember": remember,
    "consolidate": consolidate,
    "rebuild": rebuild,
    "list": list_,
    "status": status,
    "doctor": doctor,
    "log verify": log_verify,
    "log repair": log_repair,
    "log show": log_events,
    "log tail": log_events,
    "log grep": log_events,
    "log stats": log_stats,
    "home export-key": export_key,
    "home import-key": import_key,
}
