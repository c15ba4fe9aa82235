"""What is counted and factorised of the small world, kept for all readers."""

from __future__ import annotations

import streamlit as st

from model.arrays import Array
from pages.shared.model_runs import model_turns
from views.inputs.small_world import Corpus, Rung, SmallWorld, write_corpus


class KeptWorld(SmallWorld):
    """Keeps what it has made. All sessions share it."""

    @property
    def corpus(self) -> Corpus:
        return _corpus()

    def cooccurrence(self, window: int) -> Array:
        return _cooccurrence(window)

    def vectors(self, rung: str) -> Array:
        return _vectors(rung)

    def rung(self, name: str, at: tuple[int, int]) -> Rung:
        return _measure_rung(name, at)


WORLD = KeptWorld()


@st.cache_resource(max_entries=1, show_spinner="Writing the small world's lines")
def _corpus() -> Corpus:
    """All sessions share it without a copy."""
    return write_corpus()


@st.cache_data(max_entries=10, show_spinner="Counting who stands near whom")
def _cooccurrence(window: int) -> Array:
    return SmallWorld.cooccurrence(WORLD, window)


@st.cache_data(max_entries=4, show_spinner="Making the vectors")
def _vectors(rung: str) -> Array:
    with model_turns.forward_pass():
        return SmallWorld.vectors(WORLD, rung)


@st.cache_data(max_entries=200, show_spinner=False)
def _measure_rung(name: str, at: tuple[int, int]) -> Rung:
    return SmallWorld.rung(WORLD, name, at)
