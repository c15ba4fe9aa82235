"""Runs with numbers that are not finite. A page says once where they begin. A part that cannot show them says that.

Files with such weights are refused (`model.zoo.weight_files`). But finite weights may be so large that a run leaves
float32, a program may hold a network whose training has diverged (`model.adopted`), and a reader may scale a part of
any model until its numbers end.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import streamlit as st

from model.errors import DamagedWeights, GlassformerError, ModelMissing, NumbersNotFinite
from pages.shared.server import reached_limits
from pages.shared.server.session_values import of_session
from views.run import Run
from viz.shared.style import markdown_text

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator as Slot

    from model import Trace

CANNOT_SHOW = "This part cannot be shown: it computes with numbers that are not finite."
TOO_LARGE = "There they leave float32, which ends at 3.4 × 10³⁸."
SHOWN_ELSEWHERE = (DamagedWeights, ModelMissing, *reached_limits.REACHED)

_log = logging.getLogger(__name__)


@dataclass
class NotFinite:
    """Whether this run of the page has met such numbers, and has said so."""

    noted: bool = False
    said: bool = False


def look_at(made: Trace) -> Trace:
    """A run that was just made, with the first of its tensors that is not finite. What it would make again is not made:
    the stream shows whatever is not finite inside a layer."""
    from model.analysis.not_finite import first_not_finite  # it needs torch
    from model.tape import LazyTensors

    tensors = made.tensors.held if isinstance(made.tensors, LazyTensors) else made.tensors
    first = first_not_finite(tensors)
    return replace(made, not_finite=first) if first else made


def note(found: Trace) -> Trace:
    """Remember that a run of this page has such numbers."""
    if found.not_finite:
        of_session(NotFinite).noted = True
    return found


def say(run: Run, slot: Slot, find: Callable[[Callable[[], bytes]], bytes]) -> None:
    """Say once in `slot` where the numbers of a run stop being finite. `find` keeps what it is given, or makes it."""
    if run.trace.not_finite and not of_session(NotFinite).said:
        _warn(find(lambda: _describe(run).encode()).decode(), slot)


def tell(found: Trace, slot: Slot) -> Trace:
    """As `note` and `say`, of a run that has no text: the first of its recorded tensors is named."""
    if note(found).not_finite and not of_session(NotFinite).said:
        _warn(_write(found.not_finite, TOO_LARGE), slot)
    return found


def _warn(text: str, slot: Slot) -> None:
    of_session(NotFinite).said = True
    slot.warning(markdown_text(text), icon=":material/all_inclusive:")


def _describe(run: Run) -> str:
    from model.analysis.not_finite import find_origin

    trace = run.trace
    ids, source = (tuple(token.id for token in tokens) for tokens in (trace.tokens, trace.source_tokens))
    origin = find_origin(run.model.network, ids, source)
    if origin is None:
        return _write(trace.not_finite, TOO_LARGE)
    own = f"The model's weight {origin.weight} has such numbers itself."
    return _write(origin.tensor, own if origin.weight else TOO_LARGE)


def _write(tensor: str, why: str) -> str:
    return (
        f"Not all numbers of this run are finite: the first that are not stand in {tensor}. {why} What is computed "
        "from them is not a number either. Tables say “not a number” or “∞”; pictures leave such cells out, or draw "
        "a 0."
    )


@contextmanager
def end_page(*passed: type[Exception]) -> Iterator[None]:
    """Put a page, or a piece of it, inside this `with`. Where a run on it has numbers that are not finite, an error
    ends it with one sentence. Errors of the kinds `passed`, and those that other messages tell of, go on.

    So a page needs no thought of such runs. The error is logged, since it may be a mistake of ours all the same.
    """
    try:
        yield
    except NumbersNotFinite as error:
        st.warning(markdown_text(str(error)), icon=":material/all_inclusive:")
    except Exception as error:
        if not of_session(NotFinite).noted or isinstance(error, (*SHOWN_ELSEWHERE, *passed)):
            raise
        _log.warning("A page could not show a run whose numbers are not finite.", exc_info=True)
        own = str(error) if isinstance(error, GlassformerError) else CANNOT_SHOW
        st.warning(markdown_text(own), icon=":material/all_inclusive:")


def begin() -> None:
    """Forget what the run of the page before has noted."""
    found = of_session(NotFinite)
    found.noted = found.said = False
