"""Whole exchanges between people, agents and tools, and what is left of them."""

import importlib.util
from collections.abc import Callable
from pathlib import Path

import pytest

from rhizome.consolidate.distill import USER
from rhizome.model import Draft

Drafts = Callable[..., list[Draft]]

spec = importlib.util.spec_from_file_location("rules_dialogues", Path(__file__).with_name("dialogues.py"))
assert spec is not None and spec.loader is not None
TABLE = importlib.util.module_from_spec(spec)
spec.loader.exec_module(TABLE)


def told(drafts: list[Draft]) -> list[tuple[str, str]]:
    return [("user" if draft.scope == USER else "here", draft.value) for draft in drafts]


@pytest.mark.parametrize(("language", "talk", "expected"), TABLE.DIALOGUES, ids=[row[1][-1] for row in TABLE.DIALOGUES])
def test_a_dialogue_leaves_what_a_person_states_and_nothing_else(
    drafts: Drafts, language: str, talk: tuple[str, ...], expected: tuple[tuple[str, str], ...]
) -> None:
    got = drafts(*((who, text) for who, _, text in (line.partition(": ") for line in talk)))

    assert list(expected) == told(got)


def test_a_fourth_of_the_dialogues_leaves_nothing_and_all_four_languages_speak() -> None:
    silent = [row for row in TABLE.DIALOGUES if not row[2]]

    assert 4 * len(silent) >= len(TABLE.DIALOGUES) - 4
    assert {row[0] for row in TABLE.DIALOGUES} == {"en", "pt", "es", "ja"}


@pytest.mark.parametrize(("first", "then"), [
    ("Fica no servidor novo: a porta é 8443.", "El puerto no es 8443, es 9443."),
    ("The thermostat reports in fahrenheit.", "I mixed that up, it reports in celsius."),
    ("The thumbnail format is PNG.", "O formato das miniaturas agora é WebP."),
    ("Passwords expire every 90 days.", "A senha expira a cada 60 dias."),
    ("All reports are PDF.", "レポートの形式はCSVです。"),
])  # fmt: skip
def test_a_later_value_has_the_key_of_the_one_it_replaces_in_whatever_language(
    drafts: Drafts, first: str, then: str
) -> None:
    old, new = drafts(("human", first), ("human", then))

    assert (old.subject, old.attribute) == (new.subject, new.attribute)


@pytest.mark.parametrize(("text", "values"), [
    ("A configuração fica no arquivo config/app.toml.", ["config/app.toml"]),
    ("Prefiro que as datas venham no formato DD/MM/YYYY.", ["DD/MM/YYYY"]),
    ("No usamos Postgres.", []),
    ("No Postgres.", []),
    ("No, not 8080.", []),
])
def test_the_portuguese_word_for_in_the_denies_nothing(drafts: Drafts, text: str, values: list[str]) -> None:
    assert values == [draft.value for draft in drafts(("human", text))]


@pytest.mark.parametrize(("text", "values"), [
    ("The timeout is 5-10 seconds.", []),
    ("Nightly export moves from 02:00 to 03:30.", ["03:30"]),
    ("Support hours are 10:00-18:00.", ["10:00-18:00"]),
])
def test_a_range_is_no_value_unless_it_is_what_is_asked_for(drafts: Drafts, text: str, values: list[str]) -> None:
    assert values == [draft.value for draft in drafts(("human", text))]


def test_what_something_is_called_is_nobodys_name(drafts: Drafts) -> None:
    assert [] == drafts(("human", "この時の粘着力を特に粘着限界と呼んでいる。"))
    assert ["ジュン"] == [draft.value for draft in drafts(("human", "私のことはジュンと呼んでください。"))]
