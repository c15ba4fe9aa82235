"""What a module keeps for one session beside the keys of a view: the fields of a small dataclass of its own.

    @dataclass
    class RaceSession:
        timed: Times | None = None

    of_session(RaceSession).timed = times

Streamlit's session holds one instance of each such class, under the name of its module and class.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any, TypeVar

import streamlit as st

Value = TypeVar("Value")


def of_session(kind: type[Value]) -> Value:
    """This session's instance of a dataclass. It is made with its defaults at the first call."""
    return of_state(st.session_state, kind)


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
