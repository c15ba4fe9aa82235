"""A measurement that the reader starts, watches and may stop."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from model.errors import TooMuchWork
from pages.shared.model_runs import model_turns
from pages.shared.server import rate_limits
from pages.shared.server.session_values import of_session

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from model import Model

Step = TypeVar("Step")

QUICK_PRODUCTS = 1e10  # weights times tokens


@dataclass
class WantedMeasurement:
    """The results that the reader has asked for, and how many there were then; None where none are."""

    done: list[Any] | dict[str, Any] | None = None
    count: int = 0


def measure_button(
    label: str, done: list[Any] | dict[str, Any], icon: str, key: str | None = None, goes_on: bool = False
) -> bool:
    """A button that clears the results `done`, or keeps them if the measurement `goes_on` after them.

    Returns whether the measurement begins in this run. It begins in each run until there is a new result. Another
    message of the browser may end the run that reads the press before that run has measured anything.
    """
    st.button(label, icon=icon, type="primary", key=key, on_click=_start, args=(done, goes_on))
    return is_wanted(done)


def is_wanted(done: list[Any] | dict[str, Any]) -> bool:
    """Whether the reader has asked for the measurement of the results `done`, and there is no new one yet."""
    wanted = of_session(WantedMeasurement)
    return wanted.done is done and wanted.count == len(done)


def quick_steps(model: Model, tokens: int) -> int:
    """How many steps of a measurement take about a second, if a model reads so many tokens in each of them.

    Their number decides and not a clock, so that a busy machine shows the same page.
    """
    return int(QUICK_PRODUCTS / (tokens * model.card.parameters))


def _start(done: list[Any] | dict[str, Any], goes_on: bool) -> None:
    if not goes_on:
        done.clear()
    wanted = of_session(WantedMeasurement)
    wanted.done, wanted.count = done, len(done)


def _stop() -> None:
    of_session(WantedMeasurement).done = None


def stop_button(place: DeltaGenerator, what: str, key: str | None = None) -> None:
    """A button that ends the run where it next writes to the page. So keep each result as soon as it is there.

    `what` is the participle of its help: "measured".
    """
    place.button("Stop", icon=":material/stop:", help=f"What has been {what} stays.", key=key, on_click=_stop)


@contextmanager
def watch(stop: DeltaGenerator, text: str) -> Iterator[DeltaGenerator]:
    """A progress bar that begins with `text`, and a stop button in the place `stop`. Both vanish at the end.

    It counts as one measurement. Raises `LimitReached` before it begins.
    """
    with rate_limits.sweep():
        stop_button(stop, "measured")
        bar = st.progress(0.0, text=text)
        try:
            yield bar
        except TooMuchWork:
            _stop()  # or each further run of the page would begin it again
            raise
        bar.empty()
        stop.empty()


def in_turns(steps: Iterator[Step], count: int, bar: DeltaGenerator, what: str) -> Iterator[Step]:
    """The first `count` steps, one for each layer of `what`, with a turn at the processor for each.

    `what` is Markdown. The bar shows how many are done.
    """
    for done in range(count):
        bar.progress(done / count, text=f"{what}: {done} of {count} layers")
        with model_turns.forward_pass():
            step = next(steps)
        yield step
