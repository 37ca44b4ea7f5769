"""One message, one person: what it states and what it leaves unsaid."""

import importlib.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rhizome.consolidate.distill import USER
from rhizome.consolidate.rules.keys import split
from rhizome.model import Draft


def table(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"rules_{name}", Path(__file__).with_name(f"{name}.py"))
    assert spec is not None and spec.loader is not None
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


TABLE, UNSEEN, UNSAID, IN_PASSING = map(table, ("sentences", "unseen", "unsaid", "in_passing"))
STATES = TABLE.STATES + UNSEEN.STATES + IN_PASSING.STATES
SAYS_NOTHING = TABLE.SAYS_NOTHING + UNSAID.SAYS_NOTHING + IN_PASSING.SAYS_NOTHING

Drafts = Callable[..., list[Draft]]


def stated(draft: Draft) -> tuple[str, str]:
    if draft.scope == USER:
        return f"user.{draft.attribute}", draft.value
    return "rule" if draft.attribute.endswith("_rule") else split(draft.attribute)[1], draft.value


@pytest.mark.parametrize(("language", "text", "expected"), STATES, ids=[row[1] for row in STATES])
def test_a_statement_gives_its_value(
    drafts: Drafts, language: str, text: str, expected: tuple[tuple[str, str], ...]
) -> None:
    got = [stated(draft) for draft in drafts(("human", text))]

    assert list(expected) == got


@pytest.mark.parametrize(("language", "text"), SAYS_NOTHING, ids=[row[1] for row in SAYS_NOTHING])
def test_what_is_no_statement_gives_nothing(drafts: Drafts, language: str, text: str) -> None:
    assert [] == [stated(draft) for draft in drafts(("human", text))]


@pytest.mark.parametrize("text", table("errands").ERRANDS)
def test_an_errand_gives_nothing(drafts: Drafts, text: str) -> None:
    assert [] == [stated(draft) for draft in drafts(("human", text))]


def test_the_table_is_a_third_refusals_and_speaks_four_languages() -> None:
    states, refuses = len(TABLE.STATES), len(TABLE.SAYS_NOTHING)

    assert states + refuses >= 150
    assert refuses * 3 >= states + refuses
    for language in ("en", "pt", "es", "ja"):
        assert sum(row[0] == language for row in TABLE.STATES) >= 15
        assert sum(row[0] == language for row in TABLE.SAYS_NOTHING) >= 10
