"""A look at a folder or a file of this machine."""

from __future__ import annotations

from pathlib import Path

from model.adding.found import Found, read_of
from model.zoo.file_card import UNKNOWN
from model.zoo.memory import free_memory
from model.zoo.opening import open_checkpoint


def look(path: Path) -> Found:
    """What a path holds: a folder, a GGUF file, or a file of safetensors beside its config.json.

    Raises `UnusableFiles`, `UnsupportedFamily`, `DamagedWeights`.
    """
    checkpoint = open_checkpoint(path)
    found = read_of(checkpoint)
    return Found(**found, size=checkpoint.size, free=free_memory(), licence=UNKNOWN, checkpoint=checkpoint)
