"""Which paths are refused, and that none of them reaches the object database or anything outside."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.errors import OutsidePath, Refused
from rhizome.store.git_store import GitStore
from rhizome.store.paths import contained, folded, safe_path
from rhizome.store.worktree import read_note

OUTSIDE = [
    "", ".", "..", "../x.md", "a/../../x.md", "a/..", "a/./b.md", "./a.md", "a//b.md", "a/", "/etc/passwd",
    "//server/share", "~/x.md", "\\x.md", "..\\x.md", "a\\..\\..\\x.md", "C:\\x.md", "c:/x.md", ".git/config",
    ".GIT/hooks/pre-commit",
    ".Git", "a/.git/x.md", "git~1/config", "GIT~1/x", "a/git~2/x.md", ".git./x", ".git /x", ".git::$INDEX_ALLOCATION/x",
    ".git:x", ".g\u200cit/config", "\u202e.git/x", ".git\ufeff", "a\0b.md", "\ud800.md", "/",
    "../notes-old/x.md", ".git\\config",
]
UNPORTABLE = [
    "-x.md", "--output=x", "a/-rf.md", "~x.md", " x.md", "con.md", "CON", "aux.tar.md", "com1.md", "LPT9.md", "nul",
    "COM¹.md", "conin$", "a/prn.md", "x.md.", "x.md ", "a./x.md", "a:b.md", "a.md:stream", "a<b.md", "a>b.md", 'a"b.md',
    "a|b.md",
    "a?.md", "a*.md", "a\tb.md", "a\nb.md", "a\x1b[2J.md", "a\x7f.md", "a\x85b.md", "a\u202eb.md", "a\u2066b.md",
    "a\u2028b.md",
    "a\U000e0041.md", "%2e%2e/x.md", "%2E%2e%2fx.md", "a%5Cb.md", "x" * 253 + ".md", "é" * 130 + ".md",
    "a/" * 600 + "x.md",
]


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_path_that_leaves_the_vault_is_refused_by_every_verb(store: GitStore, path: str) -> None:
    verbs: list[Callable[[], object]] = [
        lambda: contained(path), lambda: safe_path(path), lambda: read_note(store.root, path),
        lambda: store.read(path), lambda: store.history(path),
        lambda: store.commit({path: b"x"}, call="agent/x", subject="x"),
        lambda: store.commit({path: None}, call="agent/x", subject="x"),
    ]
    for ask in verbs:
        with pytest.raises(OutsidePath):
            ask()
    assert store.tip is None


@pytest.mark.parametrize("path", UNPORTABLE)
def test_a_name_that_not_every_system_keeps_is_refused_for_a_new_note(store: GitStore, path: str) -> None:
    with pytest.raises(Refused):
        safe_path(path)
    with pytest.raises(Refused):
        store.commit({path: b"x"}, call="agent/x", subject="x")
    assert (store.tip, sorted(child.name for child in store.root.iterdir())) == (None, [".git"])


@pytest.mark.parametrize("path", [
    "deploy.md", "tidepool/port.md", "private/me/日本.md", "a b.md", "...md", "v1.2.md", "100%.md", "console.md",
    "com10.md",
    "a-b_c+d=e,f;g'h(i)[j]{k}!@#$&^`.md", "👩\u200d💻.md", "github/x.md", "x.git/a.md",
    ".gitignore", "می\u200cخواهم.md",
])
def test_an_ordinary_path_comes_back_as_it_is(path: str) -> None:
    assert safe_path(path) == path


def test_a_path_comes_back_in_normal_form_c() -> None:
    assert safe_path("cafe\u0301.md") == "caf\u00e9.md"


@pytest.mark.parametrize("path", ["-dash.md", "con.md", "what?.md", "cafe\u0301.md", "a:b.md", "trailing ", "A.md"])
def test_a_name_a_person_chose_is_committed_as_their_own(store: GitStore, path: str) -> None:
    store.commit({"a.md": b"x"}, call="agent/x", subject="x")
    (store.root / path).write_bytes(b"theirs")
    store.commit({path: b"theirs"}, call="human/x", subject="x")

    assert store.read(path) == b"theirs"


@given(st.text())
def test_what_is_safe_stays_below_its_root_and_stays_safe(text: str) -> None:
    try:
        path = safe_path(text)
    except Refused:
        return

    assert Path("/vault", path).resolve().is_relative_to("/vault/")
    assert safe_path(path) == path
    assert folded(path) == folded(text)
