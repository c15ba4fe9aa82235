"""A training run to watch. It can be started, paused and stopped, and shows its state at any time.

A run has no thread of its own. `work` takes its steps in the thread that calls it. Any other thread may call `view` at
any time.
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

from model.device import PLAIN, Placement, choose, copy_to, to_cpu, within_memory
from model.errors import DeviceFull
from model.generation.teacher_forcing import TeacherForcedRun
from model.network.transformer import Transformer
from model.seeding import seeded
from model.tape import Tape
from model.train.live_tasks import LiveTask, Setup, make
from model.train.loop import descend, make_optimizer, measure
from model.train.schedule import learning_rate
from model.train.task import IGNORE, Batch, token_loss

# The run is measured after these steps, and then every so many. To measure takes as long as two steps.
EARLY_LOOK_STEPS, LOOK_EVERY_STEPS = (5, 10, 20, 30, 40, 50, 75), 100
SAMPLES = 4  # held-out samples, and rows of the batch, in each `Look`
SPEED_STEPS = 100  # the speed is the mean over so many steps
T = TypeVar("T")
State = Literal["new", "running", "paused", "stopped", "finished", "diverged"]


@dataclass(frozen=True)
class Sample:
    """A held-out source, the right target, and the target that the model writes, as ids."""

    source: tuple[int, ...]
    truth: tuple[int, ...]
    written: tuple[int, ...]


@dataclass(frozen=True)
class Look:
    """The measures after one step.

    `attention` is the cross-attention of the first sample while the decoder reads the truth: (heads, targets, sources).
    `batch` holds the first rows of that step's batch, position by position.
    """

    step: int
    measures: Mapping[str, float]
    attention: Tensor
    samples: tuple[Sample, ...]
    batch: tuple[tuple[tuple[int, ...], TeacherForcedRun], ...]  # (source ids, the decoder's run) of each row


@dataclass
class History:
    """One entry for each step, from step 0.

    `loss` is the batch's mean in nats a token. `accuracy` is the share of its tokens that were right. `gradients` are
    the norms of the gradient in each part of the network, before it is clipped.
    """

    loss: list[float] = field(default_factory=list)
    accuracy: list[float] = field(default_factory=list)
    gradients: dict[str, list[float]] = field(default_factory=dict)


@dataclass(frozen=True)
class View:
    """The run at one moment. It never changes."""

    state: State
    step: int  # number of steps taken
    speed: float  # steps a second, over the last `SPEED_STEPS` steps; 0 if unknown
    history: History
    looks: tuple[Look, ...]


class LiveRun:
    """An encoder-decoder, its optimiser, and its measures so far. On one device, the same setup gives the same run.

    It computes on `device` (see `model.device.choose`), always in float32. If the memory of a GPU is full, the run
    continues on the CPU. Raises `DeviceMissing`.
    """

    def __init__(self, setup: Setup, device: str = "auto") -> None:
        self.setup, self.task = setup, make(setup)
        self.network = make_network(self.task, setup.seed)
        self.optimizer = make_optimizer(self.network, self.task.recipe)
        self.state: State = "new"
        self._working, self._writing = Lock(), Lock()
        self._parts = parts_of(self.network)
        self._history = History(gradients={part: [] for part in self._parts})
        self._looks: list[Look] = []
        self._times: deque[float] = deque(maxlen=SPEED_STEPS)
        self._wanted = choose(device, torch.float32)
        with suppress(DeviceFull):
            self._move(self._wanted)
        self._look(self.task.batch(setup.seed, 0))

    @property
    def place(self) -> Placement:
        """The place where it computes."""
        return Placement.of(self.network)

    @property
    def had_to_move(self) -> bool:
        """Whether it had to move to the CPU because the memory of its GPU was full."""
        return self.place.device.type != self._wanted.device.type

    def _move(self, place: Placement) -> None:
        """Moves the network and the optimiser's state to another device. Raises `DeviceFull`."""
        if place == self.place:
            return
        self.network = copy_to(self.network, place)
        self._parts = parts_of(self.network)
        state = self.optimizer.state_dict()
        self.optimizer = make_optimizer(self.network, self.task.recipe)
        self.optimizer.load_state_dict(state)

    def _run_within_memory(self, work: Callable[[], T]) -> T:
        """Returns `work()`. If the GPU has too little memory for it, moves to the CPU and tries there."""
        try:
            with within_memory():
                return work()
        except DeviceFull:
            self._move(PLAIN)
        return work()

    @property
    def over(self) -> bool:
        """Whether the run takes no further step."""
        return self.state in ("stopped", "finished", "diverged")

    def stop(self) -> None:
        """Ends the run for good, after the current step."""
        if not self.over:
            self.state = "stopped"

    def work(self, go_on: Callable[[], bool]) -> None:
        """Takes steps until the last one, until the loss is no longer finite, or until `go_on()` is False.

        It calls `go_on` before each step. Only one thread works at a time.
        """
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
        """Takes one step of the optimiser, as in `model.train.loop`, and records it."""
        taken = len(self._history.loss)
        batch = self.task.batch(self.setup.seed, taken)
        loss, accuracy, gradients = self._run_within_memory(lambda: self._compute(batch, taken))
        with self._writing:
            self._history.loss.append(loss)
            self._history.accuracy.append(accuracy)
            for part, norms in self._history.gradients.items():
                norms.append(gradients.get(part, math.nan))
            self._times.append(time.perf_counter())
        if not math.isfinite(loss):
            self.state = "diverged"
            return
        last = taken + 1 >= self.setup.steps
        if last or taken + 1 in EARLY_LOOK_STEPS or (taken + 1) % LOOK_EVERY_STEPS == 0:
            self._look(batch)
        if last and not self.over:
            self.state = "finished"

    def _compute(self, batch: Batch, step: int) -> tuple[float, float, dict[str, float]]:
        """Changes the weights. Returns the mean loss of the batch, its share of right tokens, and the gradients' norms.

        A loss that is not finite changes nothing and gives no norms.
        """
        self.network.train()
        logits = self.task.logits(self.network, batch)
        total, count = token_loss(logits, batch.labels)
        loss = float(total.detach()) / count
        accuracy = int((PLAIN.take(logits.argmax(-1)) == batch.labels).sum()) / count
        gradients: dict[str, float] = {}
        if math.isfinite(loss):
            self._descend(total / count, step, gradients)
        return loss, accuracy, gradients

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
        measured = self._run_within_memory(lambda: look(self.task, self.network.eval(), batch, len(self._history.loss)))
        with self._writing:
            self._looks.append(measured)

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
        """The learning rate of a step (from 0)."""
        return learning_rate(step, self.task.recipe)


