"""What awaits a person, and what they decided."""

from rhizome.render.text import Answer, line, ref


def review(found: Answer) -> list[str]:
    """What awaits a person, each item with what it suggests and what may be decided."""
    return [text for each in found["items"] for text in item(each)] or ["nothing awaits you"]


def item(found: Answer) -> list[str]:
    others = [name for name in found["decisions"] if name != "accept"]
    return [
        f"{ref(found['id'])}: {found['what']}: {line(found['told'])}",
        *(f"    {line(receipt)}" for receipt in found["receipts"]),
        f"    accept: {line(found['suggests'])} · or {', '.join(others)}",
    ]


def decision(found: Answer) -> list[str]:
    suggests = line(found["item"]["suggests"])
    done = {"accept": f"accepted: {suggests}", "reject": "rejected", "edit": "said in your words",
            "supersede": "what held is replaced", "merge": "merged"}[found["decision"]]  # fmt: skip
    return [f"{done}; the next consolidation writes it into the notes [{ref(found['events'][0])}]"]
