"""GloVe, trained on the page: co-occurrences, weights, the loss, and the map of the words during training."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import streamlit as st

from model import work_bound
from model.errors import GlassformerError
from model.vectors import counts, glove
from model.vectors.glove import Vectors
from pages.inputs.tokens_parts import ladder_words
from pages.inputs.tokens_parts.ladder_words import Rung
from pages.shared.elements import figures, layout
from pages.shared.model_runs import measurements, model_turns
from pages.shared.server import rate_limits
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from viz.inputs.ladder import loss_figure, map_figure, weight_figure
from viz.shared.style import markdown_text, number

TRAINING_STEPS, STEPS_PER_PICTURE = 400, 20
MIN_PICTURE_SECONDS = 0.2  # time for the eye to follow, and for a press of Stop


@dataclass(frozen=True)
class GloveRun:
    """A training: its window, the vectors, and the loss after each step so far."""

    window: int
    vectors: Vectors
    losses: list[float]


@dataclass
class GloveSession:
    """The last training of a session. The button that trains anew empties the list."""

    last: list[GloveRun] = field(default_factory=list)


def measure_rung(first: int, second: int) -> Rung | None:
    """The two words on this rung, or None before it has been open."""
    vectors = trained_vectors()
    return ladder_words.describe_rung(vectors.words, first, second) if vectors else None


def trained_vectors() -> Vectors | None:
    """The vectors that this session has trained, or None."""
    last = of_session(GloveSession).last
    return last[0].vectors if last else None


def show(at: tuple[int, int], numbers: bool) -> None:
    last = of_session(GloveSession).last
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.slider("Window, words to each side", 0, 10, key="tokens_window", width=320)
        window = state.get("tokens_window")
        try:
            table = ladder_words.cooccurrence(window)
        except GlassformerError as error:
            st.warning(markdown_text(str(error)), icon=":material/info:")
            return
        is_pressed = measurements.measure_button("Train GloVe", last, ":material/play_arrow:", key="tokens glove train")
        stop = st.empty()
    bar, picture = st.empty(), st.empty()
    words = ladder_words.corpus()[1]
    if is_pressed:
        measurements.stop_button(stop, "learnt", key="tokens glove stop")
        with rate_limits.sweep():
            _train(table, window, at, bar, picture)
        stop.empty()
        bar.empty()
        picture.empty()
    elif not last or last[0].window != window:
        last[:] = [GloveRun(window, *_train_at_once(window))]
    _show_trained(last[0], words, at, numbers)
    _show_pair(table, words, at)


@st.cache_data(max_entries=10, show_spinner="Training GloVe")
def _train_at_once(window: int) -> tuple[Vectors, list[float]]:
    """The vectors after all steps, and the loss after each: what the button shows step by step. It takes a second."""
    losses = []
    with model_turns.forward_pass():
        for vectors in glove.fit(ladder_words.cooccurrence(window), steps=TRAINING_STEPS):
            work_bound.check()
            losses.append(vectors.loss)
    return vectors, losses


def _show_pair(table: np.ndarray, words: tuple[str, ...], at: tuple[int, int]) -> None:
    """Show how often the two words stand together, and what that weighs in the loss."""
    x = float(table[at])
    st.markdown(
        f"“{words[at[0]]}” and “{words[at[1]]}” stand together {number(x)} times, counted 1, 1/2, 1/3, ... by "
        f"distance. The weight of the pair in the loss is f(x) = {number(float(glove.weight(table[at])))}."
    )
    with st.expander("Co-occurrence of the two words, and f(x)"):
        rows = _neighbour_rows(table, words, at)
        st.dataframe(rows, hide_index=True)
        xs = np.linspace(0, max(150.0, x), 200)
        draw = partial(weight_figure, xs, glove.weight(xs), (x, float(glove.weight(table[at]))))
        figures.show(
            draw(theme=state.theme()),
            f"The weight of a pair by its co-occurrence, with this pair at {number(x)}",
        )
        figures.export("tokens-glove-weight", draw, lambda: rows, x=xs, weight=glove.weight(xs))


def _neighbour_rows(table: np.ndarray, words: tuple[str, ...], at: tuple[int, int]) -> list[dict[str, float | str]]:
    """One row for each of the words that stand most often near either of the two."""
    order = np.argsort(-table[list(at)].sum(axis=0), kind="stable")[:10]
    return [
        {"near": words[i], "first word": float(table[at[0], i]), "second word": float(table[at[1], i])}
        for i in order.tolist()
    ]


def _train(
    table: np.ndarray,
    window: int,
    at: tuple[int, int],
    bar: st.delta_generator.DeltaGenerator,
    picture: st.delta_generator.DeltaGenerator,
) -> None:
    """Train, and keep the vectors at every picture, so that a stop loses little."""
    words, losses = ladder_words.corpus()[1], []
    steps = glove.fit(table, steps=TRAINING_STEPS)
    for place in range(0, TRAINING_STEPS + 1, STEPS_PER_PICTURE):
        start = time.monotonic()
        with model_turns.forward_pass():
            for _ in range(STEPS_PER_PICTURE if place else 1):
                work_bound.check()
                vectors = next(steps)
                losses.append(vectors.loss)
        of_session(GloveSession).last[:] = [GloveRun(window, vectors, list(losses))]
        bar.progress(place / TRAINING_STEPS, text=f"Step {place} of {TRAINING_STEPS}, loss {number(vectors.loss)}")
        picture.plotly_chart(
            map_figure(counts.flat_map(vectors.words), words, at, state.theme()),
            theme=None, config={"displayModeBar": False}, key=f"tokens glove map {place}",
            alt=f"Map of the word vectors after {place} steps",
        )  # fmt: skip
        time.sleep(max(0.0, start + MIN_PICTURE_SECONDS - time.monotonic()))


def _show_trained(trained: GloveRun, words: tuple[str, ...], at: tuple[int, int], numbers: bool) -> None:
    """Show the trained vectors as a map, and the loss after each step."""
    vectors, losses = trained.vectors, trained.losses
    places = counts.flat_map(vectors.words)
    rows = [{"word": word, "x": x, "y": y} for word, (x, y) in zip(words, places.tolist(), strict=True)]
    figure = map_figure(places, words, at, state.theme())
    figures.show_or_list(numbers, figure, "The words in the plane in which their vectors differ most", lambda: rows)
    figures.export("tokens-glove", figure, lambda: rows, vectors=vectors.words, losses=np.array(losses))
    steps = [{"step": i, "loss": loss} for i, loss in enumerate(losses)]
    loss_by_step = loss_figure(losses, "step", state.theme())
    figures.show_or_list(numbers, loss_by_step, "GloVe's loss after each step", lambda: steps)
    stop = f" Stopped after {vectors.step} of {TRAINING_STEPS} steps." if vectors.step < TRAINING_STEPS else ""
    layout.caption(
        f"{len(words)} words, {vectors.centre.shape[1]} numbers each: the loss falls from {number(losses[0])} to "
        f"{number(losses[-1])} in {vectors.step} steps.{stop} The vectors are w + u."
    )
    figures.export("tokens-glove-loss", loss_by_step, lambda: steps)
