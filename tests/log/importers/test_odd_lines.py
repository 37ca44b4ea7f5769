"""Lines that no harness should write and some did: each is kept as it is, and the session around it goes on."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

LONG = 50_000_000 if os.environ.get("RHIZOME_EXAMPLES") == "prove" else 5_000_000


def row(n: int, text: str) -> str:
    message = {"role": "user", "content": text}
    return json.dumps({"type": "user", "uuid": f"u-{n}", "sessionId": "s", "message": message})


def session(path: Path, *lines: str | bytes) -> Path:
    path.write_bytes(b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines))
    return path


@pytest.mark.parametrize(("odd", "unparsed"), [
    (row(8, "one") + row(9, "two"), 1),
    ("[" * 100_000 + "]" * 100_000, 1),
    ('{"type":"mode","sessionId":"s","deep":' + "[" * 100_000 + "]" * 100_000 + "}", 1),
    ('{"type":"mode","sessionId":"s","n":' + "7" * 5_000 + "}", 1),
    ('{"type":"mode","sessionId":"s","n":' + "7" * 30 + "}", 0),
    ('{"type":"mode","sessionId":"s","n":NaN,"m":-Infinity}', 0),
    ('{"type":"mode","sessionId":"s","sessionId":"t"}', 0),
    ('{"type":"mode","sessionId":"s","mode":"a\u2028b\u0085c"}', 0),
    ('{"type":"mode","sessionId":"s","mode":"' + "\t\0" + '"}', 1),
    ("null", 1), ("3", 1), ('"just words"', 1), ("{}", 0), (b"\xff\xfe\x00", 1),
], ids=["two in a line", "deep list", "deep object", "too large a number", "large number", "no number", "a name twice",
        "line separators", "control characters", "null", "number", "text", "nothing in it", "no text"])
def test_an_odd_line_is_kept_once_and_the_others_are_read(
        archive: Any, tmp_path: Path, odd: str | bytes, unparsed: int) -> None:
    path = session(tmp_path / "s.jsonl", row(1, "before"), odd, row(2, "after"))
    counts = archive.counts(path)
    archive.forget_cursors()

    assert (counts.new, counts.unparsed, archive.counts(path).new) == (3, unparsed, 0)
    assert archive.said("human") == ["before", "after"]
    kept = archive.records[1]
    assert kept.body == odd or (kept.body is None and kept.body64)


def test_one_very_long_line_is_imported_whole(archive: Any, tmp_path: Path) -> None:
    said = "the lamp turns. " * (LONG // 16) + "The last words are: port 8087"
    archive.take(session(tmp_path / "s.jsonl", row(1, "before"), row(2, said)))

    assert archive.said("human") == ["before", said]
