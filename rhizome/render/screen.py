"""The review at a terminal: one item after the other, one letter a decision, each of them an event at once."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rhizome.errors import RhizomeError
from rhizome.render.review import decision, item
from rhizome.render.text import Answer, clean, counted, line

Ask = Callable[[str], str | None]
"""A question -> the line that was typed; None when nobody answers any more."""

Decide = Callable[[str, Mapping[str, Any]], Answer]
"""A decision's name and its arguments -> the verb's answer. Raises RhizomeError for what is refused."""

DECISIONS = {"a": "accept", "r": "reject", "e": "edit", "s": "supersede", "m": "merge"}


def screen(items: Sequence[Answer], decide: Decide, ask: Ask, tell: Callable[[str], None]) -> int:
    """Go through what awaits; how many decisions were made."""
    made = 0
    for place, each in enumerate(items, 1):
        tell(f"{place} of {len(items)}")
        for text in item(each):
            tell(text)
        settled = _settled(each, decide, ask, tell)
        if settled is None:
            break
        made += settled
    done = f"{counted(made, 'decision')}; the next consolidation writes them into the notes"
    tell(done if made else "nothing decided")
    return made


def _settled(found: Answer, decide: Decide, ask: Ask, tell: Callable[[str], None]) -> int | None:
    """1 when a decision was made about an item, 0 when it was passed over, None when the person leaves."""
    letters = {letter: name for letter, name in DECISIONS.items() if name in found["decisions"]}
    menu = ", ".join([*(f"{letter} {name}" for letter, name in letters.items()), "n next", "q quit"])
    while True:
        typed = ask(f"{menu}: ")
        letter = (typed or "q").strip().casefold()[:1]
        if letter in ("q", "n"):
            return None if letter == "q" else 0
        if letter not in letters:
            continue
        words = _words(found, letters[letter], ask)
        if words is None:
            continue
        try:
            for text in decision(decide(letters[letter], {"id": found["id"], **words})):
                tell(text)
        except RhizomeError as wrong:
            tell(f"{line(wrong.message)}. {line(wrong.hint)}")
            continue
        return 1


def _words(found: Answer, name: str, ask: Ask) -> dict[str, str] | None:
    """What a decision needs besides the item; None where the person thought better of it."""
    match name:
        case "edit" | "supersede":
            proposal = found["facts"][0]["statement"] if name == "edit" or found["what"] == "conflict" else ""
            statement = ask(f"what holds, in one sentence{f' [{clean(proposal)}]' if proposal else ''}: ")
            if statement is None or not (statement.strip() or proposal):
                return None
            if not statement.strip() and name == "supersede":
                return {}
            value = ask("the value in it (empty: none): ")
            return None if value is None else {"statement": statement.strip() or proposal, "value": value.strip()}
        case "merge":
            keys = [fact["fact_key"] for fact in found["facts"]]
            which = ask(f"which key stays, 1 {clean(keys[0])} or 2 {clean(keys[1])} [2]: ")
            return None if which is None else {"into": keys[0] if which.strip() == "1" else keys[1]}
    return {}
