"""What a derived note shows, and what it never shows."""

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.consolidate.layout import fill, publish
from rhizome.consolidate.lossless import encode
from rhizome.consolidate.render import Entry, page, plain
from rhizome.consolidate.slots import STATEMENT, base, lines, read, statements
from tests.consolidate.derive.desk import Desk, ref

NOTE = "tidepool/deploy.md"


def test_a_note_is_front_matter_title_statements_links_and_receipts(desk: Desk) -> None:
    desk.hears("tidepool|language", "Rust")
    desk.hears("deploy|branch", "main", "We ship from `main`.", by=1.0, aliases=["ship", "release: all"],
               links=[{"target": "tidepool", "label": "tidepool", "why": "what is deployed"}])
    desk.night()

    assert f"""---
title: deploy
aliases: ["release: all", ship]
derived: {base(desk.text(NOTE))}
---
# deploy

- We ship from `main`. {ref("deploy|branch")}

## Related

- [tidepool](../tidepool.md): what is deployed

{ref("deploy|branch")}: decision, said by a person on 2026-10-14 (event 00000002…)
""" == desk.text(NOTE)


def test_a_note_names_the_hash_of_all_its_bytes_but_the_naming_line(desk: Desk) -> None:
    desk.hears("deploy|branch", "main")
    desk.night()
    named = re.search(rb"derived: ([0-9a-f]{12})\n", desk.derived.files[NOTE])
    rest = re.sub(rb"derived: [0-9a-f]{12}\n", b"", desk.derived.files[NOTE])

    assert named
    assert hashlib.sha256(rest).hexdigest()[:12].encode() == named[1]


def test_a_green_note_never_shows_the_quote_and_a_private_one_does(desk: Desk) -> None:
    desk.hears("deploy|branch", "main", detail="asked twice")
    desk.hears("tea|kind", "sencha", scope="user:ines", tier="amber", detail="asked twice")
    desk.night()

    assert not {"it is main now", "asked twice"} & set(re.split("[“”]|: ", desk.text(NOTE)))
    assert "words: “it is sencha now”; more: asked twice\n" in desk.text("private/me/tea.md")


def test_what_a_statement_replaced_is_named_beside_it(desk: Desk) -> None:
    desk.hears("deploy|branch", "main")
    desk.hears("deploy|branch", "release")
    desk.night()

    assert desk.text(NOTE).endswith("; before: main\n")
    assert f"- The branch is release. {ref('deploy|branch')}" in desk.lines(NOTE)


def test_an_amber_value_is_not_hinted_at_in_the_green_note(desk: Desk) -> None:
    desk.hears("deploy|branch", "main")
    desk.hears("deploy|branch", "secret-branch", tier="amber")
    desk.night()

    assert f"- The branch is main. {ref('deploy|branch')}" in desk.lines(NOTE)
    assert f"- The branch is secret-branch. {ref('deploy|branch')}" in desk.lines("private/" + NOTE)


def test_an_unchanged_fact_changes_no_byte_when_another_one_does(desk: Desk) -> None:
    desk.hears("deploy|branch", "main")
    desk.hears("deploy|port", "8080")
    desk.night()
    before = [line for line in desk.lines(NOTE) if "branch" in line]
    desk.put("home.configured", {"person": "ines", "zone": "Asia/Tokyo", "derive_folder": "", "branch": "main"})
    desk.hears("deploy|port", "8087")
    desk.hears("deploy|branch", "main", "Main it is.")
    desk.night()

    assert before == [line for line in desk.lines(NOTE) if "branch" in line]


def test_a_link_waits_until_its_target_stands_and_goes_with_it(desk: Desk) -> None:
    desk.hears("deploy|branch", "main", links=[{"target": "ship", "label": "shipping", "why": "how it goes out"}])
    desk.night()
    waiting = "Related" in desk.text(NOTE)
    desk.hears("ship|day", "Friday")
    desk.night()
    linked = "- [shipping](ship.md): how it goes out" in desk.lines(NOTE)
    desk.forgets("ship|day")
    desk.night()

    assert (False, True) == (waiting, linked)
    assert "Related" not in desk.text(NOTE)


