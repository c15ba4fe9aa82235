"""The training of GloVe: at once, or step by step while the reader watches the words settle."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model import work_bound
from model.errors import GlassformerError
from model.vectors import counts, glove
from pages.inputs.tokens_parts.kept_world import WORLD
from pages.shared.model_runs import measurements, model_turns
from pages.shared.server import rate_limits
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.inputs.glove import TRAINING_STEPS, GloveRun, TrainedWords, train_glove
from views.inputs.ladder import Ladder
from viz.inputs.ladder import map_figure
from viz.shared.style import number

STEPS_PER_PICTURE = 20
MIN_PICTURE_SECONDS = 0.2  # time for the eye to follow, and for a press of Stop


@dataclass
class GloveSession:
    """The last training of a session. The button that trains anew empties the list."""

    last: list[GloveRun] = field(default_factory=list)


def last_training() -> GloveRun | None:
    """The last training of this session; None before the first."""
    last = of_session(GloveSession).last
    return last[0] if last else None


def train_at_once(window: int) -> GloveRun | None:
    """A training with this window, unless the session has one or the reader has asked to watch it.

    Returns the last training; it may have another window, where nothing can be counted in this one.
    """
    last = of_session(GloveSession).last
    if not measurements.is_wanted(last) and (not last or last[0].window != window):
        try:
            last[:] = [_train_at_once(window)]
        except GlassformerError:
            return last_training()  # the view says why
    return last_training()


@st.cache_data(max_entries=10, show_spinner="Training GloVe")
def _train_at_once(window: int) -> GloveRun:
    """The training that the button shows step by step. It takes a second."""
    WORLD.cooccurrence(window)  # it is counted, and kept, before the turn
    with model_turns.forward_pass():
        return train_glove(window, WORLD)


def choose_and_train(view: Ladder) -> None:
    """The window, the button that trains, and the training. The page runs again after it."""
    words, last = view.glove, of_session(GloveSession).last
    assert words is not None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.slider("Window, words to each side", 0, 10, key="tokens_window", width=320)
        if words.why_not() is not None:
            return
        is_pressed = measurements.measure_button("Train GloVe", last, ":material/play_arrow:", key="tokens glove train")
        stop = st.empty()
    if is_pressed:
        measurements.stop_button(stop, "learnt", key="tokens glove stop")
        with rate_limits.sweep():
            _train(words, st.empty(), st.empty())
        st.rerun()


def _train(words: TrainedWords, bar: DeltaGenerator, picture: DeltaGenerator) -> None:
    """Train, and keep the vectors at every picture, so that a stop loses little."""
    losses: list[float] = []
    steps = glove.fit(WORLD.cooccurrence(words.window), steps=TRAINING_STEPS)
    for place in range(0, TRAINING_STEPS + 1, STEPS_PER_PICTURE):
        start = time.monotonic()
        with model_turns.forward_pass():
            for _ in range(STEPS_PER_PICTURE if place else 1):
                work_bound.check()
                vectors = next(steps)
                losses.append(vectors.loss)
        of_session(GloveSession).last[:] = [GloveRun(words.window, vectors, list(losses))]
        bar.progress(place / TRAINING_STEPS, text=f"Step {place} of {TRAINING_STEPS}, loss {number(vectors.loss)}")
        picture.plotly_chart(
            map_figure(counts.flat_map(vectors.words), WORLD.words, words.pair, state.theme()),
            theme=None, config={"displayModeBar": False}, key=f"tokens glove map {place}",
            alt=f"Map of the word vectors after {place} steps",
        )  # fmt: skip
        time.sleep(max(0.0, start + MIN_PICTURE_SECONDS - time.monotonic()))
