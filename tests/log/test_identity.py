"""Ids are keyed, unambiguous, and the key is guarded."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.errors import Damaged, NotFound, Refused
from rhizome.log.identity import identifier, identify, make_key, read_key

PARTS = st.lists(st.binary(max_size=8), max_size=4)


@given(PARTS, PARTS)
def test_parts_name_the_same_thing_only_when_they_are_the_same_parts(these: list[bytes], those: list[bytes]) -> None:
    assert (these == those) == (identify(bytes(32), *these) == identify(bytes(32), *those))


@given(PARTS, st.binary(max_size=300))
def test_what_is_named_after_others_like_it_has_the_same_name(first: list[bytes], last: bytes) -> None:
    name = identifier(bytes(32), *first)
    name(b"another")

    assert identify(bytes(32), *first, last) == name(last)


def test_an_id_never_changes_between_releases() -> None:
    assert identify(b"k" * 32, b"claude-code", b"record") == "b9f264ceb37620ccbb263b341df40d75"


def test_another_person_gives_another_id() -> None:
    assert identify(b"a" * 32, b"x") != identify(b"b" * 32, b"x")


def test_a_key_is_read_as_it_was_made_and_is_private(tmp_path: Path) -> None:
    made = make_key(tmp_path / "log" / "key", lambda n: bytes(range(n)))

    assert made == read_key(tmp_path / "log" / "key") == bytes(range(32))
    assert (tmp_path / "log" / "key").stat().st_mode & 0o777 == 0o600


def test_a_key_is_never_overwritten(tmp_path: Path) -> None:
    make_key(tmp_path / "key", bytes)

    with pytest.raises(Refused, match="stands here already"):
        make_key(tmp_path / "key", lambda n: b"x" * n)
    assert read_key(tmp_path / "key") == bytes(32)


def test_a_missing_key_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(NotFound) as raised:
        read_key(tmp_path / "key")

    assert "restore it" in raised.value.hint


@pytest.mark.parametrize("content", [b"", b"abc", b"00" * 31, b"zz" * 32, b"\xff" * 64])
def test_what_is_no_key_is_damage(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "key").write_bytes(content)

    with pytest.raises(Damaged, match="not a key"):
        read_key(tmp_path / "key")
