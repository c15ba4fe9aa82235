"""A look at a folder or a file of this machine."""

from __future__ import annotations

import os
from pathlib import Path

from model.adding.found import Found, read_of
from model.errors import UnusableFiles
from model.zoo.families import GGUF, open_checkpoint
from model.zoo.file_card import UNKNOWN
from model.zoo.memory import free_memory
from model.zoo.which_files import SAFETENSORS


def look(path: Path) -> Found:
    """What a path holds: a folder, a GGUF file, or a file of safetensors beside its config.json.

    Raises `UnusableFiles`, `UnsupportedFamily`, `DamagedWeights`.
    """
    if not path.exists():
        raise UnusableFiles(f"There is nothing at {path} on the machine where the app runs.")
    if not (path.is_file() or path.is_dir()):
        raise UnusableFiles(f"{path.name} is a pipe or a device, and no file. Name a folder or a GGUF file.")
    if path.is_file() and path.suffix not in (GGUF, SAFETENSORS):
        raise UnusableFiles(f"{path.name} is no GGUF file. Name the folder that holds config.json and safetensors.")
    checkpoint = open_checkpoint(Path(os.path.abspath(path)))  # a link of the hub's cache keeps its name
    return Found(
        **read_of(checkpoint),
        size=sum(file.stat().st_size for file in checkpoint.files),
        free=free_memory(),
        licence=UNKNOWN,
        path=str(checkpoint.path),
        weights=tuple(file.name for file in checkpoint.files),
    )
