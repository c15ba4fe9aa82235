"""The one training loop of all models. The task files hold the differences between models."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.parallel import DistributedDataParallel
from tqdm import tqdm

from model.train.batches import Batches
from model.train.checkpoint import Checkpoint, Progress
from model.train.errors import CheckpointError
from model.train.files import explain_write_errors, halve_weights, write_tensors
from model.train.processes import Processes
from model.train.schedule import learning_rate, snapshot_steps
from model.train.task import Recipe, Task
from model.train.warm_start import start_from

CURVE_POINTS = 200  # points of the loss curve in a card


@dataclass(frozen=True)
class Run:
    """The settings of a run. The task says what is trained."""

    folder: Path  # its checkpoint and snapshots
    seed: int = 0
    device: torch.device = field(default_factory=lambda: torch.device("cpu"))
    precision: torch.dtype = torch.float32
    processes: Processes = field(default_factory=Processes)
    resume: bool = False  # go on from the checkpoint
    restart: bool = False  # ignore the checkpoint
    start: Path | None = None  # the folder of a trained model: begin with its weights
    quiet: bool = False
    stop_after: int | None = None  # end early, as a kill would; the checkpoint stays


def train(task: Task, run: Run) -> tuple[nn.Module, Progress]:
    """Trains the task's model from its seed, its checkpoint or another model, and returns it in evaluation mode.

    Each step computes the loss of a batch, clips its gradient to `recipe.clip`, and takes a step of AdamW (Loshchilov
    and Hutter 2019) at the rate of `schedule.learning_rate`. Raises `CheckpointError`, `DamagedWeights`, `DiskError`.
    """
    torch.manual_seed(run.seed)
    network = task.make(task.config).to(run.device)
    optimizer = make_optimizer(network, task.recipe)
    checkpoint = Checkpoint(run.folder)
    progress = Progress()
    if checkpoint.exists and not run.restart:
        if not run.resume:
            raise CheckpointError(
                f"There is an unfinished run in {run.folder}. "
                "Add --resume to go on with it, or --restart to discard it."
            )
        progress = checkpoint.load(task, run.seed, network, optimizer)
    elif run.start is not None:
        start_from(run.start, task, network)
    trainer = Trainer(task, run, network, optimizer, checkpoint, progress)
    for _ in trainer.steps():
        if run.stop_after is not None and progress.step >= run.stop_after:
            break
    return network.eval(), progress


def make_optimizer(network: nn.Module, recipe: Recipe) -> torch.optim.AdamW:
    """AdamW with weight decay for matrices only, not for norms, biases and embeddings."""
    tables = {id(m.weight) for m in network.modules() if isinstance(m, nn.Embedding)}
    parameters = list(network.parameters())
    decaying = [p for p in parameters if p.ndim > 1 and id(p) not in tables]
    free = [p for p in parameters if p.ndim <= 1 or id(p) in tables]
    groups = [{"params": decaying, "weight_decay": recipe.weight_decay}, {"params": free, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=recipe.learning_rate, betas=recipe.betas, fused=True)


def descend(
    loss: Tensor,
    network: nn.Module,
    optimizer: torch.optim.Optimizer,
    recipe: Recipe,
    step: int,
    look: Callable[[nn.Module], None] | None = None,
) -> None:
    """Takes one step down the gradient of `loss`, at the learning rate of `step` (from 0).

    `look` is called with the network when it has its gradient, before the gradient is clipped.
    """
    for group in optimizer.param_groups:
        group["lr"] = learning_rate(step, recipe)
    loss.backward()
    if look is not None:
        look(network)
    nn.utils.clip_grad_norm_(network.parameters(), recipe.clip)
    optimizer.step()
    optimizer.zero_grad()


@dataclass
class Trainer:
    """A run: its parts and its steps."""

    task: Task
    run: Run
    network: nn.Module
    optimizer: torch.optim.Optimizer
    checkpoint: Checkpoint
    progress: Progress

    def __post_init__(self) -> None:
        self.batches = Batches(self.task, self.run.seed, self.run.processes)

    def steps(self) -> Iterator[int]:
        """Takes the steps that are left. Yields after each of them how many have been taken in all."""
        recipe, progress, first = self.task.recipe, self.progress, self.run.processes.first
        spread = self.network if self.run.processes.world == 1 else DistributedDataParallel(self.network)
        snapshots = set(snapshot_steps(recipe.steps, recipe.snapshots))
        every = max(1, recipe.steps // CURVE_POINTS)
        bar = tqdm(total=recipe.steps, initial=progress.step, desc=self.task.name, disable=self.run.quiet or not first)
        started, before = time.perf_counter(), progress.seconds
        if progress.step == 0 and 0 in snapshots and first:
            self.snapshot()
        while progress.step < recipe.steps:
            loss, tokens = self.step(spread, progress.step)
            progress.step += 1
            progress.tokens += tokens
            progress.seconds = before + time.perf_counter() - started
            if progress.step % every == 0 or progress.step in (1, recipe.steps):
                progress.curve.append([progress.step, round(loss, 5)])
            bar.update()
            bar.set_postfix(loss=f"{loss:.3f}", refresh=False)
            if progress.step in snapshots and first:
                self.snapshot(loss)
            if first and (progress.step % recipe.checkpoint_every == 0 or progress.step == recipe.steps):
                self.checkpoint.save(self.task, self.run.seed, self.network, self.optimizer, progress)
            yield progress.step
        bar.close()

    def step(self, spread: nn.Module, step: int) -> tuple[float, int]:
        """Takes one step of the optimiser. Returns the mean loss in nats a label, and the number of labels."""
        task, run = self.task, self.run
        torch.manual_seed(run.seed * 1_000_003 + step)  # dropout depends only on the seed and the step, like the data
        self.network.train()
        batch = self.batches.at(step).share(run.processes.rank, run.processes.world).to(run.device)
        with autocast(run):
            total, count = task.loss(spread, batch)
        labels = run.processes.total(count, run.device)
        # The loss is the mean over the labels of all processes, but data parallelism averages over processes.
        descend(total * (run.processes.world / labels), self.network, self.optimizer, task.recipe, step)
        return run.processes.total(float(total.detach()), run.device) / labels, int(labels)

    def snapshot(self, loss: float | None = None) -> None:
        """Writes the current weights in float16, and notes the loss of the step and held-out measures."""
        number, step = len(self.progress.snapshots), self.progress.step
        self.progress.snapshots = [entry for entry in self.progress.snapshots if entry["step"] != step]
        name = f"snapshot-{number:02d}.safetensors"
        with explain_write_errors("A snapshot"):
            write_tensors(self.run.folder / name, halve_weights(self.network))
        metrics = measure(self.task, self.network, self.task.recipe.evaluate_sample)
        entry: dict[str, Any] = {"step": step, "file": name, "loss": loss and round(loss, 5)}
        self.progress.snapshots.append({**entry, "metrics": metrics})


def autocast(run: Run) -> torch.autocast:
    """A context that computes products in bfloat16, if the run asks for that."""
    return torch.autocast(run.device.type, torch.bfloat16, enabled=run.precision is torch.bfloat16)


@torch.no_grad()
def measure(task: Task, network: nn.Module, limit: int | None = None) -> dict[str, float]:
    """The task's measures of a network, rounded to 5 decimals."""
    training = network.training
    network.eval()
    measures = {name: round(value, 5) for name, value in task.evaluate(network, limit).items()}
    network.train(training)
    return measures


def describe_machine(run: Run) -> str:
    """The hardware of a run, in words."""
    if run.device.type == "cuda":
        return f"{run.processes.world} x {torch.cuda.get_device_name(run.device)}"
    return f"{platform.machine()} CPU, {torch.get_num_threads()} threads, {run.processes.world} process(es)"
