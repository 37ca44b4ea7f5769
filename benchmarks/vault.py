"""A generated vault: notes with sections, aliases and links, the same for the same numbers."""

from pathlib import Path
from random import Random

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
