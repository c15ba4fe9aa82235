"""The small world's words, and their vectors on the rungs that need no training in the page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model.train.corpora.world import training_text
from model.vectors import counts, factorisation, glove
from pages.shared import traces
from viz.shared.style import markdown_text

VOCABULARY_WORDS, CORPUS_LINES, COUNTED_LINES = 300, 4000, 1000
NEIGHBOURS = 4
FACTOR_WIDTH, FACTOR_STEPS, FACTOR_PENALTY = 10, 5, 0.1  # of the words' factorisation
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Rung:
    """Numbers a word, the share of zeros, the cosine of the two words, and the first word's nearest."""

    size: int
    zeros: float
    similarity: float
    near: list[tuple[str, float]]


@st.cache_data(max_entries=1, show_spinner="Writing the small world's lines")
def corpus() -> tuple[list[list[str]], tuple[str, ...]]:
    """Lines of words, and the most frequent words."""
    text = training_text(Random(0), CORPUS_LINES).lower()
    lines = [re.findall(r"\w+(?:'\w+)?", line) for line in text.splitlines()]
    return lines, glove.vocabulary(lines, VOCABULARY_WORDS)


@st.cache_data(max_entries=10, show_spinner="Counting who stands near whom")
def cooccurrence(window: int) -> Array:
    return glove.cooccurrence(*corpus(), window)


@st.cache_data(max_entries=4, show_spinner="Making the vectors")
def vectors(rung: str) -> Array:
    """Of every word: (words, numbers)."""
    lines, words = corpus()
    if rung == "one-hot":
        return counts.one_hot(words)
    if rung == "presence":
        return counts.presence(lines[:COUNTED_LINES], words)
    if rung == "tf-idf":
        return counts.tf_idf(lines[:COUNTED_LINES], words)
    table = cooccurrence(5)
    observed = np.where(table > 0, np.log1p(table), np.nan)
    with traces.forward_pass():
        *_, found = factorisation.fit(observed, FACTOR_WIDTH, FACTOR_PENALTY, FACTOR_STEPS)
    return found.readers


def vocabulary_places(pair: tuple[str, str]) -> tuple[int, int] | None:
    """Where the two words stand in the vocabulary, or None where one is not in it."""
    words = corpus()[1]
    return (words.index(pair[0]), words.index(pair[1])) if set(pair) <= set(words) else None


def complain(pair: tuple[str, str]) -> None:
    words = corpus()[1]
    unknown = " and ".join(f"“{markdown_text(word)}”" for word in dict.fromkeys(pair) if word and word not in words)
    some = ", ".join(word for word in words if len(word) > 3)[:90].rpartition(",")[0]
    st.warning(
        (f"{unknown}: not in the vocabulary of these rungs. " if unknown else "A word is missing. ")
        + f"They know the small world's {len(words)} most frequent words, such as {some}. "
        "Only the rung In context takes any word.",
        icon=":material/info:",
    )


def measure_rung(name: str, first: int, second: int) -> Rung:
    return describe_rung(vectors(name), first, second)


def describe_rung(table: Array, first: int, second: int) -> Rung:
    near = [(corpus()[1][i], cosine) for i, cosine in counts.nearest(table, first, NEIGHBOURS)]
    both = table[[first, second]]
    return Rung(table.shape[1], counts.zeros(both), float(counts.cosines(both, 0)[1]), near)
