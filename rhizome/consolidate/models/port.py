"""The port of a model: it is asked one question in text, and what it answers is recorded before it is read."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Reply:
    """What a raw answer says. `wrong` is why it cannot be used (cut off, refused, an error), empty where it can.

    `sent` and `got` are the tokens that were counted for the question and for the answer; None where nobody counted.
    """

    text: str
    wrong: str = ""
    model: str = ""
    sent: int | None = None
    got: int | None = None


@dataclass(frozen=True, slots=True)
class NoReply:
    """Nothing came that could be kept. `last`: the next question would fare no better, so none is asked."""

    why: str
    last: bool = True


class Model(Protocol):
    """Somebody who can be asked. `read` is pure: a recorded answer says the same again without asking."""

    @property
    def backend(self) -> str: ...

    @property
    def model(self) -> str: ...

    def ask(self, system: str, text: str) -> str | NoReply:
        """The answer as it came, to be recorded before anybody reads it."""
        ...

    def read(self, raw: str) -> Reply: ...


def count(value: object) -> int | None:
    """A number of tokens as a server gives it; None where that is no number of anything."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
