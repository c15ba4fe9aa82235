"""`dinov2-s` traces a picture, all attentions kept, against onnxruntime on the same file with the same exposed."""

from __future__ import annotations

import sys

import numpy as np
import torch

from model.vision import load_vision
from tests.benchmarks.row import Row, table
from tests.benchmarks.trace import interleaved
from tests.model.zoo.onnx_reference import WEIGHTS, Reference

LIMIT = 1.0


def main() -> list[Row]:
    model = load_vision("dinov2-s")
    reference = Reference(model.card.require(), (*WEIGHTS, "final_norm"), torch.get_num_threads())
    random = np.random.default_rng(0)
    pixels = torch.from_numpy(random.normal(size=(3, 224, 224)).astype(np.float32))
    read = pixels.numpy()
    keep = ("*.weights", "final_norm")
    ours, against = interleaved(lambda: model.trace_image(pixels, keep=keep), lambda: reference(read))
    what = "trace a picture, dinov2-s, 257 tokens, all attentions"
    return [Row(what, ours * 1000, against * 1000, "onnxruntime, the same kept", "ms", LIMIT)]


if __name__ == "__main__":
    print(table(rows := main()))
    sys.exit(not all(row.within for row in rows))
