"""What answers are worth, as tables."""

from rhizome.render.text import Answer, clean, counted, line, ref

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


def add(found: Answer) -> list[str]:
    answers = ", ".join(map(ref, found["expected"])) or "nothing"
    return [f"{ref(found['note'])}: {line(found['question'])} → {answers}"] + [
        f"not committed: {ref(name)} {line(why)}" for name, why in found["held"].items()]


def run(found: Answer) -> list[str]:
    """Each question with the place of its answer, what changed since the last time, and what may never fail."""
    last = found["last"] or {"figures": {}, "places": {}}
    lines = []
    for each in found["questions"]:
        before = last["places"].get(each["question"], each["place"])
        was = f" (last time: {placed(before)})" if before != each["place"] else ""
        lines.append(f"{placed(each['place']):>9}  {line(each['question'])}{was}")
    lines = lines or ["no questions yet: `rhizome eval add \"QUESTION\" --expect REF`"]
    for name, value in found["figures"].items():
        was = f" (last time: {last['figures'][name]:.3f})" if name in last["figures"] else ""
        lines.append(f"{name:<9} {value:.3f}{was}")
    if any(found["refusals"][name] for name in ("unanswerable", "abstained")):
        lines.append("refusals: " + shares(found["refusals"]))
    wrong = [case for case in found["matrix"] if case["wrong"]]
    lines.append(f"made-up cases, in a home of their own: {len(found['matrix']) - len(wrong)} of "
                 f"{len(found['matrix'])} hold; they say nothing of your questions")
    return lines + [f"  WRONG, {case['kind']}, {line(case['asked'])}: {line(case['wrong'])}" for case in wrong]


def placed(place: int | None) -> str:
    return "missed" if place is None else f"place {place}" if place else "refused"


def compare(found: Answer) -> list[str]:
    width = max(len(each["figure"]) for each in found["figures"])
    lines = [f"a: {ref(found['a'])}", f"b: {ref(found['b'])}",
             f"{'figure':<{width}} {'n':>6} {'a':>7} {'b':>7} {'b - a':>8}  {'95 %':<18} {'chance':>7}  won by"]
    for each in found["figures"]:
        spread = f"{each['low']:+.3f} to {each['high']:+.3f}"
        means = f"{each['n']:>6} {each['a']:>7.3f} {each['b']:>7.3f} {each['more']:>+8.3f}"
        lines.append(f"{each['figure']:<{width}} {means}  {spread:<18} {each['chance']:>7.3f}"
                     f"  a {each['wins_a']}, b {each['wins_b']}")
    return lines
