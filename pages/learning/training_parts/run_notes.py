"""What is to be said of the state of a run of training: that it waits, was stopped, or has other settings."""

from __future__ import annotations

from model.train.live import LiveRun, View
from pages.learning.training_parts import session
from pages.learning.training_parts.session import LiveSession
from pages.learning.training_parts.told_training import ToldTraining
from pages.shared.model_runs import job_pool
from pages.shared.server.session_values import of_session
from views.learning.training.live import say_diverged, say_other_settings
from viz.documents.page_parts import Text
from viz.shared.style import markdown_text, number


def of_live(run: LiveRun, now: View) -> list[Text]:
    """The state of the reader's run."""
    notes = _state(run, now)
    if run.had_to_move:
        notes.append(Text("The GPU's memory is full: this run is on the CPU.", "warning", ":material/memory:"))
    if run.setup.learning_rate == 0:
        said = "The learning rate is 0: every step leaves the weights as they are."
        notes.append(Text(said, "warning", ":material/info:"))
    if session.setup() != run.setup:
        notes.append(say_other_settings("Start anew to train with those above."))
    return notes


def _state(run: LiveRun, now: View) -> list[Text]:
    """Why it does not work now; [] while it works."""
    ahead = job_pool.pool().count_ahead(run)
    if ahead:
        others = "another run" if ahead == 1 else f"{ahead} other runs"
        said = (
            f"Waiting: {job_pool.MAX_JOBS} runs at once on this server. Yours starts when {others} has ended: "
            f"place {ahead} in the queue."
        )
        return [Text(said, "info", ":material/hourglass_top:")]
    if now.state == "diverged":
        said = (
            f"{say_diverged(now.step).removesuffix('.')}, and the run has been stopped. The learning rate is "
            f"{number(run.setup.learning_rate)}; start anew with a smaller one."
        )
        return [Text(said, "error", ":material/trending_up:")]
    if now.state == "stopped":
        return [Text(f"Stopped after step {now.step:,}.", "info", ":material/stop:")]
    if now.state == "finished":
        return [Text(f"All {now.step:,} steps are done.", "success", ":material/check:")]
    if ahead is None and of_session(LiveSession).is_wanted:
        said = (
            f"It stopped after step {now.step:,}, because this page was left for more than "
            f"{number(job_pool.PATIENCE_SECONDS, 0)} seconds. Nothing is lost: let it go on."
        )
        return [Text(said, "warning", ":material/pause:")]
    return [Text(f"Paused after step {now.step:,}.", "info", ":material/pause:")] if ahead is None else []


def say_lost() -> list[Text]:
    """Say that a training of this window is gone. A run is in the memory of the process, with its session alone."""
    lost = of_session(ToldTraining).lost
    if not lost:
        return []
    said = (
        f"Your training is gone, with its steps and its curves: {markdown_text(lost)}. The page was loaded again, "
        "or the server was restarted. Train it live again: with the same settings it takes the same steps."
    )
    return [Text(said, "warning", ":material/restart_alt:")]
