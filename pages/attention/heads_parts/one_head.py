"""Many texts, This head: what is shown of the head, and by which measure."""

from __future__ import annotations

import streamlit as st

from model.surveys.reading import Reading
from pages.shared.session import state
from pages.shared.session.key_titles import title_of
from views.attention.many_texts.head_view import ViewOfOneHead
from views.attention.many_texts.kinds_of_text import KindsOfText
from views.attention.many_texts.numbers import TITLES
from views.attention.many_texts.one_head import STRONGEST, USUAL_MEASURE, possible_abouts, view_of_head
from views.head_of_run import HeadOfRun
from viz.shared.style import upper_first


def this_head(head: HeadOfRun, reading: Reading) -> ViewOfOneHead:
    """The view that the keys of the page choose."""
    measures = tuple(reading.tally(f"{head.at.stack}.{head.at.part}").measures)
    about = state.checked_choice("heads_about", possible_abouts(head, reading), "What is shown of a head", STRONGEST)
    return view_of_head(head, reading, about, state.checked_choice("heads_measure", measures, "Measure", USUAL_MEASURE))


def choose_about(view: ViewOfOneHead) -> None:
    """What is shown of the head."""
    st.segmented_control(
        "Shown of this head",
        possible_abouts(view.head, view.reading),
        key="heads_about",
        format_func=upper_first,
        required=True,
        label_visibility="collapsed",
    )


def choose_measure(view: KindsOfText) -> None:
    """The measure that is shown by kind."""
    label = upper_first(title_of("heads_measure"))
    names = tuple(view.tally.measures)
    st.selectbox(label, names, key="heads_measure", format_func=TITLES.__getitem__, width=400)
