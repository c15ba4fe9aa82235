"""The models that this repository trains: `config.json`, `model.safetensors` in float16, `tokenizer.json`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from model.config import TransformerConfig
from model.recurrent.config import RecurrentConfig
from model.tokens.tokenizer import Tokenizer
from model.zoo.files import Progress, build_from, damaged, no_progress, read_object

Config = TypeVar("Config", TransformerConfig, RecurrentConfig)


def read(path: Path, progress: Progress = no_progress) -> tuple[TransformerConfig, dict[str, Tensor], Tokenizer]:
    """Configuration, weights (as float32) and tokenizer from the folder of `path`. Raises `DamagedWeights`."""
    config, weights, _ = read_vision(path, progress)
    return config, weights, read_tokenizer(path)


def has_answer(path: Path) -> bool:
    """Whether a model gives a text a word or a class. Raises `DamagedWeights`."""
    return _config(path, TransformerConfig.from_dict).has_answer


def read_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer beside the weights at `path`. Raises `DamagedWeights`."""
    return Tokenizer.from_file(path.parent / "tokenizer.json")


def read_vision(path: Path, progress: Progress = no_progress) -> tuple[TransformerConfig, dict[str, Tensor], None]:
    """Configuration and weights of a model that reads pictures. None stands for the saliency head, which ours lack."""
    config = _config(path, TransformerConfig.from_dict)
    weights = read_weights(path)
    progress("Reading the weights", 1.0)
    return config, weights, None


def read_recurrent(
    path: Path, progress: Progress = no_progress
) -> tuple[RecurrentConfig, dict[str, Tensor], Tokenizer]:
    """Configuration, weights and tokenizer of a recurrent model. Raises `DamagedWeights`."""
    config, weights = _config(path, RecurrentConfig.from_dict), read_weights(path)
    progress("Reading the weights", 1.0)
    return config, weights, read_tokenizer(path)


def _config(path: Path, make: Callable[[dict[str, Any]], Config]) -> Config:
    beside = path.with_name("config.json")
    return build_from(beside, make, read_object(beside))


def read_weights(path: Path) -> dict[str, Tensor]:
    """The tensors of a safetensors file, as float32. Raises `DamagedWeights`."""
    try:
        return {name: tensor.float() for name, tensor in load_file(path).items()}
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        raise damaged(path, "cannot be read", error) from error
