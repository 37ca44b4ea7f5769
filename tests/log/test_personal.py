"""What belongs to somebody is recognised, and the door lets it in."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.log.door import Door
from rhizome.log.personal import cpf, iban, luhn, personal

FOUND = {
    "email": "write to ines@tides.pt today",
    "phone": "call +351 21 346 0958 after noon",
    "card": "the card is 4111 1111 1111 1111",
    "iban": "pay to DE89 3704 0044 0532 0130 00",
    "cpf": "nota para 529.982.247-25",
    "dni": "firma 12345678Z",
}


@pytest.mark.parametrize("kind", FOUND)
def test_what_belongs_to_somebody_is_recognised_and_kept(kind: str) -> None:
    line = json.dumps({"text": FOUND[kind]})

    assert list(personal(FOUND[kind])) == [kind]
    assert line == Door(bytes(32)).clean(line).text


@pytest.mark.parametrize("text", [
    "git@example.org", "4111 1111 1111 1112", "GB82 WEST 1234 5698 7654 33", "commit 8999914c0f3b2a1e", "1.2.3-4",
    "2026-09-08T10:00:00.000Z", "1789000000000", "127.0.0.1:8080", "87237015-0c94-48a3-939a-458705170700",
])
def test_what_belongs_to_nobody_is_nobody_s(text: str) -> None:
    assert list(personal(text)) == []


@given(st.text("0123456789", min_size=12, max_size=18).filter(lambda digits: len(set(digits)) > 1))
def test_one_check_digit_makes_a_card(digits: str) -> None:
    assert sum(luhn(digits + check) for check in "0123456789") == 1


@given(st.text("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=12, max_size=28))
def test_at_most_two_check_numbers_make_an_account(account: str) -> None:
    valid = [check for check in range(100) if iban(f"DE{check:02}{account}")]

    assert len(valid) in (1, 2)
    assert all(each % 97 == valid[0] % 97 for each in valid)


@given(st.text("0123456789", min_size=9, max_size=9).filter(lambda digits: len(set(digits)) > 1))
def test_one_pair_of_check_digits_makes_a_taxpayer(digits: str) -> None:
    assert sum(cpf(f"{digits}{check:02}") for check in range(100)) == 1


@pytest.mark.parametrize("hostile", ["a", "a@", "1", "0-", "+1 ", "(1", "DE89 ", "1.1", "@a."])
def test_hostile_repetition_stays_linear(hostile: str) -> None:
    def cost(length: int) -> float:
        start = time.process_time()
        list(personal(hostile * (length // len(hostile))))
        return time.process_time() - start

    assert cost(200_000) < 30 * cost(25_000) + 0.2
