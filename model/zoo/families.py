"""The families of checkpoints that can be read, and the way from a folder to weights of our network.

A checkpoint is a folder with `config.json`, safetensors and `tokenizer.json`, or a GGUF file. Its `model_type` says its
family. The whole fit of its tensors is checked by their headers, before a weight takes memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.errors import ModelMismatch, UnsupportedFamily
from model.network.linear import copy_out, transposed_names
from model.tokens.tokenizer import Tokenizer
from model.zoo import tokenizer_files
from model.zoo.bert import BERT, DISTILBERT, ROBERTA
from model.zoo.build import blank, check_fits
from model.zoo.checkpoint import Checkpoint, open_checkpoint
from model.zoo.family import Family, Named
from model.zoo.files import Progress, build_from, damaged, no_progress, read_object, rename
from model.zoo.gpt2 import GPT2
from model.zoo.gpt_neox import GPT_NEOX
from model.zoo.llama import LLAMA, MISTRAL, QWEN2, QWEN3
from model.zoo.marian import MARIAN
from model.zoo.t5 import MT5, T5
from model.zoo.vit import DEIT, DINOV2, VIT, read_preparation

FAMILIES: dict[str, Family] = {  # by the `model_type` of config.json
    "llama": LLAMA,
    "mistral": MISTRAL,
    "qwen2": QWEN2,
    "qwen3": QWEN3,
    "gpt2": GPT2,
    "gpt_neox": GPT_NEOX,
    "bert": BERT,
    "roberta": ROBERTA,
    "xlm-roberta": ROBERTA,
    "distilbert": DISTILBERT,
    "marian": MARIAN,
    "t5": T5,
    "mt5": MT5,
    "vit": VIT,
    "deit": DEIT,
    "dinov2": DINOV2,
}
GGUF = ".gguf"


def families_in_words() -> str:
    """The names of all families: "Llama, BERT"."""
    return ", ".join(dict.fromkeys(family.name for family in FAMILIES.values()))


def family_of(values: dict[str, Any]) -> Family:
    """The family of a config.json's values. Raises `UnsupportedFamily`, which lists the families."""
    kind = values.get("model_type")
    found = FAMILIES.get(kind) if isinstance(kind, str) else None
    if found is None:
        raise UnsupportedFamily(
            f"config.json says model_type {repr(kind)[:60]}, which cannot be read. These can: {families_in_words()}."
        )
    return found


def folder_of(path: Path) -> Path:
    """The folder of a checkpoint, for the folder itself or for a file in it."""
    return path if path.is_dir() else path.parent


def read(path: Path, progress: Progress = no_progress) -> tuple[TransformerConfig, dict[str, Tensor], Tokenizer]:
    """Configuration, weights (as float32) and tokenizer of a checkpoint: a folder, a file in it, or a GGUF file.

    Raises `UnsupportedFamily`, `DamagedWeights`, `ModelMismatch` for one that reads pictures.
    """
    if path.suffix == GGUF:
        return _gguf().read(path, progress)
    checkpoint = open_checkpoint(folder_of(path))
    family, config, names = _plan(checkpoint)
    if config.image_size:
        raise ModelMismatch(f"{checkpoint.folder.name} reads pictures, not text. Open it with model.load_vision.")
    tokenizer = tokenizer_files.read_tokenizer(checkpoint.folder, family, checkpoint.values, config)
    return config, _read_weights(checkpoint, family, config, names, progress), tokenizer


def read_vision(path: Path, progress: Progress = no_progress) -> tuple[TransformerConfig, dict[str, Tensor], None]:
    """Configuration and weights of a checkpoint that reads pictures. None stands for the saliency head, which it lacks.

    Raises `ModelMismatch` for one that reads text, `UnsupportedFamily`, `DamagedWeights`.
    """
    checkpoint = open_checkpoint(folder_of(path))
    family, config, names = _plan(checkpoint)
    if not config.image_size:
        raise ModelMismatch(f"{checkpoint.folder.name} reads text, not pictures. Open it with model.load.")
    return config, _read_weights(checkpoint, family, config, names, progress), None


def read_pixels(path: Path) -> dict[str, Any]:
    """How a checkpoint prepares its pictures, as a card has it under `pixels`. {} for one that reads text."""
    config = read_config(path)[1]
    return read_preparation(folder_of(path), config) if config.image_size else {}


