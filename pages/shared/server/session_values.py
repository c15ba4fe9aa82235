"""What a module keeps for one session beside the keys of a view: the fields of a small dataclass of its own.

    @dataclass
    class RaceSession:
        timed: Times | None = None

    of_session(RaceSession).timed = times

Streamlit's session holds one instance of each such class, under the name of its module and class. A view that is made
outside of any session, such as one of a hand-out, has values of its own (`apart`).
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

import streamlit as st

Value = TypeVar("Value")
_apart: ContextVar[MutableMapping[Any, Any] | None] = ContextVar("the values of a view without a session", default=None)


def values() -> MutableMapping[Any, Any] | Any:
    """What this session keeps, by name; inside of `apart`, what is kept there."""
    kept = _apart.get()
    return st.session_state if kept is None else kept


def is_apart() -> bool:
    """Whether this is outside of any session. Nothing is drawn there."""
    return _apart.get() is not None


@contextmanager
def apart(kept: MutableMapping[Any, Any]) -> Iterator[None]:
    """Inside, `kept` stands in the place of a session."""
    token = _apart.set(kept)
    try:
        yield
    finally:
        _apart.reset(token)


def of_session(kind: type[Value]) -> Value:
    """This session's instance of a dataclass. It is made with its defaults at the first call."""
    return of_state(values(), kind)


def of_state(session: MutableMapping[Any, Any] | Any, kind: type[Value]) -> Value:
    """The instance of a dataclass that a Streamlit session state holds, also one that is not of this run."""
    name = name_of(kind)
    if name not in session:
        session[name] = kind()
    value: Value = session[name]
    return value


def name_of(kind: type) -> str:
    """The name under which a session holds its instance of a dataclass."""
    return f"{kind.__module__}.{kind.__qualname__}"
