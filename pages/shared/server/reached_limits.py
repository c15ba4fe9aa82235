"""The limits that this run of a page has reached, for the one message that app.py shows of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import streamlit as st

from model.errors import TooMuchWork
from pages.shared.server import metrics
from pages.shared.server.metrics import Refusal
from pages.shared.server.rate_limits import LimitReached

REACHED = (LimitReached, TooMuchWork)
Reached = LimitReached | TooMuchWork

_REACHED: ContextVar[list[Reached] | None] = ContextVar("reached in this run", default=None)


@contextmanager
def collect() -> Iterator[list[Reached]]:
    """The limits that are reached inside this `with`, in order. One that ends the page ends only the `with`."""
    reached: list[Reached] = []
    token = _REACHED.set(reached)
    try:
        yield reached
    except REACHED as error:
        _keep(reached, error)
    finally:
        _REACHED.reset(token)


@contextmanager
def end_page() -> Iterator[None]:
    """Put a page inside this `with`: a limit that it reaches ends the page, and not what stands around it."""
    try:
        yield
    except REACHED as error:
        note(error)


def note(error: Reached) -> None:
    """Remember a limit, and let the page go on without what it refused.

    A piece of the page that runs by itself has nobody who shows the message: the whole page runs again.
    """
    reached = _REACHED.get()
    if reached is None:
        st.rerun()
    _keep(reached, error)


def _keep(reached: list[Reached], error: Reached) -> None:
    """Limits a minute are counted where they refuse."""
    if isinstance(error, TooMuchWork):
        metrics.refuse(Refusal.WORK)
    reached.append(error)
