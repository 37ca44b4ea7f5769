"""Random histories of two derived notes: agents, nights, and a person who edits as people do.

What must hold is checked beside the code under test: from the texts, from what the person meant, and from the ledger.
"""

import re
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from typing import Any

from rhizome.consolidate.derive import Derived
from rhizome.consolidate.render import plain
from rhizome.consolidate.slots import Found, bare, base, lines, statements
from rhizome.ledger.keys import statement_id
from rhizome.model import Event, Tier
from tests.consolidate.derive.desk import Desk

DEPLOY, SHIP = "tidepool/deploy.md", "tidepool/ship.md"
OWN = re.compile(r"h\d+ own")
WORDS = ("the value is {}", "value {} of it, in `code`", "設定は{}です", "o valor é {}", "{} (asked)", "# {} as title")
REMARKS = ("{}", "- {}", "  {} indented", "> {}", "{}  ", "\t{}", "| {} | x |", "これは{}行", "`{}`", "# {}",
           "{} see [^1]", "---{}")
TYPED = ("I say {}", "I say\n  {} over two lines", "私は{}と言う", "> {} quoted", "# {} loud", "- {} twice a bullet")


@dataclass
class Edit:
    """A buffer while a person works in it, and what they mean by it."""

    lines: list[str]
    said: dict[str, str] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    dropped: set[str] = field(default_factory=set)
    added: set[str] = field(default_factory=set)
    arrived: set[str] = field(default_factory=set)

    @property
    def text(self) -> str:
        return "".join(self.lines)


