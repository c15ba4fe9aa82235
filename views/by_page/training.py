"""Training: how the bundled models learnt, and a small one from its recording."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, ClassVar

from traitlets import Bool, Enum, Float, Int, Unicode

from model import GlassformerError
from model.train.live import LiveRun
from model.train.live_recording import RecordedRun, recorded
from model.train.live_tasks import Setup, Switches
from views.by_page.live_view import LiveView
from views.by_page.loaded import loaded
from views.by_page.watch import Watch as Watch
from views.learning.training.course import Course, best_layer
from views.learning.training.forcing import TeacherForcing, nearest_step, say_origin
from views.learning.training.live import show_recorded
from views.learning.training.run_at import RunAt
from views.learning.training.snapshots import read_frame, score_heads
from views.shared.examples import DEFAULT_SENTENCE
from views.view import View

score_once = lru_cache(maxsize=2)(score_heads)


class Replay(LiveView):
    """The training of a bundled model at one of its snapshots, with a sentence in it. It takes no run."""

    part: ClassVar[tuple[str, ...]] = ("replay",)
    of = Enum(("", "tiny-lm", "tiny-lm-moe", "en-ur"), "", help="the model; by default tiny-lm")
    snapshot = Int(-1, min=-1, help="the snapshot, from 0; by default the last")
    layer = Int(-1, min=-1, help="the layer whose heads are shown; by default that of the best head")
    text = Unicode(DEFAULT_SENTENCE, help="the sentence that the snapshot reads")

    def view(self) -> View:
        model = loaded(self.of or "tiny-lm")
        name, last = model.card.name, len(model.card.details["snapshots"]) - 1
        snapshot = last if self.snapshot < 0 else self.snapshot
        scores = score_once(name, last + 1)
        layer = best_layer(scores[-1]) if self.layer < 0 else self.layer
        for what, number, count in (("snapshot", snapshot, last + 1), ("layer", layer, len(scores[-1]))):
            if number >= count:
                raise GlassformerError(f"There is no {what} {number}: there are {count}, from 0 to {count - 1}.")
        frame = read_frame(name, snapshot, self.text)
        return Course(model.card, snapshot, model.config.vocab_size, scores, layer, self.text, frame)


class LiveViewOfSetup(LiveView):
    """A view of a small network that is trained on one task. It takes no run."""

    task = Enum(("reverse", "sort", "pairs"), "reverse", help="what it learns: to reverse digits, to sort them, pairs")
    rate = Float(0.003, min=0.0, max=1e30, help="the peak of the learning rate")
    warmup = Int(50, min=0, max=5000, help="the steps before the peak")
    steps = Int(1000, min=1, max=5000, help="the steps of the training")
    seed = Int(0, min=0, max=9999, help="of the weights and the batches")
    forced = Bool(True, help="whether the decoder reads the true words in training")
    shifted = Bool(True, help="whether it reads the word before the one that it is asked for")
    positions = Bool(True, help="whether it has positions")
    scaled = Bool(True, help="whether scores are divided by the root of d_k")

    def setup(self) -> Setup:
        """The settings."""
        switches = Switches(self.forced, self.shifted, self.positions, self.scaled)
        task: Any = self.task
        return Setup(task, switches, self.rate, self.warmup, self.steps, self.seed)


class Live(LiveViewOfSetup):
    """The recorded training of a task: its loss, its learning rate, its heads."""

    part: ClassVar[tuple[str, ...]] = ("live",)

    def view(self) -> View:
        return show_recorded(self.setup())


class Forcing(LiveViewOfSetup):
    """A batch of the recorded training, or of the untrained network where the settings are others."""

    part: ClassVar[tuple[str, ...]] = ("forcing",)
    row = Int(0, min=0, help="the row of the batch")
    look = Int(-1, min=-1, help="the step whose batch is shown; by default the last that was measured")

    def view(self) -> View:
        setup = self.setup()
        made_before = recorded(setup)
        run: LiveRun | RecordedRun = made_before if made_before.setup == setup else LiveRun(setup, "cpu")
        now = run.view()
        place = nearest_step([look.step for look in now.looks], self.look)
        count = len(now.looks[place].batch)
        if self.row >= count:
            raise GlassformerError(f"There is no row {self.row}: the batch has {count}, from 0 to {count - 1}.")
        return TeacherForcing(RunAt.of(run, now), place, self.row, say_origin(run))