def test_a_green_note_never_links_to_a_private_one(desk: Desk) -> None:
    desk.hears("deploy|branch", "main", links=[{"target": "ship", "label": "ship", "why": "how"}])
    desk.hears("ship|day", "Friday", tier="amber", links=[{"target": "deploy", "label": "deploy", "why": "what"}])
    desk.night()

    assert "ship" not in desk.text(NOTE)
    assert "- [deploy](/tidepool/deploy.md): what" in desk.lines("private/tidepool/ship.md")


def test_a_merged_key_leaves_its_old_note_for_the_new_one(desk: Desk) -> None:
    desk.hears("deploy|branch", "main")
    desk.night()
    desk.put("key.merged", {"scope": "tidepool", "source": "deploy|branch", "target": "ship|branch"})
    desk.night()

    assert ["tidepool/ship.md"] == desk.subjects()


def test_a_date_is_the_date_in_the_zone_of_the_home() -> None:
    desk = Desk(zone="Asia/Tokyo")
    desk.hears("deploy|branch", "main", observed_at="2026-10-13T23:30:00Z")
    desk.night()

    assert "on 2026-10-14 (event" in desk.text(NOTE)


@pytest.mark.parametrize(("statement", "line"), [
    ("# A heading", "- \\# A heading"),
    ("two\nlines\r\n\tof it", "- two lines of it"),
    ("- nested", "- \\- nested"),
    ("1. first", "- 1\\. first"),
    ("> said", "- \\> said"),
    ("```sh", "- \\```sh"),
    ("<!-- swallowed", "- \\<!-- swallowed"),
    ("[ ] a task", "- \\[ ] a task"),
    ("see [^1] there", "- see [\\^1] there"),
    ("ends with a note [^deploy-branch-00000000]", "- ends with a note [\\^deploy-branch-00000000]"),
    ("turned \u202eround\x07", "- turned round"),
    ("**bold** stays", "- **bold** stays"),
    ("設定\u3000は", "- 設定 は"),
])
def test_the_words_of_a_distiller_stay_one_statement(desk: Desk, statement: str, line: str) -> None:
    desk.hears("deploy|branch", "main", statement)
    desk.night()

    assert f"{line} {ref('deploy|branch')}" in desk.lines(NOTE)


def test_a_fact_without_a_statement_says_its_value(desk: Desk) -> None:
    desk.put("fact.asserted", {"type": "fact", "scope": "tidepool", "fact_key": "deploy|branch", "value": "main",
                               "statement": " ", "confidence": 0.8, "tier": "green", "observed_at": desk.now()})
    desk.night()

    assert f"- branch: main {ref('deploy|branch')}" in desk.lines(NOTE)


@given(st.text() | st.text(alphabet=st.sampled_from("# -*+>[]^x1.)`~|<\n\r\t_=a日\uf7ff")))
def test_any_words_read_back_as_the_statement_they_are(text: str) -> None:
    words = plain(text)
    if not words:
        return

    found = statements(lines(f"- {words} [^a]\n"))

    assert [(words, "- ", " ")] == [(each.words, each.before, each.gap) for each in found]


WORDS = st.text(alphabet=st.sampled_from("ab c#-日.`"), min_size=1, max_size=12).map(plain).filter(bool)


@given(st.dictionaries(st.from_regex(r"[a-d]{1,2}-[0-9a-f]{8}", fullmatch=True), WORDS, max_size=6),
       st.lists(st.tuples(WORDS, WORDS, WORDS), max_size=3))
def test_a_published_page_reads_back_as_its_own_slots(words: dict[str, str], links: list[tuple[str, str, str]]) -> None:
    shown = page("deploy", {key: Entry(key, said, f"[^{key}]: decision", ("ship",), ()) for key, said in words.items()},
                 links)
    layout = fill([], shown)
    text, _ = publish(layout, shown)

    found = read(text, [(slot.key, shown.machine[slot.key]) for slot in layout if slot.kind == "m"], set(words))

    assert (tuple(layout), words) == (found.slots, found.words)
    assert sorted(words) == [slot.key for slot in layout if slot.kind == STATEMENT]
    assert encode(text).decode() == text
