"""Numbers that a reader types: the width, the base and the length of positions.

Each field mends a wrong number. The message about it stands below the controls.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.session import state

MAX_FEATURES = 1024
MAX_POSITIONS = 512
MAX_WORKED_FEATURES = 12  # of the worked table


@dataclass(frozen=True)
class Field:
    """A number to type. `mend` gives the value to use, and a message if the typed number is wrong."""

    key: str
    label: str
    step: float
    mend: Callable[[Any], tuple[Any, str | None]]
    width: int = 130
    format: str = "%d"

    @property
    def value(self) -> Any:
        """The typed number, or a usable one in the place of a wrong one."""
        return self.mend(state.get(self.key))[0]


def choose(label: str, key: str, options: Mapping[str, str], collapsed: bool = False) -> None:
    """Draw a choice of one of `options`, which maps each value of the key to its label."""
    st.segmented_control(
        label,
        tuple(options),
        key=key,
        format_func=lambda value: options[value],
        required=True,
        label_visibility="collapsed" if collapsed else "visible",
    )


def bar() -> tuple[DeltaGenerator, DeltaGenerator]:
    """A line for the controls of a picture, and the place below it for messages about wrong numbers."""
    return st.container(horizontal=True, vertical_alignment="top"), st.container()


def row(below: DeltaGenerator, *fields: Field) -> None:
    """Draw number inputs, and their messages `below`."""
    for field in fields:
        step = type(state.get(field.key))(field.step)
        st.number_input(field.label, step=step, format=field.format, key=field.key, width=field.width)
        _, problem = field.mend(state.get(field.key))
        if problem:
            below.error(problem, icon=":material/error:")


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


def worked_fields() -> tuple[Field, Field]:
    """The width and the base of the worked table."""
    return width("positions_wordwidth", "Width d", MAX_WORKED_FEATURES), base("positions_wordbase")


def joined_field(d_model: int) -> Field:
    """The features of a place that stands beside a word of so many features."""
    return width("positions_joined", "Width of p", min(1024, d_model - 2))


def checked_fields() -> tuple[Field, Field, Field]:
    """The width, the base and the length of the schemes that are checked."""
    return width(most=256), base(), length("positions_trained", least=4, most=128)
