"""The controls of Translate. Each gets the view that they choose."""

from __future__ import annotations

import streamlit as st

from pages.models.translate_parts import translators
from views.models.translate.pair import truth
from views.models.translate.translation import Translation


def search_with(view: Translation) -> None:
    """The settings of the beam search."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            "Width", 1, 8, key="translate_width", width=130,
            help="So many beginnings live on at each step. The search ends when as many are finished and no live one "
            "has a better score than the worst of them, as in transformers with early_stopping=False.",
        )  # fmt: skip
        st.slider(
            "Length normalisation α", 0.0, 2.0, step=0.1, key="translate_alpha", width=220,
            help="Score = log p / length^α. At 0 long translations lose; at 1 it is the mean log p of a token.",
        )  # fmt: skip
        st.toggle("All pruned hypotheses", key="translate_pruned")


def type_truth(view: Translation) -> None:
    """The field of the true translation."""
    suggested, origin = truth(view.pair)
    st.text_input(
        "True translation", key="translate_truth", placeholder=f"{suggested} ({origin})", max_chars=400,
        help="What the teacher says. Empty: the one shown in grey. Change a word and see what the model makes of it.",
    )  # fmt: skip


def offer_better(view: Translation) -> None:
    """A button with the translator that gets the most everyday sentences right, unless it is this one."""
    translators.offer_better(view.pair.run.model.card)


def choose_translator(view: Translation) -> None:
    """The choice among the translators."""
    translators.choose(view.pair.run.model.card)
