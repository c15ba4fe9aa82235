"""A DistilBERT that gives each word an edit of grammar, from a quantised ONNX graph with its labels beside it.

Sanh et al. (2019), arXiv:1910.01108; the edits are those of GECToR: Omelianchuk et al. (2020), arXiv:2005.12592. The
graph also rounds what passes between its layers to 8 bits. Here only the weights are rounded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import onnx

from model.config import TransformerConfig
from model.tokens.tokenizer import Tokenizer
from model.zoo.bert import DISTILBERT
from model.zoo.checkpoint import Checkpoint
from model.zoo.family import keep
from model.zoo.files import build_from, read_object
from model.zoo.onnx_graph import GraphTensors
from model.zoo.plan import Plan
from model.zoo.stored_names import bare_names, rename
from model.zoo.tokenizers.backend import read_backend

LABELS = "tag_vocab.json"
HEAD_WIDTH = 64  # as the graph cuts queries, keys and values
OF_TOKENS = {"classifier.weight": "token_head.weight", "classifier.bias": "token_head.bias"}
FAMILY = replace(DISTILBERT, names={**DISTILBERT.names, **OF_TOKENS}, fit=keep)
EDITS = {  # a label of the file -> in words; "{}" is a word
    "$KEEP": "keep",
    "$DELETE": "delete",
    "$CASE_CAPITAL": "begin with a capital",
    "$CASE_LOWER": "write small",
    "$CASE_UPPER": "write in capitals",
    "$REPLACE_": "write “{}”",
    "$APPEND_": "add “{}”",
}


def is_tagger(graph: onnx.GraphProto) -> bool:
    """Whether a graph is that of a DistilBERT with classes."""
    names = {each.name for each in graph.initializer}
    return "distilbert.embeddings.LayerNorm.weight" in names and "classifier.bias" in names


def open_tagger(path: Path, graph: onnx.GraphProto) -> Checkpoint:
    """The model in a graph. Raises `DamagedWeights`."""
    files = build_from(path, partial(GraphTensors, path), graph)
    bare = bare_names(FAMILY, files.tensors)
    labels = build_from(path.with_name(LABELS), labels_of, read_object(path.with_name(LABELS)))
    shapes = {ours: files.tensors[theirs].shape for ours, theirs in bare.items()}
    config = replace(build_from(path, config_of, shapes), token_labels=labels)
    names = {bare[theirs]: (ours,) for theirs, ours in rename(FAMILY.name, FAMILY.names, bare).items()}
    planned = Plan(files, FAMILY, config, names, bare)
    planned.check(path)
    tokenizer = build_from(path, partial(tokenizer_of, config=config), path.parent)
    return Checkpoint(path, FAMILY.name, config, (path,), planned.nbytes, planned.weights, tokenizer)


def config_of(shapes: Mapping[str, tuple[int, ...]]) -> TransformerConfig:
    """The configuration, by the shapes of the weights."""
    words, width = shapes["embeddings.word_embeddings.weight"]
    return FAMILY.configure(
        {
            "vocab_size": words,
            "dim": width,
            "n_heads": width // HEAD_WIDTH,
            "n_layers": sum(name.endswith(".ffn.lin1.bias") for name in shapes),
            "hidden_dim": shapes["transformer.layer.0.ffn.lin1.bias"][0],
            "max_position_embeddings": shapes["embeddings.position_embeddings.weight"][0],
        }
    )


def labels_of(values: Mapping[str, Any]) -> tuple[str, ...]:
    """The edits in the order of the logits, in words."""
    return tuple(edit_in_words(str(tag)) for tag in values["tags"])


def edit_in_words(tag: str) -> str:
    """ "$REPLACE_their" -> "write “their”"."""
    sign = next((sign for sign in EDITS if tag.startswith(sign)), None)
    return tag if sign is None else EDITS[sign].format(tag.removeprefix(sign))


def tokenizer_of(folder: Path, config: TransformerConfig) -> Tokenizer:
    """The tokenizer of the file as it stands: the class that a DistilBERT usually has would write all letters small."""
    _, backend, _ = read_backend(folder, {}, config.vocab_size)
    return Tokenizer(backend, start="[CLS]", end="[SEP]", pad="[PAD]", mask="[MASK]")
