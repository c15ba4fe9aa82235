"""The one run of a session: its settings, its buttons and its state."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import streamlit as st

from model.train.live import LiveRun
from model.train.live_tasks import Setup, Switches
from pages.learning.training_parts.told_training import ToldTraining
from pages.shared.elements import fragments
from pages.shared.model_runs import job_pool, traces
from pages.shared.server import limits, rate_limits, reached_limits
from pages.shared.server.rate_limits import LimitReached
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from viz.shared.style import markdown_text

REDRAW_SECONDS = 2.0  # from one drawing of a run to the next
TASKS = {"reverse": "Reverse the digits", "sort": "Sort the digits", "pairs": "A hundred pairs, English to Urdu"}
SWITCHES = {
    "training_forced": ("Teacher forcing", "Off: in training the decoder reads what it has just written itself."),
    "training_shifted": ("Target shifted", "Off: every position reads the very token that it is asked for."),
    "training_positions": ("Positions", "Off: no position vectors in encoder and decoder."),
    "training_scaled": ("Divide by √d_k", "Off: q · k goes into the softmax as it is."),
}


@dataclass
class LiveSession:
    """The one run of a session. `is_asked`: it waits for `start_if_asked`; `is_wanted`: it is to work.

    `has_turned`: the whole page must run again. `untrained`: a run at step 0, for settings that were not trained.
    """

    run: LiveRun | None = None
    untrained: LiveRun | None = None
    is_asked: bool = False
    is_wanted: bool = False
    has_turned: bool = False


def current() -> LiveRun | None:
    """The run of this session, working or not. None if there is none."""
    return of_session(LiveSession).run


def is_active(run: LiveRun) -> bool:
    """Whether the run works or waits for its turn."""
    return job_pool.pool().count_ahead(run) is not None


def watch(run: LiveRun, draw: Callable[[], None]) -> None:
    """Draws a run by `draw`. While the run works, it is drawn again and again.

    Each drawing keeps the run alive: a run that nobody watches is stopped.
    """
    working = is_active(run)
    fragments.alone(_draw_part, every=REDRAW_SECONDS if working else None)(run, working, draw)


def _draw_part(run: LiveRun, working: bool, draw: Callable[[], None]) -> None:
    job_pool.pool().keep_alive(run)
    if is_active(run) != working:
        st.rerun()  # only the whole page can start and stop the clock of this part
    draw()


def setup() -> Setup:
    """The settings of the page as a setup."""
    switches = Switches(*(state.get(key) for key in SWITCHES))
    names = ("task", "rate", "warmup", "steps", "seed")
    task, rate, warmup, steps, seed = (state.get(f"training_{name}") for name in names)
    return Setup(task, switches, rate, warmup, steps, seed)


def choose_settings(view: object) -> None:
    """Shows the settings of the next run: its task beside the parts of the page, the others in a menu."""
    st.selectbox(
        "Task", tuple(TASKS), key="training_task", format_func=TASKS.__getitem__, width=240,
        label_visibility="collapsed",
    )  # fmt: skip
    with st.popover(_settings_title(), icon=":material/tune:", key="training settings"):
        st.number_input(
            "Learning rate", 0.0, 1e30, key="training_rate", format="%g", step=0.001,
            help="The peak. 0 learns nothing; a huge one diverges.",
        )  # fmt: skip
        st.number_input("Warm-up steps", 0, 5000, key="training_warmup")
        st.number_input("Steps", 1, 5000, key="training_steps", step=100)
        st.number_input("Seed", 0, 9999, key="training_seed")
        for key, (label, tip) in SWITCHES.items():
            st.toggle(label, key=key, help=tip)


def _settings_title() -> str:
    """The title of the menu of settings: it says what was switched off."""
    off = [label.lower() for key, (label, _) in SWITCHES.items() if not state.get(key)]
    return f"Settings (off: {', '.join(off)})" if off else "Settings"


def press(view: object) -> None:
    """Shows those of the buttons start, pause, go on, stop and reset that make sense now."""
    run = current()
    active = run is not None and is_active(run)
    with st.container(horizontal=True):
        if active:
            _button("Pause", "pause", _pause)
        elif run is not None and not run.over:
            _button("Go on", "play_arrow", _go_on, "primary")
        if not active:
            _button(
                "Train it live" if run is None else "Start anew",
                "play_arrow",
                _start,
                "primary" if run is None else "secondary",
            )
        if run is not None and not run.over:
            _button("Stop", "stop", _stop)
        if run is not None:
            _button("Reset", "restart_alt", _reset)
    rerun_if_state_changed()


def rerun_if_state_changed() -> None:
    """Runs the whole page again after a press inside the part that draws the run."""
    session = of_session(LiveSession)
    if session.has_turned:
        session.has_turned = False
        st.rerun()


def _button(label: str, icon: str, act: object, kind: str = "secondary") -> None:
    st.button(label, icon=f":material/{icon}:", key=f"live {label}", on_click=act, type=kind)  # type: ignore[arg-type]


def _start() -> None:
    state.put(training_look=-1)
    start()


def start() -> None:
    """Start a new run with the settings, in a callback. It waits for `start_if_asked` if too many were started."""
    _leave()
    of_session(LiveSession).is_asked = True
    with suppress(LimitReached):
        _start_asked()


def start_if_asked() -> None:
    """Start the run that had to wait, or say that it still has to."""
    if of_session(LiveSession).is_asked:
        try:
            _start_asked()
        except LimitReached as error:
            reached_limits.note(error)


def _start_asked() -> None:
    rate_limits.spend(limits.TRAININGS)
    of_session(LiveSession).is_asked = False
    try:
        run = LiveRun(setup())
    except traces.errors() as error:
        state.say("training_task", markdown_text(str(error)))
        return
    of_session(LiveSession).run = run
    training = of_session(ToldTraining)
    training.told, training.lost = f"{TASKS[run.setup.task]}, {run.setup.steps:,} steps", ""
    _enter(run)


def _enter(run: LiveRun) -> None:
    of_session(LiveSession).is_wanted = True
    job_pool.pool().enter(run)
    of_session(LiveSession).has_turned = True


def _go_on() -> None:
    run = current()
    if run is not None:
        _enter(run)


def _leave() -> None:
    run = current()
    if run is not None:
        job_pool.pool().leave(run)
    session = of_session(LiveSession)
    session.is_wanted, session.has_turned = False, True


def _pause() -> None:
    _leave()


def _stop() -> None:
    _leave()
    of_session(LiveSession).is_asked = False
    run = current()
    if run is not None:
        run.stop()


def _reset() -> None:
    _stop()
    of_session(LiveSession).run = None
    of_session(ToldTraining).told = None
