"""A look that is begun before anything else says whether the notes are as they were, and nothing wrong."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.memory.marker import find, settings
from rhizome.store.tree import look, sight

ASK = """
import sys, pathlib
from rhizome.memory.early_look import begin
begun = begin(sys.argv[1])
print(begun.seen({name: pathlib.Path(name) for name in sys.argv[2:]}))
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "notes" / "deep").mkdir(parents=True)
    (tmp_path / "notes" / "deep" / "one.md").write_text("One.")
    (tmp_path / "rhizome.toml").write_text('[home]\nid = "0123abcd"\n')
    return tmp_path


def private(home: Path) -> Path:
    (home / "private" / ".git").mkdir(parents=True)
    (home / "private" / "two.md").write_text("Two.")
    return home / "private"


def told(home: Path | str, *roots: Path) -> str:
    """What a process that has one thread is told of these folders by its child."""
    command = [sys.executable, "-c", ASK, str(home), *map(str, roots)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_a_child_sees_what_a_look_sees(home: Path) -> None:
    roots = home / "notes", private(home)

    assert repr({str(root): sight(look(root)) for root in roots}) == told(home, *roots)


def test_of_an_adopted_vault_its_own_folder_is_looked_at(home: Path) -> None:
    (home / "rhizome.toml").write_text('[home]\nid = "0123abcd"\n\n[notes]\npath = "vault"\n')
    vault = (home / "notes").rename(home / "vault")

    assert repr({str(vault): sight(look(vault))}) == told(f"{home}/./", vault)


def test_a_look_at_other_folders_than_those_that_are_meant_says_nothing(home: Path) -> None:
    (home / "private").mkdir()

    assert told(home, home / "notes", home / "private") == "None"
    assert told(home, home / "notes" / "deep") == "None"
    assert told(home, home / "nowhere") == "None"


def test_a_child_that_fails_says_nothing(home: Path) -> None:
    (home / "rhizome.toml").write_text("[[")

    assert told(home, home / "notes") == "None"


def test_equal_sights_are_equal_notes(home: Path) -> None:
    note = home / "notes" / "deep" / "one.md"
    before, stat = look(home / "notes"), note.stat()
    note.write_text("Two.")
    os.utime(note, ns=(stat.st_atime_ns, stat.st_mtime_ns))

    assert sight(before) == sight(before)
    assert sight(before) != sight(look(home / "notes"))


def test_a_sight_tells_the_last_change_of_any_note_though_its_time_was_set_back(home: Path) -> None:
    note = home / "notes" / "deep" / "one.md"
    os.utime(note, ns=(10**9, 10**9))

    assert note.stat().st_ctime_ns == sight(look(home / "notes")).newest


TEXT = st.text(st.sampled_from("ab1-_ \t\n\r[]=\"'#\\.é\x0b\u2028\xa0"), max_size=40)
LINES = st.sampled_from(["[home]", "[notes]", 'id = "a"', 'path = "é/b c"', 'id="b"', "", " [home] ", "x = 1"])


@given(st.one_of(TEXT, st.lists(LINES).map("\n".join), st.lists(st.one_of(LINES, TEXT), max_size=4).map("\n".join)))
def test_settings_are_what_toml_says(text: str) -> None:
    try:
        wanted = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(tomllib.TOMLDecodeError):
            settings(text)
        return

    assert wanted == settings(text)


def test_a_home_is_found_by_what_is_said_then_by_the_environment_then_above(home: Path) -> None:
    below = str(home / "notes" / "deep")

    assert find("x", {"RHIZOME_HOME": "/y"}, below, "/u") == "x"
    assert find(None, {"RHIZOME_HOME": "/y"}, below, "/u") == "/y"
    assert str(home) == find(None, {"RHIZOME_HOME": ""}, below, "/u")
    assert find(None, {}, "/", "/u") == "/u/rhizome"


def test_a_child_does_not_wait_for_a_marker_that_is_a_pipe(home: Path) -> None:
    (home / "rhizome.toml").unlink()
    os.mkfifo(home / "rhizome.toml")

    assert told(home, home / "notes" / "deep") == "None"
