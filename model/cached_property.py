"""A property that is computed once for each object, without a lock.

`functools.cached_property` of Python 3.11 has one lock for all objects of a class, and holds it while it computes. So
one reader's run would wait for that of another, who waits for a turn at the processor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

Value = TypeVar("Value")


class cached_property(Generic[Value]):
    """The value stays in the object's `__dict__`. Two threads that ask at once may both compute it."""

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self._compute, self.__doc__ = compute, compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, of: None, owner: type) -> cached_property[Value]: ...

    @overload
    def __get__(self, of: object, owner: type) -> Value: ...

    def __get__(self, of: object | None, owner: type) -> cached_property[Value] | Value:
        if of is None:
            return self
        value = vars(of)[self._name] = self._compute(of)
        return value
