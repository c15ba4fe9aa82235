"""A look at a folder or GGUF file of this machine."""

from __future__ import annotations

from pathlib import Path

from model.adding.found import Found, HubFile, choose_files
from model.errors import UnusableFiles
from model.zoo.families import GGUF, open_checkpoint
from model.zoo.file_card import UNKNOWN
from model.zoo.memory import free_memory


def look(path: Path) -> Found:
    """What a path holds. Raises `UnusableFiles`, `UnsupportedFamily`, `DamagedWeights`."""
    if not path.exists():
        raise UnusableFiles(f"There is nothing at {path} on the machine where the app runs.")
    if path.is_file() and path.suffix != GGUF:
        raise UnusableFiles(f"{path.name} is no GGUF file. Name the folder that holds config.json and safetensors.")
    path = path.resolve()
    listed = [path] if path.is_file() else [each for each in path.iterdir() if each.is_file()]
    files = choose_files(path.name, (HubFile(each.name, each.stat().st_size) for each in listed))
    if files[0].path.endswith(GGUF) and path.is_dir():
        path = path / files[0].path
    checkpoint = open_checkpoint(path)
    return Found(
        family=checkpoint.family.name,
        size=sum(file.size for file in files),
        memory=checkpoint.nbytes,
        free=free_memory(),
        licence=UNKNOWN,
        path=str(path),
    )
