"""Words of no language in seven scripts, as common as words are, in topics that cluster. No text of anybody's."""

import hashlib
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from random import Random

COMMON = 60_000
"""So many words are used over and over, the first one most (Zipf, exponent 1.05)."""

TOPICS, TOPIC_WORDS = 200, 300
HAPAX = 0.02
"""The share of words that stand nowhere else."""

SCRIPTS: dict[str, tuple[float, str, Sequence[str]]] = {
    "latin": (0.68, " ", [c + v for c in "bcdfghjklmnprstvz" for v in "aeiou"]),
    "accents": (0.15, " ", [c + v for c in "bcdfghlmnprstvç" for v in "áéíóúãõâêü"]),
    "cyrillic": (0.05, " ", [c + v for c in "бвгджзклмнпрстч" for v in "аеиоуыя"]),
    "ideographs": (0.05, "", [chr(0x4E00 + 37 * n) for n in range(400)]),
    "kana": (0.03, "", [chr(n) for n in (*range(0x3042, 0x3090, 2), *range(0x30A2, 0x30F0, 2))]),
    "thai": (0.02, "", [c + v for c in "กขคงจชดตทนบปพมรลวสหอ" for v in "ะาิีุู"]),
    "right to left": (0.02, " ", [a + b for a in "אבגדהוזחטיכלמנס" for b in "אויה"]),
}


def dice(*parts: object) -> Random:
    """Dice of their own for one thing."""
    return Random(hashlib.sha256("/".join(map(str, parts)).encode()).digest())


def script(throws: Random) -> str:
    """Which script a text is in."""
    return throws.choices(list(SCRIPTS), [share for share, _, _ in SCRIPTS.values()])[0]


@cache
def spelled(number: int, name: str = "latin") -> str:
    """The word of a number: another one for each."""
    _, joint, syllables = SCRIPTS[name]
    found: list[str] = []
    rest = number + (len(syllables) if joint else 0)
    while rest or not found:
        rest, at = divmod(rest, len(syllables))
        found.append(syllables[at])
    return "".join(found)


def rare(number: int, name: str = "latin") -> str:
    """A word that is nobody else's and looks like none of its neighbours."""
    return spelled(COMMON + number * 2_654_435_761 % 2**32, name)


def text(throws: Random, topic: int, name: str, count: int) -> list[str]:
    """So many words: half from everywhere, half from the topic, now and then one that stands nowhere else."""
    alone = sum(throws.random() < HAPAX for _ in range(count))
    here = (count - alone) // 2
    found = [spelled(each, name) for each in (
        *throws.choices(range(COMMON), cum_weights=_weights(COMMON), k=count - alone - here),
        *throws.choices(_topic(topic), cum_weights=_weights(TOPIC_WORDS), k=here))]
    found += [rare(throws.getrandbits(32), name) for _ in range(alone)]
    throws.shuffle(found)
    return found


def sentence(throws: Random, topic: int, name: str) -> str:
    """Eight to twenty words of one script."""
    joint = SCRIPTS[name][1]
    said = joint.join(text(throws, topic, name, throws.randint(8, 20)))
    return said.capitalize() + (" ." if not joint else ".").strip()


@cache
def _topic(number: int) -> tuple[int, ...]:
    return tuple(dice("topic", number).sample(range(50, COMMON), TOPIC_WORDS))


@cache
def _weights(count: int) -> tuple[float, ...]:
    return tuple(accumulate(1 / (rank + 1) ** 1.05 for rank in range(count)))
