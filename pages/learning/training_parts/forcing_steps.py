"""Teacher forcing: the run with the present settings, the step and the row of the batch that is shown, and the offer to
train to a step that is not there yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from model.train.live import LiveRun
from model.train.live_recording import RecordedRun, recorded
from pages.learning.training_parts import session
from pages.learning.training_parts.session import LiveSession
from pages.shared.elements import fragments
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.learning.training.forcing import TeacherForcing, say_origin
from views.learning.training.run_at import RunAt


def read() -> TeacherForcing:
    """The chosen batch. A step that the run has not reached is shown when it is trained; until then, its last one."""
    run = _run()
    now = run.view()
    steps = [look.step for look in now.looks]
    _mend_step(run, steps, _is_working(run))
    wanted = state.get("training_look")
    place = steps.index(wanted) if wanted in steps else len(steps) - 1
    row = state.checked_number("training_row", 0, len(now.looks[place].batch) - 1, "Row")
    return TeacherForcing(RunAt.of(run, now), place, row, "" if run is session.current() else say_origin(run))


def alone(view: TeacherForcing, draw: Callable[[], None]) -> None:
    """The view as a piece that is drawn again and again while its run works."""
    run = _run()
    if isinstance(run, LiveRun):
        session.watch(run, draw)
    else:
        fragments.alone(draw)()


def _run() -> LiveRun | RecordedRun:
    """The run with the present settings: the session's, else the recorded one, else an untrained one."""
    run, settings = session.current(), session.setup()
    if run is not None and run.setup == settings:
        return run
    if (made_before := recorded(settings)).setup == settings:
        return made_before
    live = of_session(LiveSession)
    if live.untrained is None or live.untrained.setup != settings:
        live.untrained = LiveRun(settings, "cpu")
    return live.untrained


def _is_working(run: LiveRun | RecordedRun) -> bool:
    return isinstance(run, LiveRun) and session.is_active(run)


def _mend_step(run: LiveRun | RecordedRun, steps: Sequence[int], working: bool) -> None:
    """The step is one of those that were measured, one that is to come, or -1 for the latest while the run works."""
    wanted = state.get("training_look")
    if wanted > run.setup.steps:
        said = f"There is no step {wanted:,}: the settings say {run.setup.steps:,} steps."
        state.put(training_look=-1)
        state.say("training_look", said)
    elif wanted == -1 and not working and len(steps) > 1:
        state.put(training_look=steps[-1])  # so that a link to this view names the step
    elif wanted < max(steps) and wanted not in (-1, *steps):
        state.put(training_look=max(step for step in steps if step <= wanted))


def choose_step(view: TeacherForcing) -> None:
    """The step of the batch, or the offer to train to it."""
    run = _run()
    steps, working, wanted = [look.step for look in view.run.looks], _is_working(run), state.get("training_look")
    choices = [*steps, -1] if working or wanted == -1 else steps
    if len(steps) > 1 and wanted in choices:
        st.select_slider(
            "After step", choices, key="training_look",
            format_func=lambda step: "latest" if step == -1 else f"{step:,}",
        )  # fmt: skip
    if wanted > view.look.step:
        _ask_to_train(view.run.step, wanted, working)
    session.rerun_if_state_changed()


def _ask_to_train(done: int, wanted: int, working: bool) -> None:
    """Says that the run has not reached the wanted step, and offers to train it."""
    if working:
        st.info(f"This view is of step {wanted:,}. Step {done:,} is done.", icon=":material/hourglass_top:")
        return
    st.info(
        f"This view is of step {wanted:,} of a run that has not been made here. The same settings give the same "
        "run: train it, and the view appears.",
        icon=":material/model_training:",
    )
    st.button(f"Train to step {wanted:,}", icon=":material/play_arrow:", on_click=session.start, type="primary")


def choose_row(view: TeacherForcing) -> None:
    st.segmented_control(
        "Row of the batch", range(len(view.look.batch)), key="training_row", required=True,
        format_func=lambda row: f"row {row}",
    )  # fmt: skip
