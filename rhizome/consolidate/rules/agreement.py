"""Bare agreement, and the one concrete proposal it adopts: `Yes, go with that` says what the model's sentence says."""

import re
from collections.abc import Sequence

from rhizome.consolidate.rules.lexicon import Tag
from rhizome.consolidate.rules.prose import own_words, sentences
from rhizome.consolidate.rules.reading import Reading, read
from rhizome.consolidate.rules.statements import Stated, stated
from rhizome.consolidate.rules.tables import replies

AGREEMENT_CHARS = 80
"""A longer answer says something of its own and is read for that."""

_NOTHING = re.compile(r"[\s,.!;:、。！'’\"`*_👍👌✅🙏-]*(?:[A-Z]\w{1,14})?[\s,.!;:、。！'’\"`*_👍👌✅🙏-]*")


_SIGNS = frozenset({"👍", "👌", "✅", "+1"})


def agrees(text: str) -> bool:
    """Whether a person's whole message is consent, with nothing refused, added or asked."""
    said = text.strip()
    if said in _SIGNS:
        return True
    if not said or len(said) > AGREEMENT_CHARS or "?" in said or "？" in said:
        return False
    tags = replies().tags(said)
    if not any(tag.label == "consent" for tag in tags) or any(tag.label == "refuse" for tag in tags):
        return False
    rest = list(said)
    for tag in tags:
        rest[tag.start : tag.end] = " " * (tag.end - tag.start)
    return _NOTHING.fullmatch("".join(rest)) is not None


def proposal(text: str) -> tuple[Reading, Stated] | None:
    """The one thing a message proposes, if it is exactly one: two offers, or one among alternatives, adopt nothing."""
    offers: list[tuple[Reading, Stated]] = []
    for sentence in sentences(own_words(text)):
        offered = sentence.question or any(tag.label == "propose" for tag in replies().tags(sentence.quiet))
        reading = read(sentence)
        told = any(not _said_by_me(reading, tag) for tag in reading.of("report"))
        if offered and not reading.of("if") and not told:
            offers += [(reading, pair) for pair in _offered(reading)]
    return offers[0] if len(offers) == 1 else None


def _said_by_me(reading: Reading, tag: Tag) -> bool:
    """`I recommend` is an offer, `the docs recommend` a report."""
    return reading.text[: tag.start].casefold().endswith(("i ", "i'd ", "i’d ", "would "))


def _offered(reading: Reading) -> Sequence[Stated]:
    return stated(reading, proposed=True)
