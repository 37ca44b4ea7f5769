"""What an author is told about links that do not say what they mean."""

from pathlib import Path

import pytest

from rhizome.graph.check import check
from rhizome.graph.edges import EdgeIndex
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
