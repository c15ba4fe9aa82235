"""Many texts, Another model: which other model reads the same texts, and which measure is drawn."""

from __future__ import annotations

import streamlit as st

from model.surveys.reading import Reading
from pages.attention.heads_parts import readings, text_choice
from pages.attention.heads_parts.readings import Wish
from pages.shared.model_runs import traces
from pages.shared.session import state
from views.attention.many_texts.beside import BesideOnTexts
from views.attention.many_texts.numbers import TITLES
from views.attention.many_texts.other_model import open_other, possible_others
from views.head_of_run import HeadOfRun

OTHER, MEASURE = "heads other model", "heads compared measure"  # keys of the controls


def beside_on_texts(head: HeadOfRun, reading: Reading) -> BesideOnTexts:
    """The view of the heads beside those of the other model, as far as that has read the texts."""
    others = tuple(possible_others(head.run.model))
    other = state.checked_choice("heads_beside", ("", *others), "Other model", "") or others[0]
    view = BesideOnTexts(head, reading, other, None)
    found = wish_of(view).found()
    measure = state.checked_choice("heads_compared", ("", *TITLES), "Compared measure", "")
    return BesideOnTexts(head, reading, other, found if found is not None and found.read.any() else None, measure)


def wish_of(view: BesideOnTexts) -> Wish:
    """The reading of the other model."""
    model = view.head.run.model
    other = open_other(model, view.other, lambda name: traces.model(name, whole=True))
    return Wish(other, view.reading.collection, keeps=text_choice.may_keep(model))


def choose(view: BesideOnTexts) -> None:
    """The other model, the measure, and the button that reads."""
    others = possible_others(view.head.run.model)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.session_state[OTHER] = view.other
        st.selectbox(
            "The other model", tuple(others), key=OTHER, format_func=others.__getitem__, on_change=_take,
            args=("heads_beside", OTHER), width=320,
        )  # fmt: skip
        if view.other_reading is not None:
            st.session_state[MEASURE] = view.drawn
            st.selectbox(
                "Compared by", view.comparison.measures, key=MEASURE, format_func=TITLES.__getitem__, on_change=_take,
                args=("heads_compared", MEASURE), width=300,
            )  # fmt: skip
        readings.show_buttons(wish_of(view), "Read the texts with this model")


def _take(key: str, control: str) -> None:
    state.put(**{key: st.session_state[control]})
