"""From a path or a card to the opened files of a model: which reader opens what."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from model.zoo.bundled import open_bundled
from model.zoo.cards import Card
from model.zoo.checkpoint import Checkpoint
from model.zoo.hub_folder import open_folder
from model.zoo.hub_names import GGUF
from model.zoo.weight_files import open_files
from model.zoo.which_files import ONNX, model_at


def _open_safetensors(path: Path) -> Checkpoint:
    return open_folder(path, open_files(path))


def _open_gguf(path: Path) -> Checkpoint:
    from model.zoo.gguf_model import open_gguf  # here, so that the library of GGUF loads only for such a file

    return open_gguf(path)


def _open_onnx(path: Path) -> Checkpoint:
    from model.zoo.onnx_model import open_onnx  # here, as above

    return open_onnx(path)


READERS: dict[str, Callable[[Path], Checkpoint]] = {GGUF: _open_gguf, ONNX: _open_onnx}  # by the ending of a file


def open_checkpoint(path: Path) -> Checkpoint:
    """Opens what a reader names: a folder, a file of safetensors in it, or a GGUF file.

    Raises `UnusableFiles`, `UnsupportedFamily`, `DamagedWeights`.
    """
    return _read(model_at(path))


def open_card(card: Card, path: Path) -> Checkpoint:
    """Opens the model of a card. `path` is that of `Card.require`, or of a moment of its training.

    Raises `UnsupportedFamily`, `DamagedWeights`.
    """
    return open_bundled(path, card.kind) if card.bundled else _read(path)


def _read(path: Path) -> Checkpoint:
    reader = READERS.get(path.suffix) if path.is_file() else None
    return (reader or _open_safetensors)(path)
