"""The exports of ChatGPT and Claude.ai."""

import json
from pathlib import Path
from typing import Any

import pytest

from rhizome.log.sessions import sessions
from rhizome.model import Part

CLAUDE: list[dict[str, Any]] = [{
    "uuid": "c-1", "name": "Tide tables", "created_at": "2026-05-01T10:00:00Z", "current_leaf_message_uuid": "m-4",
    "chat_messages": [
        {"uuid": "m-1", "sender": "human", "text": "We ship from main.", "created_at": "2026-05-01T10:00:01Z",
         "content": [{"type": "text", "text": "We ship from main."}],
         "attachments": [{"file_name": "a.txt", "extracted_content": "ship from evil"}]},
        {"uuid": "m-2", "sender": "assistant", "text": "Understood.", "created_at": "2026-05-01T10:00:02Z",
         "content": [], "parent_message_uuid": "m-1"},
        {"uuid": "m-3", "sender": "human", "text": "Ship from trunk.", "created_at": None, "content": [],
         "parent_message_uuid": "m-2"},
        {"uuid": "m-4", "sender": "human", "text": "Ship from release.", "created_at": "2026-05-01T10:00:09Z",
         "content": [], "parent_message_uuid": "m-2"}]}]


@pytest.fixture
def chatgpt(copied: Path) -> Path:
    return copied / "chatgpt-export/conversations.json"


@pytest.fixture
def claude(tmp_path: Path) -> Path:
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(CLAUDE), encoding="utf-8")
    return path


def test_a_node_with_a_message_is_an_event(archive: Any, chatgpt: Path) -> None:
    archive.take(chatgpt)
    nodes = [event for event in archive.records if '"message":' in event.body]

    assert (len(nodes), len(archive.records)) == (17, 17 + 2)


def test_what_the_current_branch_left_behind_is_abandoned(archive: Any, chatgpt: Path) -> None:
    archive.take(chatgpt)
    gone = {m.event for m in archive.messages() if "abandoned" in m.flags}

    assert len(gone) == 17 - 14
    assert not [text for text in archive.said("human") if "1000 reais" in text]
    assert "Com 400 reais dá para comprar terra, mudas e uma mangueira de 15 m." not in archive.said("model")


def test_hidden_context_thoughts_calls_and_results_are_what_they_are(archive: Any, chatgpt: Path) -> None:
    archive.take(chatgpt)
    parts = {m.part: (m.origin, m.tool, m.text) for m in archive.messages("4ff4023a-2d05-44c3-8147-d87fa7bf0911")}

    assert parts[Part.CALLED] == ("model", "python", "python\nsum([6.1,6.4,6.8])/3")
    assert parts[Part.RETURNED] == ("tool", "python", "6.433333333333334")
    assert parts[Part.THOUGHT] == ("model", None, "Averaging\nAverage is 6.43.")


def test_a_picture_beside_words_leaves_the_words(archive: Any, chatgpt: Path) -> None:
    archive.take(chatgpt)

    assert archive.said("human")[-1].startswith("Photo of the kit. For the record: the water meetings")


def test_a_node_without_a_time_has_none(archive: Any, chatgpt: Path) -> None:
    archive.take(chatgpt)
    at = {m.text: m.at for m in archive.messages()}

    assert at["The average soil pH is 6.43."] is None
    assert at["6.433333333333334"] == "2025-11-01T08:40:03.250000Z"


def test_a_conversation_is_a_session_and_a_project_by_its_title(archive: Any, chatgpt: Path) -> None:
    archive.take(chatgpt)

    assert [(info.title, info.scope) for info in sessions(archive.log)] == [
        ("Horta comunitária", "Horta comunitária"), ("Soil readings", "Soil readings")]


def test_a_later_export_adds_what_is_new_and_follows_the_branch(archive: Any, chatgpt: Path) -> None:
    archive.take(chatgpt)
    conversations = json.loads(chatgpt.read_text(encoding="utf-8"))
    mapping, tip = conversations[1]["mapping"], conversations[1]["current_node"]
    mapping[tip]["children"] = ["n-1"]
    mapping["n-1"] = {"id": "n-1", "parent": tip, "children": [], "message": {
        "id": "n-1", "author": {"role": "user"}, "create_time": 1761990000, "recipient": "all",
        "content": {"content_type": "text", "parts": ["Thank you."]}}}
    conversations[1]["current_node"] = "n-1"
    later = chatgpt.with_name("conversations-001.json")
    later.write_text(json.dumps(conversations), encoding="utf-8")
    counts = archive.counts(later)

    assert (counts.new, counts.revised) == (2, 0)
    assert archive.said("human")[-1] == "Thank you."


def test_messages_of_claude_ai_are_events_and_attachments_nobodys_words(archive: Any, claude: Path) -> None:
    counts = archive.counts(claude)

    assert counts.new == 1 + 4
    assert archive.said("human") == ["We ship from main.", "Ship from release."]
    assert [(m.origin, m.tool) for m in archive.messages() if m.part is Part.RETURNED] == [("tool", "a.txt")]


def test_a_branch_of_claude_ai_that_was_left_is_abandoned(archive: Any, claude: Path) -> None:
    archive.take(claude)

    assert [(m.text, m.at) for m in archive.messages() if "abandoned" in m.flags] == [("Ship from trunk.", None)]


def test_an_export_that_is_cut_off_is_named(archive: Any, claude: Path) -> None:
    claude.write_bytes(claude.read_bytes()[:-20])
    report = archive.take(claude)

    assert [path for path, _ in report.problems] == [str(claude)]
