"""Files that are whole or not there: tensors as safetensors, all else as JSON, each moved into place when done."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save
from torch import Tensor, nn

from model.train.errors import DiskError


@contextmanager
def explain_write_errors(what: str) -> Iterator[None]:
    """Turns the system's errors of writing `what` into one that says what to do."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise DiskError(
            f"{what} could not be written: {reason}. Nothing half-written is left. "
            "Free some space or choose another folder, then continue with --resume."
        ) from error


def write_file(path: Path, data: bytes) -> None:
    """All of `data` under `path`, or no change there. Raises OSError."""
    partial = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def write_json(path: Path, values: Mapping[str, Any]) -> None:
    """JSON under `path`, whole or not at all. Raises OSError."""
    write_file(path, (json.dumps(values, ensure_ascii=False, indent=1) + "\n").encode())


def write_tensors(path: Path, tensors: Mapping[str, Tensor]) -> None:
    """Tensors as safetensors under `path`, whole or not at all. Raises OSError."""
    write_file(path, save({name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}))


def half(network: nn.Module) -> dict[str, Tensor]:
    """The weights as they are shipped: float16, tied tables once."""
    return {name: parameter.detach().to(torch.float16) for name, parameter in network.named_parameters()}


def replace_folder(folder: Path, fill: Callable[[Path], None]) -> None:
    """`fill` writes a new folder beside `folder`, which then takes its place whole; on any error the old one stays."""
    partial, old = (folder.with_name(f".{folder.name}.{kind}") for kind in ("partial", "old"))
    if old.exists() and not folder.exists():  # a kill between the two renames below
        old.rename(folder)
    for leftover in (partial, old):
        shutil.rmtree(leftover, ignore_errors=True)
    try:
        partial.mkdir(parents=True)
        fill(partial)
        if folder.exists():
            folder.rename(old)
        partial.rename(folder)
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        if old.exists() and not folder.exists():
            old.rename(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)
