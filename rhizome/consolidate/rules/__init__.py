"""The `rules` distiller: deterministic, offline, in English, Portuguese, Spanish and Japanese. See docs/rules-distiller.md."""

from rhizome.consolidate.rules.distiller import Rules

__all__ = ["Rules"]
