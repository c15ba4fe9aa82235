"""The controls that several parts share: the sentence, and the width, the base and the length of positions.

Each control checks its number. The message about a wrong number stands below the controls.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st
from plotly.graph_objects import Figure
from streamlit.delta_generator import DeltaGenerator
from torch import Tensor

from model import Model
from pages.shared.elements import figures
from pages.shared.model_runs import head_on_screen, traces
from pages.shared.session import state
from views.shared import quotes
from viz.shared.alternative import describe_figure
from viz.shared.tokens import words

MAX_FEATURES = 1024
MAX_POSITIONS = 512
ROW_CHOICES = {"sentence": "Your sentence", "length": "Any length"}


@dataclass(frozen=True)
class Sentence:
    """The run bar's sentence as its model reads it: the run, and a label for each token."""

    run: traces.Run
    labels: list[str]
    embed: str  # the beginning of the embedding's recorded names

    @property
    def model(self) -> Model:
        return self.run.model

    @property
    def is_relative(self) -> bool:
        """Whether the model has a bias for each distance, and no position vectors."""
        return self.model.config.positions == "relative"

    def recorded(self, name: str) -> Tensor:
        """`tokens`, `positions` or `out` of the embedding: (tokens, width)."""
        return self.run.trace[f"{self.embed}.{name}"]


def sentence() -> Sentence:
    """Run the run bar's model on its sentence. An encoder-decoder model's sentence is what its encoder reads."""
    run = traces.current(keep="*embed.*")
    two_stacks = run.model.config.kind == "encoder-decoder"
    tokens = run.trace.source_tokens if two_stacks else run.trace.tokens
    return Sentence(run, words(tokens), "encoder.embed" if two_stacks else "embed")


def choose(label: str, key: str, options: Mapping[str, str], collapsed: bool = False) -> str:
    """Draw a choice of one of `options`, which maps each value of the key to its label. Returns the value."""
    st.segmented_control(
        label,
        tuple(options),
        key=key,
        format_func=lambda value: options[value],
        required=True,
        label_visibility="collapsed" if collapsed else "visible",
    )
    return state.get(key)


def chart(figure: Figure, key: str, alt: str) -> None:
    """Show a Plotly figure in the house's colours, with a description for readers who cannot see it."""
    config, words = {"displayModeBar": False}, describe_figure(alt, figure)
    figures.chart(figure, theme=None, key=f"positions {key}", config=config, alt=words)


@dataclass(frozen=True)
class Field:
    """A number to type. `mend` gives the value to use, and a message if the typed number is wrong."""

    key: str
    label: str
    step: float
    mend: Callable[[Any], tuple[Any, str | None]]
    width: int = 130
    format: str = "%d"


def bar() -> tuple[DeltaGenerator, DeltaGenerator]:
    """A line for the controls of a picture, and the place below it for messages about wrong numbers."""
    return st.container(horizontal=True, vertical_alignment="top"), st.container()


def row(below: DeltaGenerator, *fields: Field) -> list[Any]:
    """Draw number inputs, and their messages `below`. Returns the values, with a usable one for each wrong number."""
    values = []
    for field in fields:
        step = type(state.get(field.key))(field.step)
        st.number_input(field.label, step=step, format=field.format, key=field.key, width=field.width)
        value, problem = field.mend(state.get(field.key))
        values.append(value)
        if problem:
            below.error(problem, icon=":material/error:")
    return values


def width(key: str = "positions_d", label: str = "Width d", most: int = MAX_FEATURES) -> Field:
    """An even number of features, 2 to `most`."""

    def mend(d: int) -> tuple[int, str | None]:
        nearest = max(2, min(most, d + d % 2))
        if d == nearest:
            return d, None
        why = "sine and cosine come in pairs, so it must be even" if d % 2 else f"it can be 2 to {most}"
        return nearest, f"{label} is {d}: {why}. Shown: {nearest}."

    return Field(key, label, 2, mend)


def base(key: str = "positions_base") -> Field:
    """The base n, above 1."""

    def mend(n: float) -> tuple[float, str | None]:
        if math.isfinite(n) and n > 1:
            return n, None
        return 10000.0, f"Base n is {n:g}: it must be greater than 1, or the hands do not slow down. Shown: 10000."

    return Field(key, "Base n", 100, mend, width=150, format="%.6g")


def length(key: str = "positions_length", least: int = 1, most: int = MAX_POSITIONS) -> Field:
    """How many positions, `least` to `most`."""

    def mend(count: int) -> tuple[int, str | None]:
        nearest = max(least, min(most, count))
        return (
            nearest,
            None if count == nearest else f"Length is {count}: it can be {least} to {most}. Shown: {nearest}.",
        )

    return Field(key, "Length", 1, mend)


def read_token(sentence: Sentence) -> int:
    """The place of the run bar's token."""
    return head_on_screen.read_token(sentence.run, sentence.model.config.stacks[0])


def name_token(labels: list[str], t: int) -> str:
    """The token at place `t` as a chip, in Markdown. For a place after the end of the sentence, the place alone."""
    return quotes.quote(labels[t], t) if t < len(labels) and labels[t] else f"position {t}"
