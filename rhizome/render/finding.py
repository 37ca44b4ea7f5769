"""What was found, each hit with its receipt. Listings start with `path:line:` so that editors can jump there."""

from collections.abc import Iterable

from rhizome.render.text import Answer, clean, line, ref, when

SHOWN = {"recorded_at": "recorded", "confirmed_at": "confirmed", "superseded_by": "superseded by", "subject": "beware:"}
REASONS = {
    "off_topic": "nothing here is about this.",
    "index_behind": "the index has not caught up; ask again after `rhizome rebuild`.",
    "damaged": "part of the log cannot be believed; see `rhizome log verify`.",
}


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
    return known or told + ("" if told[-1:] in (".", "?") else ".")


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


def read(found: Answer) -> list[str]:
    """A text for a terminal: line by line, with nothing in it that a terminal obeys."""
    return [clean(text) for text in found["text"].encode("utf-8", "surrogateescape").decode("utf-8", "replace")
            .replace("\r\n", "\n").removesuffix("\n").split("\n")]  # fmt: skip


def graph(found: Answer) -> list[str]:
    """The note's own links, then what lies further, one block for each hop."""
    lines = [clean(found["note"])]
    for arrow, name in (("→", "links"), ("←", "backlinks"), ("⇗", "external")):
        other = "source" if name == "backlinks" else "target"
        lines += [edge(each, arrow, each[other]) for each in found[name]]
    lines = lines if len(lines) > 1 else [*lines, "  no links in or out"]
    return lines + (further(found["around"]) if "around" in found else [])


def edge(found: Answer, arrow: str, other: str) -> str:
    place = f"{found['source']}:{found['line']}"
    why = f": {line(found['why'])}" if found["why"] else ""
    rung = f" ({found['resolved_by']})" if found["resolved_by"] in ("broken", "ambiguous", "outside") else ""
    return f"{clean(place)}: {arrow} {clean(other)}{rung} [{line(found['label'])}]{why}"


def further(around: Answer) -> list[str]:
    """The links that lead on from the notes around a note, by how many links away they lead."""
    away: dict[int, list[str]] = {}
    for each in around["links"]:
        nearer = min(around["distances"][each["source"]], around["distances"][each["target"]])
        away.setdefault(nearer + 1, []).append(edge(each, "→", each["target"]))
    lines = [text for hop in sorted(away) if hop > 1 for text in (f"{hop} links away:", *away[hop])]
    more = [f"... and more; these are the nearest {len(around['distances'])} notes"] if around["truncated"] else []
    return (lines or ["nothing lies further away"]) + more


def list_(found: Answer) -> list[str]:
    return [
        f"{clean(note['path'])}:1: {line(note['title'])}"
        + (f" ({', '.join(map(line, note['aliases']))})" if note["aliases"] else "")
        + (f" [{note['tier']}{', derived' if note['derived'] else ''}]")
        for note in found["notes"]
    ] or ["no notes yet"]


def check(found: Answer) -> list[str]:
    return [
        f"{clean(each['path'])}:{each['line']}:{each['col']}: {line(each['message'])} [{each['code']}]"
        for each in found["findings"]
    ] or ["nothing to mend"]
