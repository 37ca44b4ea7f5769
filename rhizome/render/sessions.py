"""What an import brought."""

from rhizome.render.text import Answer, clean, counted, line


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
