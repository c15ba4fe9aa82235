"""The heads and the loss of a network of the user's own, while its training runs.

watch = views.training.Watch(adopt(network, tokenizer), ["The animal was tired because it walked"])
watch                             # as the last line of a cell
for batch in batches:             # in a later cell
    loss = take_a_step(batch)
    watch.step(loss)
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from traitlets import Enum, Int

from model import GlassformerError, Model
from model.analysis.head_steps import Attention
from views.attention.all_heads import AllHeads
from views.by_page.live_view import LiveView
from views.head_of_run import NO_PAIR
from views.learning.training.watched import Watched, WatchedLoss
from views.notebook.last_output import LastOutput
from views.run import run_of
from views.usual_head import choose_head

if TYPE_CHECKING:
    from torch import Tensor

KEPT = ("*_attn.weights", "*_attn.mask")
MOST_SHARE = 0.02  # of the training's time that may be spent on looks


class Watch(LiveView):
    """The loss of a training, and every head over one of some sentences. It looks at the network in one step of
    `every`, or less often where the looks would take more than 2% of the time."""

    page: ClassVar[str] = "training"
    sentence = Int(0, min=0, help="which of the sentences is shown, from 0")
    layer = Int(-1, min=-1, help="the layer of the head that is framed")
    head = Int(-1, min=-1, help="the head that is framed")
    sort = Enum(("layer", "previous", "first", "self", "same", "strongest", "spread"), "layer", help="their order")
    seen = Int(0, help="the step of the last look")

    def __init__(self, model: Model, sentences: Sequence[str], every: int = 50, **choices: Any) -> None:
        """`model`: of `adopt`, whose weights are those that are trained. Raises `GlassformerError` for no sentence, or
        one that the model cannot read."""
        super().__init__(**choices)
        if isinstance(sentences, str) or not sentences:
            raise GlassformerError('Give a list of sentences, such as ["the dog sees the cat"].')
        self.every = every
        self.seconds = 0.0  # spent on looks since the first step
        self._model, self._sentences = model, tuple(sentences)
        self._losses: list[float | Tensor] = []
        self._begun, self._last_cost = 0.0, 0.0
        self._output, self._steps_before = LastOutput(self._repr_mimebundle_, self._look_after_cell), 0
        self._read()

    def step(self, loss: float | Tensor) -> None:
        """A step of the training has this loss: a number, or a tensor with one, which is read at the next look."""
        now = time.perf_counter()
        self._begun = self._begun or now
        self._losses.append(loss if isinstance(loss, int | float) else loss.detach())
        due = len(self._losses) - self.seen >= self.every
        if due and self.seconds + self._last_cost <= MOST_SHARE * (now - self._begun):
            self.look()

    def look(self) -> None:
        """Look at the network as it is now, and show it."""
        begun = time.perf_counter()
        self._read()
        self.seen = len(self._losses)  # the picture follows
        self._last_cost = time.perf_counter() - begun
        self.seconds += self._last_cost

    def _read(self) -> None:
        self._losses = [float(loss) for loss in self._losses]
        self._traces = self._model.trace_batch(self._sentences, keep=KEPT)

    def view(self) -> Watched:
        if self.sentence >= len(self._traces):
            raise GlassformerError(f"There is no sentence {self.sentence}: there are {len(self._traces)}, from 0.")
        run = run_of(self._traces[self.sentence], KEPT)
        head = choose_head(run, Attention(run.config.stacks[-1], self.layer, "self_attn"), self.head, NO_PAIR)
        losses = tuple(float(loss) for loss in self._losses[: self.seen])
        return Watched(WatchedLoss(losses), AllHeads(head, self.sort))

    def _ipython_display_(self) -> None:
        self._output.show()

    def _look_after_cell(self) -> bool:
        """Look once more after a cell that has trained. Returns whether it has."""
        has_trained = len(self._losses) > self._steps_before
        self._steps_before = len(self._losses)
        if has_trained:
            self.look()
        return has_trained
