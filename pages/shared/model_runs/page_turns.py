"""Turns at drawing pages: a few pages are drawn at once, those of each network and of each session in turn.

A page is drawn by Python, which does one thing at a time. Twenty pages at once would all be late, and so would the page
of another visitor. A class comes to a new view all at once. While a page waits for a run of a model, another is drawn.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from model import work_bound
from pages.shared.model_runs import turn_owner
from pages.shared.model_runs.processor_turns import SLICE_SECONDS, ProcessorTurns
from pages.shared.server import sessions

MAX_SECONDS = 0.5  # A page that is drawn for longer, or waits for another server, keeps no other waiting.

TURNS = ProcessorTurns(max(1, (os.cpu_count() or 2) // 2), SLICE_SECONDS, stuck_seconds=MAX_SECONDS, keeps_memory=False)


@contextmanager
def take_turn() -> Iterator[None]:
    """Wait for a turn, and draw the page inside. It ends where the browser is gone, also while it waits."""
    turn = TURNS.take(turn_owner.current(), still_wanted=sessions.end_if_left)
    bound = work_bound.WorkBound(
        math.inf, sys.maxsize, sessions.end_if_left, elsewhere=TURNS.lend, hand_on=TURNS.hand_on
    )
    with turn, work_bound.within(bound):
        yield
