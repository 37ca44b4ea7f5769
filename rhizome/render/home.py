"""The home: how it was made, how it is."""

from rhizome.render.text import SHORT, Answer, clean, counted, line


def init(found: Answer) -> list[str]:
    made = "Made a home" if found["created"] else "There already is a home"
    return [
        f"{made} at {clean(found['home'])} (of {line(found['person'])}).",
        f"Notes: {clean(found['notes'])}",
        'Next: `rhizome import` reads this machine\'s agent sessions; `rhizome search "..."` answers.',
    ]


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


def export_key(found: Answer) -> list[str]:
    return [found["key"] or f"the key is in {clean(found['path'])}; keep it as secret as the memory"]


def import_key(found: Answer) -> list[str]:
    kept = f"this home now names events by that key; the one it had is kept in {clean(found['kept'])}"
    return [kept if found["changed"] else "that is this home's key already"]
