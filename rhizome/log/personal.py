"""What belongs to somebody: addresses, telephone numbers, cards, accounts, taxpayers' and residents' numbers.

The door removes none of it: a memory of one's own holds such things. It decides who may see a fact. Checksums are
asked wherever a number has one. Names of persons are out of reach.
"""

import re
from collections.abc import Callable, Iterator, Mapping

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



def personal(text: str) -> Iterator[str]:
    """What kinds of personal data a text holds: email, phone, card, iban, cpf, dni, in this order."""
    return (name for name, finds in _DETECTORS.items() if finds(text))


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


_DETECTORS: Mapping[str, Callable[[str], bool]] = {
    "email": _email, "phone": _phone, "card": _card, "iban": _iban, "cpf": _cpf, "dni": _dni,
}  # fmt: skip


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
