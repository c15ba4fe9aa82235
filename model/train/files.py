"""Files that are always whole: each is written beside its place and then moved there. Tensors are safetensors."""

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
    """Turns the system's errors of writing `what` into a `DiskError`, which says what to do."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise DiskError(
            f"{what} could not be written: {reason}. Nothing half-written is left. "
            "Free some space or choose another folder, then continue with --resume."
        ) from error


def write_file(path: Path, data: bytes) -> None:
    """Writes all of `data` to `path`, or changes nothing there. Raises `OSError`."""
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
    """Writes JSON to `path`, whole or not at all. Raises `OSError`."""
    write_file(path, (json.dumps(values, ensure_ascii=False, indent=1) + "\n").encode())


def write_tensors(path: Path, tensors: Mapping[str, Tensor]) -> None:
    """Writes tensors to `path` as safetensors, whole or not at all. Raises `OSError`."""
    write_file(path, save({name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}))


def halve_weights(network: nn.Module) -> dict[str, Tensor]:
    """The weights in float16, as they are shipped. Tied tables stand there once."""
    return {name: parameter.detach().to(torch.float16) for name, parameter in network.named_parameters()}


def replace_folder(folder: Path, fill: Callable[[Path], None]) -> None:
    """`fill` writes a new folder, which then takes the place of `folder`. On any error the old folder stays."""
    partial, old = (folder.with_name(f".{folder.name}.{kind}") for kind in ("partial", "old"))
    if old.exists() and not folder.exists():  # after a kill between the two renames below
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
