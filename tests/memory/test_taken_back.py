"""A turn that was undone after a run had taken it: its fact holds no more, unless somebody else stands by it."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.memory.living import Living

PORT = "The dev server runs on port {}."


class Codex:
    """One session of an agent that can take turns back."""

    def __init__(self, memory: Living, session: str = "0199a213-81c0-7800-8aa1-bbab2a035a53") -> None:
        self.memory, self.turns = memory, 0
        name = f"rollout-2026-09-07T09-00-00-{session}.jsonl"
        self.path = memory.folder / "sessions" / "codex" / "sessions" / "2026" / "09" / "07" / name
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._write("session_meta", {"id": session, "cwd": "/home/ines/src/tidepool", "originator": "codex_cli_rs",
                                     "cli_version": "0.46.0", "timestamp": self._now()})  # fmt: skip

    def says(self, text: str) -> None:
        self.turns += 1
        self._write("turn_context", {"cwd": "/home/ines/src/tidepool", "turn_id": f"turn-{self.turns}"})
        for role, kind, words in (("user", "input_text", text), ("assistant", "output_text", "Done.")):
            self._write("response_item", {"type": "message", "role": role, "content": [{"type": kind, "text": words}]})

    def takes_back(self, turns: int = 1) -> None:
        self._write("event_msg", {"type": "thread_rolled_back", "num_turns": turns})

    def _now(self) -> str:
        self.memory.now += timedelta(seconds=20)
        return self.memory.now.isoformat().replace("+00:00", "Z")

    def _write(self, kind: str, payload: dict[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"timestamp": self._now(), "type": kind, "payload": payload}) + "\n")


def test_its_fact_is_withdrawn_and_leaves_the_note(memory: Living) -> None:
    codex = Codex(memory)
    codex.says(PORT.format(8080))
    memory.imports()
    memory.sleeps()
    assert "8080" == memory.value("tidepool|dev_port")

    codex.takes_back()
    memory.imports()
    report = memory.sleeps()

    assert (1, True) == (report["retracted"], report["identical"])
    assert [("8080", "retracted")] == memory.history("tidepool|dev_port")
    assert not memory.path("tidepool.md").exists()
    assert (None, 0) == (memory.sleeps()["run"], memory.sleeps()["retracted"])


def test_a_hit_says_that_it_was_taken_back_before_and_after_the_night(memory: Living) -> None:
    def found() -> list[str]:
        hits = memory.memory.search(query="dev server port 8080", layer="history", no_vectors=True)["hits"]
        return [hit["receipt"]["status"] for hit in hits if "8080" in hit["snippet"]][:1]

    codex = Codex(memory)
    codex.says(PORT.format(8080))
    memory.imports()
    memory.sleeps()
    codex.takes_back()
    assert ["said"] == found()
    memory.imports()
    before = found()
    memory.sleeps()

    assert (["rolled_back"], ["rolled_back"]) == (before, found())


def test_it_is_due_although_nothing_else_was_said(memory: Living) -> None:
    codex = Codex(memory)
    codex.says(PORT.format(8080))
    memory.imports()
    memory.sleeps()
    codex.takes_back()
    memory.imports()

    report = memory.memory.consolidate(if_due=True)

    assert 1 == report["retracted"]
    assert memory.memory.consolidate(if_due=True)["run"] is None


def test_what_another_session_says_too_goes_on_holding(memory: Living) -> None:
    codex = Codex(memory)
    codex.says(PORT.format(8080))
    memory.imports()
    memory.hears(PORT.format(8080))
    memory.sleeps()

    codex.takes_back()
    memory.imports()
    memory.sleeps()

    fact = memory.memory.fact(key="tidepool|dev_port")["fact"]
    quoted = memory.memory.parts.log.get(fact["evidence"][0]["event"])
    assert ("8080", "claude-code:s1") == (fact["value"], quoted.session)


def test_what_it_replaced_does_not_come_back_by_itself(memory: Living) -> None:
    memory.hears(PORT.format(8080))
    memory.sleeps()
    codex = Codex(memory)
    codex.says(PORT.format(8087))
    memory.imports()
    memory.sleeps()

    codex.takes_back()
    memory.imports()
    memory.sleeps()

    assert [("8080", "superseded"), ("8087", "retracted")] == memory.history("tidepool|dev_port")


def test_a_prompt_that_took_its_place_counts_alone(memory: Living) -> None:
    path = memory.says(PORT.format(8080))
    memory.imports()
    memory.sleeps()

    memory.says(PORT.format(8087))  # with the same parent: the person went back and asked something else
    same_parent(path)
    memory.imports()
    memory.sleeps()

    assert [("8080", "retracted"), ("8087", "active")] == memory.history("tidepool|dev_port")
    assert "before" not in memory.text("tidepool.md")


def same_parent(path: Path) -> None:
    """Both prompts of a session follow the same record."""
    read = [json.loads(line) for line in path.read_text().splitlines()]
    records = [record for record in read if record["type"] != "system"]
    root = {"type": "system", "uuid": "root", "sessionId": path.stem, "timestamp": "2026-09-07T08:00:00Z"}
    for record in records:
        record["parentUuid"] = root["uuid"] if record["type"] == "user" else None
    path.write_text("".join(json.dumps(each) + "\n" for each in [root, *records]))


def test_what_a_fork_still_stands_by_goes_on_holding(memory: Living) -> None:
    path = memory.says(PORT.format(8080))
    same_parent(path)
    fork = path.with_name("s2.jsonl")
    fork.write_text(path.read_text().replace('"sessionId": "s1"', '"sessionId": "s2"'))
    memory.imports()
    memory.sleeps()
    memory.says("The metrics port is 9464.")

    same_parent(path)
    memory.imports()

    report = memory.sleeps()

    assert (0, "8080") == (report["retracted"], memory.value("tidepool|dev_port"))
    memory.says("The batch size is 100 rows.", session="s2")
    same_parent(fork)
    memory.imports()
    assert (1, None) == (memory.sleeps()["retracted"], memory.value("tidepool|dev_port"))


def test_what_a_fork_that_copied_nothing_still_stands_by_goes_on_holding(memory: Living) -> None:
    codex = Codex(memory)
    codex.says(PORT.format(8080))
    base = {"thread_id": codex.path.stem[28:], "end_ordinal_exclusive": 50}
    fork = {"timestamp": codex._now(), "ordinal": 50, "type": "session_meta",
            "payload": {"id": "fork", "cwd": "/home/ines/src/tidepool", "forked_from_id": base["thread_id"],
                        "history_base": base}}
    codex.path.with_name("rollout-2026-09-07T10-00-00-fork.jsonl").write_text(json.dumps(fork) + "\n")
    memory.imports()
    memory.sleeps()

    undone = {"ordinal": 50, "type": "event_msg", "payload": {"type": "thread_rolled_back", "num_turns": 1}}
    with codex.path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(undone) + "\n")
    memory.imports()

    assert (0, "8080") == (memory.sleeps()["retracted"], memory.value("tidepool|dev_port"))


def test_a_retraction_in_words_goes_with_its_turn_and_leaves_no_trace_of_an_end(memory: Living) -> None:
    codex = Codex(memory)
    codex.says(PORT.format(8080))
    memory.imports()
    memory.sleeps()
    codex.says("Forget the dev port.")
    memory.imports()
    memory.sleeps()
    assert [("8080", "retracted")] == memory.history("tidepool|dev_port")
    assert "No longer holds" in "".join(map(memory.text, memory.derived()))

    codex.takes_back()
    memory.imports()
    report = memory.sleeps()

    assert (1, True) == (report["retracted"], report["identical"])
    assert [("8080", "active")] == memory.history("tidepool|dev_port")
    assert "8080" in memory.text("tidepool.md")
    assert "No longer holds" not in "".join(map(memory.text, memory.derived()))
    assert (None, []) == (memory.sleeps()["run"], memory.proven())


class Pi:
    """One session that is a tree: the person goes back and forth between its branches."""

    def __init__(self, memory: Living, session: str = "5b0c1f52-7a4e-4f0e-9a53-1d2c3b4a5f60") -> None:
        self.memory, self.ends, self.count = memory, dict[str, str](), 0
        self.path = memory.folder / "sessions" / "agent" / "sessions" / "--tidepool--" / f"2026-09-07_{session}.jsonl"
        self.path.parent.mkdir(parents=True)
        self._write({"type": "session", "version": 3, "id": session, "cwd": "/home/ines/src/tidepool"})

    def goes_on(self, branch: str, text: str) -> None:
        """The person says `text` where `branch` ended, and is answered; it is imported."""
        for role, words in (("user", text), ("assistant", "Done.")):
            self.count += 1
            name = f"{self.count:08x}"
            message = {"role": role, "content": [{"type": "text", "text": words}]}
            self._write({"type": "message", "id": name, "parentId": self.ends.get(branch), "message": message})
            self.ends[branch] = name
        self.memory.imports()

    def _write(self, record: dict[str, Any]) -> None:
        self.memory.now += timedelta(seconds=20)
        at = self.memory.now.isoformat(timespec="milliseconds").replace("+00:00", "Z")
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(record | {"timestamp": at}) + "\n")


def statuses(memory: Living) -> list[tuple[str, str]]:
    return memory.history("tidepool|dev_port")


def test_who_goes_back_to_what_they_said_first_holds_that_again(memory: Living) -> None:
    pi = Pi(memory)
    pi.goes_on("left", PORT.format(8080))
    memory.sleeps()
    pi.goes_on("right", PORT.format(8087))
    memory.sleeps()
    assert [("8080", "retracted"), ("8087", "active")] == statuses(memory)

    pi.goes_on("left", "Thanks, that is all.")
    report = memory.sleeps()

    assert [("8080", "active"), ("8087", "retracted")] == statuses(memory)
    assert (1, 1, True) == (report["confirmed"], report["retracted"], report["identical"])
    assert "8080" in memory.text("tidepool.md")
    assert (None, []) == (memory.sleeps()["run"], memory.proven())

    pi.goes_on("right", "And here, too.")
    memory.sleeps()
    assert [("8080", "retracted"), ("8087", "active")] == statuses(memory)


def test_what_was_left_before_any_night_is_heard_once_the_person_is_back(memory: Living) -> None:
    pi = Pi(memory)
    pi.goes_on("left", PORT.format(8080))
    pi.goes_on("right", "The metrics port is 9464.")
    assert 2 == memory.sleeps()["turns"]
    assert memory.value("tidepool|dev_port") is None

    pi.goes_on("left", "Thanks, that is all.")
    memory.now += timedelta(days=1)

    assert memory.memory.consolidate(if_due=True)["run"]
    assert [("8080", "active")] == statuses(memory)
    assert (None, []) == (memory.memory.consolidate(if_due=True)["run"], memory.proven())
    assert "3 turns" not in "".join(map(memory.text, memory.derived()))
