"""Work on a text that no model does: it takes turns at the processor as runs do, and ends where its reader has left."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from model import work_bound
from pages.shared.model_runs import model_turns

Step = TypeVar("Step")


def in_turn(steps: Iterable[Step]) -> list[Step]:
    """What the steps of a work make, such as one for each word. Between two of them others may go first.

    A step should take milliseconds. Raises `TooMuchWork` if all take longer than a run may.
    """
    made: list[Step] = []
    with model_turns.take_turn():
        for step in steps:
            made.append(step)
            work_bound.check()
    return made
