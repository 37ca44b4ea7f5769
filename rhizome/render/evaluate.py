"""What answers are worth, as tables."""

from rhizome.render.text import Answer, clean, counted, line

COLUMNS = ("hit@1", "hit@5", "hit@10", "recall@1", "recall@5", "recall@10", "all@5", "MRR@10", "nDCG@10")


def bench(found: Answer) -> list[str]:
    how = "words and vectors" if found["vectors"] else "words only"
    lines = [f"{counted(found['documents'], 'document')} taken in and indexed in {found['seconds']:.1f} s; asked with "
             f"{how}" + (", by what a document belongs to" if found["parents"] else "")]
    lines += [f"set: {line(name)} = {line(value)}" for name, value in found["settings"].items()]
    for each in found["sets"]:
        rate = 1e3 * each["seconds"] / max(each["questions"], 1)
        lines += ["", f"{line(each['queries'])}: {counted(each['questions'], 'question')}, {rate:.1f} ms each"]
        lines += figures(each)
        lines += [f"answers: {clean(each['run'])}"] if each["run"] else []
    return lines


def figures(found: Answer) -> list[str]:
    """The figures of one run: by category, then refusals, then what was replaced."""
    width = max([len(line(name)) for name in found["table"]] + [8])
    head = f"{'category':<{width}} {'n':>5}" + "".join(f"{name:>10}" for name in COLUMNS)
    lines = [head] if found["table"] else []
    for name, row in found["table"].items():
        lines.append(f"{line(name):<{width}} {row['n']:>5.0f}" + "".join(f"{row[each]:>10.3f}" for each in COLUMNS))
    refusals, updates = found["refusals"], found["updates"]
    if refusals["unanswerable"] or refusals["abstained"]:
        lines.append("refusals: " + shares(refusals))
    if updates["n"]:
        lines.append(f"replaced: n {updates['n']}, fresh {updates['fresh']:.3f}, leak@5 {updates['leak']:.3f}")
    odd = {name: found[name] for name in ("missing", "unlabelled", "unknown") if found[name]}
    return lines + ([", ".join(f"{name} {number}" for name, number in odd.items())] if odd else [])


def shares(found: Answer) -> str:
    return ", ".join(f"{name} {value if isinstance(value, int) else format(value, '.3f')}"
                     for name, value in found.items() if value is not None)
