"""When two values say the same: NFKC, case, white space and punctuation at a word's edge make no difference."""

from rhizome.ledger.keys import folded

OPENING = "\"'`“”‘’‚„«»‹›([{「『【《〈（"
CLOSING = "\"'`“”‘’«»‹›)]}」』】》〉）,;:.!?…。、，；：！？"
DASHES = str.maketrans(dict.fromkeys("‐‑‒–—―−", "-"))


def comparable(text: str) -> str:
    """What is left of `text` for comparing.

    Punctuation that carries a value stays: `3.11` is not `311`, `-1` not `1`, `.env` not `env`, `C#` not `C`.
    """
    words = (word.lstrip(OPENING).rstrip(CLOSING) for word in folded(text).translate(DASHES).split())
    return " ".join(word for word in words if word.strip("-")) or folded(text)


def same(value: str, statement: str, other_value: str, other_statement: str) -> bool:
    """Whether two claims about one key say the same: by value, by statement where one of them has no value."""
    if value and other_value:
        return comparable(value) == comparable(other_value)
    return comparable(statement) == comparable(other_statement)
