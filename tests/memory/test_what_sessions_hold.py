"""From an agent's session to an answer and a night: what has no words of its own, and what has no time."""

import json
import sqlite3
from contextlib import closing

from tests.memory.living import Living


def test_the_result_of_a_call_is_found_though_nobody_says_a_word(memory: Living) -> None:
    for n in range(6):
        memory.says(f"The harbour gauge shows {n} metres.", session=f"other-{n}")
    memory.records(
        ("user", "go on"),
        ("assistant", [{"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "sluicegate --tighten"}}]),
        ("user", [{"type": "tool_result", "tool_use_id": "t", "content": "quernstone bearing replaced"}]))
    memory.imports()
    memory.sleeps()

    assert memory.found("quernstone bearing replaced")


def test_a_bubble_without_a_time_is_consolidated_once_and_of_no_day(memory: Living) -> None:
    path = memory.folder / "sessions" / "Cursor" / "User" / "globalStorage" / "state.vscdb"
    path.parent.mkdir(parents=True)
    rows = {
        "composerData:c1": {"composerId": "c1", "name": "Ports", "fullConversationHeadersOnly": [
            {"bubbleId": "b1"}, {"bubbleId": "b2"}]},
        "bubbleId:c1:b1": {"bubbleId": "b1", "type": 1, "text": "The metrics port is 9464."},
        "bubbleId:c1:b2": {"bubbleId": "b2", "type": 2, "text": "Noted."}}
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("create table cursorDiskKV (key text primary key, value blob)")
        db.executemany("insert into cursorDiskKV values (?, ?)", [(key, json.dumps(row)) for key, row in rows.items()])
    memory.imports()
    memory.sleeps()
    facts = memory.memory.facts(status="active")["facts"]
    runs = memory.events("consolidated")
    memory.imports()
    memory.sleeps()

    assert ["9464"] == [fact["value"] for fact in facts]
    assert facts == memory.memory.facts(status="active")["facts"]
    assert runs == memory.events("consolidated")
    assert {None} == {event.happened_at for event in memory.memory.parts.log.read(kinds={"session.record"})}
