"""A model from an ONNX file: which family's graph it is."""

from __future__ import annotations

from pathlib import Path

from model.zoo.checkpoint import Checkpoint
from model.zoo.dinov2 import open_dinov2
from model.zoo.grammar_tagger import is_tagger, open_tagger
from model.zoo.onnx_graph import read_graph


def open_onnx(path: Path) -> Checkpoint:
    """The model in an ONNX file. Raises `DamagedWeights`."""
    graph = read_graph(path)
    return (open_tagger if is_tagger(graph) else open_dinov2)(path, graph)
