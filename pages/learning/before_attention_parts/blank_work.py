"""Both directions: three readers, trained once for all sessions, and the sentence whose blank they fill."""

from __future__ import annotations

import streamlit as st

from model.recurrent.blank import TrainedReaders, split, train_readers
from pages.shared.model_runs import model_turns, traces
from pages.shared.session import state
from views.learning.before_attention.both import FilledBlank
from viz.documents.page_parts import Text
from viz.shared.style import markdown_text


def filled() -> FilledBlank:
    """The sentence and its readers; or one message that says what to do, if it cannot be used."""
    sentence = state.get("before_attention_blank")
    with st.spinner("Training three small readers"):
        readers = train_once()
    try:
        split(sentence)
    except traces.errors() as error:
        return FilledBlank(readers, sentence, Text(markdown_text(str(error)), "error", ":material/error:"))
    return FilledBlank(readers, sentence)


def choose_sentence(view: FilledBlank) -> None:
    st.text_input("A sentence with a blank, written ___", key="before_attention_blank", max_chars=200)


@st.cache_resource(show_spinner=False, max_entries=1)
def train_once() -> TrainedReaders:
    """The same three readers for all sessions, trained once from one seed."""
    with model_turns.forward_pass():
        return train_readers()
