"""Whether a fact may be shared: green or amber, decided once when it is reconciled. In doubt amber.

Amber: a person's scope, a subject that is a person, words of `tiers.toml` about a person's money, health or identity,
or an address, number or account that belongs to somebody. Names of persons nobody told us about are out of reach.
"""

import re
import tomllib
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from importlib.resources import files

from rhizome.ledger.keys import folded
from rhizome.model import Tier

_EMAIL = re.compile(r"[\w.+-]{1,64}@([\w-]{1,63}(?:\.[\w-]{1,63}){1,4})(?![\w:])")
_PHONE = re.compile(
    r"(?<![\w.+-])(?:\+\d{1,3}(?:[ .()-]{0,2}\d){7,12}"       # +44 20 7946 0958
    r"|\(\d{2,4}\) ?\d{3,5}[ -]\d{3,4}"                        # (11) 98765-4321
    r"|0\d{1,3}-\d{2,4}-\d{3,4}|[2-9]\d{2}-\d{3}-\d{4}"        # 090-1234-5678, 555-123-4567
    r")(?![\w-])")
_CARD = re.compile(r"(?<![\w.-])[3-6](?:[ -]?\d){13,18}(?![\w.-])")  # time stamps begin with 1
_IBAN = re.compile(r"(?<!\w)[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]{4}){2,7}(?: ?[A-Za-z0-9]{1,3})?(?!\w)")
_CPF = re.compile(r"(?<![\w.-])\d{3}\.?\d{3}\.?\d{3}-?\d{2}(?![\w.-])")
_DNI = re.compile(r"(?<!\w)[XYZxyz\d]\d{7}-?[A-Za-z](?!\w)")
_NOBODY = re.compile(r"(?:.*\.)?(?:example\.(?:com|net|org)|[\w-]+\.(?:example|invalid|test))|localhost")
_RADIX = 97
_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"


def decide(scope: str, subject: str, texts: Iterable[str], *, type: str = "fact", hint: str | None = None,  # noqa: A002
           people: Collection[str] = ()) -> Tier:
    """The tier of a fact of `scope` about `subject` whose words are `texts`; `people` are names known to be persons'.

    A hint can only raise: what somebody wants private stays private, what looks private does too.
    """
    personal = (
        (hint or Tier.GREEN) != Tier.GREEN or scope.partition(":")[0] in ("", "user") or type == "profile"
        or is_person(subject, people) or any(map(reason, texts))
    )
    return Tier.AMBER if personal else Tier.GREEN


def is_person(subject: str, people: Collection[str] = ()) -> bool:
    subject = folded(subject)
    return subject.startswith("@") or subject in _words("people") or subject in {folded(name) for name in people}


def reason(text: str) -> str:
    """What makes `text` personal (money, health, identity, email, phone, card, iban, cpf, dni), or nothing."""
    plain = folded(text)
    for subject in ("money", "health", "identity"):
        if _listed(subject).search(plain):
            return subject
    for name, finds in _DETECTORS.items():
        if finds(text):
            return name
    return ""


@cache
def _table() -> Mapping[str, Mapping[str, list[str]]]:
    return tomllib.loads(files("rhizome.consolidate").joinpath("tiers.toml").read_text(encoding="utf-8"))


@cache
def _words(subject: str) -> frozenset[str]:
    return frozenset(folded(word) for words in _table()[subject].values() for word in words)


@cache
def _listed(subject: str) -> re.Pattern[str]:
    """One pattern for a word list: whole words where the script has them."""
    spaced, unspaced = [], []
    for language, words in _table()[subject].items():
        for word in map(folded, words):
            if language == "ja":
                unspaced.append(re.escape(word))
            else:
                spaced.append(re.escape(word.rstrip("*")) + (r"\w*" if word.endswith("*") else ""))
    return re.compile(rf"(?<!\w)(?:{'|'.join(spaced)})(?!\w)|{'|'.join(unspaced)}")


def _email(text: str) -> bool:
    return any(not _NOBODY.fullmatch(found[1].casefold()) for found in _EMAIL.finditer(text))


def _phone(text: str) -> bool:
    return _PHONE.search(text) is not None


def _card(text: str) -> bool:
    return any(luhn(re.sub(r"\D", "", found[0])) for found in _CARD.finditer(text))


def _iban(text: str) -> bool:
    return any(iban(found[0]) for found in _IBAN.finditer(text))


def _cpf(text: str) -> bool:
    return any(cpf(re.sub(r"\D", "", found[0])) for found in _CPF.finditer(text))


def _dni(text: str) -> bool:
    return any(dni(found[0].replace("-", "").upper()) for found in _DNI.finditer(text))


_DETECTORS = {"email": _email, "phone": _phone, "card": _card, "iban": _iban, "cpf": _cpf, "dni": _dni}


def luhn(digits: str) -> bool:
    """Whether `digits` are a payment card's by ISO/IEC 7812; rows of one digit are nobody's."""
    doubled = (sum(divmod(2 * int(digit), 10)) if place % 2 else int(digit) for place, digit in enumerate(digits[::-1]))
    return sum(doubled) % 10 == 0 and len(set(digits)) > 1


def iban(text: str) -> bool:
    """Whether `text` is an account by ISO 13616."""
    text = text.replace(" ", "").upper()
    return text.isascii() and int("".join(str(int(char, 36)) for char in text[4:] + text[:4])) % _RADIX == 1


def cpf(digits: str) -> bool:
    """Whether `digits` are a Brazilian taxpayer's: two check digits modulo 11."""
    def check(length: int) -> int:
        return sum((length + 1 - place) * int(digit) for place, digit in enumerate(digits[:length])) * 10 % 11 % 10
    return len(set(digits)) > 1 and (check(9), check(10)) == (int(digits[9]), int(digits[10]))


def dni(text: str) -> bool:
    """Whether `text` is a Spanish resident's: eight digits (X, Y, Z for 0, 1, 2) and the letter they give."""
    number = text[:-1].translate(str.maketrans("XYZ", "012"))
    return number.isdigit() and _DNI_LETTERS[int(number) % 23] == text[-1]
