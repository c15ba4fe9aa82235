"""Live runs that were recorded, so that a page shows a trained network before anybody has trained one.

`python -m model.train.live_recording` trains the runs of `RECORDED`, and writes `assets/training/<name>.npz`. They are
each task with the settings with which the page opens, and what the page proposes to try. A file says how its run was
made.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch

from model.errors import GlassformerError
from model.generation.teacher_forcing import TeacherForcedRun
from model.train.live import History, LiveRun, Look, Sample, State, View
from model.train.live_tasks import NAMES, LiveTask, Setup, Switches, make
from model.train.schedule import learning_rate

FOLDER = Path(__file__).resolve().parents[2] / "assets" / "training"
STEPS = 1000
RECORDED: dict[str, Setup] = {
    **{str(task): Setup(task, steps=STEPS) for task in NAMES},
    "reverse-not-shifted": Setup("reverse", Switches(shifted=False), steps=STEPS),
    "reverse-without-positions": Setup("reverse", Switches(positions=False), steps=STEPS),
    "sort-without-positions": Setup("sort", Switches(positions=False), steps=STEPS),
    "reverse-too-fast": Setup("reverse", learning_rate=1e30, steps=STEPS),
}


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
        state: State = "finished" if math.isfinite(self.history.loss[-1]) else "diverged"
        return View(state, len(self.history.loss), 0.0, self.history, self.looks)

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


def recorded(setup: Setup) -> RecordedRun:
    """The run with these settings that comes with the project, or else that of its task. Raises `RecordingDamaged`."""
    return _open(next((name for name, each in RECORDED.items() if each == setup), setup.task))


@cache
def _open(name: str) -> RecordedRun:
    try:
        data = (FOLDER / f"{name}.npz").read_bytes()
    except OSError as error:
        raise RecordingDamaged(f"The recorded training “{name}” is missing in assets/training.") from error
    return read(data)


def main() -> None:
    """Train each run and write its file."""
    FOLDER.mkdir(exist_ok=True)
    for name, setup in RECORDED.items():
        run = LiveRun(setup, "cpu")
        run.work(lambda: True)
        (FOLDER / f"{name}.npz").write_bytes(record(run))


if __name__ == "__main__":
    main()
