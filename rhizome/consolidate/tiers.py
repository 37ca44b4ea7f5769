"""Whether a fact may be shared: green or amber, decided once when it is reconciled. In doubt amber.

Amber: a person's scope, a subject that is a person, words of `tiers.toml` about a person's money, health or identity
or about what opens something (a password, a PIN, the code of a door), in the key, too, or an address, number or account
that belongs to somebody. Names of persons nobody told us about are out of reach.
"""

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from importlib.resources import files

from rhizome.consolidate.word_lists import listed
from rhizome.ledger.keys import folded
from rhizome.log.personal import personal
from rhizome.model import Tier


def decide(scope: str, subject: str, texts: Iterable[str], *, attribute: str = "", type: str = "fact",  # noqa: A002
           hint: str | None = None, people: Collection[str] = ()) -> Tier:
    """The tier of a fact of `scope` about `subject|attribute` whose words are `texts`; `people` are persons' names.

    A hint can only raise: what somebody wants private stays private, what looks private does too.
    """
    personal = (
        (hint or Tier.GREEN) != Tier.GREEN or scope.partition(":")[0] in ("", "user") or type == "profile"
        or is_person(subject, people) or any(map(reason, (*texts, *_readable(subject, attribute))))
    )
    return Tier.AMBER if personal else Tier.GREEN


def _readable(subject: str, attribute: str) -> tuple[str, str]:
    """A key as it is read: `door_code` of `garage` is the garage's door code."""
    words = re.sub(r"[_.-]+", " ", attribute)
    return f"{subject} {words}", words


def is_person(subject: str, people: Collection[str] = ()) -> bool:
    subject = folded(subject)
    return subject.startswith("@") or subject in _words("people") or subject in {folded(name) for name in people}


def reason(text: str) -> str:
    """What makes `text` personal (money, health, identity, secret, email, phone, card, iban, cpf, dni), or nothing."""
    plain = folded(text)
    for subject in ("money", "health", "identity", "secret"):
        if _listed(subject).search(plain):
            return subject
    return next(iter(personal(text)), "")


@cache
def _table() -> Mapping[str, Mapping[str, list[str]]]:
    return tomllib.loads(files("rhizome.consolidate").joinpath("tiers.toml").read_text(encoding="utf-8"))


@cache
def _words(subject: str) -> frozenset[str]:
    return frozenset(folded(word) for words in _table()[subject].values() for word in words)


@cache
def _listed(subject: str) -> re.Pattern[str]:
    return listed(_table()[subject])
