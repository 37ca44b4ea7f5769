"""What `[search]` in a home's `rhizome.toml` may set."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from rhizome.errors import Refused

if TYPE_CHECKING:
    from rhizome.search.embedder import Embedder

FUSIONS = ("sum", "rrf")
HINT = "Mend [search] in rhizome.toml; `docs/search.md` shows what it may say."


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`model` is the folder of a person's own model, `fusion` how words and nearness come together (`Query.fusion`);
    without `served` no question is kept for `aliases suggest`."""

    model: str = ""
    fusion: str = "sum"
    served: bool = True

    def own_model(self) -> "Embedder | None":
        """The embedder of a person's own folder: a transformer where it holds one, else a static model."""
        if not self.model:
            return None
        from pathlib import Path

        from rhizome.search.embedder import OwnEmbedder
        from rhizome.search.strong import StrongEmbedder, is_transformer

        folder = Path(self.model).expanduser()
        return StrongEmbedder(folder) if is_transformer(folder) else OwnEmbedder(folder)


def settings(table: Mapping[str, Any]) -> Settings:
    """`[search]` of a home's settings. Refused where it says what it cannot mean."""
    try:
        found = msgspec.convert(table.get("search", {}), Settings)
    except msgspec.ValidationError as wrong:
        raise Refused(f"rhizome.toml: [search]: {wrong}", HINT) from None
    if found.fusion not in FUSIONS:
        raise Refused(f"rhizome.toml: [search] fusion: {found.fusion!r} is none of {', '.join(FUSIONS)}", HINT)
    return found
