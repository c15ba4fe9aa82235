"""Replay: which model's training is shown, and at which snapshot."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import streamlit as st

from pages.learning.training_parts import frames, layers, player
from pages.shared.elements import fragments
from pages.shared.model_runs import model_choice, traces
from pages.shared.session import state
from views.learning.training.course import Course
from views.learning.training.frame import Frame
from viz.documents.page_parts import Text
from viz.shared.style import markdown_text

TITLES = {"tiny-lm": "Language model", "tiny-lm-moe": "With experts", "en-ur": "English to Urdu"}
KEY = "training_snapshot"


def read() -> Course:
    """At first the last snapshot is shown, and the layer of the best head."""
    name = _read_model()
    with suppress(*traces.errors()):  # its error is the page's
        model_choice.say_other_models([name], "snapshots of its training are kept")
    try:
        model = traces.model(name)
    except traces.errors() as error:
        traces.complain(error)
        raise traces.NothingToShow from error
    snapshots = model.card.details["snapshots"]
    last = len(snapshots) - 1
    if state.get(KEY) == -1:
        state.put(**{KEY: last})
    player.advance(KEY, last)
    snapshot = state.checked_number(KEY, 0, last, "Snapshot")
    text, frame, why_not = _read_frame(name, snapshot)
    scores = frames.all_scores(name, len(snapshots))
    words = model.config.vocab_size
    return Course(model.card, snapshot, words, scores, layers.read(scores[-1]), text, frame, why_not)


def _read_model() -> str:
    choice = state.get("training_of") or state.get("model")
    name = choice if choice in TITLES else "tiny-lm"
    if state.get("training_of") != name:
        state.put(training_of=name)
    return name


def _read_frame(name: str, snapshot: int) -> tuple[str, Frame | None, Text | None]:
    """The reader's sentence at this snapshot, or why it cannot be run."""
    try:
        text = traces.fitting_sentence(name)
        return text, frames.frame(name, snapshot, text), None
    except traces.errors() as error:
        return "", None, Text(markdown_text(str(error)), "error", ":material/error:")


def alone(view: Course, draw: Callable[[], None]) -> None:
    """The view as a piece that is drawn again with each snapshot while it plays."""
    fragments.alone(draw, every=player.redraw_seconds(KEY))()


def choose_model(view: Course) -> None:
    st.segmented_control(
        "Model", tuple(TITLES), key="training_of", format_func=TITLES.__getitem__, required=True,
        label_visibility="collapsed", width="content",
    )  # fmt: skip


def play(view: Course) -> None:
    player.choose(KEY, view.steps)
