"""The controls of Tokens. Each gets the view that they choose."""

from __future__ import annotations

import re

import streamlit as st

from model.tokens.tokenizer import readable
from pages.shared.model_runs import traces
from pages.shared.model_runs.head_on_screen import read_token
from pages.shared.session import keys, state
from views.inputs.every_tokeniser import OddTexts
from views.inputs.ladder import RUNGS, Ladder
from views.inputs.tokeniser import Tokeniser
from views.run import Run
from viz.shared.style import markdown_text, token_label


def choose_word(view: Tokeniser) -> None:
    """A word of the sentence, and a step of its spelling."""
    assert view.word is not None
    spellings, last = view.word.cut.spellings, len(view.word.spelling.steps) - 1
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Word", range(len(spellings)), key="tokens_place", width=260, on_change=_take_word,
            format_func=lambda i: f"{i}  {token_label(spellings[i].word)}",
        )  # fmt: skip
        if last:
            st.slider("Step", 0, last, key="tokens_step", width=320)


def _take_word() -> None:
    """The menu has chosen a word: which of its pieces is left open."""
    state.put(query=-1)


def write_odd_texts(view: OddTexts) -> None:
    """A field of texts that are hard for tokenisers."""
    st.text_area("One text a line", key="tokens_samples", height=130, max_chars=keys.MAX_CHARACTERS)


def choose_words(view: Ladder) -> None:
    """The fields of the two words."""
    with st.container(horizontal=True):
        _write_words(view)


def choose_words_and_rung(view: Ladder) -> None:
    """The fields of the two words, and the choice of the open rung."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _write_words(view)
        st.segmented_control(
            "Rung", tuple(RUNGS), key="tokens_rung", format_func=RUNGS.__getitem__, required=True, width="content"
        )


def write_sentences(view: Ladder) -> None:
    """The fields of the sentences in which the two words stand."""
    for place, column in enumerate(st.columns(2), start=1):
        column.text_area(f"Sentence with word {place}", key=f"tokens_sentence{place}", height=80)


def _write_words(view: Ladder) -> None:
    st.text_input("First word", key="tokens_word1", max_chars=60, width=150)
    st.text_input("Second word", key="tokens_word2", max_chars=60, width=150)
    _offer_word_of_bar(view)


def _offer_word_of_bar(view: Ladder) -> None:
    """A button that takes the word of the run bar's token as the first word, where the open rung has vectors.

    The rung In context takes its sentence with it.
    """
    try:
        run = traces.current(keep=())
    except traces.NothingToShow:  # the message of the sentence stands above
        return
    word, in_context = _word_at(run, read_token(run, run.model.config.stacks[0])), view.open_rung == "context"
    if word and word != view.words[0] and (in_context or word in view.world.words):
        values = {"tokens_word1": word} | ({"tokens_sentence1": run.text} if in_context else {})
        label = f"Take “{markdown_text(word)}” from your sentence"
        st.button(label, key="tokens take word", type="tertiary", on_click=state.put, kwargs=values)


def _word_at(run: Run, token: int) -> str:
    """The word, in lower case, of which a token is a piece; "" for a token that was put around the sentence."""
    placed = run.model.tokenizer.place(run.text)
    spans = [each.span for each in placed if each.word is not None and each.word == placed[token].word]
    whole = readable(run.text)[min(start for start, _ in spans) : max(end for _, end in spans)] if spans else ""
    return " ".join(re.findall(r"\w+(?:'\w+)?", whole.lower()))
