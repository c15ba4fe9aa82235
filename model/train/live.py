"""A training run to watch: it goes on and stops when asked, and tells what a reader wants to see of it.

A run has no thread and no clock of its own. `work` takes steps in whatever thread calls it; `view` may be called from
any other at any time.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock, Thread
from typing import Literal, TypeVar

import torch
from torch import Tensor, nn

from model.device import PLAIN, Place, choose, copy_to, to_cpu, within_memory
from model.errors import DeviceFull
from model.generation.teacher_forcing import TeacherForcedRun
from model.network.transformer import Transformer
from model.seeding import seeded
from model.tape import Tape
from model.train.live_tasks import LiveTask, Setup, make
from model.train.loop import descend, make_optimizer, measure
from model.train.schedule import learning_rate
from model.train.task import IGNORE, Batch, token_loss

EARLY, EVERY = (5, 10, 20, 30, 40, 50, 75), 100  # the steps after which the run is measured: it costs two steps
SHOWN = 4  # samples, and rows of the batch
RECENT = 100  # steps over which the speed is taken
T = TypeVar("T")
State = Literal["new", "running", "paused", "stopped", "finished", "diverged"]


@dataclass(frozen=True)
class Sample:
    """A held-out source, what should be written and what is, as ids."""

    source: tuple[int, ...]
    truth: tuple[int, ...]
    written: tuple[int, ...]


@dataclass(frozen=True)
class Look:
    """What is measured now and then. `attention` is the cross-attention of the first sample, (heads, targets, sources),
    while the decoder reads the truth; `batch` the first rows of the batch of that step, position by position."""

    step: int
    measures: Mapping[str, float]
    attention: Tensor
    samples: tuple[Sample, ...]
    batch: tuple[tuple[tuple[int, ...], TeacherForcedRun], ...]  # (source ids, what the decoder did) of each row


@dataclass
class History:
    """One entry a step, from step 0: the mean loss of the batch in nats a token, the share of its tokens that were
    right, and the gradient's norm in each part of the network, before it is clipped."""

    loss: list[float] = field(default_factory=list)
    accuracy: list[float] = field(default_factory=list)
    gradients: dict[str, list[float]] = field(default_factory=dict)


@dataclass(frozen=True)
class View:
    """The run at one moment. It never changes."""

    state: State
    step: int  # how many have been taken
    speed: float  # steps a second, lately; 0 where it is not known
    history: History
    looks: tuple[Look, ...]


