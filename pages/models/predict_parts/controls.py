"""The controls of Predict. Each gets the view that they choose."""

from __future__ import annotations

import streamlit as st

from model.chat.turns import Conversation
from pages.models.predict_parts import writing
from pages.models.predict_parts.kept_text import KeptText
from pages.shared.elements import layout
from pages.shared.server.session_values import of_session
from pages.shared.session import token_window
from pages.shared.session.characters import replace_halves
from views.models.predict.answer import is_answered
from views.models.predict.attention import LooksOfToken
from views.models.predict.prediction import Prediction
from views.models.predict.surprise import SurpriseOfTokens
from viz.shared.style import count_noun

NEXT = "predict next turn"


def choose_filters(view: Prediction) -> None:
    """The filters, in the order in which they act, and the button that writes again."""
    vocabulary = view.now.written.config.vocab_size
    with layout.settings("predict"):
        st.slider(
            "Temperature", 0.0, 3.0, step=0.05, key="predict_temperature", width=170,
            help="Logits are divided by it before the softmax. 0 is greedy: always the likeliest token.",
        )  # fmt: skip
        st.number_input(
            "Top-k (0: all)", 0, vocabulary, key="predict_k", width=130, help="Then only the k likeliest tokens stay."
        )
        st.slider(
            "Top-p", 0.0, 1.0, step=0.01, key="predict_p", width=170,
            help="Then only the likeliest tokens stay that together reach p; 0 keeps one.",
        )  # fmt: skip
        st.slider(
            "Min-p", 0.0, 1.0, step=0.01, key="predict_min_p", width=170,
            help="Then only tokens with at least this share of the likeliest one's probability stay; 0 keeps all.",
        )  # fmt: skip
        if not isinstance(view.now.written.run.text, Conversation):  # an answer ends by itself
            st.number_input("New tokens", 0, 64, key="predict_tokens", on_change=writing.change_length, width=130)
        st.number_input(
            "Seed",
            0,
            9999,
            key="predict_seed",
            width=110,
            help="The same seed draws the same tokens. Write again takes the next one.",
        )
        st.button("Write again", icon=":material/edit:", on_click=writing.start_again, type="primary")


def say_next(view: Prediction) -> None:
    """The next turn of the reader, in a conversation that waits for it."""
    written = view.now.written
    if isinstance(written.run.text, Conversation) and (written.path or is_answered(written.run)):

        def take() -> None:
            if text := replace_halves(st.session_state[NEXT] or "").strip():
                writing.say_next(written, text)

        _say_what_was_read()
        st.chat_input("Your next turn", key=NEXT, on_submit=take, max_chars=2_000)


def _say_what_was_read() -> None:
    """A line about an answer for which the model read the new turn alone."""
    length, new = of_session(KeptText).read or (0, 0)
    if new < length:
        st.caption(
            f"Before this answer stand {count_noun(length, 'token')}. The keys and values of {length - new:,} were in "
            f"the KV cache of the turn before, so the model read {new:,}."
        )


def take_mean(view: LooksOfToken) -> None:
    """One head, or the mean of all."""
    st.toggle("Mean of all heads", key="predict_mean")


def choose_tokens(view: LooksOfToken) -> None:
    """The tokens that the lines show, of a long text."""
    count = len(view.names)
    token_window.choose_part("predict attention", (count, count), (view.now.query, view.now.query))


def choose_surprises(view: SurpriseOfTokens) -> None:
    """The tokens whose surprise is shown."""
    token_window.choose("surprise", len(view.names), start=1, at=view.now.query)
