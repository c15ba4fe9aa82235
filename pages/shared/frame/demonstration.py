"""What the tour shows in the run bar: another sentence, a chosen token. At its end the reader's own come back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from pages.shared.session import stand_ins, state

NAMES = ("text", "target", "query", "key")
RUN = ("model", "text", "target")


@dataclass(frozen=True)
class Demonstration:
    """What the reader had before, and the run that was shown last."""

    before: dict[str, Any]
    shown: tuple[Any, ...]


def show(**values: Any) -> None:
    """Set keys of `NAMES`, and keep the reader's own values behind them."""
    present = _present()
    before = present.before if present is not None else _values(NAMES)
    state.put(**values)
    st.session_state["_demonstration"] = Demonstration(before, tuple(_values(RUN).values()))


def end() -> None:
    """Give the reader's own values back, unless the reader has run another sentence or model since."""
    present = _present()
    if present is not None:
        state.put(**present.before)
    st.session_state.pop("_demonstration", None)


def _present() -> Demonstration | None:
    """What is shown now; None once the reader has run something else."""
    shown = st.session_state.get("_demonstration")
    return shown if shown is not None and shown.shown == tuple(_values(RUN).values()) else None


def _values(names: tuple[str, ...]) -> dict[str, Any]:
    return {name: stand_ins.choice_of(name) for name in names}
