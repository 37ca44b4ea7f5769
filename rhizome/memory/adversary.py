"""The questions that a memory may never answer wrongly, put to a small home made for them.

What is replaced is not current, what nobody said is not answered, what a reader may not see is not hinted at, and a log
that cannot be believed says nothing. Each is asked through the verbs, as a reader would.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from rhizome.errors import Damaged, NotFound, RhizomeError
from rhizome.log import segments
from rhizome.memory.memory import Memory
from rhizome.memory.surroundings import Surroundings
from rhizome.memory.throwaway import dice, folder

BEGAN = datetime(2026, 9, 7, 9, tzinfo=UTC)
HEARD = ("We deploy from main.", "From now on we deploy from release, not from main.")
BRANCH, OLD, NEW = "harbour|deploy_branch", "main", "release"
AMBER = "---\ntier: amber\n---\n# Orchard\n\nThe quarrel with Mirela is about the orchard behind the mill.\n"
HIDDEN = ("mirela", "orchard", "quarrel")
ABOUT_HIDDEN = ("what is the quarrel with Mirela about", "orchard behind the mill", "Mirela")
NEVER_SAID = ("who won the regatta in Split last summer", "which glaze does the kiln need for stoneware",
              "what does the notary charge for a house deed")


@dataclass(frozen=True, slots=True)
class Case:
    """One thing that must hold: which of the four it belongs to, what was asked, and what was wrong with the answer."""

    kind: str
    asked: str
    wrong: str | None


def matrix(around: Surroundings) -> list[Case]:
    """Every case, in a home that is gone afterwards. A verb that fails is a wrong answer."""
    with folder() as place:
        memory = _lived(around, place)
        cases = [
            *_held("superseded", _superseded(memory)), *_held("absent", _absent(memory)),
            *_held("uncleared", _uncleared(memory)),
        ]
        _damage(memory)
        return [*cases, *_held("corrupt", _corrupt(memory))]


Asked = Iterator[tuple[str, Callable[[], str | None]]]


def _held(kind: str, asked: Asked) -> Iterator[Case]:
    for what, ask in asked:
        try:
            yield Case(kind, what, ask())
        except RhizomeError as wrong:
            yield Case(kind, what, f"{wrong.code}: {wrong.message}")


def _lived(around: Surroundings, place: Path) -> Memory:
    """Two days of a person who changes their mind, and a note that is nobody else's business."""
    now, chats = [BEGAN], place / "sessions" / "harbour"
    chats.mkdir(parents=True)
    around = replace(around, home=place / "home", clock=lambda: now[0], dice=dice(), environment={}, folder=place,
                     user_home=place, typed=True, by_agent=False, session=None, progress=None)
    Memory.init(around, person="ines")
    memory = Memory(around)
    (around.home / "notes" / "orchard.md").write_text(AMBER, encoding="utf-8")
    for day, text in enumerate(HEARD):
        said = {"role": "user", "content": text, "timestamp": now[0].isoformat()}
        (chats / f"chat-{day}.jsonl").write_text(json.dumps(said) + "\n", encoding="utf-8")
        memory.import_(paths=[chats])
        now[0] += timedelta(days=1)
        memory.consolidate()
    return memory


# ---------------------------------------------------------------- what is asked


def _superseded(memory: Memory) -> Asked:
    yield "fact", lambda: _unless(memory.fact(key=BRANCH, scope="harbour")["fact"]["value"] == NEW, "the old value")
    yield "facts", lambda: _none([fact["statement"] for fact in memory.facts(status="active")["facts"]
                                  if fact["value"] == OLD])
    for text in ("which branch do we deploy from", "deploy from main", "deploy_branch"):
        yield f"search: {text}", partial(_no_stale, memory, text)


