"""A live run of training at one moment."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from model.train.live import History, LiveRun, Look, View
from model.train.live_recording import RecordedRun, recorded
from model.train.live_tasks import LiveTask, Setup
from views.call import Call
from viz.shared.style import isolate


@dataclass(frozen=True)
class RunAt:
    """A run after `step` steps. The same setup and step have the same numbers.

    `speed`: steps a second while it works, else 0. `made_with` says how a recorded run was made.
    """

    setup: Setup
    step: int
    task: LiveTask = field(compare=False)
    history: History = field(compare=False)
    looks: Sequence[Look] = field(compare=False)
    speed: float = field(default=0.0, compare=False)
    made_with: str = ""

    @classmethod
    def of(cls, run: LiveRun | RecordedRun, now: View, *, is_working: bool = False) -> RunAt:
        """A run as it is `now`."""
        made_with = run.made_with if isinstance(run, RecordedRun) else ""
        speed = now.speed if is_working else 0.0
        return cls(run.setup, now.step, run.task, now.history, now.looks, speed, made_with)

    def made_by(self) -> Call:
        return Call(recorded_run, (self.setup,)) if self.made_with else Call(train_live, (self.setup, self.step))

    @property
    def latest(self) -> Look:
        """What was measured last."""
        return self.looks[-1]

    def words(self, ids: Iterable[int]) -> list[str]:
        """The words of tokens of its task."""
        return [isolate(word) for word in self.task.texts(list(ids))]


def recorded_run(setup: Setup) -> RunAt:
    """The run that comes with the project, at its end. Raises `RecordingDamaged`."""
    run = recorded(setup)
    return RunAt.of(run, run.view())


def train_live(setup: Setup, steps: int) -> RunAt:
    """A run after so many steps, trained now on the CPU."""
    run = LiveRun(setup, "cpu")
    while not run.over and run.view().step < steps:
        run.step()
    return RunAt.of(run, run.view())