class LiveRun:
    """An encoder-decoder, its optimiser, and what has been seen of it. The same setup gives the same run on a device.

    It computes on `device`, as `model.device.choose` names it, always in float32. Where a GPU's memory is full, the run
    goes on on the CPU. Raises `DeviceMissing`.
    """

    def __init__(self, setup: Setup, device: str = "auto") -> None:
        self.setup, self.task = setup, make(setup)
        self.network = fresh(self.task, setup.seed)
        self.optimizer = make_optimizer(self.network, self.task.recipe)
        self.state: State = "new"
        self._working, self._writing = Lock(), Lock()
        self._parts = parts_of(self.network)
        self._history = History(gradients={part: [] for part in self._parts})
        self._looks: list[Look] = []
        self._times: deque[float] = deque(maxlen=RECENT)
        self._wanted = choose(device, torch.float32)
        with suppress(DeviceFull):
            self._move(self._wanted)
        self._look(self.task.batch(setup.seed, 0))

    @property
    def place(self) -> Place:
        """Where it computes."""
        return Place.of(self.network)

    @property
    def had_to_move(self) -> bool:
        """Whether it computes on the CPU because the memory of its GPU was full."""
        return self.place.device.type != self._wanted.device.type

    def _move(self, place: Place) -> None:
        """Takes the network to another device, with what the optimiser remembers. Raises `DeviceFull`."""
        if place == self.place:
            return
        self.network = copy_to(self.network, place)
        self._parts = parts_of(self.network)
        remembered = self.optimizer.state_dict()
        self.optimizer = make_optimizer(self.network, self.task.recipe)
        self.optimizer.load_state_dict(remembered)

    def _fitting(self, work: Callable[[], T]) -> T:
        """`work()`; if the GPU has not enough memory for it, on the CPU."""
        try:
            with within_memory():
                return work()
        except DeviceFull:
            self._move(PLAIN)
        return work()

    @property
    def over(self) -> bool:
        return self.state in ("stopped", "finished", "diverged")

    def stop(self) -> None:
        """No step more, ever. A step that is under way is finished."""
        if not self.over:
            self.state = "stopped"

    def work(self, go_on: Callable[[], bool]) -> None:
        """Takes steps until the last one, until the loss is no longer finite, or until `go_on()` is False, which is
        asked before each step. One thread at a time."""
        with self._working:
            if self.over:
                return
            use_one_thread()
            self.state = "running"
            self._times.clear()
            try:
                while not self.over and go_on():
                    self.step()
            finally:
                if not self.over:
                    self.state = "paused"

    def step(self) -> None:
        """One step of the optimiser, as in `model.train.loop`, and what is to be seen of it."""
        taken = len(self._history.loss)
        batch = self.task.batch(self.setup.seed, taken)
        loss, right, gradients = self._fitting(lambda: self._compute(batch, taken))
        with self._writing:
            self._history.loss.append(loss)
            self._history.accuracy.append(right)
            for part, norms in self._history.gradients.items():
                norms.append(gradients.get(part, math.nan))
            self._times.append(time.perf_counter())
        if not math.isfinite(loss):
            self.state = "diverged"
            return
        last = taken + 1 >= self.setup.steps
        if last or taken + 1 in EARLY or (taken + 1) % EVERY == 0:
            self._look(batch)
        if last and not self.over:
            self.state = "finished"

    def _compute(self, batch: Batch, step: int) -> tuple[float, float, dict[str, float]]:
        """The mean loss of a batch, the share that was right, and the norm of the gradient in each part, by which the
        weights were changed; none of a loss that is not finite."""
        self.network.train()
        logits = self.task.logits(self.network, batch)
        total, count = token_loss(logits, batch.labels)
        loss = float(total.detach()) / count
        right = int((PLAIN.take(logits.argmax(-1)) == batch.labels).sum()) / count
        gradients: dict[str, float] = {}
        if math.isfinite(loss):
            self._descend(total / count, step, gradients)
        return loss, right, gradients

    def _descend(self, loss: Tensor, step: int, gradients: dict[str, float]) -> None:
        descend(
            loss,
            self.network,
            self.optimizer,
            self.task.recipe,
            step,
            look=lambda _: gradients.update(gradient_norms(self._parts)),
        )

    def _look(self, batch: Batch) -> None:
        made = self._fitting(lambda: look(self.task, self.network.eval(), batch, len(self._history.loss)))
        with self._writing:
            self._looks.append(made)

    def view(self) -> View:
        """The run as it is now."""
        with self._writing:
            history = History(
                list(self._history.loss),
                list(self._history.accuracy),
                {part: list(norms) for part, norms in self._history.gradients.items()},
            )
            times, looks = tuple(self._times), tuple(self._looks)
        speed = (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 else 0.0
        return View(self.state, len(history.loss), speed, history, looks)

    def rate(self, step: int) -> float:
        """The learning rate of a step, from 0."""
        return learning_rate(step, self.task.recipe)


def fresh(task: LiveTask, seed: int) -> Transformer:
    """The untrained network of a task."""
    with seeded(seed):
        return Transformer(task.config)


def use_one_thread() -> None:
    """This thread computes alone: a network so small gains nothing from several, and other sessions need the cores.

    torch takes the last number that any thread has set for all threads to come, so another one sets it back.
    """
    usual = torch.get_num_threads()
    torch.set_num_threads(1)
    after = Thread(target=torch.set_num_threads, args=(usual,))
    after.start()
    after.join()


def parts_of(network: nn.Module) -> dict[str, list[nn.Parameter]]:
    """The parameters of the embedding and of each sublayer: "decoder.0.cross_attn". Norms count with the embedding's
    layer they stand in."""
    parts: dict[str, list[nn.Parameter]] = {}
    for name, parameter in network.named_parameters():
        stack, _, *path = name.split(".")
        part = f"{stack}.{path[0]}.{path[1]}" if path[0].isdigit() else "embedding"
        if "norm" not in part:
            parts.setdefault(part, []).append(parameter)
    return parts


def gradient_norms(parts: Mapping[str, list[nn.Parameter]]) -> dict[str, float]:
    """|gradient| of each part: the root of the sum of squares over its parameters."""
    norms = torch._foreach_norm([p.grad for of in parts.values() for p in of if p.grad is not None])
    sizes = [sum(p.grad is not None for p in of) for of in parts.values()]
    groups = PLAIN.take(torch.stack(norms)).split(sizes)
    return {part: float(group.norm()) for part, group in zip(parts, groups, strict=True)}


def look(task: LiveTask, network: Transformer, batch: Batch, step: int) -> Look:
    """Measures, attention and samples of a network as it is now, and the first rows of a batch. In evaluation mode."""
    shown = _rows(task.held_out, SHOWN)
    assert shown.targets is not None
    with torch.no_grad():
        tape = Tape(keep="decoder.*.cross_attn.weights")
        real = shown.inputs != task.pad_id
        network(shown.targets, shown.inputs, tape, source_is_real=real)
        written = task.written(network, shown)
        rows = force_batch(task, network, _rows(batch, SHOWN))
    layers = [
        weights[0] for weights in to_cpu(tape.records).values()
    ]  # each (heads, targets, sources), of the first sample
    targets, sources = int((shown.labels[0] != IGNORE).sum()), int(real[0].sum())
    samples = zip(_trimmed(shown.inputs, task.pad_id), task.truths(shown), written, strict=True)
    return Look(
        step,
        measure(task, network),
        torch.cat(layers)[:, :targets, :sources].clone(),
        tuple(Sample(tuple(source), tuple(truth), tuple(mine)) for source, truth, mine in samples),
        tuple(zip(_trimmed(batch.inputs[:SHOWN], task.pad_id), rows, strict=True)),
    )


def force_batch(task: LiveTask, network: Transformer, batch: Batch) -> list[TeacherForcedRun]:
    """What the decoder reads, is asked for and finds likeliest at each position of each row, and its loss there."""
    inputs = task.decoder_inputs(network, batch)
    read = network(inputs, batch.inputs, source_is_real=batch.inputs != task.pad_id)
    logits = PLAIN.take(read)  # (rows, tokens, vocabulary)
    answers = batch.labels.clamp(min=0)[..., None]
    losses = -logits.log_softmax(-1).gather(-1, answers)[..., 0]
    rows = []
    for row, labels in enumerate(batch.labels):
        length = int((labels != IGNORE).sum())
        columns = (inputs[row], labels, logits[row].argmax(-1), losses[row])
        rows.append(TeacherForcedRun(*(tuple(column[:length].tolist()) for column in columns)))
    return rows


def _rows(batch: Batch, count: int) -> Batch:
    assert batch.targets is not None
    return Batch(batch.inputs[:count], batch.labels[:count], batch.targets[:count])


def _trimmed(ids: Tensor, pad_id: int) -> list[tuple[int, ...]]:
    return [tuple(id for id in row if id != pad_id) for row in ids.tolist()]
