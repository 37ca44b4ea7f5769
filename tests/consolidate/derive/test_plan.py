"""What to do so that the files are what the log says, and what to say when they are not."""

from rhizome.consolidate.plan import NoteWrite, Plan, diff, differences


def test_a_plan_writes_what_is_new_or_other_and_drops_what_nobody_wants() -> None:
    plan = diff({"a.md": b"1", "b.md": b"2", "c.md": b"3"}, {"a.md": b"1", "b.md": b"old", "d.md": b"4"})

    assert (NoteWrite("b.md", b"2", "update b.md"), NoteWrite("c.md", b"3", "write c.md")) == plan.write
    assert ("d.md",) == plan.drop


def test_an_empty_plan_is_the_proof() -> None:
    assert not diff({"a.md": b"1"}, {"a.md": b"1"})
    assert Plan(drop=("a.md",))


def test_a_difference_shows_what_the_log_says_and_what_the_file_says() -> None:
    found = differences({"a.md": b"one\ntwo\n", "b.md": b"x"}, {"a.md": b"one\nTWO\n", "b.md": b"x"})

    assert {"a.md": "--- a.md (log)\n+++ a.md (file)\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n "} == found


def test_a_difference_in_line_endings_or_odd_bytes_can_be_seen() -> None:
    assert "+one\\r" in differences({"a.md": b"one\n"}, {"a.md": b"one\r\n"})["a.md"]
    assert "+\\xff" in differences({"a.md": b""}, {"a.md": b"\xff"})["a.md"]
