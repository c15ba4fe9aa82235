"""The place whose word the page asks for."""

from __future__ import annotations

from model.analysis.asked_place import asked_place
from pages.shared.model_runs.head_on_screen import read_token
from views.run import Run


def read_position(run: Run) -> int:
    """The place whose word is asked for, as far as the reader has chosen one."""
    if not run.config.answers_places:
        return 0
    return asked_place(run.model, run.trace, read_token(run, run.config.stacks[-1]))
