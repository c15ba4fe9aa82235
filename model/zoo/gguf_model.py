"""A model from a GGUF file, or from the parts of one. Its quantised weights become float32."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

from model.config import TransformerConfig
from model.errors import DamagedWeights
from model.zoo.checkpoint import Checkpoint
from model.zoo.files import build_from
from model.zoo.gguf_architectures import ENCODERS, Architecture, architecture_of
from model.zoo.gguf_file import GgufFile, GgufTensors
from model.zoo.gguf_values import check, decoder_config, own_values
from model.zoo.plan import Plan
from model.zoo.stored_names import rename
from model.zoo.tokenizers.gguf_tokenizer import gguf_tokenizer

NO_MODELS = {  # by `general.type`
    "mmproj": "the part of a model that reads pictures",
    "adapter": "an adapter (LoRA)",
    "imatrix": "statistics for the making of smaller files",
}


def open_gguf(path: Path) -> Checkpoint:
    """A GGUF file, or the first of several parts, opened: all of its tensors fit, by its header.

    Raises `DamagedWeights`, `UnusableFiles`.
    """
    file = GgufFile(path)
    _check_is_model(path, file.values)
    architecture = architecture_of(path.name, file.values.get("general.architecture"))
    tensors = file.tensors()
    check(path, file.values, architecture.known)
    family = architecture.family
    names = rename(family.name, family.names, tensors.tensors)

    def config_of(values: dict[str, Any]) -> TransformerConfig:
        return _config_of(values, architecture, tensors, names.values())

    config = build_from(path, config_of, file.values)
    planned = Plan(tensors, family, config, {theirs: (ours,) for theirs, ours in names.items()})
    planned.check(path)
    tokenizer = build_from(path, gguf_tokenizer, file.values)
    if config.n_segments > 1:
        config = replace(config, segment_border=tokenizer.end)
    return Checkpoint(path, family.name, config, file.paths, planned.nbytes, planned.weights, tokenizer)


def _check_is_model(path: Path, values: dict[str, Any]) -> None:
    """Raises `DamagedWeights` unless a GGUF file holds a whole model."""
    kind, what = values.get("general.architecture"), values.get("general.type", "model")
    if kind == "clip" or what != "model":
        words = NO_MODELS.get("mmproj" if kind == "clip" else str(what), repr(what))
        raise DamagedWeights(
            f"{path.name} holds {words[:60]}, and no whole model. Take the file that it stands beside."
        )


def _config_of(
    values: dict[str, Any], architecture: Architecture, tensors: GgufTensors, ours: Collection[str]
) -> TransformerConfig:
    """The configuration. Only the tensors tell whether the output layer is the embedding table, and which maps of
    attention have biases."""
    own, words = own_values(values), len(values["tokenizer.ggml.tokens"])
    if (encoder := ENCODERS.get(values["general.architecture"])) is not None:
        return encoder(own, words, values.get("tokenizer.ggml.token_type_count", 0))
    slower = architecture.slower
    config = decoder_config(
        own,
        words,
        "unembed.weight" not in ours,
        tuple(tensors.read_one(slower).flatten().tolist()) if slower in tensors.tensors else (),
        architecture.whole_head,
        architecture.eps,
        **{**architecture.fields, **architecture.own(own)},
    )
    biased = {name.split(".")[-2] for name in ours if name.endswith(".bias")}
    return replace(
        config, qkv_bias=config.has_qkv_bias or "query" in biased, out_bias=config.has_out_bias or "out" in biased
    )