def make_network(task: LiveTask, seed: int) -> Transformer:
    """The untrained network of a task."""
    with seeded(seed):
        return Transformer(task.config)


def use_one_thread() -> None:
    """Lets torch compute in this thread only. More would not help a small network, and other sessions need the cores.

    For threads that start later, torch uses the number that any thread set last. So another thread restores it.
    """
    usual = torch.get_num_threads()
    torch.set_num_threads(1)
    after = Thread(target=torch.set_num_threads, args=(usual,))
    after.start()
    after.join()


def parts_of(network: nn.Module) -> dict[str, list[nn.Parameter]]:
    """The parameters of the embeddings and of each sublayer, "decoder.0.cross_attn". Norms of layers are left out."""
    parts: dict[str, list[nn.Parameter]] = {}
    for name, parameter in network.named_parameters():
        stack, _, *path = name.split(".")
        part = f"{stack}.{path[0]}.{path[1]}" if path[0].isdigit() else "embedding"
        if "norm" not in part:
            parts.setdefault(part, []).append(parameter)
    return parts


def gradient_norms(parts: Mapping[str, list[nn.Parameter]]) -> dict[str, float]:
    """The norm of each part's gradient: the root of the sum of squares over its parameters."""
    norms = torch._foreach_norm([p.grad for of in parts.values() for p in of if p.grad is not None])
    sizes = [sum(p.grad is not None for p in of) for of in parts.values()]
    groups = PLAIN.take(torch.stack(norms)).split(sizes)
    return {part: float(group.norm()) for part, group in zip(parts, groups, strict=True)}


def look(task: LiveTask, network: Transformer, batch: Batch, step: int) -> Look:
    """Measures, attention and samples of a network after `step` steps, and the first rows of a batch.

    The network must be in evaluation mode.
    """
    held_out = _rows(task.held_out, SAMPLES)
    assert held_out.targets is not None
    with torch.no_grad():
        tape = Tape(keep="decoder.*.cross_attn.weights")
        real = held_out.inputs != task.pad_id
        network(held_out.targets, held_out.inputs, tape, source_is_real=real)
        written = task.write(network, held_out)
        rows = force_batch(task, network, _rows(batch, SAMPLES))
    # Those of the first sample: (heads, targets, sources) each.
    layers = [weights[0] for weights in to_cpu(tape.records).values()]
    targets, sources = int((held_out.labels[0] != IGNORE).sum()), int(real[0].sum())
    samples = zip(_trim(held_out.inputs, task.pad_id), task.truths(held_out), written, strict=True)
    return Look(
        step,
        measure(task, network),
        torch.cat(layers)[:, :targets, :sources].clone(),
        tuple(Sample(tuple(source), tuple(truth), tuple(mine)) for source, truth, mine in samples),
        tuple(zip(_trim(batch.inputs[:SAMPLES], task.pad_id), rows, strict=True)),
    )


def force_batch(task: LiveTask, network: Transformer, batch: Batch) -> list[TeacherForcedRun]:
    """The decoder's run over each row: its input, label, likeliest token and loss at each position."""
    inputs = task.decoder_inputs(network, batch)
    scores = network(inputs, batch.inputs, source_is_real=batch.inputs != task.pad_id)
    logits = PLAIN.take(scores)  # (rows, tokens, vocabulary)
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


def _trim(ids: Tensor, pad_id: int) -> list[tuple[int, ...]]:
    return [tuple(id for id in row if id != pad_id) for row in ids.tolist()]
