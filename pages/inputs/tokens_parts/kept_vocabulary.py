"""The neighbours and the plane of a model's vocabulary, kept for all readers: to find them takes long."""

from __future__ import annotations

import streamlit as st

from pages.shared.model_runs import model_turns
from views.inputs.vocabulary import Neighbours, NewVocabulary, Plane
from views.run import Run
from views.run_spec import ModelSpec


class KeptVocabulary(NewVocabulary):
    """Keeps what it has found by the model of the run."""

    def nearest(self, run: Run, id: int) -> Neighbours:
        return _find_nearest(run.spec.model, id, run)

    def plane(self, run: Run) -> Plane:
        return _find_plane(run.spec.model, run)


@st.cache_data(max_entries=200, show_spinner=False)
def _find_nearest(spec: ModelSpec, id: int, _run: Run) -> Neighbours:
    return NewVocabulary().nearest(_run, id)


@st.cache_data(max_entries=8, show_spinner="Finding the plane of the vocabulary")
def _find_plane(spec: ModelSpec, _run: Run) -> Plane:
    with model_turns.take_turn():
        return NewVocabulary().plane(_run)