def _no_stale(memory: Memory, text: str) -> str | None:
    """No hit tells the old value without saying that it is old: neither a fact nor a person's words of then."""
    hits = memory.search(query=text, k=20)["hits"]
    return _none([hit["snippet"] for hit in hits if HEARD[0] in hit["snippet"]
                  and (hit["layer"] == "fact" or (hit["layer"] == "history" and hit["receipt"]["status"] == "said"))])


def _absent(memory: Memory) -> Asked:
    for text in NEVER_SAID:
        yield f"search: {text}", partial(_refused, memory, text)
    yield "fact", lambda: _unless(memory.fact(key="harbour|mascot", scope="harbour")["fact"] is None, "a value")
    yield "search before anything was said", partial(_refused, memory, "which branch do we deploy from", "2026-09-01")


def _uncleared(memory: Memory) -> Asked:
    for text in ABOUT_HIDDEN:
        yield f"search: {text}", partial(_no_hint, memory, text)
    yield "list", lambda: _hint(memory.list_(clearance="green"))
    yield "facts", lambda: _hint(memory.facts(clearance="green"))
    yield "read", lambda: _not_found(lambda: memory.read(ref="orchard.md", clearance="green"))
    yield "graph", lambda: _not_found(lambda: memory.graph(note="orchard.md", clearance="green"))
    yield "read as its owner", lambda: _unless("Mirela" in memory.read(ref="orchard.md")["text"], "nothing")


def _corrupt(memory: Memory) -> Asked:
    yield "log verify", lambda: _unless(not memory.verify_log()["ok"], "that all is well")
    yield "search in facts", lambda: _reason(memory.search(query="which branch do we deploy from", layer="facts"))
    yield "search", lambda: _unless(_careful(memory.search(query="which branch do we deploy from", k=20)),
                                    "a fact, or history that is not called degraded")
    yield "fact", partial(_damaged, partial(memory.fact, key=BRANCH, scope="harbour"))
    yield "facts", partial(_damaged, memory.facts)
    yield "consolidate", partial(_damaged, memory.consolidate)
    yield "read a derived note", partial(_damaged, partial(memory.read, ref="harbour.md"))


def _damage(memory: Memory) -> None:
    """One byte in the middle of the log becomes another one."""
    log = memory.parts.home.log / memory.parts.home.id
    memory.parts.close()
    path = log / min(segments.stamps(log))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(bytes(data))


# ---------------------------------------------------------------- what is wrong with an answer


def _unless(right: bool, wrong: str) -> str | None:
    return None if right else f"answered {wrong}"


def _none(wrong: Sequence[str]) -> str | None:
    return f"answered {wrong[0]!r}" if wrong else None


def _refused(memory: Memory, text: str, as_of: str | None = None) -> str | None:
    return _none([hit["snippet"] for hit in memory.search(query=text, as_of=as_of)["hits"]])


def _no_hint(memory: Memory, text: str) -> str | None:
    return _hint(memory.search(query=text, k=20, clearance="green"), text)


def _hint(answer: dict[str, Any], *told: str) -> str | None:
    """What of the hidden note an answer gives away, beyond what the question said itself."""
    asked = " ".join(told).casefold()
    text = json.dumps([answer.get("hits"), answer.get("nearest"), answer.get("notes"), answer.get("facts")]).casefold()
    return _none([word for word in HIDDEN if word in text]) or _none(
        [word for word in HIDDEN if word in str(answer.get("detail")).casefold() and word not in asked])


def _reason(answer: dict[str, Any]) -> str | None:
    return _unless(answer["reason"] == "damaged", f"{answer['status']}, {answer['reason']}")


def _careful(answer: dict[str, Any]) -> bool:
    if answer["status"] != "found":
        return bool(answer["reason"] == "damaged")
    return bool(answer["degraded"]) and all(hit["layer"] == "history" for hit in answer["hits"])


def _not_found(ask: Callable[[], object]) -> str | None:
    with suppress(NotFound):
        ask()
        return "answered at all"
    return None


def _damaged(ask: Callable[[], object]) -> str | None:
    with suppress(Damaged):
        ask()
        return "answered at all"
    return None
