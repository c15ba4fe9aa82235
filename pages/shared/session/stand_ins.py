"""What a page shows in the place of a shared choice that it cannot use. The next page gets the choice itself.

The reader's choice of a layer may be open, or the other stack of the model may have fewer layers. A page then shows one
of its own, which the reader has not chosen.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.shared.session.keys import KEYS


@dataclass(frozen=True)
class StandIn:
    """The value `shown` in the place of `choice`, until the key gets another value."""

    shown: Any
    choice: Any


def show_instead(name: str, value: Any) -> None:
    """Set a shared key to a value for this page only. Call it before the widget of that key is drawn."""
    _kept()[name] = StandIn(value, choice_of(name))
    st.session_state[name] = value


def keep_here(name: str) -> None:
    """Let the present value of a shared key count for this page only. On the next page the choice is open."""
    _kept()[name] = StandIn(st.session_state[name], KEYS[name].default)


def choice_of(name: str) -> Any:
    """What the reader has chosen for a key of the table, also where the page shows another value in its place."""
    return choice_behind(name, st.session_state.get(name, KEYS[name].default))


def choice_behind(name: str, shown: Any) -> Any:
    """What the reader has chosen for a key that has the value `shown`."""
    stand_in = _kept().get(name)
    return stand_in.choice if stand_in is not None and stand_in.shown == shown else shown


def forget(names: Iterable[str]) -> None:
    """From now on the values of these keys are the reader's choices."""
    for name in names:
        _kept().pop(name, None)


def keep_shown() -> None:
    """Forget the stand-ins in whose place there is another value by now. Call it in each run."""
    forget([name for name, each in _kept().items() if st.session_state.get(name) != each.shown])


def _kept() -> dict[str, StandIn]:
    return st.session_state.setdefault("_stand_ins", {})
