"""Generated vaults: a plain one for speed, and the synthetic one, whose facts, sessions and questions lie beside it.

`python -m benchmarks.vault FOLDER NOTES` writes the second one and prints its digest.
"""

import hashlib
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

from benchmarks.synthetic.facts import known
from benchmarks.synthetic.notes import note
from benchmarks.synthetic.sessions import sessions

BLOCK = 10_000
"""So many facts' sessions are made at a time; what one block says does not depend on the others."""

CONSONANTS, VOWELS = "bcdfghjklmnprstvz", "aeiou"


def generate(folder: Path, count: int, *, seed: int = 7) -> None:
    """`count` notes in a hundred folders below `folder`."""
    random = Random(seed)
    words = ["".join(random.choice(CONSONANTS) + random.choice(VOWELS) for _ in range(random.randint(2, 4)))
             for _ in range(20_000)]  # fmt: skip

    def word() -> str:
        return words[min(int(random.paretovariate(0.6)) - 1, len(words) - 1)]

    def sentence() -> str:
        return " ".join(word() for _ in range(random.randint(8, 20))) + "."

    for number in range(count):
        place = folder / f"topic{number % 100:02d}"
        place.mkdir(parents=True, exist_ok=True)
        lines = [f"# Note {number} {word()} {word()}", ""]
        for _ in range(3):
            lines += [f"## {word()} {word()}", "", *(sentence() for _ in range(4)), ""]
        other = random.randrange(count)
        lines.append(f"- [other](../topic{other % 100:02d}/note{other}.md): {word()} {word()} {word()}")
        (place / f"note{number}.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


def vault(count: int, *, seed: int = 7) -> Iterator[tuple[str, bytes]]:
    """The first `count` notes of the synthetic vault, with their paths; `count` + 1 begin with the same ones."""
    return (note(number, seed) for number in range(count))


def digest(count: int, *, seed: int = 7) -> str:
    """SHA-256 over the sorted paths and bytes of a vault, in hex."""
    found = hashlib.sha256()
    for path, data in sorted(vault(count, seed=seed)):
        found.update(b"%d %d\n%b%b" % (len(path.encode()), len(data), path.encode(), data))
    return found.hexdigest()


def write(folder: Path, count: int, *, seed: int = 7) -> None:
    """The synthetic vault below `folder`: `count` notes in `notes/`, the sessions of `count` facts in `sessions/`."""
    for path, data in vault(count, seed=seed):
        _put(folder / "notes" / path, data)
    numbers = iter(range(count))
    while block := list(islice(numbers, BLOCK)):
        for path, lines in sessions((known(number, seed) for number in block), seed=seed).items():
            _put(folder / "sessions" / path, ("\n".join(lines) + "\n").encode())


def _put(file: Path, data: bytes) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]))
    print(digest(int(sys.argv[2])))
