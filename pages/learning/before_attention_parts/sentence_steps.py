"""How many words of the translations are shown, and of which layer. The number grows by itself while it plays."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.learning.before_attention_parts import translators
from pages.shared.elements import autoplay, fragments, lecture_screen
from pages.shared.session import state
from views.learning.before_attention.sentence import OneSentence

KEY = "before_attention_step"
WORD_SECONDS = 1.0  # from one word to the next while it plays


def read() -> OneSentence:
    """At first all words are shown, and layer 1."""
    answers = translators.answers()
    longest, layers = max(len(each.pair.written) for each in answers), answers[-1].pair.config.n_decoder_layers
    if not 0 < state.get(KEY) <= longest:
        state.put(**{KEY: longest})
    if longest > 1:
        autoplay.advance(KEY, longest, WORD_SECONDS)
    if state.get("before_attention_layer") < 0:
        state.put(before_attention_layer=min(1, layers - 1))
    layer = state.checked_number("before_attention_layer", 0, layers - 1, "Layer")
    translators.say_translators()
    return OneSentence(answers, state.get(KEY), layer, is_presented=lecture_screen.present_screen() is not None)


def alone(view: OneSentence, draw: Callable[[], None]) -> None:
    """The view as a piece that is drawn again with each word while it plays."""
    fragments.alone(draw, every=autoplay.redraw_seconds(KEY, WORD_SECONDS))()


def choose_step(view: OneSentence) -> None:
    if view.longest > 1:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            autoplay.play_button(KEY, 1, view.longest)
            st.slider("Words written", 1, view.longest, key=KEY)


def choose_layer(view: OneSentence) -> None:
    layers = range(view.answers[-1].pair.config.n_decoder_layers)
    st.segmented_control("Decoder layer", layers, key="before_attention_layer", required=True)
