"""Ten thousand notes of about 1.5 KB, three of four with links and reasons: read, indexed, asked, cut up."""

import re
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median

from markdown_it import MarkdownIt

from benchmarks.row import Row
from rhizome.graph.edges import EdgeIndex
from rhizome.graph.neighbourhood import Graph
from rhizome.graph.note import parse
from rhizome.graph.segments import sentences
from rhizome.model import Tier

NOTES = 10_000
PROSE = (
    "The workers drain the queue before a release, because a job that starts on the old schema "
    "cannot finish on the new one. "
    "Version 1.0.21 of the controller waits for at most 90 seconds, see `drain.timeout`. "
)


def path_of(number: int) -> str:
    return f"topic-{number % 100:02d}/note-{number:05d}.md"


def note(number: int) -> bytes:
    head = f"---\ntitle: Note {number}\naliases: [alias {number}]\n---\n# Note {number}\n\n"
    lines = [head, PROSE * 3, "\n\n## Related\n\n"]
    if number % 4:
        far, near = (number * 7 + 1) % NOTES, (number + 100) % NOTES
        lines += [
            f"- [the other one](../{path_of(far)}): why this leads to {far}\n",
            f"- [the next one](note-{near:05d}.md): it stands in the same folder\n",
            f"- [[alias {(number * 3) % NOTES}]] is only mentioned\n",
        ]
    return "".join([*lines, "\n", PROSE * 2]).encode()


def spent(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def typical(work: Callable[[int], object], times: int) -> float:
    """The median of the milliseconds it takes, over that many different notes."""
    return median(spent(partial(work, number)) for number in range(0, NOTES, NOTES // times)) * 1e3


def rows() -> list[Row]:
    notes = [note(number) for number in range(NOTES)]
    with tempfile.TemporaryDirectory() as folder, EdgeIndex(Path(folder)) as index:
        return [*_reading(notes[:2_000]), *_indexing(notes, index), *_asking(index), _sentences(notes)]


def _reading(notes: list[bytes]) -> Iterator[Row]:
    bare = MarkdownIt("commonmark").enable("table")
    texts = [data.decode() for data in notes]
    theirs = len(notes) / spent(lambda: [bare.parse(text) for text in texts])
    ours = len(notes) / spent(lambda: [parse("n.md", data) for data in notes])
    yield Row("graph: notes read with links and reasons", ours, "notes/s", 500, "higher", "bare markdown-it", theirs)


def _indexing(notes: list[bytes], index: EdgeIndex) -> Iterator[Row]:
    batch = [(path_of(number), data, (number, len(data), number, 0)) for number, data in enumerate(notes)]
    ours = spent(lambda: index.update(batch))
    bare = MarkdownIt("commonmark").enable("table")
    theirs = spent(lambda: [bare.parse(data.decode()) for data in notes])
    yield Row("graph: 10,000 notes into a new index", ours, "s", 20, "lower", "bare markdown-it parse of them", theirs)
    again = spent(lambda: index.update(batch))
    yield Row("graph: the same bytes taken in again", again, "s", 3, "lower", "bare markdown-it parse of them", theirs)


def _asking(index: EdgeIndex) -> Iterator[Row]:
    graph = Graph(index, Tier.AMBER)
    bare = sqlite3.connect(index.file)
    query = "SELECT * FROM note JOIN edge USING (blob) WHERE note.path = ?"
    theirs = typical(lambda number: bare.execute(query, (path_of(number),)).fetchall(), 200)
    ours = typical(lambda number: graph.neighbours(path_of(number)), 200)
    yield Row("graph: links and backlinks, p50", ours, "ms", 5, "lower", "bare SQLite rows of its edges", theirs)
    two = typical(lambda number: graph.around(path_of(number), 2), 50)
    yield Row("graph: two hops around a note, p50", two, "ms", 50, "lower", "bare SQLite rows of its edges", theirs)
    bare.execute("CREATE TABLE bare (path TEXT PRIMARY KEY, data BLOB)")
    bare.isolation_level = None
    theirs = typical(lambda number: bare.execute("INSERT INTO bare VALUES (?, ?)", (number, b"")), 100)
    ours = typical(lambda number: index.update([(path_of(number), note(number) + b"more", (0,))]), 100)
    yield Row("graph: one changed note taken in, p50", ours, "ms", 10, "lower", "bare SQLite insert", theirs)
    bare.close()


def _sentences(notes: list[bytes]) -> Row:
    texts = [data.decode() for data in notes[:3_000]]
    size = sum(map(len, texts)) / 1e6
    bare = re.compile(r"(?<=[.!?])\s+")
    theirs = size / spent(lambda: [bare.split(text) for text in texts])
    ours = size / spent(lambda: [sentences(text) for text in texts])
    return Row("graph: text cut into sentences", ours, "MB/s", 5, "higher", "bare re.split", theirs)
