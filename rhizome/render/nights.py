"""A consolidation, the proof of it, and when it happens."""

from rhizome.render.text import Answer, clean, counted, line


def consolidate(found: Answer) -> list[str]:
    names = ["turns", "asserted", "superseded", "confirmed", "proposed", "expired", "commits", "pending"]
    names += [name for name in ("retracted", "packed") if found.get(name)]
    counts = " · ".join(f"{found[name]} {name}" for name in names)
    counts += f" · {counted(found['edits'], 'edit')} of yours taken in" if found.get("edits") else ""
    lines = [f"run {clean(found['run'] or 'before')}: {counts}"]
    if found["run"] is None and not found["commits"]:
        lines = [found.get("note") or "nothing to consolidate"]
    for asked in found.get("questions", ()):
        who = f"{asked['backend']} {asked['model']}".strip()
        lines.append(f"would ask {line(who)} about {counted(asked['turns'], 'turn')}, some {asked['tokens']} tokens:")
        lines += [f"    {clean(text)}" for text in asked["text"].splitlines()]
    if found.get("tokens"):
        lines.append(f"{'about ' if found.get('questions') else ''}{found['tokens']} tokens")
    if found.get("agreed") is not None:
        lines.append(f"said again: {found['agreed']} of {counted(found['agreed'] + len(found['fell_out']), 'fact')}")
        lines += [f"  fell out, and holds until somebody says otherwise: {line(each)}" for each in found["fell_out"]]
    lines += [f"  expired, nobody confirmed it for long: {line(each)}" for each in found.get("ended", ())]
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


def schedule(found: Answer) -> list[str]:
    changed = set(found.get("changed", ()))
    files = found["files"].items()
    lines = [f"{clean(path)}: {state}" + (" (changed)" if path in changed else "") for path, state in files]
    if found["installed"]:
        return [*lines, f"every night at {found['at']}, from the next login on; now: {clean(found['start'])}"]
    return [*lines, f"not scheduled; if it still runs: {clean(found['stop'])}" if changed else "not scheduled"]
