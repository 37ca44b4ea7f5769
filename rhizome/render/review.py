"""What awaits a person, and what they decided."""

from rhizome.render.text import Answer, line, ref


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
