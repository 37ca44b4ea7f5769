"""What a run consolidates: closed turns that no earlier run took, with only those messages that may teach something.

Left out are what a memory tool returned and its echoes, what a distiller asked an agent program, harness text,
summaries, and whatever was aborted, rolled back, rewound or abandoned. Tool returns stay: they show what failed and
then passed, and can be no more than proposed.
"""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo

from msgspec.structs import replace

from rhizome.consolidate.distill import OPENING
from rhizome.consolidate.echo import Echoes
from rhizome.consolidate.heard import UNSAID
from rhizome.consolidate.undone import is_undone
from rhizome.model import UNDONE, Event, Message, Origin, Part, Turn, moment

UNDATED = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Batch:
    """One run's input. `turns` and `proposals` go to the distillers; `taken` names everything this run settles, turns
    with nothing left to read and echoing proposals included. `run` names the run and is the same when it is resumed.
    `answers` are the agent's last words in each session before its turns: a `yes` of today may answer them. `undone`
    are those of `taken` that nobody stood by."""

    run: str
    turns: tuple[Turn, ...] = ()
    proposals: tuple[Event, ...] = ()
    taken: tuple[str, ...] = ()
    answers: Mapping[str, Message] = field(default_factory=dict)
    undone: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.taken)


def gather(turns: Iterable[Turn], *, consumed: Collection[str] = (), proposals: Iterable[Event] = (),
           previous: str = "", zone: tzinfo = UTC) -> Batch:
    """The batch of what is closed and not yet `consumed` (ids in any `consolidated.turns`).

    `turns` are all turns of the sessions concerned, consumed ones too: their memory returns make later echoes known.
    `previous` is the id of the last `consolidated` event. A session's turns come in its order, sessions in any.
    """
    known = list(turns)
    echoes = _echoes(known)
    nothing = Echoes(())
    due = [turn for turn in _once(known) if turn.closed and turn.id not in consumed]
    proposed = sorted((event for event in proposals if event.id not in consumed), key=_recorded)
    kept = (_kept(turn, echoes.get(turn.session, nothing)) for turn in due)
    said = (event for event in proposed
            if event.fields.get("typed") or not _echoing(event, echoes))
    taken = (*(turn.id for turn in due), *(event.id for event in proposed))
    return Batch(
        run=_run(taken, _newest(due, proposed), previous, zone),
        turns=tuple(turn for turn in kept if turn.messages), proposals=tuple(said), taken=taken,
        answers=_answers(known, {turn.id for turn in due}, echoes),
        undone=tuple(turn.id for turn in due if is_undone(turn)),
    )


def consumed(events: Iterable[Event], heard: Iterable[Turn] = ()) -> frozenset[str]:
    """The ids of turns and proposals that `consolidated` events name; of `heard` not those that stand now and that
    nobody stood by when a run took them."""
    taken, unread = set[str](), set[str]()
    for event in events:
        if event.kind == "consolidated":
            taken.update(event.fields.get("turns") or ())
            unread.difference_update(event.fields.get("turns") or ())
            unread.update(event.fields.get("undone") or ())
    return frozenset(taken - {turn.id for turn in heard if turn.id in unread and not is_undone(turn)})


def _answers(turns: Iterable[Turn], due: Collection[str], echoes: Mapping[str, Echoes]) -> dict[str, Message]:
    """What the agent said last in each session before the first turn that is due, where it may teach something."""
    before: dict[str, Turn] = {}
    first: set[str] = set()
    for turn in turns:
        if turn.id in due:
            first.add(turn.session)
        elif turn.session not in first:
            before[turn.session] = turn
    kept = {session: _kept(before[session], echoes.get(session, Echoes(()))) for session in first & before.keys()}
    said = {session: [each for each in turn.messages if each.part is Part.SAID and "sidechain" not in each.flags]
            for session, turn in kept.items()}
    return {session: words[-1] for session, words in said.items() if words and words[-1].origin == Origin.MODEL}


def _once(turns: Iterable[Turn]) -> list[Turn]:
    """Each turn once, session after session: of one that a fork shares with its parent, the fullest that stands."""
    best: dict[str, Turn] = {}
    for turn in turns:
        known = best.get(turn.id)
        if known is None or _fullness(turn) > _fullness(known):
            best[turn.id] = turn
    began: dict[str, datetime] = {}
    for turn in best.values():
        began.setdefault(turn.session, moment(turn.at) or UNDATED)
    return sorted(best.values(), key=lambda turn: (began[turn.session], turn.session))


def _fullness(turn: Turn) -> tuple[bool, bool, int, str]:
    return turn.closed, not is_undone(turn), len(turn.messages), turn.session


def _echoes(turns: Iterable[Turn]) -> dict[str, Echoes]:
    returned: dict[str, list[str]] = defaultdict(list)
    for turn in turns:
        returned[turn.session] += [each.text for each in turn.messages if each.origin == Origin.MEMORY]
    return {session: Echoes(texts) for session, texts in returned.items() if texts}


def _kept(turn: Turn, echoes: Echoes) -> Turn:
    opening = next((message for message in turn.messages if message.event == turn.id), None)
    if opening is not None and (opening.flags & UNDONE or opening.text.startswith(OPENING)):
        return replace(turn, messages=())
    return replace(turn, messages=tuple(message for message in turn.messages if _teaches(message, echoes)))


def _teaches(message: Message, echoes: Echoes) -> bool:
    if message.origin in (Origin.MEMORY, Origin.HARNESS) or message.flags & UNSAID:
        return False
    return message.part is not Part.COMPACTED and message.text not in echoes


def _echoing(event: Event, echoes: Mapping[str, Echoes]) -> bool:
    """Whether a memory had returned it in its session; where nobody knows which one that is, in any."""
    own = [echo for session, echo in echoes.items()
           if not event.session or event.session in (session, session.partition(":")[2])]
    return any(echo.repeats(str(event.fields.get("statement", ""))) for echo in own)


def _recorded(event: Event) -> tuple[str, str, int]:
    return event.recorded_at, event.home, event.seq


def _newest(turns: Sequence[Turn], proposals: Sequence[Event]) -> datetime | None:
    """When the newest of it happened; undated messages say nothing about that."""
    times = [message.at for turn in turns for message in turn.messages]
    times += [turn.at for turn in turns]
    times += [event.happened_at or event.recorded_at for event in proposals]
    return max((at for at in map(moment, times) if at is not None), default=None)


def _run(taken: Iterable[str], newest: datetime | None, previous: str, zone: tzinfo) -> str:
    """Named by its inputs and not by a clock, so that a run which was cut off finds its own traces."""
    day = newest.astimezone(zone).date().isoformat() if newest else "undated"
    digest = hashlib.sha256("\n".join([*sorted(taken), previous]).encode()).hexdigest()
    return f"{day}-{digest[:8]}"
