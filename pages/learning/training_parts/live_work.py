"""Train one now: the session's run, or the recorded one of the chosen task until there is one."""

from __future__ import annotations

from collections.abc import Callable

from pages.learning.training_parts import run_notes, session
from pages.shared.elements import fragments
from views.learning.training.live import LiveTraining, show_recorded
from views.learning.training.run_at import RunAt


def read() -> LiveTraining:
    """The run as it is now."""
    run = session.current()
    if run is None:
        return show_recorded(session.setup(), run_notes.say_lost())
    now = run.view()
    at = RunAt.of(run, now, is_working=session.is_active(run))
    return LiveTraining(at, tuple(run_notes.of_live(run, now)), run.task.recipe, max(now.step - 1, 0))


def alone(view: LiveTraining, draw: Callable[[], None]) -> None:
    """The view as a piece that is drawn again and again while the run works."""
    run = session.current()
    if run is None:
        fragments.alone(draw)()
    else:
        session.watch(run, draw)
