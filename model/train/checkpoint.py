"""Checkpoints: a stopped run can go on from one, to the same result as an unbroken run.

Data, learning rate and dropout are functions of (seed, step). So the state is only the weights, the optimiser's two
moments and the log. Tensors are stored as safetensors, all else as JSON. Nothing is ever unpickled.
"""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import nn
from torch.optim import Optimizer

from model.train.errors import CheckpointError
from model.train.files import explain_write_errors, write_json, write_tensors
from model.train.task import Task

MOMENTS = ("exp_avg", "exp_avg_sq", "step")  # AdamW's state for each parameter


@dataclass
class Progress:
    """The progress of a run so far. `curve` has [step, loss] points; `snapshots` has one entry for each snapshot."""

    step: int = 0
    seconds: float = 0.0
    tokens: int = 0
    curve: list[list[float]] = field(default_factory=list)
    snapshots: list[dict[str, Any]] = field(default_factory=list)


def identity(task: Task, seed: int) -> dict[str, Any]:
    """The values that a run must share with a checkpoint to continue it."""
    return json.loads(json.dumps({"config": task.config.to_dict(), "recipe": asdict(task.recipe), "seed": seed}))


class Checkpoint:
    """The checkpoint in one folder: a tensor file, with its step in its name, and a JSON file that points to it.

    The JSON file is written last. So a kill between the two leaves the earlier pair whole.
    """

    def __init__(self, folder: Path) -> None:
        self.folder, self.index = folder, folder / "progress.json"

    @property
    def exists(self) -> bool:
        return self.index.is_file()

    def save(self, task: Task, seed: int, network: nn.Module, optimizer: Optimizer, progress: Progress) -> None:
        """Writes a checkpoint and removes the one before it. Raises `DiskError`; then the old one is still whole."""
        tensors = {f"weights.{name}": parameter for name, parameter in network.named_parameters()}
        for name, parameter in network.named_parameters():
            for moment in MOMENTS:
                if parameter in optimizer.state:
                    tensors[f"{moment}.{name}"] = optimizer.state[parameter][moment]
        file = self.folder / f"step-{progress.step}.safetensors"
        with explain_write_errors("The checkpoint"):
            write_tensors(file, tensors)
            write_json(self.index, {"file": file.name, "of": identity(task, seed), **asdict(progress)})
            for other in self.folder.glob("step-*.safetensors"):
                if other != file:
                    other.unlink()

    def remove(self) -> None:
        """Removes the folder. The JSON file goes first, so a kill in between leaves no damaged checkpoint."""
        with suppress(OSError):
            self.index.unlink(missing_ok=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def load(self, task: Task, seed: int, network: nn.Module, optimizer: Optimizer) -> Progress:
        """Restores the state of network and optimizer. Raises `CheckpointError` before it changes anything."""
        values = self._read_index()
        if values.pop("of") != identity(task, seed):
            raise CheckpointError(
                f"The checkpoint in {self.folder} is of a run with another seed, shape or recipe. "
                "Continue it with the same options, or begin again with --restart."
            )
        parameters = dict(network.named_parameters())
        try:
            tensors = load_file(self.folder / values.pop("file"))
            expected = {f"{part}.{name}" for name in parameters for part in ("weights", *MOMENTS)}
            if expected != set(tensors):
                raise CheckpointError(self._describe_damage("tensors are missing"))
            for name, parameter in parameters.items():
                if tensors[f"weights.{name}"].shape != parameter.shape:
                    raise CheckpointError(self._describe_damage(f"{name} has another shape"))
            progress = Progress(**values)
        except (OSError, SafetensorError, TypeError, ValueError, KeyError) as error:
            if isinstance(error, CheckpointError):
                raise
            raise CheckpointError(self._describe_damage(str(error))) from error
        for name, parameter in parameters.items():
            parameter.data.copy_(tensors[f"weights.{name}"])
            optimizer.state[parameter] = {
                moment: tensors[f"{moment}.{name}"].to(parameter.device) for moment in MOMENTS
            }
        return progress

    def _read_index(self) -> dict[str, Any]:
        try:
            values = json.loads(self.index.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise CheckpointError(self._describe_damage(str(error))) from error
        if not isinstance(values, dict) or not {"of", "file", "step"} <= set(values):
            raise CheckpointError(self._describe_damage("progress.json is not one of this program"))
        return values

    def _describe_damage(self, why: str) -> str:
        return f"The checkpoint in {self.folder} is damaged ({why}). Begin again with --restart."
