"""The distiller that is always on: what agents and people proposed with `remember`, word for word."""

from collections.abc import Iterable

from rhizome.consolidate.proposals import REFUSED
from rhizome.model import Draft, Event


def captured(proposals: Iterable[Event]) -> list[Draft]:
    """A draft for every `memory.proposed` event that was not refused; it quotes the proposal itself, whole."""
    return [_draft(event) for event in proposals if not str(event.fields.get("statement", "")).startswith(REFUSED)]


def _draft(event: Event) -> Draft:
    body = event.fields
    statement = str(body.get("statement", ""))
    return Draft(
        type=str(body.get("type") or "fact"), subject=str(body.get("subject", "")),
        attribute=str(body.get("attribute", "")), value=str(body.get("value", "")), scope=event.scope or "",
        statement=statement, event=event.id, quote=statement, tier=body.get("tier"),
    )
