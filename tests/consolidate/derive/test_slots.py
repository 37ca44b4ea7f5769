"""How a save is cut into statements, a person's lines and machine lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rhizome.consolidate.slots import MACHINE, OWN, STATEMENT, Slot, base, lines, pack, read, statements, unpack

ID = "port-5a116bfa"


def words(text: str, known: set[str] | None = None) -> list[str]:
    return [found.words for found in statements(lines(text), known or set())]


@pytest.mark.parametrize(("text", "expected"), [
    (f"- The port is 8080. [^{ID}]\n", ["The port is 8080."]),
    (f"- The port is 8080.[^{ID}]\n", ["The port is 8080."]),
    (f"* The port is 8080. [^{ID}]  \r\n", ["The port is 8080."]),
    (f"  12) The port is 8080. [^{ID}]", ["The port is 8080."]),
    (f"- [x] The port is 8080. [^{ID}]\n", ["The port is 8080."]),
    (f"> - The port is 8080. [^{ID}]\n", ["The port is 8080."]),
    (f"The port is 8080. [^{ID}]\n", ["The port is 8080."]),
    (f"- The port\n  is 8080. [^{ID}]\n", ["The port\n  is 8080."]),
    (f"- The port\r\n  is 8080. [^{ID}]\r\n", ["The port\n  is 8080."]),
    (f"- The port\nis 8080. [^{ID}]\n", ["The port\nis 8080."]),
    (f"Intro.\n\nThe port\nis 8080. [^{ID}]\n", ["The port\nis 8080."]),
    (f"ポートは8080です。[^{ID}]\n", ["ポートは8080です。"]),
    (f"- mine\n- The port is 8080. [^{ID}]\n- mine too\n", ["The port is 8080."]),
    (f"- a [^a]\nThe port is 8080. [^{ID}]\n", ["a", "The port is 8080."]),
])
def test_a_statement_is_a_list_item_or_paragraph_that_ends_with_its_reference(text: str, expected: list[str]) -> None:
    assert expected == words(text)


@pytest.mark.parametrize("text", [
    f"- The port [^{ID}] is 8080.\n",
    f"- The port [^a] is 8080. [^{ID}]\n",
    f"- [^{ID}]\n",
    f"[^{ID}]: decision, see [^b]\n",
    f"# The port [^{ID}]\n",
    f"| The port | [^{ID}]\n",
    "- No reference at all.\n",
    f"- **The port is 8080. [^{ID}]**\n",
])
def test_two_references_or_none_at_the_end_make_a_persons_line(text: str) -> None:
    assert [] == words(text)


def test_a_line_a_person_had_before_never_joins_the_statement_below_it() -> None:
    assert ["The port is 8080."] == words(f"My remark\nThe port is 8080. [^{ID}]\n", {"My remark"})


def test_of_an_id_that_stands_twice_the_first_is_the_statement() -> None:
    found = read(f"- new [^{ID}]\n- old [^{ID}]\n", [], {ID})

    assert {ID: "new"} == found.words
    assert [STATEMENT, OWN] == [slot.kind for slot in found.slots]


def test_a_copy_a_person_made_long_ago_does_not_become_the_statement() -> None:
    found = read(f"- my copy [^{ID}]\n- new [^{ID}]\n", [], {ID}, {f"- my copy [^{ID}]"})

    assert {ID: "new"} == found.words


def test_an_id_that_never_stood_here_is_a_persons_own_footnote() -> None:
    found = read("- see below [^1]\n", [], {ID})

    assert (Slot(OWN, "- see below [^1]\n"),) == found.slots


def test_machine_lines_are_recognised_one_by_one_in_their_order() -> None:
    machine = [("front", "---"), ("front end", "---"), ("heading", "# deploy"), ("after heading", "")]

    found = read("mine\n---\n\n---\n# deploy\n\n# deploy\n", machine, set())

    assert ["mine\n", "front", "\n", "front end", "heading", "after heading", "# deploy\n"] \
        == [slot.key for slot in found.slots]


def test_a_line_that_differs_by_one_space_is_a_persons() -> None:
    found = read("# deploy \n", [("heading", "# deploy")], set())

    assert OWN == found.slots[0].kind


def test_a_blank_line_of_a_persons_does_not_pass_for_a_machine_line() -> None:
    machine = [("heading", "# deploy"), ("after heading", ""), ("before note", ""), ("note:a", "[^a]: decision")]

    found = read("# deploy\n\nmine\n\n\n[^a]: decision\n", machine, set())

    assert [MACHINE, MACHINE, OWN, OWN, MACHINE, MACHINE] == [slot.kind for slot in found.slots]


def test_new_words_of_a_person_that_mention_a_statement_are_noticed() -> None:
    found = read(f"- the port [^{ID}] and the host [^host-1]\n", [], {ID})

    assert {ID, "host-1"} == found.mentioned


def test_the_first_naming_line_names_the_rendering() -> None:
    assert "0123456789ab" == base("\ufeff---\r\nderived: 0123456789ab  \r\n---\r\nderived: ffffffffffff\n")
    assert base("derived: soon\n") is None


@given(st.text(alphabet=st.sampled_from("ab \t\r\n-*>#[]^:1`|\u2028é日")))
def test_every_byte_of_a_text_is_in_one_slot(text: str) -> None:
    found = read(text, [("heading", "# a"), ("after heading", "")], {"a", "1"})

    assert text == "".join(shown(slot, found.words) for slot in found.slots)


@given(st.lists(st.builds(Slot, st.just(STATEMENT), st.text(), st.text(), st.text(), st.text())
                | st.builds(Slot, st.just(OWN), st.text()) | st.builds(Slot, st.just(MACHINE), st.text(), st.text())))
def test_packing_slots_and_unpacking_them_are_inverse(slots: list[Slot]) -> None:
    assert slots == unpack(pack(slots))


def test_slots_are_short_in_an_event_where_a_person_changed_nothing() -> None:
    slots = [Slot(STATEMENT, "a"), Slot(OWN, "mine\n"), Slot(MACHINE, "heading"), Slot(MACHINE, "front", "\r\n")]

    assert [["s", "a"], ["h", "mine\n"], ["m", "heading"], ["m", "front", "\r\n"]] == pack(slots)


def shown(slot: Slot, words: object) -> str:
    """The text of a slot, for a page whose machine lines are those of the test above."""
    assert isinstance(words, dict)
    if slot.kind == STATEMENT:
        return f"{slot.before}{words[slot.key]}{slot.gap}[^{slot.key}]{slot.end}"
    return slot.key if slot.kind == OWN else {"heading": "# a", "after heading": ""}[slot.key] + slot.end