def read_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer of a checkpoint, without its weights. Raises `UnsupportedFamily`, `DamagedWeights`."""
    if path.suffix == GGUF:
        return _gguf().read_tokenizer(path)
    values = read_object(folder_of(path) / "config.json")
    family, config = read_config(path)
    return tokenizer_files.read_tokenizer(folder_of(path), family, values, config)


def read_target_tokenizer(path: Path) -> Tokenizer | None:
    """The tokenizer of what a checkpoint writes; None where it is that of what it reads. Raises `DamagedWeights`."""
    if path.suffix == GGUF:
        return None
    family, config = read_config(path)
    values = read_object(folder_of(path) / "config.json")
    return tokenizer_files.read_target_tokenizer(folder_of(path), family, values, config)


def read_config(path: Path) -> tuple[Family, TransformerConfig]:
    """The family and the configuration of a checkpoint, from small files. Raises as `read` does."""
    if path.suffix == GGUF:
        return LLAMA, _gguf().read_config(path)
    values = read_object(folder_of(path) / "config.json")
    family = family_of(values)
    return family, build_from(folder_of(path) / "config.json", family.configure, values)


def has_answer(path: Path) -> bool:
    """Whether a checkpoint gives a text a word or a class, from the headers of its files. Raises as `read`."""
    return path.suffix == GGUF or _plan(open_checkpoint(folder_of(path)))[1].has_answer


def size_of(path: Path) -> int:
    """Bytes that the weights of a checkpoint will take in float32, from the headers of its files. Raises as `read`."""
    if path.suffix == GGUF:
        return _gguf().size_of(path)
    checkpoint = open_checkpoint(folder_of(path))
    family, config, names = _plan(checkpoint)
    return sum(tensor.nbytes for _, tensor in _on_meta(checkpoint, family, config, names))


def _gguf() -> Any:
    return import_module("model.zoo.gguf_llama")  # so that the library of GGUF loads only for such a file


def _plan(checkpoint: Checkpoint) -> tuple[Family, TransformerConfig, dict[str, str]]:
    """The family, the configuration, and our name of each tensor that is read. All of them fit, by their headers."""
    family = family_of(checkpoint.values)
    beside = checkpoint.folder / "config.json"
    config = build_from(beside, family.configure, checkpoint.values)
    bare = {_without(name, family.prefixes): name for name in checkpoint.tensors}
    config = family.complete(config, bare, lambda one, other: checkpoint.has_equal(bare[one], bare[other]))
    spare = family.spare(bare)
    bare = {name: theirs for name, theirs in bare.items() if name not in spare}
    names = {bare[name]: ours for name, ours in rename(bare, family.names).items()}
    times = Counter(names.values())
    twice = sorted(theirs for theirs, ours in names.items() if times[ours] > 1)
    if twice:
        raise damaged(beside, "does not fit the weights", f"of {', '.join(twice[:5])} only some can be read")
    checkpoint.check_types(names)
    check_fits(config, build_from(beside, dict, _on_meta(checkpoint, family, config, names)))
    return family, config, names


def _read_weights(
    checkpoint: Checkpoint, family: Family, config: TransformerConfig, names: dict[str, str], progress: Progress
) -> dict[str, Tensor]:
    """The weights, each in memory of its own and stored as the network multiplies by it."""
    transposed = transposed_names(blank(config))

    def place(theirs: str, tensor: Tensor) -> dict[str, Tensor]:
        fitted = family.fit(names[theirs], tensor, config)
        return {ours: copy_out(weight, ours in transposed) for ours, weight in fitted}

    weights: dict[str, Tensor] = {}
    for done, found in enumerate(checkpoint.read(names, place), start=1):
        weights |= found
        progress("Reading the weights", done / len(names))
    return weights


def _without(name: str, prefixes: Iterable[str]) -> str:
    for prefix in prefixes:
        name = name.removeprefix(prefix)
    return name


def _on_meta(
    checkpoint: Checkpoint, family: Family, config: TransformerConfig, names: dict[str, str]
) -> Iterator[Named]:
    """Every tensor of ours in its shape, without numbers."""
    for theirs, ours in names.items():
        yield from family.fit(ours, torch.empty(checkpoint.tensors[theirs].shape, device="meta"), config)
