"""What a consolidation would do and ask, told without doing it."""

from typing import Any

import msgspec

from rhizome.memory.deciding import Decided


def preview(decided: Decided) -> dict[str, Any]:
    """A run as it was decided, with no commit of it made."""
    counts = decided.counts
    return {
        "run": decided.batch.run if decided.consolidated else None, "turns": len(decided.batch.taken),
        "asserted": counts["asserted"], "superseded": counts["superseded"], "confirmed": counts["confirmed"],
        "proposed": counts["proposed"], "expired": counts["expired"],
        "retracted": counts["retracted"], "commits": 0, "pending": decided.open,
        "tokens": decided.asked.tokens, "questions": msgspec.to_builtins(decided.asked.planned),
        "problems": [f"{each.draft.statement}: {each.why}" for each in decided.reconciled.outcomes if each.why],
        "drafts": [msgspec.to_builtins(draft) for draft in decided.drafts],
    }  # fmt: skip
