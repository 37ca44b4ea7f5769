"""Ten thousand notes of six sentences with a Zipf vocabulary: indexed, asked warm, asked by a fresh process, changed.

Times are CPU seconds, because a wall clock on shared cores tells of the neighbours. The bare matrix product may be slow
where numpy's library keeps two threads spinning for it; ours does without.
"""

import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median, quantiles

import numpy as np
import tantivy

from benchmarks.row import Row
from rhizome.model import Found, Tier
from rhizome.search.documents import Document, note_documents
from rhizome.search.embedder import StaticEmbedder
from rhizome.search.engine import SearchEngine
from rhizome.search.port import Query

NOTES = 10_000
QUESTIONS = 200
GREEN = (Tier.GREEN,)
ASK = """
import sys
from pathlib import Path
from rhizome.model import Tier
from rhizome.search.embedder import StaticEmbedder
from rhizome.search.engine import SearchEngine
from rhizome.search.port import Query
engine = SearchEngine(Path(sys.argv[1]), StaticEmbedder())
print(type(engine.query(Query(text=sys.argv[2], vectors=sys.argv[3] == "vectors"), [Tier.GREEN])).__name__)
"""
BARE = "import sys, tantivy; tantivy.Index.open(sys.argv[1]).searcher(); print('Found')\n"
BARE_VECTORS = "import numpy\n" + BARE
PEAK = """
from pathlib import Path
status = Path("/proc/self/status")
if status.exists():
    print(next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM")))
else:
    import resource
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def notes() -> list[Document]:
    dice = random.Random(7)
    syllables = [first + last for first in "bdfgklmnprstv" for last in ("a", "e", "i", "o", "u", "an", "er", "ol")]
    vocabulary = ["".join(dice.choices(syllables, k=dice.randint(1, 4))) for _ in range(20_000)]
    weights = [1 / (rank + 3) for rank in range(len(vocabulary))]
    words = iter(dice.choices(vocabulary, weights, k=NOTES * 6 * 14 + NOTES * 3))

    def sentence(length: int) -> str:
        return " ".join(next(words) for _ in range(length)).capitalize()

    return [
        document for number in range(NOTES) for document in note_documents(
            f"topic-{number % 100:02d}/note-{number:05d}.md", sentence(3),
            [("", 1, ". ".join(sentence(14) for _ in range(6)) + f". See crate_{number}.")], tier="green")
    ]


def questions(documents: Sequence[Document]) -> list[str]:
    """Five words out of one note each, every tenth a single identifier."""
    dice = random.Random(11)
    found = []
    for number in range(QUESTIONS):
        document = dice.choice(documents)
        found.append(" ".join(dice.sample(document.text.lower().replace(".", "").split(), 5)) if number % 10
                     else document.text.rsplit(" ", 1)[-1])
    return found


def spent(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def p95(work: Callable[[str], object], asked: Sequence[str]) -> float:
    return quantiles([spent(lambda one=each: work(one)) for each in asked], n=20)[-1] * 1e3  # type: ignore[misc]


def rows() -> list[Row]:
    documents = notes()
    asked = questions(documents)
    with tempfile.TemporaryDirectory() as folder:
        index, embedder = Path(folder) / "search", StaticEmbedder()
        embedder.encode(["warm"])
        engine = SearchEngine(index, embedder)
        built = spent(lambda: engine.build(1, documents))
        bare, bare_built = _bare_index(Path(folder) / "bare", documents)
        found = [_indexed(documents, built, bare_built), *_warm(engine, embedder, bare, asked), _changed(engine, bare)]
        engine.close()
        return [*found, *_cold(index, Path(folder) / "bare", asked[1])]


def _indexed(documents: Sequence[Document], built: float, bare: float) -> Row:
    rate = len(documents) / built
    return Row("search: notes indexed, with vectors and floor", rate, "notes/s", 300, "higher", "bare tantivy",
               len(documents) / bare)


def _warm(engine: SearchEngine, embedder: StaticEmbedder, bare: tantivy.Index, asked: Sequence[str]) -> list[Row]:
    matrix = np.random.default_rng(7).normal(size=(70_000, 256)).astype(np.float32)
    searcher = bare.searcher()

    def ask(question: str, vectors: bool) -> bool:
        return isinstance(engine.query(Query(text=question, vectors=vectors), GREEN), Found)

    def words(question: str) -> object:
        return searcher.search(bare.parse_query_lenient(question, ["body"])[0], 50).hits

    def both(question: str) -> object:
        return words(question), np.argpartition(matrix @ embedder.encode([question])[0], -50)[-50:]

    answered = sum(ask(each, vectors=True) for each in asked[:50])
    return [
        Row("search: of 50 questions about a note, answered", answered, "", 48, "higher", "asked", 50),
        Row("search: warm question, words and vectors, p95", p95(lambda each: ask(each, vectors=True), asked), "ms", 35,
            "lower", "bare tantivy and matrix product", p95(both, asked)),
        Row("search: warm question, words alone, p95", p95(lambda each: ask(each, vectors=False), asked), "ms", 20,
            "lower", "bare tantivy", p95(words, asked)),
    ]


def _changed(engine: SearchEngine, bare: tantivy.Index) -> Row:
    def change(number: int) -> None:
        engine.apply(2 + number, note_documents(f"topic-00/note-{number:05d}.md", "Changed", [
            ("", 1, f"This is the changed note {number}.")], tier="green"))

    def bare_change(number: int) -> None:
        writer = bare.writer(15_000_000, 1)
        document = tantivy.Document()
        document.add_text("body", f"This is the changed note {number}.")
        writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()

    ours = median(spent(lambda n=n: change(n)) for n in range(20)) * 1e3  # type: ignore[misc]
    theirs = median(spent(lambda n=n: bare_change(n)) for n in range(20)) * 1e3  # type: ignore[misc]
    return Row("search: one changed note into the index", ours, "ms", 250, "lower", "bare tantivy commit", theirs)


def _cold(index: Path, bare: Path, question: str) -> list[Row]:
    vectors, words = _process(ASK, str(index), question, "vectors"), _process(ASK, str(index), question, "words")
    beside, beside_vectors = _process(BARE, str(bare)), _process(BARE_VECTORS, str(bare))
    return [
        Row("search: fresh process, words and vectors", vectors[0], "s", 2.0, "lower", "imports of tantivy and numpy",
            beside_vectors[0]),
        Row("search: fresh process, words alone", words[0], "s", 0.6, "lower", "import of tantivy", beside[0]),
        Row("search: its peak memory with vectors", vectors[1], "MB", 400, "lower", "imports of tantivy and numpy",
            beside_vectors[1]),
    ]


def _process(code: str, *arguments: str) -> tuple[float, float]:
    """Median CPU seconds and greatest memory in MB of five fresh processes that must find something."""
    times, memory = [], []
    for _ in range(5):
        process = subprocess.Popen([sys.executable, "-c", code + PEAK, *arguments], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        with process.stdout as out:
            said, peak = out.read().split()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert (process.returncode, said) == (0, "Found")
        times.append(usage.ru_utime + usage.ru_stime)
        memory.append(int(peak) / 1024)
    return median(times), max(memory)


def _bare_index(folder: Path, documents: Sequence[Document]) -> tuple[tantivy.Index, float]:
    folder.mkdir()
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("body")
    index = tantivy.Index(builder.build(), str(folder))

    def add() -> None:
        writer = index.writer(64_000_000, 1)
        for each in documents:
            document = tantivy.Document()
            document.add_text("body", each.text)
            writer.add_document(document)
        writer.commit()
        writer.wait_merging_threads()

    seconds = spent(add)
    index.reload()
    return index, seconds
