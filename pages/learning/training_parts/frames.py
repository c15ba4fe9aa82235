"""The data of the replay for each snapshot, kept for all sessions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model import load
from model.experiments import snapshots
from model.shared_cache import SharedCache
from pages.shared.model_runs import fitting_text, model_turns, traces
from pages.shared.server.session_values import of_session
from views.learning.training.frame import Frame
from views.learning.training.snapshots import frame_of, translation_of

MAX_FRAME_BYTES = 16_000_000  # of all frames


@dataclass
class ReplaySession:
    """The model whose snapshots this session has opened: they are scored without a progress bar."""

    scored: str = ""


def frame(name: str, number: int, text: str) -> Frame:
    """The frame of a snapshot and a sentence. Raises `model.GlassformerError`."""
    return _frames().get((name, number, text), lambda: _compute_frame(name, number, text))


def _compute_frame(name: str, number: int, text: str) -> Frame:
    trained = traces.model(name)
    fitting_text.tokens_within_limit(trained, text)
    target = _translation(name, text)
    with model_turns.forward_pass():
        return frame_of(trained, load(name, snapshot=number, device=model_turns.device()), text, target)


@st.cache_data(show_spinner=False, max_entries=64)
def _translation(name: str, text: str) -> tuple[int, ...]:
    """What every snapshot reads."""
    with model_turns.forward_pass():
        return translation_of(traces.model(name), text)


@st.cache_data(show_spinner=False, max_entries=32)
def scores(name: str, number: int) -> NDArray[np.float32]:
    """The most telling score of each head at a snapshot: (layers, heads)."""
    with model_turns.forward_pass():
        model = load(name, snapshot=number, device=model_turns.device())
        return snapshots.head_scores(model).numpy()


def all_scores(name: str, count: int) -> NDArray[np.float32]:
    """`scores` of all snapshots: (snapshots, layers, heads). The first call opens all, with a progress bar."""
    bar = st.empty()
    snapshot_scores: list[NDArray[np.float32]] = []
    replay = of_session(ReplaySession)
    for number in range(count):
        if len(snapshot_scores) and replay.scored != name:
            bar.progress(number / count, text=f"Opening snapshot {number + 1} of {count}")
        snapshot_scores.append(scores(name, number))
    bar.empty()
    replay.scored = name
    return np.stack(snapshot_scores)


@st.cache_resource(show_spinner=False, max_entries=1)
def _frames() -> SharedCache[Frame]:
    return SharedCache(MAX_FRAME_BYTES, lambda frame: frame.weights.nbytes)
