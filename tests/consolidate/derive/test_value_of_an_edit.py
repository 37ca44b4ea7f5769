"""Which value a statement has after a person changed its words."""

import pytest

from rhizome.consolidate.spans import value_after


@pytest.mark.parametrize(("value", "old", "new", "expected"), [
    ("8080", "The port is 8080.", "The dev port is 8080.", "8080"),
    ("8080", "The port is 8080.", "The port is 8087.", "8087"),
    ("80", "The port is 80.", "The port is 8080.", "8080"),
    ("main", "We ship from main.", "We ship from release now.", "release now"),
    ("main", "We ship from `main`.", "We ship from `release`.", "release"),
    ("1.78", "MSRV is 1.78.0", "MSRV is 1.82.0", "1.82.0"),
    ("15分", "同期間隔は15分です。", "同期間隔は10分です。", "10"),
    ("木曜日", "会議は木曜日です。", "会議は金曜日です。", "金"),
    ("fila:", "O prefixo é fila:", "O prefixo é lote:", "lote"),
    ("", "Run it twice.", "Run it three times.", ""),
    ("8080", "The port is 8080.", "Nobody listens any more", ""),
    ("UTC", "Times are in UTC.", "times are in utc!", "UTC"),
    ("port 8080", "It uses port\n  8080 today.", "Today it uses port\n  8080.", "port 8080"),
])
def test_the_old_value_if_it_still_stands_else_the_changed_span(value: str, old: str, new: str, expected: str) -> None:
    assert expected == value_after(value, old, new)
