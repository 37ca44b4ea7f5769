"""What an author is told about links that do not say what they mean."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rhizome.graph.anchors import Anchor, anchors
from rhizome.graph.check import check
from rhizome.graph.edges import EdgeIndex
from rhizome.graph.note import parse
from rhizome.model import Tier

VAULT = {
    "Log.md": "---\naliases: [journal]\n---\n",
    "x/same.md": "",
    "y/same.md": "",
    "private/p.md": "[a](nowhere.md)",
}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[a](nowhere.md)", "broken-link"),
        ("[a](same.md)", "ambiguous-link"),
        ("[a](../outside.md)", "outside-link"),
        ("[a](log.md)", "case-mismatch"),
        ("[[journal]]", "alias-link"),
        ("[a](my note.md)", "space-in-destination"),
    ],
)
def test_an_author_is_told_where_and_what(tmp_path: Path, text: str, code: str) -> None:
    notes = VAULT | {"n.md": f"# Title\n\nsee {text}"}
    with EdgeIndex(tmp_path) as index:
        index.update([(path, each.encode(), ()) for path, each in notes.items()])
        (finding,) = check(index, Tier.GREEN)

    assert (finding.path, finding.line, finding.code) == ("n.md", 3, code)


def test_a_sound_note_and_an_image_that_is_no_note_are_no_finding(tmp_path: Path) -> None:
    with EdgeIndex(tmp_path) as index:
        index.update([("n.md", b"[a](n.md) ![x](x.png) [y](y.pdf) <https://z.org>", ())])

        assert check(index, Tier.AMBER) == []


def test_one_note_can_be_checked_alone(tmp_path: Path) -> None:
    with EdgeIndex(tmp_path) as index:
        index.update([(path, b"[a](nowhere.md)", ()) for path in ("a.md", "b.md")])

        assert [finding.path for finding in check(index, Tier.AMBER, ["b.md"])] == ["b.md"]


@pytest.mark.parametrize(
    ("anchor", "found"), [("#the-why", []), ("#The why", []), ("#how", ["broken-anchor"]), ("", [])]
)
def test_an_anchor_is_looked_for_in_the_note_it_leads_to(tmp_path: Path, anchor: str, found: list[str]) -> None:
    asked, log = [], b"# Log\n\n## The why\n"

    def places(path: str) -> Iterator[Anchor]:
        asked.append(path)
        return anchors(parse(path, log).sections)

    with EdgeIndex(tmp_path) as index:
        index.update([("Log.md", log, ()), ("n.md", f"[a](<Log.md{anchor}>) [b](Log.md)".encode(), ())])
        findings = check(index, Tier.GREEN, anchors=places)

    assert [finding.code for finding in findings] == found
    assert asked == ["Log.md"] * bool(anchor)