class History(Desk):
    """A desk that plays a random history and counts every fault it finds on the way."""

    def __init__(self, random: Random, *, stale: float = 0.15) -> None:
        super().__init__()
        self.random, self.stale = random, stale
        self.faults: Counter[str] = Counter()
        self.alive: dict[str, set[str]] = {DEPLOY: set(), SHIP: set()}
        self.past: dict[str, list[str]] = {DEPLOY: [], SHIP: []}
        self.clean = {DEPLOY: True, SHIP: True}
        self.names = {DEPLOY: DEPLOY, SHIP: SHIP}
        self.typed: set[str] = set()
        self.count = 0

    # ------------------------------------------------------------ what happens

    def play(self) -> Counter[str]:
        for name in "abcdef"[:self.random.randint(2, 6)]:
            self.agent(name)
        self.sleep()
        for _ in range(self.random.randint(6, 25)):
            dice = self.random.random()
            if dice < 0.35:
                self.agent(self.random.choice("abcdefghijkl"))
            elif dice < 0.4:
                self.forgets(self.key(self.random.choice("abcdefghijkl")))
            elif dice < 0.6:
                self.sleep()
            else:
                self.person()
        self.sleep()
        self.judge(self.derived)
        return self.faults

    def key(self, name: str) -> str:
        return f"{'deploy' if name < 'i' else 'ship'}|{name}"

    def number(self) -> int:
        self.count += 1
        return self.count

    def agent(self, name: str) -> None:
        by = 1.0 if self.random.random() < 0.2 else 0.8
        value = f"v{self.number()}"
        self.hears(self.key(name), value, self.random.choice(WORDS).format(value), by=by)

    def sleep(self) -> None:
        """A night, which may touch no line of the person's; and a second run that may change nothing at all."""
        before = dict(self.derived.files)
        self.night()
        for path in self.names.values():
            was, now = own(before.get(path, b"").decode()), own(self.derived.files.get(path, b"").decode())
            self.faults["a night touched a person's line"] += not within(was, now)
        after = dict(self.derived.files)
        self.night()
        self.faults["a second run changes a byte"] += after != self.derived.files
        for path in self.past:
            self.clean[path] = True
            if self.names[path] in after:
                self.past[path].append(after[self.names[path]].decode())

    # ------------------------------------------------------------ the person

    def person(self) -> None:
        path = self.random.choice((DEPLOY, DEPLOY, SHIP))
        if self.names[path] not in self.derived.files:
            return
        now = self.text(self.names[path])
        other = SHIP if path == DEPLOY else DEPLOY
        old = [text for text in self.past[path][-4:] if base(text) != base(now)]
        stale = bool(old) and self.random.random() < self.stale
        buffer = self.random.choice(old) if stale else now
        edit = Edit(lines(buffer))
        notes = [(path, edit)]
        if not stale and self.names[other] in self.derived.files and self.random.random() < 0.15:
            beside = Edit(lines(self.text(self.names[other])))
            self.carry(edit, beside)
            notes.append((other, beside))
        elif self.random.random() < 0.02:
            self.alive[path].clear()
            self.removes(self.names[path])
            return
        else:
            for _ in range(self.random.randint(1, 3)):
                self.work(edit)
            self.finish(edit)
        renamed = base(edit.text) is not None and self.random.random() < 0.1
        self.commit(notes, stale=stale, renamed=path if renamed else "")

    def work(self, edit: Edit) -> None:
        """One small edit; statements are found with the product's eyes, and judged without them."""
        found = facts(edit.lines)
        dice = self.random.random()
        if dice < 0.5:
            self.insert(edit)
        elif dice < 0.62 and found:
            self.say(edit, self.random.choice(found))
        elif dice < 0.72 and found:
            one = self.random.choice(found)
            edit.deleted.add(one.id)
            del edit.lines[one.first:one.last + 1]
        elif dice < 0.8:
            mine = [at for at, line in enumerate(edit.lines) if OWN.search(line) and "[^" not in line]
            if mine:
                at = self.random.choice(mine)
                edit.dropped |= set(OWN.findall(edit.lines[at]))
                del edit.lines[at]
        elif dice < 0.9 and found:
            one = self.random.choice(found)
            block = edit.lines[one.first:one.last + 1]
            del edit.lines[one.first:one.last + 1]
            self.paste(edit, block)
        elif found:
            one = self.random.choice(found)
            if one.before == "- " and one.first == one.last:
                edit.lines[one.first] = self.random.choice(("* ", "1. ", "- [ ] ", "  - ")) + edit.lines[one.first][2:]

    def insert(self, edit: Edit) -> None:
        mark = f"h{self.number()} own"
        line = self.random.choice(REMARKS).format(mark)
        edit.added.add(mark)
        self.paste(edit, [line])

    def paste(self, edit: Edit, block: list[str]) -> None:
        """Put lines somewhere, each on a line of its own."""
        at = self.random.choice(self.places(edit.lines))
        if at and not edit.lines[at - 1].endswith("\n"):
            edit.lines[at - 1] += "\n"
        edit.lines[at:at] = [line if line.endswith("\n") else line + "\n" for line in block]

    def places(self, text: list[str]) -> list[int]:
        """Where a line may go without becoming a part of a statement's own paragraph."""
        found = facts(text)
        inside = {at for one in found for at in range(one.first + 1, one.last + 1)}
        above = {one.first for one in found if not re.match(r"\s*([-*]|1\.) ", text[one.first])}
        return [at for at in range(len(text) + 1) if at not in inside | above]

    def say(self, edit: Edit, one: Found) -> None:
        words = self.random.choice(TYPED).format(f"t{self.number()}")
        before = one.before if re.match(r"\s*([-*]|1\.) ", one.before) else "- "
        edit.said[one.id] = words
        self.typed.add(words)
        edit.lines[one.first:one.last + 1] = lines(f"{before}{words} [^{one.id}]{one.end}")

    def finish(self, edit: Edit) -> None:
        """What editors and people do to whole files."""
        dice = self.random.random()
        if dice < 0.05:
            edit.lines = [line for line in edit.lines if not line.startswith("derived: ")]
        elif dice < 0.1:
            edit.lines = lines(edit.text.replace("\r\n", "\n").replace("\n", "\r\n"))
        elif dice < 0.15:
            edit.lines = lines(edit.text.rstrip("\r\n"))
        elif dice < 0.2 and (one := self.random.choice([*facts(edit.lines), None])):
            mark = f"h{self.number()} own"
            edit.added.add(mark)
            edit.lines[one.last] = bare(edit.lines[one.last]) + "\n"
            edit.lines.insert(one.last + 1, f"- copy {mark} [^{one.id}]\n")
        elif dice < 0.3:
            machine = [at for at, line in enumerate(edit.lines)
                       if re.match(r"title: |# (deploy|ship)|\[\^[^\]]+\]: |---$", line)]
            if machine:
                del edit.lines[self.random.choice(machine)]

    def carry(self, edit: Edit, beside: Edit) -> None:
        """Cut a statement here and paste it in the other note."""
        found = [one for one in facts(edit.lines) if f"[^{one.id}]" not in beside.text
                 and "".join(edit.lines).count(f"[^{one.id}]") == 2]
        if found:
            one = self.random.choice(found)
            block = edit.lines[one.first:one.last + 1]
            del edit.lines[one.first:one.last + 1]
            self.paste(beside, block)
            beside.arrived.add(one.id)

    def commit(self, notes: list[tuple[str, Edit]], *, stale: bool, renamed: str) -> None:
        old = self.names.get(renamed, "")
        if renamed:
            self.names[renamed] = f"elsewhere/{self.number()}.md"
        bodies = self.saves(*((self.names[path], edit.text) for path, edit in notes), removed=old)
        self.faults["a renamed note stands under its old name"] += old in self.derived.files
        for (path, edit), body in zip(notes, bodies, strict=True):
            self.alive[path] = (self.alive[path] | edit.added) - edit.dropped
            text = self.derived.files.get(self.names[path])
            self.faults["the bytes of a save were changed"] += text != edit.text.encode()
            self.clean[path] &= not (stale or body["stale"])
            self.understood(edit, body, clean=all(self.clean.values()))

    def understood(self, edit: Edit, body: dict[str, Any], *, clean: bool) -> None:
        """Whether the reading says what the person meant, no more and no less.

        Once an older text was saved over a note, what was meant by putting back or taking away old words is open.
        """
        operations = body["ops"]
        said = {statement_id(each["scope"], each["fact_key"]): each["statement"]
                for each in operations if each["op"] == "assert"}
        retracted = {statement_id(each["scope"], each["fact_key"]) for each in operations if each["op"] == "retract"}
        still = {id_: words for id_, words in edit.said.items() if id_ not in edit.deleted}
        self.faults["an edit was read otherwise"] += said != still if clean else not still.items() <= said.items()
        self.faults["wrong retraction"] += len(retracted - edit.deleted)
        if clean:
            self.faults["a deletion was not read"] += len(edit.deleted - retracted)

    # ------------------------------------------------------------ what must be true in the end

    def judge(self, derived: Derived) -> None:
        texts = {path: derived.files.get(name, b"").decode().replace("\r\n", "\n")
                 for path, name in self.names.items()}
        everything = "\n".join(texts.values())
        facts = {statement_id(fact.scope, fact.fact_key): fact for fact in derived.ledger.current(Tier.GREEN)}
        renamed = {event.fields.get("was") for event in self.log if event.kind == "note.saved"}
        removed = {event.fields["path"] for event in self.log if event.kind == "note.removed"} - renamed
        for id_, fact in facts.items():
            words = fact.statement if fact.statement in self.typed else plain(fact.statement)
            count = everything.count(f"{words} [^{id_}]")
            if not removed:
                self.faults["a current fact is missing or old"] += count < 1
            self.faults["a statement stands twice"] += count > 1
        for line in everything.split("\n"):
            if (found := re.search(r"\[\^([\w-]+)\]\s*$", line)) and not OWN.search(line):
                self.faults["a dead fact is shown"] += found[1] not in facts
        for path, text in texts.items():
            title = path.removeprefix("tidepool/").removesuffix(".md")
            self.faults["a title stands twice"] += len(re.findall(rf"^# {title}$", text, re.MULTILINE)) > 1
            self.faults["a note names no rendering"] += bool(text) and base(text) is None
            self.faults["a person's line is lost"] += len(self.alive[path] - set(OWN.findall(text)))


def own(text: str) -> list[str]:
    """A person's lines with all their bytes."""
    return [line for line in lines(text) if OWN.search(line)]


def facts(text: list[str]) -> list[Found]:
    """Statements of facts, not a person's own footnotes and copies."""
    return [found for found in statements(text)
            if found.id.startswith(("deploy-", "ship-")) and not OWN.search(found.words)]


def within(some: list[str], all_: list[str]) -> bool:
    """Whether `some` stand in `all_`, to the byte and in their order, and nothing stands there twice.

    Only a line that had no ending, because it was the last, may get one.
    """
    rest = iter(all_)
    return all(any(other == line or bare(other) == line for other in rest) for line in some) \
        and len(set(all_)) == len(all_)


def merged_nights(log: list[Event]) -> list[Event]:
    """The same log with nights that had no save between them caught up as one."""
    kept: list[Event] = []
    later = ""
    for event in reversed(log):
        if event.kind != "consolidated" or later != "consolidated":
            kept.append(event)
        if event.kind in ("note.saved", "note.removed", "consolidated"):
            later = event.kind
    return kept[::-1]
