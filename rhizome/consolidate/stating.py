"""What a sentence states by itself, as the rules read it: the value of a statement that a person wrote anew."""

from collections.abc import Callable

from rhizome.consolidate.distill import USER, Known, KnownFact
from rhizome.ledger.fold import Key
from rhizome.ledger.keys import canonical
from rhizome.model import Message, Origin, Part, Turn

_HERE = "edit"


def stating(key: Key, value: str, statement: str) -> Callable[[str], str]:
    """The value that a sentence gives `key`, which had `value` by `statement`; empty where the rules read none."""
    scope, fact_key = key
    own = scope.partition(":")[0] == USER
    known = Known({USER if own else scope: [KnownFact(fact_key, value, " ".join(statement.split()))]})

    def read(sentence: str) -> str:
        from rhizome.consolidate.rules import Rules  # the cue tables are read in only for a sentence written anew

        said = Message(_HERE, Part.SAID, Origin.HUMAN, sentence, turn=_HERE)
        drafts = Rules().distill([Turn(_HERE, _HERE, "" if own else scope, (said,), closed=True)], known)
        named = (draft.value for draft in drafts if canonical(f"{draft.subject}|{draft.attribute}") == fact_key)
        return next(named, "")

    return read
