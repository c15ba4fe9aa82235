"""Live runs that were recorded, so that a page shows a trained network before anybody has trained one.

`python -m model.train.live_recording` trains each task once with the settings with which the page opens, and writes
`assets/training/<task>.npz`. The file says how the run was made.
"""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch

from model.errors import GlassformerError
from model.generation.teacher_forcing import TeacherForcedRun
from model.train.live import History, LiveRun, Look, Sample, View
from model.train.live_tasks import NAMES, LiveTask, Name, Setup, Switches, make
from model.train.schedule import learning_rate

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "training"
STEPS = 1000


class RecordingDamaged(GlassformerError):
    """The file of a recorded run is missing or damaged."""


@dataclass(frozen=True)
class RecordedRun:
    """A finished run. It answers as a `LiveRun` does, but takes no steps and has no network."""

    setup: Setup
    task: LiveTask
    made_with: str  # such as "torch 2.6.0, on the CPU"
    history: History
    looks: tuple[Look, ...]

    def view(self) -> View:
        """The run at its end."""
        return View("finished", len(self.history.loss), 0.0, self.history, self.looks)

    def rate(self, step: int) -> float:
        """The learning rate of a step (from 0)."""
        return learning_rate(step, self.task.recipe)


def record(run: LiveRun) -> bytes:
    """A finished run as the bytes of a file. Losses, shares and gradients: (steps,) in float32."""
    view = run.view()
    details = {
        "setup": asdict(run.setup),
        "made_with": f"torch {torch.__version__.partition('+')[0]}, on the CPU",
        "parts": list(view.history.gradients),
        "looks": [
            {
                "step": look.step,
                "measures": dict(look.measures),
                "samples": [asdict(sample) for sample in look.samples],
                "batch": [[source, asdict(forced)] for source, forced in look.batch],
            }
            for look in view.looks
        ],
    }
    file = io.BytesIO()
    np.savez_compressed(
        file,
        details=np.frombuffer(json.dumps(details).encode(), np.uint8),
        loss=np.array(view.history.loss, np.float32),
        accuracy=np.array(view.history.accuracy, np.float32),
        gradients=np.array(list(view.history.gradients.values()), np.float32),  # (parts, steps)
        attention=np.stack([look.attention.numpy() for look in view.looks]),  # (looks, heads, targets, sources)
    )
    return file.getvalue()


def read(data: bytes) -> RecordedRun:
    """The run of a file's bytes. Raises `RecordingDamaged`."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            details: dict[str, Any] = json.loads(arrays["details"].tobytes())
            gradients = dict(zip(details["parts"], arrays["gradients"].tolist(), strict=True))
            history = History(arrays["loss"].tolist(), arrays["accuracy"].tolist(), gradients)
            attention = torch.from_numpy(arrays["attention"])
        setup = Setup(**{**details["setup"], "switches": Switches(**details["setup"]["switches"])})
        looks = tuple(_read_look(look, weights) for look, weights in zip(details["looks"], attention, strict=True))
        return RecordedRun(setup, make(setup), details["made_with"], history, looks)
    except (KeyError, TypeError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise RecordingDamaged(
            "The recorded training is damaged. Get the project's folder assets/training anew."
        ) from error


def _read_look(look: dict[str, Any], attention: torch.Tensor) -> Look:
    samples = tuple(Sample(**{name: tuple(ids) for name, ids in sample.items()}) for sample in look["samples"])
    batch = tuple(
        (tuple(source), TeacherForcedRun(**{name: tuple(values) for name, values in forced.items()}))
        for source, forced in look["batch"]
    )
    return Look(look["step"], look["measures"], attention, samples, batch)


@cache
def recorded(task: Name) -> RecordedRun:
    """The run of a task that comes with the project. Raises `RecordingDamaged`."""
    try:
        data = (FOLDER / f"{task}.npz").read_bytes()
    except OSError as error:
        raise RecordingDamaged(f"The recorded training of “{task}” is missing in assets/training.") from error
    return read(data)


def main() -> None:
    """Train each task and write its file."""
    FOLDER.mkdir(exist_ok=True)
    for task in NAMES:
        run = LiveRun(Setup(task, steps=STEPS), "cpu")
        run.work(lambda: True)
        (FOLDER / f"{task}.npz").write_bytes(record(run))


if __name__ == "__main__":
    main()
