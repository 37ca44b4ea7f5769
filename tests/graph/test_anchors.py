"""Places in a note that an anchor may name."""

import pytest

from rhizome.graph.anchors import anchors, find, slug
from rhizome.graph.note import parse

NOTE = b"""# Deploy & Roll-back_it!

## Step
text ^block-1

## Step
<a id="by-id"></a>

## Named {#own}

## \xe4\xb8\xad\xe6\x96\x87\xe6\xa0\x87\xe9\xa2\x98

## `code` and [link](x.md)
"""


@pytest.mark.parametrize(
    ("anchor", "line"),
    [
        ("deploy--roll-back_it", 1),
        ("step", 3),
        ("step-1", 6),
        ("by-id", 7),
        ("own", 9),
        ("named", 9),
        ("中文标题", 11),
        ("code-and-link", 13),
        ("^block-1", 4),
        ("Deploy & Roll-back_it!", 1),
        ("STEP", 3),
        ("deploy roll back it", 1),
        ("Deploy & Roll-back_it!#Step", 3),
        ("nowhere", None),
        ("", None),
    ],
)
def test_an_anchor_leads_to_its_line(anchor: str, line: int | None) -> None:
    assert find(anchor, anchors(parse("n.md", NOTE).sections)) == line


def test_slugs_are_github_s() -> None:
    assert slug("What's new in 2.0? (é, 日本)") == "whats-new-in-20-é-日本"


def test_a_repeated_slug_never_takes_one_that_is_written_out() -> None:
    names = [place.name for place in anchors(parse("n.md", b"# a\n# a-1\n# a\n# a").sections)]

    assert names == ["a", "a-1", "a-2", "a-3"]
