"""The `rules` distiller: deterministic, offline, in English, Portuguese, Spanish and Japanese.

What it reads, what it refuses and why: docs/rules-distiller.md.
"""

from rhizome.consolidate.rules.distiller import Rules

__all__ = ["Rules"]
