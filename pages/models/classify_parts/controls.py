"""The controls of Classify. Each gets the view that they choose."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from pages.models.classify_parts.readings import title_of
from pages.shared.session import keys
from views.models.classify.labels import Classes
from views.models.classify.words import WordInContext
from viz.shared.tokens import words

MODELS = ("minilm-l6", "tiny-encoder")


def choose_token(view: Classes) -> None:
    """The token that is asked about."""
    run = view.answers.run
    tokens = words(run.trace.tokens)
    config = run.config
    first = f"0  {tokens[0]}  (the sentence)"
    if config.answers_places:
        first = "a mask, or the last word" if config.masked_words else "the last word"
    describe = partial(_describe_token, tokens, first)
    st.selectbox("Asked", range(len(tokens)), key="classify_token", format_func=describe, width=260)


def _describe_token(tokens: list[str], first: str, place: int) -> str:
    return f"{place}  {tokens[place]}" if place else first


def write_sentences(key: str, view: Any) -> None:
    """The field of several sentences."""
    st.text_area("Sentences, one a line", key=key, height=170, max_chars=keys.MAX_CHARACTERS)


def choose_word(view: WordInContext) -> None:
    """The word, and the model that reads the sentences."""
    st.text_input("Word", key="classify_word", max_chars=60)
    st.segmented_control("Model", MODELS, key="classify_model", format_func=title_of, required=True, width="content")


def choose_reference(view: WordInContext) -> None:
    """The occurrence that is compared with the others."""
    names, sentences = view.word.names, view.word.sentences
    st.selectbox(
        "Compared with the word in",
        range(len(names)),
        key="classify_reference",
        format_func=lambda i: f"{names[i]}  {view.lines.shown[sentences[i]]}",
    )
