"""What an import brought, and what will soon be gone where it came from."""

from rhizome.render.text import Answer, clean, counted, line

COLUMNS = ("sessions", "new", "seen", "revised", "unparsed", "pending", "redacted", "oldest", "newest")


def import_(found: Answer) -> list[str]:
    names = [*found["sources"], "all"] if len(found["sources"]) > 1 else list(found["sources"])
    columns = [*COLUMNS[:4], *(["attached"] if found["attached"] else []), *COLUMNS[4:]]
    rows = [["harness", *columns]]
    rows += [[clean(name), *cells(found if name == "all" else found["sources"][name], columns)] for name in names]
    told = table(rows) if names else ["No sessions found. Name a file or a folder: `rhizome import PATH`."]
    if found["dry_run"]:
        told.insert(0, "A rehearsal: nothing was appended. This would come:")
    if found["redacted_by"]:
        rules = (f"{number} {clean(rule)}" for rule, number in sorted(found["redacted_by"].items()))
        told.append(f"redacted: {', '.join(rules)}")
    if found["skipped"]:
        told.append(f"{counted(found['skipped'], 'other file')} skipped: no session")
    if found["own"]:
        told.append(f"{counted(found['own'], 'session')} of rhizome's own questions skipped")
    told += map(going, found["going"])
    if found["put_off"] and found["put_off"] not in found["problems"]:
        told.append(f"saves of notes wait for the next verb: {line(found['put_off'])}")
    return told + [f"not read: {line(problem)}" for problem in found["problems"]]


def cells(counts: Answer, columns: list[str]) -> list[str]:
    return [day(counts[each]) if each in ("oldest", "newest") else str(counts[each]) for each in columns]


def day(at: str | None) -> str:
    return clean(at[:10]) if at else "-"


def table(rows: list[list[str]]) -> list[str]:
    """Columns as wide as they have to be: the first begins where it does, the others end together."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [f"{row[0]:<{widths[0]}}" + "".join(f"  {cell:>{width}}" for cell, width in
                                              zip(row[1:], widths[1:], strict=True)) for row in rows]


def going(soon: Answer) -> str:
    """What a harness deletes within days, and what to set for it to stay. The log has it all the same."""
    if not soon["days"]:
        return f"{clean(soon['harness'])} keeps no sessions: set {line(soon['setting'])} to a number of days"
    return (f"{clean(soon['harness'])} deletes sessions after {counted(soon['days'], 'day')}: "
            f"{counted(soon['sessions'], 'of these')} go soon, from {soon['first']} on; to keep the files, set "
            f"{line(soon['setting'])}")
