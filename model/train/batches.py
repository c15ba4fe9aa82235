"""The batches of a run. Where several processes train together, they draw them by turns: each is drawn only once."""

from __future__ import annotations

from model.train.processes import Processes
from model.train.task import Batch, Task

TURN = 16  # steps whose batches one process draws: as many as en-ur makes together in a pool


class Batches:
    """The batches of a run, step by step. A process alone draws each when it is asked for."""

    def __init__(self, task: Task, seed: int, processes: Processes) -> None:
        self.task, self.seed, self.processes = task, seed, processes
        self.drawn: dict[int, Batch] = {}

    def at(self, step: int) -> Batch:
        """The global batch of `step` (from 0). All processes must ask for the same steps in the same order."""
        if self.processes.world == 1:
            return self.task.batch(self.seed, step)
        if step not in self.drawn:
            self.drawn = self.processes.merge({each: self.task.batch(self.seed, each) for each in self.mine(step)})
        return self.drawn.pop(step)

    def mine(self, step: int) -> list[int]:
        """The steps from `step` to the end of the round that this process draws. In a round each has one turn."""
        round_ = TURN * self.processes.world
        left = range(step, (step // round_ + 1) * round_)
        return [each for each in left if each // TURN % self.processes.world == self.processes.rank]
