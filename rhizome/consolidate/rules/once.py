"""An attribute that is worked out when it is first asked for."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class once(Generic[T]):  # noqa: N801  (it is used like `property`)
    """`functools.cached_property` without the lock it takes in Python 3.11, which costs more than most answers here."""

    def __init__(self, answer: Callable[[Any], T]) -> None:
        self._answer, self._name, self.__doc__ = answer, answer.__name__, answer.__doc__

    def __get__(self, owner: Any, kind: Any = None) -> T:
        answer = owner.__dict__[self._name] = self._answer(owner)
        return answer
