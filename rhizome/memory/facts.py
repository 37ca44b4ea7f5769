"""Facts as a reader asks for them: by key on both time axes, or all that hold."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from rhizome.errors import NotFound, Refused
from rhizome.ledger.keys import canonical
from rhizome.memory import projections
from rhizome.memory.parts import Parts
from rhizome.model import Evidence, Fact, Status, Tier, visible


def fact(
    parts: Parts, key: str, *, scope: str | None, as_of: str | None, known: str | None, clearance: Tier
) -> tuple[str, Fact | None, list[Fact]]:
    """The full key that `key` means, the fact that holds, and every version, oldest first.

    A key without a bar is an attribute of the scope itself. Raises Refused where several scopes have the key and the
    project the caller stands in is none of them.
    """
    projections.refresh_ledgers(parts)
    given = parts.scope(scope) if scope else None
    name = canonical(key if "|" in key else f"{given or parts.project()}|{key}")
    ledger = parts.ledger(clearance)
    where = given or _scope_of(parts, name, sorted({each.scope for each in ledger.facts(key=name)}))
    if where is None:
        return name, None, []
    if as_of or known:
        fold, times = parts.fold(), {"valid": parts.instant(as_of), "known": parts.instant(known)}
        found, told = fold.get(where, name, clearance, **times), fold.history(where, name, clearance, **times)
    else:
        found, told = ledger.get(where, name), ledger.history(where, name)
    return name, _told(parts, found, clearance) if found else None, [_told(parts, each, clearance) for each in told]


def facts(parts: Parts, *, scope: str | None, status: str | None, as_of: str | None, clearance: Tier) -> Iterable[Fact]:
    """Every version the reader may see, of one scope and status where they are named."""
    projections.refresh_ledgers(parts)
    where, wanted = parts.scope(scope) if scope else None, Status(status) if status else None
    if as_of is None:
        found = parts.ledger(clearance).facts(scope=where, status=wanted)
        return [_told(parts, each, clearance) for each in found]
    every = parts.fold().facts(clearance, valid=parts.instant(as_of))
    return [
        _told(parts, each, clearance) for each in every if where in (None, each.scope) and wanted in (None, each.status)
    ]


def _told(parts: Parts, said: Fact, clearance: Tier) -> Fact:
    """A fact for a reader: the words of an event that the reader may not see stay away; its id may be known."""
    if clearance is Tier.AMBER:
        return said
    return replace(said, evidence=tuple(_evidence(parts, each, clearance) for each in said.evidence))


def _evidence(parts: Parts, evidence: Evidence, clearance: Tier) -> Evidence:
    try:
        seen = visible(parts.log.get(evidence.event).tier, clearance)
    except NotFound:
        seen = False
    return evidence if seen else replace(evidence, quote="")


def _scope_of(parts: Parts, key: str, scopes: Sequence[str]) -> str | None:
    """The scope that a key is meant in: the only one that has it, else the project the caller stands in."""
    if len(scopes) < 2:
        return next(iter(scopes), None)
    here = parts.project()
    if here in scopes:
        return here
    raise Refused(f"{key}: in several scopes: {', '.join(scopes)}", "Say which one with --scope.")
