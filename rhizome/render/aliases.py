"""Other names, and names that somebody looked for."""

from rhizome.render.text import Answer, clean, counted, line, ref, when


def listed(found: Answer) -> list[str]:
    return [f"{ref(each['ref'])}: {line(each['alias'])} → {line(each['name'])} [{each['layer']}]"
            for each in found["aliases"]] or ["no aliases yet; a note has them in its front matter"]  # fmt: skip


def suggested(found: Answer) -> list[str]:
    lines = [text for each in found["suggestions"] for text in suggestion(each)]
    return lines or ["nothing to suggest: no question in vain led to a note soon after"]


def suggestion(each: Answer) -> list[str]:
    """A name, the questions that speak for it, and the line of front matter that takes it in."""
    first, times = each["asked"][0], each["times"]
    missed, answered = (f"“{line(one['question'])}”" for one in (first["missed"], first["found"]))
    more = [f"    and {counted(times - 1, 'time')} more"] if times > 1 else []
    return [
        f"{clean(each['note'])}:1: {line(each['alias'])} → {line(each['title'])}",
        f"    {missed} had no answer ({when(line(first['missed']['at']))}), {answered} had",
        *more,
        f"    to take it in, have in the note's front matter: {line(each['line'])}",
    ]
