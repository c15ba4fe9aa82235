"""Writes a trained model to a folder in `assets/models/`: weights in float16, configuration, tokenizer, card."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import Any

import torch
from torch import nn

from model.train.checkpoint import Progress
from model.train.files import explain_write_errors, halve_weights, replace_folder, write_file, write_json, write_tensors
from model.train.loop import Run, describe_machine, measure
from model.train.task import Task
from model.train.warm_start import describe_start
from model.zoo.build import build

LICENCE = "MIT"


def publish(task: Task, run: Run, network: nn.Module, progress: Progress, folder: Path) -> dict[str, Any]:
    """Writes `folder` whole, or leaves it as it was. Returns the card. Raises `DiskError`.

    The measures are those of the shipped weights in float16, not of the trained ones in float32.
    """
    weights = halve_weights(network)
    shipped = round_weights(task, network)
    card = {
        **task.shape(),
        "parameters": sum(parameter.numel() for parameter in shipped.parameters()),
        "max_length": task.config.max_length,
        **task.describe(),
        "licence": LICENCE,
        "source": f"trained in this repository: python -m model.train {task.name}",
        "training": describe_training(task, run, progress),
        "metrics": measure(task, shipped),
        **task.finish(shipped),
        "snapshots": progress.snapshots,
        "curve": progress.curve,
    }

    def fill(partial: Path) -> None:
        write_tensors(partial / "model.safetensors", weights)
        card["sha256"] = sha256(partial / "model.safetensors")
        write_json(partial / "config.json", task.config.to_dict())
        if task.tokenizer is not None:
            write_file(partial / "tokenizer.json", task.tokenizer.to_str(pretty=False).encode())
        if task.target_tokenizer is not None:
            write_file(partial / "target_tokenizer.json", task.target_tokenizer.to_str(pretty=False).encode())
        for snapshot in progress.snapshots:
            if snapshot["step"] == progress.step:
                snapshot["file"] = "model.safetensors"  # the last snapshot is the model itself
            else:
                write_file(partial / snapshot["file"], (run.folder / snapshot["file"]).read_bytes())
            snapshot["sha256"] = sha256(partial / snapshot["file"])
        write_json(partial / "card.json", card)

    with explain_write_errors(f"The model {task.name}"):
        replace_folder(folder, fill)
    return card


def sha256(path: Path) -> str:
    """The SHA-256 of a file, 64 hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def round_weights(task: Task, network: nn.Module) -> nn.Module:
    """The network with its weights rounded to float16, like one that `load` reads."""
    return build(
        task.config, {name: tensor.float().cpu() for name, tensor in halve_weights(network).items()}, task.make
    )


def describe_training(task: Task, run: Run, progress: Progress) -> dict[str, Any]:
    """The card's entry on the training."""
    return {
        "steps": progress.step,
        "labels": progress.tokens,
        "seconds": round(progress.seconds, 1),
        "seed": run.seed,
        "precision": str(run.precision).removeprefix("torch."),
        "machine": describe_machine(run),
        "torch": torch.__version__,
        "date": date.today().isoformat(),
        "recipe": asdict(task.recipe),
        **({"started_from": describe_start(run.start)} if run.start else {}),
    }
