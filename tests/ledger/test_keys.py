"""Addresses of facts and how they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.ledger.keys import canonical, slug, statement_id
from rhizome.ledger.values import comparable, same


@pytest.mark.parametrize(("key", "expected"), [
    ("Deploy | Branch", "deploy|branch"),
    ("deploy|branch", "deploy|branch"),
    ("ｄｅｐｌｏｙ｜branch", "deploy|branch"),
    ("STRASSE|größe", "strasse|grösse"),
    ("dev  server|\tport\n", "dev server|port"),
    ("dep\u200bloy|bran\u202ech", "deploy|branch"),
    ("deploy", "deploy"),
    ("deploy|", "deploy"),
    ("a|b|c", "a|b|c"),
    ("リリース|曜日", "リリース|曜日"),
])
def test_a_key_has_one_spelling(key: str, expected: str) -> None:
    assert expected == canonical(key)


@given(st.text())
def test_a_canonical_key_is_its_own_canonical_key(key: str) -> None:
    assert canonical(key) == canonical(canonical(key))


@pytest.mark.parametrize(("text", "expected"), [
    ("Deploy Branch!", "deploy-branch"),
    ("mossbridge/sync", "mossbridge-sync"),
    ("dev_port", "dev_port"),
    ("Orçamento 2026", "orçamento-2026"),
    ("リリース 曜日", "リリース-曜日"),
    ("हिन्दी नाम", "हिन्दी-नाम"),
    ("../../etc/passwd", "etc-passwd"),
    ("???", "untitled"),
])
def test_a_slug_keeps_letters_of_any_script(text: str, expected: str) -> None:
    assert expected == slug(text)


@given(st.text(max_size=400))
def test_a_slug_is_one_legal_part_of_a_path(text: str) -> None:
    name = slug(text)

    assert 0 < len(name.encode()) <= 200
    assert not set(name) & set("/\\.:|[]^ \n\t\0")


def test_a_statement_id_is_readable_and_names_one_address() -> None:
    assert statement_id("tidepool", "deploy|branch")[:14] == "deploy-branch-"
    assert statement_id("tidepool", "deploy|branch") != statement_id("other", "deploy|branch")


@given(st.text(), st.text())
def test_a_statement_id_can_stand_in_a_footnote(scope: str, key: str) -> None:
    label = statement_id(scope, canonical(key))

    assert not set(label) & set("[]^ \n\t")
    assert len(label.rpartition("-")[2]) == 8


@pytest.mark.parametrize(("one", "other"), [
    ("8087", "8087."), ("fila:", "`fila`"), ("Main", " “ｍain” "), ("2 minutos", "2\u00a0minutos"),
    ("a — b", "a - b"), ("木曜日", "「木曜日」"), ("Every Monday, 09:00", "every monday 09:00"),
])
def test_case_white_space_and_punctuation_make_no_other_value(one: str, other: str) -> None:
    assert comparable(one) == comparable(other)


@pytest.mark.parametrize(("one", "other"), [
    ("3.11", "311"), ("-1", "1"), (".env", "env"), ("C#", "C"), ("C++", "C"), ("/v2", "v2"), ("5%", "5"),
    ("0 3 * * *", "0 3"), ("<5", ">5"), ("", "x"), ("kettle_", "kettle"), ("!", "?"),
])
def test_punctuation_that_carries_the_value_makes_another(one: str, other: str) -> None:
    assert comparable(one) != comparable(other)


def test_statements_are_compared_where_a_value_is_missing() -> None:
    assert same("", "Never push on Fridays", "", "never push on fridays.")
    assert not same("main", "we use main", "", "we never use main")
