"""The families of checkpoints that can be read, and the way from a folder to weights of our network.

A checkpoint is a folder with `config.json`, safetensors and `tokenizer.json`, or a GGUF file. Its `model_type` says its
family. The whole fit of its tensors is checked by their headers, before a weight takes memory.
"""

from __future__ import annotations

from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from torch import Tensor

from model.config import TransformerConfig
from model.errors import ModelMismatch, UnsupportedFamily, UnusableFiles
from model.tokens.tokenizer import Tokenizer
from model.zoo.bert import BERT, DISTILBERT, ROBERTA, XLM_ROBERTA
from model.zoo.checkpoint import Checkpoint, plan
from model.zoo.family import Family
from model.zoo.files import Progress, build_from, no_progress, read_object
from model.zoo.gpt2 import GPT2
from model.zoo.gpt_neox import GPT_NEOX
from model.zoo.llama import LLAMA, MISTRAL, QWEN2, QWEN3
from model.zoo.marian import MARIAN
from model.zoo.other_families import say_other
from model.zoo.picture_files import read_preparation
from model.zoo.t5 import MT5, T5
from model.zoo.tokenizers import folder_tokenizer
from model.zoo.vit import DEIT, DINOV2, VIT
from model.zoo.weight_files import WeightFiles, open_files
from model.zoo.which_files import GGUF, check_whole, model_inside

FAMILIES: dict[str, Family] = {  # by the `model_type` of config.json
    "llama": LLAMA,
    "mistral": MISTRAL,
    "qwen2": QWEN2,
    "qwen3": QWEN3,
    "gpt2": GPT2,
    "gpt_neox": GPT_NEOX,
    "bert": BERT,
    "roberta": ROBERTA,
    "xlm-roberta": XLM_ROBERTA,
    "distilbert": DISTILBERT,
    "marian": MARIAN,
    "t5": T5,
    "mt5": MT5,
    "vit": VIT,
    "deit": DEIT,
    "dinov2": DINOV2,
}


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
            + say_other(kind)
        )
    return found


def folder_of(path: Path) -> Path:
    """The folder of a checkpoint, for the folder itself or for a file in it."""
    return path if path.is_dir() else path.parent


def open_checkpoint(path: Path) -> Checkpoint:
    """Opens a folder, a file in it, or a GGUF file. All that is asked of its model is asked of the `Checkpoint`.

    Raises `UnsupportedFamily`, `DamagedWeights`.
    """
    path = model_inside(path)
    if path.suffix == GGUF:
        check_whole(path.name)
        found: Checkpoint = _gguf().open_checkpoint(path)
        return found
    return checkpoint_of(path, open_files(path))


def checkpoint_of(path: Path, files: WeightFiles) -> Checkpoint:
    """The model in a folder, whose weights may be on the hub: their headers are enough. Raises as `open_checkpoint`."""
    family = family_of(files.values)
    planned = plan(files, family)
    config, tokenizer, written, pixels = planned.config, None, None, {}
    if config.image_size:
        pixels = read_preparation(files.folder, config, files.values["model_type"])
    else:
        tokenizer, written = _tokenizers(files.folder, family, files.values, config)
    return Checkpoint(
        path, family, config, files.paths, planned.nbytes, tokenizer, written, pixels, planned.left_out,
        weights=planned.weights,
    )  # fmt: skip


def read(path: Path, progress: Progress = no_progress) -> tuple[TransformerConfig, dict[str, Tensor], Tokenizer]:
    """Configuration, weights (as float32) and tokenizer of a checkpoint: a folder, a file in it, or a GGUF file.

    Raises `UnsupportedFamily`, `DamagedWeights`, `ModelMismatch` for one that reads pictures.
    """
    checkpoint = open_checkpoint(path)
    tokenizer = checkpoint.words()
    return checkpoint.config, checkpoint.weights(progress), tokenizer


def read_vision(path: Path, progress: Progress = no_progress) -> tuple[TransformerConfig, dict[str, Tensor], None]:
    """Configuration and weights of a checkpoint that reads pictures. None stands for the saliency head, which it lacks.

    Raises `ModelMismatch` for one that reads text, `UnsupportedFamily`, `DamagedWeights`.
    """
    checkpoint = open_checkpoint(path)
    if not checkpoint.config.image_size:
        raise ModelMismatch(f"{checkpoint.path.name} reads text, not pictures. Open it with model.load.")
    return checkpoint.config, checkpoint.weights(progress), None


def read_tokenizer(path: Path) -> Tokenizer:
    """The tokenizer of a checkpoint, whose weights need not be there. Raises `UnsupportedFamily`, `DamagedWeights`."""
    with suppress(UnusableFiles):
        path = model_inside(path)
    return _gguf().read_tokenizer(path) if path.suffix == GGUF else tokenizers_of(path)[0]


def tokenizers_of(path: Path) -> tuple[Tokenizer, Tokenizer | None]:
    """The tokenizers of a folder, whose weights may be elsewhere. Raises `UnsupportedFamily`, `DamagedWeights`."""
    folder = folder_of(path)
    values = read_object(folder / "config.json")
    family = family_of(values)
    return _tokenizers(folder, family, values, build_from(folder / "config.json", family.configure, values))


def has_answer(path: Path) -> bool:
    """Whether a checkpoint gives a text a word or a class, from its small files and headers. Raises as `read`."""
    return open_checkpoint(path).config.has_answer


def size_of(path: Path) -> int:
    """Bytes that the weights of a checkpoint will take in float32, from its headers. Raises as `read`."""
    return open_checkpoint(path).nbytes


def _gguf() -> Any:
    return import_module("model.zoo.gguf_llama")  # so that the library of GGUF loads only for such a file


def _tokenizers(
    folder: Path, family: Family, values: dict[str, Any], config: TransformerConfig
) -> tuple[Tokenizer, Tokenizer | None]:
    read = folder_tokenizer.read_tokenizer(folder, family, values, config)
    return read, folder_tokenizer.read_target_tokenizer(folder, family, values, config)
