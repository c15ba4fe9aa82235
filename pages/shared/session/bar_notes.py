"""Lines below the run bar: what a page runs that the bar alone does not tell. A page adds them while it runs.

`shown` tells the same to what names a view without the bar: the files of a view and of a lecture, and the class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st


@dataclass(frozen=True)
class ShownModels:
    """The titles of the models that a part shows in the place of the bar's, and whether they read its sentence."""

    titles: tuple[str, ...]
    read_sentence: bool


def begin() -> None:
    """Take back the lines of the run before."""
    st.session_state["_bar_notes"] = {}
    st.session_state["_bar_models"] = None


def add(line: str) -> None:
    """Add a line of plain text. The same line is shown once."""
    st.session_state.setdefault("_bar_notes", {})[line] = None


def say_nothing_taken(what: str, by: str = "part", models: Sequence[str] = ()) -> None:
    """Say that the open part, or the "page", takes neither the model nor the sentence of the bar.

    `what`: a sentence about what it uses in their place. `models`: the titles of the models that it shows.
    """
    st.session_state["_bar_models"] = ShownModels(tuple(models), False)
    add(f"This {by} takes nothing from the bar. {what}")


def lines() -> list[str]:
    return list(st.session_state.get("_bar_notes", {}))


def name_models(titles: Sequence[str]) -> None:
    """Note that the open part gives the bar's sentence to these models in the place of the bar's."""
    st.session_state["_bar_models"] = ShownModels(tuple(titles), True)


def shown() -> ShownModels | None:
    """The models that the view shows in the place of the bar's; None where it shows the bar's model."""
    return st.session_state.get("_bar_models")
