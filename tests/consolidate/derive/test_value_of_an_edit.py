"""Which value a statement has after a person changed its words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.consolidate.spans import stands, value_after
from rhizome.consolidate.stating import stating


@pytest.mark.parametrize(("value", "old", "new", "expected"), [
    ("8080", "The port is 8080.", "The dev port is 8080.", "8080"),
    ("8080", "The port is 8080.", "The port is 8087.", "8087"),
    ("80", "The port is 80.", "The port is 8080.", "8080"),
    ("main", "We ship from main.", "We ship from release now.", "release now"),
    ("main", "We ship from `main`.", "We ship from `release`.", "release"),
    ("1.78", "MSRV is 1.78.0", "MSRV is 1.82.0", "1.82.0"),
    ("15分", "同期間隔は15分です。", "同期間隔は10分です。", "10分"),
    ("木曜日", "会議は木曜日です。", "会議は金曜日です。", "金曜日"),
    ("fila:", "O prefixo é fila:", "O prefixo é lote:", "lote"),
    ("", "Run it twice.", "Run it three times.", ""),
    ("8080", "The port is 8080.", "Nobody listens any more", ""),
    ("UTC", "Times are in UTC.", "times are in utc!", "UTC"),
    ("port 8080", "It uses port\n  8080 today.", "Today it uses port\n  8080.", "port 8080"),
    ("8080", "The dev server runs on port 8080.", "The dev server now runs on port 9999 since Tuesday.", "9999"),
    ("8080", "The dev server runs on port 8080.", "Dev server listens on 9999", "9999"),
    ("main", "We ship from main on Fridays.", "We ship from release every day.", "release"),
    ("every Friday", "Retro is every Friday at noon.", "The retro is every second Thursday at noon.",
     "every second Thursday"),
    ("release branch", "We deploy from the release branch.", "We deploy from the main branch.", "main branch"),
    ("tabs", "Tabs are for indenting.", "Spaces are for indenting.", "Spaces"),
    ("pnpm", "Use pnpm, never npm.", "Use yarn, never npm.", "yarn"),
    ("postgres", "The database is PostgreSQL.", "The database is SQLite.", ""),
])
def test_the_old_value_if_it_still_stands_else_what_stands_where_it_stood(
    value: str, old: str, new: str, expected: str
) -> None:
    assert expected == value_after(value, old, new)


@pytest.mark.parametrize(("key", "value", "old", "new", "expected"), [
    ("tidepool|dev_port", "8080", "The dev server runs on port 8080.", "We moved: 9999 is the dev port.", "9999"),
    ("tidepool|package_manager", "pnpm", "We use pnpm.", "From now on we use yarn instead of pnpm 8.", "pnpm"),
    ("tidepool|package_manager", "npm", "We use npm here.", "From now on we use yarn, please.", "yarn"),
    ("tidepool|batch_size", "100 rows", "Batch size is 100 rows.", "Keep it small.", ""),
])
def test_a_sentence_written_anew_has_the_value_it_states_by_itself(
    key: str, value: str, old: str, new: str, expected: str
) -> None:
    assert expected == value_after(value, old, new, stating(("tidepool", key), value, old))


WORDS = st.lists(st.sampled_from(("ship", "from", "main", "8080", "port", "同期", "は", "`x`", "now,", "é")),
                 max_size=7)


@given(WORDS, WORDS, st.integers(0, 6), st.integers(0, 6))
def test_a_value_is_always_whole_words_of_the_new_sentence(
    before: list[str], after: list[str], one: int, other: int
) -> None:
    old, new = " ".join(before), " ".join(after)
    value = " ".join(before[min(one, other):max(one, other)])

    found = value_after(value, old, new)

    assert not found or stands(found, new)
