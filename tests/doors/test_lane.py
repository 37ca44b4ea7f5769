"""The short way understands a call as the long way does, or leaves it alone."""

from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st

from rhizome import commands, lane
from rhizome.tools.table import TOOLS

COMMANDS: Any = typer.main.get_command(commands.app)
WORDS = [
    "port", "which port", "5", "-1", "0", "007", "٣", "1_0", "all", "notes", "green", "red", "2026-09-08", "", "x=y",
    "a\udcffb", "-k", "--k", "--in", "--in=notes", "--in=", "--scope", "--scope=a=b", "--session", "--as-of",
    "--no-vectors", "--no-vectors=1", "--explain", "--clearance", "--clearance=green", "--raw", "--at", "--history",
    "--known", "--json", "--home", "--home=/tmp/x", "--help", "--", "-", "--unknown", "search", "read",
]  # fmt: skip


@given(st.sampled_from(lane.VERBS), st.lists(st.sampled_from(WORDS), max_size=6))
def test_what_is_plain_is_what_the_library_understands(verb: str, words: list[str]) -> None:
    found = lane.plain([verb, *words])

    if found is not None:
        told = COMMANDS.commands[verb].make_context(verb, list(words)).params
        assert told == {**found.arguments, "home": found.home, "as_json": found.as_json}


@pytest.mark.parametrize("words", [
    ["search", "port"],
    ["search", "port", "-k", "3", "--in", "notes", "--json"],
    ["--home", "/tmp/x", "--json", "search", "which port", "--no-vectors"],
    ["read", "tidepool.md:3", "--at=2026-09-08"],
    ["fact", "tidepool|dev_port", "--history"],
])  # fmt: skip
def test_a_plain_call_takes_the_short_way(words: list[str]) -> None:
    assert lane.plain(words) is not None


def test_home_and_json_may_stand_before_the_verb() -> None:
    found = lane.plain(["--home=/tmp/x", "--json", "fact", "a|b"])

    assert found is not None
    assert (Path("/tmp/x"), True) == (found.home, found.as_json)


@pytest.mark.parametrize("words", [
    [], ["search"], ["search", "--help"], ["search", "a", "b"], ["search", "a", "-k", "many"], ["search", "a", "-k"],
    ["search", "a", "--in", "elsewhere"], ["search", "a", "--", "b"], ["search", "a", "--nowhere"], ["list"],
    ["remember", "search", "it"], ["--version", "search", "a"],
])  # fmt: skip
def test_anything_else_is_left_to_the_library(words: list[str]) -> None:
    assert lane.plain(words) is None


def test_no_verb_of_the_short_way_is_a_group() -> None:
    assert set(lane.VERBS) <= {tool.name for tool in TOOLS}
    assert not [tool.name for tool in TOOLS if tool.name.partition(" ")[0] in lane.VERBS and " " in tool.name]
