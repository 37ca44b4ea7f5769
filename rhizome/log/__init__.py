"""The log: what happened, append-only, the truth everything else is derived from."""
