"""Notes as people leave them lying about: of all lengths, in seven scripts, linked, a few of them hostile."""

from random import Random

from benchmarks.synthetic.words import dice, rare, script, sentence, spelled, text

FOLDER = 100
HOSTILE = ("empty", "long", "windows", "mark", "broken", "spaces", "emoji", "twin")
BIG, LONG = 2 * 1024 * 1024, 64 * 1024
"""One note has two megabytes; the other long ones are pasted files."""


def note(number: int, seed: int = 7) -> tuple[str, bytes]:
    """The note of a number, with its path. One in a hundred is hostile, one in ten links to nothing."""
    throws = dice(seed, "note", number)
    topic, name = throws.randrange(200), script(throws)
    length = min(int(throws.lognormvariate(4.38, 1.0)) + 3, 4_000)
    lines = [*_front(throws, number, topic, name), f"# {' '.join(text(throws, topic, name, 3))}", ""]
    while length > 0:
        lines += [f"## {' '.join(text(throws, topic, name, 2))}", ""] if throws.random() < 0.3 else []
        lines += [f"- {sentence(throws, topic, name)}" if throws.random() < 0.3 else sentence(throws, topic, name), ""]
        length -= 14
    if throws.random() < 0.05:
        one, two = spelled(throws.randrange(9_999)), spelled(throws.randrange(9_999))
        lines += ["```python", f"{one}_{two} = open('/srv/{one}/{two}.log')",
                  f"raise Err{one.capitalize()}('E{number % 997}')",
                  "```", ""]  # fmt: skip
    lines += links(throws, number, seed)
    data = ("\n".join(lines) + "\n").encode()
    kind = HOSTILE[number // FOLDER % len(HOSTILE)] if number % FOLDER == 57 else ""
    return place(number, kind), _hostile(kind, data, BIG if number < 1_000 else LONG)


def place(number: int, kind: str = "") -> str:
    odd = {"spaces": f"it's note {number}", "emoji": f"note-{number}-🌿", "twin": f"NOTE-{number - 1}"}
    return f"t{number // FOLDER:05d}/{odd.get(kind, f'note-{number}')}.md"


def links(throws: Random, number: int, seed: int) -> list[str]:
    """Links to earlier notes, older ones more often, as links gather; a few are broken or lead to the note itself."""
    if number == 0 or throws.random() < 0.1:
        return []
    found = []
    for _ in range(1 + min(int(throws.expovariate(0.45)), 12)):
        target, coin = int(number * throws.random() ** 2.3), throws.random()
        if coin < 0.02:
            path = f"../nowhere/{spelled(target)}.md"
        elif coin < 0.025:
            path = f"note-{number}.md"
        else:
            path = f"../{place(target)}" + ("#top" if coin < 0.035 else "")
        why = " ".join(text(throws, dice(seed, "note", target).randrange(200), "latin", 4))
        found.append(f"- [{spelled(target)}]({path}): {why}")
    return found


def _front(throws: Random, number: int, topic: int, name: str) -> list[str]:
    if throws.random() < 0.4:
        return []
    aliases = [rare(8_000_000 + 4 * number + nth, name) for nth in range(throws.randrange(5))]
    day = f"{2023 + throws.randrange(3)}-{throws.randint(1, 12):02d}-{throws.randint(1, 28):02d}"
    return ["---", f"title: {' '.join(text(throws, topic, name, 3))}", f"aliases: [{', '.join(aliases)}]",
            f"tier: {'amber' if throws.random() < 0.1 else 'green'}", f"recorded: {day}", "---"]


def _hostile(kind: str, data: bytes, long: int) -> bytes:
    match kind:
        case "empty":
            return b""
        case "long":
            return data * (long // len(data) + 1)
        case "windows":
            return data.replace(b"\n", b"\r\n")
        case "mark":
            return b"\xef\xbb\xbf" + data
        case "broken":
            return b"---\naliases: [one\ntitle: : :\n" + data
    return data
