"""A real model: the buttons that fetch and measure its steps, and how far that is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from model.numerals import file_size
from pages.adding import rights
from pages.learning.training_parts import player, published_run, published_steps
from pages.learning.training_parts.published_run import KEY
from pages.shared.elements import layout
from pages.shared.model_runs import job_pool, traces
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.learning.training.published import Replayed
from viz.shared.style import count_noun, markdown_text

if TYPE_CHECKING:
    from model.experiments.training_replay import Replay, View


def work_and_play(view: Replayed) -> None:
    """The buttons, how far the work is, and the slider over the steps that are measured."""
    replay = published_run.on_screen()
    assert replay is not None, "the view is of it"
    now, working = replay.view(), published_run.is_active(replay)
    with st.container():  # reserved: what stands below stays in its place
        _buttons(replay, now, working)
        _say_state(replay, now, working)
    if now.measures and not working and not published_steps.is_to_come(replay, state.get(KEY)):
        player.choose(KEY, view.steps)


def _buttons(replay: Replay, view: View, working: bool) -> None:
    if working:
        st.button("Stop", icon=":material/stop:", on_click=published_run.stop, args=(replay,))
    elif not view.over:
        left = len(replay.missing())
        st.button(
            f"Fetch and measure {count_noun(left, 'step')}", icon=":material/download:", type="primary",
            on_click=published_run.start, args=(replay,),
        )  # fmt: skip
    kept = published_run.kept_steps(replay.repository)
    if kept and not working and rights.may_remove():
        st.button(
            f"Remove the kept files of {count_noun(kept, 'step')}", icon=":material/delete:", type="tertiary",
            on_click=published_run.remove_kept, args=(replay.repository,),
        )  # fmt: skip


def _say_state(replay: Replay, view: View, working: bool) -> None:
    """How far it is, or why it is no further."""
    total = len(replay.revisions)
    done = len(view.measures) + len(view.left_out)
    if working:
        ahead = job_pool.pool().count_ahead(replay)
        doing = f"Step {view.step:,}: {view.doing}" if view.step is not None else "Waiting for its turn"
        st.progress((done + view.share) / total if not ahead else 0.0, text=f"{done} of {total} steps. {doing}")
    elif refused := of_session(published_run.PublishedSession).refused:
        st.error(markdown_text(refused), icon=":material/lock:")
    elif view.fault:
        st.error(markdown_text(view.fault), icon=":material/error:")
    elif not view.over:
        layout.caption(f"{done} of {total} steps are measured. {_say_downloads(replay, view)}")
    for step, reason in view.left_out.items():
        st.info(f"Step {step:,} is left out. {markdown_text(reason)}", icon=":material/block:")
    for steps in view.same_files:
        listed = ", ".join(f"{step:,}" for step in steps)
        st.info(f"The hub has the very same weights under the steps {listed}.", icon=":material/content_copy:")


def _say_downloads(replay: Replay, view: View) -> str:
    """What the missing steps cost."""
    count = replay.count_downloads()
    if not count:
        return "The files of the others are here, so nothing is downloaded."
    size = view.bytes_each or traces.model(replay.name, whole=True).card.size
    where = "They stay" if replay.keep else "One at a time is"
    return (
        f"To download: {count} times about {file_size(size)}, {file_size(count * size)} in all. {where} on the "
        "disk of the machine where the app runs. The work goes on while you look at this page; what was measured stays."
    )
