"""`dinov2-s` traces a picture, all attentions kept, against onnxruntime on the same file with the same exposed.

Several runs of one, then several of the other: run in turn, each would wake while the threads of the other still spin.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
import torch

from model.vision.model import load_vision
from tests.benchmarks.row import Row, table
from tests.model.zoo.onnx_reference import WEIGHTS, Reference

LIMIT = 1.0
ROUNDS, RUNS = 5, 6


def main() -> list[Row]:
    model = load_vision("dinov2-s")
    reference = Reference(model.card.require(), (*WEIGHTS, "final_norm"), torch.get_num_threads())
    random = np.random.default_rng(0)
    pixels = torch.from_numpy(random.normal(size=(3, 224, 224)).astype(np.float32))
    read = pixels.numpy()
    keep = ("*.weights", "final_norm")
    ours, against = in_blocks(lambda: model.trace_image(pixels, keep=keep), lambda: reference(read))
    what = "trace a picture, dinov2-s, 257 tokens, all attentions"
    return [Row(what, ours * 1000, against * 1000, "onnxruntime, the same kept", "ms", LIMIT)]


def in_blocks(ours: Callable[[], object], theirs: Callable[[], object]) -> tuple[float, float]:
    """Median seconds of the two, in alternating blocks of runs; the first run of a block does not count."""
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for run, seconds in zip((ours, theirs), taken, strict=True):
            run()
            for _ in range(RUNS):
                start = time.perf_counter()
                run()
                seconds.append(time.perf_counter() - start)
    return statistics.median(taken[0]), statistics.median(taken[1])


if __name__ == "__main__":
    print(table(rows := main()))
    sys.exit(not all(row.within for row in rows))
