"""Many files that name nothing inside: each may be a copy of any other under a new name."""

import json
from collections.abc import Iterator
from pathlib import Path

from rhizome.log.door import Door
from rhizome.log.importing import import_paths
from rhizome.log.memory_log import MemoryLog
from rhizome.model import Event

KEY = b"k" * 32
CHATS = 20


class Counting(MemoryLog):
    """A log that counts what is read out of it."""

    read_events = 0

    def span(self, home: str, first: int, last: int) -> Iterator[Event]:
        for event in super().span(home, first, last):
            self.read_events += 1
            yield event


def test_a_new_file_is_compared_with_what_the_others_begin_with_and_no_more(tmp_path: Path) -> None:
    for chat in range(CHATS):
        lines = [json.dumps({"role": "user", "content": f"chat {chat}, message {n}"}) for n in range(10)]
        (tmp_path / f"chat-{chat:02d}.jsonl").write_text("\n".join(lines) + "\n")
    log = Counting()

    report = import_paths(log, [tmp_path], index=tmp_path, key=KEY, door=Door(KEY))

    assert report.total.new == 10 * CHATS
    assert log.read_events <= CHATS
