"""A record that its harness emptied in place: the fuller text stays, and whoever looks is told."""

from tests.memory.living import Living


def rewritten(memory: Living, old: str, new: str) -> None:
    path = memory.folder / "sessions" / "projects" / "tidepool" / "s1.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    memory.imports()


def shown(memory: Living) -> tuple[str, str | None]:
    (said,) = {row["event"] for row in memory.memory.show_log(kind="session", origin="human")["events"]}
    (event,) = memory.memory.show_log(event=said)["events"]
    return event["text"], event["shrunk"]


def test_a_record_that_was_emptied_is_told_to_have_shrunk(memory: Living) -> None:
    memory.says("We ship on port 8087.")
    memory.imports()
    rewritten(memory, "We ship on port 8087.", "")
    text, shrunk = shown(memory)

    assert (text, (shrunk or "").partition(",")[0]) == ("We ship on port 8087.", "to 0 of 21 characters")


def test_a_record_that_grew_or_stood_still_did_not_shrink(memory: Living) -> None:
    memory.says("We ship on port 8087.")
    memory.imports()
    before = shown(memory)
    rewritten(memory, "port 8087.", "port 8087, as ever.")

    assert (before[1], shown(memory)) == (None, ("We ship on port 8087, as ever.", None))


def test_a_record_that_got_its_text_back_is_no_longer_shrunk(memory: Living) -> None:
    memory.says("We ship on port 8087.")
    memory.imports()
    rewritten(memory, "We ship on port 8087.", "We ship.")
    rewritten(memory, "We ship.", "We ship on port 8087 and 8088.")

    assert shown(memory) == ("We ship on port 8087 and 8088.", None)
