"""Which container a file is that is read from its start, and which ids its records had before.

The log is asked, not a cursor: a copy elsewhere, a rewritten file and a lost index all come this way. Files that name
nothing inside are known by their stem; those that only share one are told apart by where they lie and what is in them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count

from rhizome import config
from rhizome.log.discover import Found
from rhizome.log.importers import IMPORTERS
from rhizome.log.importers.port import Heading, Named
from rhizome.log.importers.records import Record, legible
from rhizome.log.lineage import Container, Lineage, placed
from rhizome.log.naming import Namer, aligned, continues
from rhizome.log.port import EventLog

APART = "~"
"""Between a file's stem and what tells it from others of that stem."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """The file's heading (its container may be another's that was renamed: `moved`), and who gives the ids."""

    heading: Heading
    namer: Namer
    aligned: bool = False
    moved: bool = False


def recognise(found: Found, heading: Heading, records: Callable[[], Iterable[Record]], log: EventLog,
              lineage: Lineage, key: bytes, *, text: Sequence[Record] = ()) -> Recognised:
    """Reads the file's `records` once where the log knows something like it, else not at all.

    Given as `text` too, the record that goes on where the log's last one stopped is that one, grown.
    """
    harness = found.harness or ""
    container = lineage.containers.get((harness, heading.container))
    if container is not None and not (heading.inside or container.inside or _here(container, found)):
        now = _named(found, heading, records(), key)
        container = _namesake(container, found, now, lineage, log)
        heading = belonging(heading, container) if container else _apart(heading, now, lineage, harness)
    if container is None:
        strangers = _strangers(found, heading, lineage)
        now = _named(found, heading, records(), key) if strangers else []
        container = next((each for each in strangers if _same(each, now, found, log)), None)
        if container is None:
            return Recognised(heading, Namer(key, {}))
        moved = found.name not in container.paths
        return replace(_known(found, belonging(heading, container), records(), text, container, log, key), moved=moved)
    return _known(found, heading, records(), text, container, log, key)


def _here(container: Container, found: Found) -> bool:
    """Whether the file lies where the container was read from."""
    return placed(legible(str(found.root)), found.name) in container.places


def _namesake(container: Container, found: Found, now: Sequence[Named], lineage: Lineage,
              log: EventLog) -> Container | None:
    """Which container of this stem a file is that does not lie where the first one does: the one that lies here, else
    one that it goes on from, or shares enough with."""
    alike = [each for each in lineage.containers.values() if each.harness == container.harness and not each.inside
             and each.name.partition(APART)[0] == container.name.partition(APART)[0]]
    if here := next((each for each in alike if _here(each, found)), None):
        return here
    revs = [named.rev for named in now]
    for each in alike:
        known = [event.rev for event in each.events(log)]
        if continues(known, revs) or (Counter(known) & Counter(revs)).total() >= config.ADOPT_RECORDS:
            return each
    return None


def _apart(heading: Heading, now: Sequence[Named], lineage: Lineage, harness: str) -> Heading:
    """The heading of a file whose stem another one has: what it begins with is in its name, whoever came first."""
    apart = f"{heading.container}{APART}{now[0].rev[:8]}"
    names = (apart if n == 1 else f"{apart}-{n}" for n in count(1))
    name = next(name for name in names if (harness, name) not in lineage.containers)
    return replace(heading, container=name, named=_named_by(heading, name),
                   session=name if heading.session == heading.container else heading.session)


def belonging(heading: Heading, container: Container) -> Heading:
    """The heading of a file that belongs to a container the log knows, whatever the file says of itself."""
    return replace(heading, container=container.name, named=_named_by(heading, container.name),
                   session=container.session.partition(":")[2], inside=container.inside, thread=container.thread)


def _named_by(heading: Heading, container: str) -> str:
    """What the records of `container` are named by, where the file still has the name that was left out of it."""
    whose = heading.named and container.startswith(heading.container)
    return heading.named + container.removeprefix(heading.container) if whose else ""


def _known(found: Found, heading: Heading, records: Iterable[Record], text: Sequence[Record], container: Container,
           log: EventLog, key: bytes) -> Recognised:
    """Plain counting where the file and the container go on from each other and it comes to the same ids, else an
    alignment.

    Compared are ids where a record has one of its own (a call's only where the log knows it), else revisions. Other
    ids come of the same revisions where the container's name is not known whole: a secret stood in it.
    """
    known, last = list[tuple[str, str]](), ""
    for event in container.events(log):
        known.append((event.id, event.rev))
        last = event.body if isinstance(event.body, str) else ""
    taken = frozenset(id_ for id_, _ in known)
    namer = Namer(key, {})
    now = [(namer.id(named), named) for named in _named(found, heading, records, key)]
    fixed = {id_ for id_, named in now if named.by == "id" or (named.by == "call" and id_ in taken)}
    before = _once((id_ if id_ in fixed else rev for id_, rev in known), fixed)
    after = _once((id_ if id_ in fixed else named.rev for id_, named in now), fixed)
    tokens = [token for _, token in after]
    alike = all(known[was][0] == now[at][0] for (was, _), (at, _) in zip(before, after, strict=False))
    if alike and continues([token for _, token in before], tokens):
        return Recognised(heading, Namer(key, {}))
    given: list[str | None] = [None] * len(now)
    pairs = [(known[n][0], token) for n, token in before]
    ids = _put_in(pairs, tokens, _headless(pairs, tokens, aligned(pairs, tokens)))
    for (at, token), id_ in zip(after, ids, strict=True):
        given[at] = None if token in fixed else id_
    grown = _grown(text, given, known, last) if text and known else None
    if grown is not None:
        given[grown] = known[-1][0]
    return Recognised(heading, Namer(key, {}, taken=taken, given=given), aligned=True)


def _headless(known: Sequence[tuple[str, str]], tokens: Sequence[str], given: Sequence[str | None]) -> list[str | None]:
    """The alignment `given`, unless the file begins with at least as much of what the log ends with: then its head was
    dropped, and what follows is new though it may be an old word ("ok")."""
    ends = [token for _, token in known]
    least = max(1, sum(id_ is not None for id_ in given))
    kept = next((n for n in range(min(len(ends), len(tokens)), least - 1, -1) if ends[-n:] == tokens[:n]), 0)
    return [*(id_ for id_, _ in known[-kept:]), *[None] * (len(tokens) - kept)] if kept else list(given)


def _put_in(known: Sequence[tuple[str, str]], tokens: Sequence[str], given: Sequence[str | None]) -> list[str | None]:
    """The alignment `given`, with what an earlier import put in: it stands before something that the log knew by then,
    and the log has it behind that. Without this it would come anew with every import."""
    found, places = list(given), {id_: n for n, (id_, _) in enumerate(known)}
    had, left = set(given), dict[str, list[int]]()
    for n, (own, token) in enumerate(known):
        if own not in had:
            left.setdefault(token, []).append(n)
    before = len(known)
    for at in reversed(range(len(found))):
        id_, waiting = found[at], left.get(tokens[at], [])
        if id_ is not None:
            before = min(before, places[id_])
        elif waiting and waiting[-1] > before:
            found[at] = known[waiting.pop()][0]
    return found


def _grown(text: Sequence[Record], given: Sequence[str | None], known: Sequence[tuple[str, str]],
           last: str) -> int | None:
    """Which of the file's records begins with all of the log's last one and has no name yet, right behind its place."""
    earlier = [id_ for id_, _ in known if id_ != known[-1][0]]
    at = 1 + max((n for n, id_ in enumerate(given) if id_ and id_ in earlier[-1:]), default=-1)
    if (earlier and at == 0) or at >= len(text) or given[at] is not None:
        return None
    return at if text[at].raw.decode("utf-8", "replace").startswith(last) else None


def _once(tokens: Iterable[str], fixed: set[str]) -> list[tuple[int, str]]:
    """The tokens with their places, without later copies and revisions of those whose id is fixed."""
    seen: set[str] = set()
    found = []
    for n, token in enumerate(tokens):
        if token not in fixed or token not in seen:
            found.append((n, token))
        seen.add(token)
    return found


def _strangers(found: Found, heading: Heading, lineage: Lineage) -> list[Container]:
    """Containers that this file may be under another name: where it lies, or, as it names none, those without names.
    In a file that is read whole many may lie."""
    return [each for each in lineage.containers.values() if each.harness == found.harness
            and ((found.name in each.paths and not found.whole) or not (heading.inside or each.inside))]


def _same(container: Container, now: Iterable[Named], found: Found, log: EventLog) -> bool:
    """Whether one sequence begins the other and they share enough; in its old place, sharing enough will do."""
    revs = [named.rev for named in now]
    here = found.name in container.paths
    if not here and (len(revs) < config.ADOPT_RECORDS or _first(container, log) != revs[0]):
        return False
    known = [event.rev for event in container.events(log)]
    if here:
        shared = (Counter(known) & Counter(revs)).total()
        return shared >= min(len(revs), config.ADOPT_RECORDS)
    return min(len(known), len(revs)) >= config.ADOPT_RECORDS and continues(known, revs)


def _first(container: Container, log: EventLog) -> str:
    """The revision that a container begins with, read once: every new file is compared with every old one by it."""
    if container.first is None:
        container.first = next((event.rev for event in container.events(log)), "")
    return container.first


def _named(found: Found, heading: Heading, records: Iterable[Record], key: bytes) -> list[Named]:
    """What names each record of the file, from its start."""
    naming = IMPORTERS[found.harness or ""].naming(key, heading.naming, None)
    return [naming.name(record.value, record.raw) for record in records]
