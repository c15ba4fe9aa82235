"""Values for sessions without a reader. Whoever plays a page hands its session a value, and the run fills it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from pages.shared.server.private_parts import runs

Value = TypeVar("Value")


class HandedOver(Generic[Value]):
    """The value of each session that has one, such as a list that its pages add to."""

    def __init__(self) -> None:
        self._values: dict[str, Value] = {}

    @contextmanager
    def to(self, session: str, value: Value) -> Iterator[Value]:
        """Give the session a value for as long as the `with` lasts."""
        self._values[session] = value
        try:
            yield value
        finally:
            del self._values[session]

    def of(self, session: str) -> Value | None:
        """The value of a session; None where it has none."""
        return self._values.get(session)

    def here(self) -> Value | None:
        """The value of the session that runs now."""
        session = runs.session_id()
        return None if session is None else self.of(session)
