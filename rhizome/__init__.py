"""One memory for agents and people: an append-only log, notes in git, answers with receipts."""
