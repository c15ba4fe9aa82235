"""A folder as the hub has them: `config.json`, safetensors, and the files of a tokenizer or of pictures.

`model_type` in `config.json` says the family. The whole fit of the tensors is checked by their headers, before a weight
takes memory.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from model.config import TransformerConfig
from model.errors import DamagedWeights
from model.tokens.tokenizer import Tokenizer
from model.zoo.checkpoint import Checkpoint
from model.zoo.families import family_of
from model.zoo.family import Family
from model.zoo.files import build_from, read_object
from model.zoo.picture_files import read_preparation
from model.zoo.plan import Plan
from model.zoo.stored_names import bare_names
from model.zoo.tokenizers.folder_tokenizer import read_tokenizers
from model.zoo.values.writing_values import read_writing, say_written_otherwise
from model.zoo.weight_files import WeightFiles
from model.zoo.which_files import CONFIG
from model.zoo.word_tables import OUTPUT, places, settle


def open_folder(path: Path, files: WeightFiles) -> Checkpoint:
    """The model in a folder, whose weights may be on the hub: their headers are enough.

    Raises `UnsupportedFamily`, `DamagedWeights`.
    """
    folder, values, family = files.folder, files.values, family_of(files.values)
    planned = plan_folder(files, family)
    config, tokenizer, written, pixels = planned.config, None, None, {}
    texts = None if family.texts is None else _open_texts(path, files, family.texts)
    writing = read_writing(folder, config)
    if config.image_size:
        spare = 0 if family.beyond_patches is None else family.beyond_patches(values)
        pixels = read_preparation(folder, config, values["model_type"], spare)
    else:
        tokenizer, written = read_tokenizers(folder, family, values, config, writing)
        if config.n_segments > 1:
            config = replace(config, segment_border=tokenizer.end)
    return Checkpoint(
        path,
        family.name,
        config,
        files.paths,
        planned.nbytes + (0 if texts is None else texts.nbytes),
        planned.weights,
        tokenizer,
        written,
        pixels,
        texts=texts,
        left_out=planned.left_out,
        written_otherwise=say_written_otherwise(values, writing),
    )


def _open_texts(path: Path, files: WeightFiles, family: Family) -> Checkpoint:
    """The tower of texts in the files of a model of pictures. Raises `DamagedWeights`."""
    planned = plan_folder(files, family)
    tokenizer, _ = read_tokenizers(files.folder, family, files.values, planned.config, None)
    if family.pads:
        pad = tokenizer.pad or 0
        tokenizer.backend.enable_padding(
            length=planned.config.max_length, pad_id=pad, pad_token=str(tokenizer.backend.id_to_token(pad))
        )
    return Checkpoint(path, family.name, planned.config, files.paths, planned.nbytes, planned.weights, tokenizer)


def tokenizers_of(folder: Path) -> tuple[Tokenizer, Tokenizer | None]:
    """The tokenizers of a folder, whose weights may be elsewhere. Raises `UnsupportedFamily`, `DamagedWeights`."""
    values = read_object(folder / CONFIG)
    family = family_of(values)
    config = build_from(folder / CONFIG, family.configure, values)
    return read_tokenizers(folder, family, values, config, read_writing(folder, config))


def plan_folder(files: WeightFiles, family: Family) -> Plan:
    """How a family reads these files. All tensors fit, by their headers. Raises `DamagedWeights`."""
    beside = files.folder / CONFIG
    config = build_from(beside, family.configure, files.values)
    bare = bare_names(family, files.tensors)
    config, tables = settle(family, config, bare, lambda one, other: files.has_equal(bare[one], bare[other]))
    names = {bare[name]: ours for name, ours in places(family, tables, bare).items()}
    _check_stacks(family, config, (ours for each in names.values() for ours in each))
    check_writes(files.values, config, tables)
    files.check_types(names)
    planned = Plan(files, family, config, names, bare)
    planned.check(beside)
    return planned


def _check_stacks(family: Family, config: TransformerConfig, ours: Iterable[str]) -> None:
    """Raises `DamagedWeights` for the encoder of an encoder-decoder that was saved alone, as T5EncoderModel is."""
    if config.kind == "encoder-decoder" and not any(name.startswith("decoder.blocks.") for name in ours):
        raise DamagedWeights(
            f"The files hold the encoder of a {family.name} alone, and no decoder, which every page asks this "
            "family for. Take the whole model that it was made from."
        )


def check_writes(values: Mapping[str, Any], config: TransformerConfig, ours: Collection[str]) -> None:
    """Raises `DamagedWeights` for a decoder without an output layer: it has no next word."""
    if config.kind == "encoder" or config.shares_output_table or OUTPUT in ours:
        return
    named = ", ".join(str(name)[:60] for name in values.get("architectures") or ()) or "its architectures"
    raise DamagedWeights(
        f"The files hold no output layer (lm_head.weight), and config.json says tie_word_embeddings: false ({named}). "
        "So this model gives vectors or classes, and no next word, which every page asks a decoder for; transformers "
        "would fill the layer with random numbers. Take the model of texts that it was made from."
    )
