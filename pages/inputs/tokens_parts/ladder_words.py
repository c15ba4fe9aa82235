"""The words of the small world, and their vectors on the rungs that need no training on the page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

import numpy as np
import streamlit as st

from model.arrays import Array
from model.tokens.tokenizer import readable
from model.train.samples import training_text
from model.vectors import counts, factorisation, glove
from pages.shared.model_runs import model_turns, traces
from pages.shared.model_runs.head_on_screen import read_token
from pages.shared.session import state
from views.run import Run
from viz.shared.style import markdown_text

VOCABULARY_WORDS = 300  # the most frequent words
CORPUS_LINES = 4000
COUNTED_LINES = 1000  # of the corpus, for presence and TF-IDF
NEIGHBOURS = 4
FACTOR_WIDTH, FACTOR_STEPS, FACTOR_PENALTY = 10, 5, 0.1  # of the factorisation of words
FACTOR_WINDOW = 5  # words to each side


@dataclass(frozen=True)
class Rung:
    """One row of the table. `size`: numbers in a vector. `zeros`: their share. `similarity`: cosine of the two words.

    `near` has the nearest neighbours of the first word, each with its cosine.
    """

    size: int
    zeros: float
    similarity: float
    near: list[tuple[str, float]]


@st.cache_resource(max_entries=1, show_spinner="Writing the small world's lines")
def corpus() -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """The lines of the small world as words, and its most frequent words. All sessions share them without a copy."""
    text = training_text(Random(0), CORPUS_LINES).lower()
    lines = tuple(tuple(re.findall(r"\w+(?:'\w+)?", line)) for line in text.splitlines())
    return lines, glove.vocabulary(lines, VOCABULARY_WORDS)


@st.cache_data(max_entries=10, show_spinner="Counting who stands near whom")
def cooccurrence(window: int) -> Array:
    return glove.cooccurrence(*corpus(), window)


@st.cache_data(max_entries=4, show_spinner="Making the vectors")
def vectors(rung: str) -> Array:
    """The vectors of all words on an untrained rung: (words, numbers)."""
    lines, words = corpus()
    if rung == "one-hot":
        return counts.one_hot(words)
    if rung == "presence":
        return counts.presence(lines[:COUNTED_LINES], words)
    if rung == "tf-idf":
        return counts.tf_idf(lines[:COUNTED_LINES], words)
    table = cooccurrence(FACTOR_WINDOW)
    observed = np.where(table > 0, np.log1p(table), np.nan)
    with model_turns.forward_pass():
        *_, factors = factorisation.fit(observed, FACTOR_WIDTH, FACTOR_PENALTY, FACTOR_STEPS)
    return factors.readers


def vocabulary_places(pair: tuple[str, str]) -> tuple[int, int] | None:
    """The indices of the two words in the vocabulary, or None if one is not in it."""
    words = corpus()[1]
    return (words.index(pair[0]), words.index(pair[1])) if set(pair) <= set(words) else None


def offer_word_of_bar() -> None:
    """Draw a button that takes the word of the run bar's token as the first word, where the open rung has vectors.

    The rung In context takes its sentence with it.
    """
    try:
        run = traces.current(keep=())
    except traces.NothingToShow:  # the message of the sentence stands above
        return
    word = _word_at(run, read_token(run, run.model.config.stacks[0]))
    in_context = state.get("tokens_rung") == "context"
    if word and word != state.get("tokens_word1").strip().lower() and (in_context or word in corpus()[1]):
        values = {"tokens_word1": word} | ({"tokens_sentence1": run.text} if in_context else {})
        label = f"Take “{markdown_text(word)}” from your sentence"
        st.button(label, key="tokens take word", type="tertiary", on_click=state.put, kwargs=values)


def _word_at(run: Run, token: int) -> str:
    """The word, in lower case, of which a token is a piece; "" for a token that was put around the sentence."""
    placed = run.model.tokenizer.place(run.text)
    spans = [each.span for each in placed if each.word is not None and each.word == placed[token].word]
    whole = readable(run.text)[min(start for start, _ in spans) : max(end for _, end in spans)] if spans else ""
    return " ".join(re.findall(r"\w+(?:'\w+)?", whole.lower()))


def complain(pair: tuple[str, str]) -> None:
    """Show a warning that names the words outside the vocabulary."""
    words = corpus()[1]
    unknown = " and ".join(f"“{markdown_text(word)}”" for word in dict.fromkeys(pair) if word and word not in words)
    examples = ", ".join(word for word in words if len(word) > 3)[:90].rpartition(",")[0]
    st.warning(
        (f"{unknown}: not in the vocabulary of these rungs. " if unknown else "A word is missing. ")
        + f"They know the small world's {len(words)} most frequent words, such as {examples}. "
        "Only the rung In context takes any word.",
        icon=":material/info:",
    )


@st.cache_data(max_entries=200, show_spinner=False)
def measure_rung(name: str, first: int, second: int) -> Rung:
    return describe_rung(vectors(name), first, second)


def describe_rung(table: Array, first: int, second: int) -> Rung:
    """The row of vectors `table` (words, numbers) for the words with these indices."""
    near = [(corpus()[1][i], cosine) for i, cosine in counts.nearest(table, first, NEIGHBOURS)]
    both = table[[first, second]]
    return Rung(table.shape[1], counts.zeros(both), float(counts.cosines(both, 0)[1]), near)
