"""The models that this repository trains: `config.json`, `model.safetensors` in float16, `tokenizer.json`.

Only files of this repository are read here. Those of a stranger have other readers, which check more.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from model.config import TransformerConfig
from model.network.transformer import Transformer
from model.recurrent.config import RecurrentConfig
from model.recurrent.networks import make_recurrent
from model.tokens.tokenizer import Tokenizer
from model.zoo.card_values import RECURRENT_KIND, VISION_KIND
from model.zoo.checkpoint import Checkpoint
from model.zoo.files import Progress, build_from, damaged, read_object
from model.zoo.weight_files import read_header
from model.zoo.which_files import CONFIG


def open_bundled(path: Path, kind: str) -> Checkpoint:
    """The model whose weights are at `path`; `kind` is that of its card. Raises `DamagedWeights`.

    A recurrent network and its configuration stand in the places of a transformer's.
    """
    recurrent, beside = kind == RECURRENT_KIND, path.with_name(CONFIG)
    read_config = RecurrentConfig.from_dict if recurrent else TransformerConfig.from_dict
    config: Any = build_from(beside, read_config, read_object(beside))
    make: Any = make_recurrent if recurrent else Transformer

    def weights(progress: Progress, dtype: torch.dtype = torch.float32) -> dict[str, Tensor]:
        found = read_weights(path)
        progress("Reading the weights", 1.0)
        return {name: tensor.to(dtype) for name, tensor in found.items()}

    nbytes = sum(stored.nbytes for stored in read_header(path).values())
    tokenizer = None if kind == VISION_KIND else Tokenizer.from_file(path.with_name("tokenizer.json"))
    return Checkpoint(path, "Glassformer", config, (path,), nbytes, weights, tokenizer, make=make)


def read_weights(path: Path) -> dict[str, Tensor]:
    """The tensors of a safetensors file, as float32. Raises `DamagedWeights`."""
    try:
        return {name: tensor.float() for name, tensor in load_file(path).items()}
    except (OSError, ValueError, KeyError, RuntimeError, SafetensorError) as error:
        raise damaged(path, "cannot be read", error) from error
