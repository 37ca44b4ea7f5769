"""How records are named that have an id of their own, or nothing but their content and their container."""

from collections.abc import Callable

from rhizome.log.identity import identify
from rhizome.log.importers.port import Named
from rhizome.log.importers.records import Value, canonical

Telling = Callable[[Value], tuple[tuple[str, ...] | None, str | None]]
"""What tells a record: the parts of its own id (None: it has none) and its time."""


class NativeNaming:
    """Names a harness's records by the ids they tell, and those without one by container, content and occurrence.

    `content` is what of a record makes it another revision: not what changes from copy to copy. Nothing is remembered
    between imports.
    """

    state: str | None = None

    def __init__(self, key: bytes, harness: str, container: str, tell: Telling, *,
                 content: Callable[[Value], Value] = lambda value: value) -> None:
        self._key, self._harness, self._container = key, harness.encode(), container.encode()
        self._tell, self._content = tell, content

    def name(self, value: Value | None, raw: bytes) -> Named:
        if value is None:
            rev = identify(self._key, b"line", raw)
            return Named((self._harness, self._container, rev.encode()), "content", rev, None)
        rev = identify(self._key, b"record", canonical(self._content(value)))
        own, at = self._tell(value)
        if own is not None:
            return Named((self._harness, *(part.encode("utf-8", "surrogatepass") for part in own)), "id", rev, at)
        return Named((self._harness, self._container, rev.encode()), "content", rev, at)
