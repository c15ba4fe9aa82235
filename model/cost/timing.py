"""How long one forward pass takes on this machine, against the number of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import median
from time import perf_counter

import numpy as np
import torch
from torch import Tensor

from model.device import finish
from model.network.transformer import Transformer
from model.tape import Tape


@dataclass(frozen=True)
class Timing:
    """The median of a few passes over `tokens` tokens, in seconds, and the bytes that the trace then holds."""

    tokens: int
    seconds: float
    kept_bytes: int


@torch.inference_mode()
def measure(
    network: Transformer, lengths: Iterable[int], keep: str = "*.weights", repeats: int = 3
) -> Iterator[Timing]:
    """One `Timing` a length, as soon as it is known. The tokens are the vocabulary's first ones, over and over: what is
    read does not change what it costs."""
    for length in lengths:
        ids = torch.arange(length) % network.config.vocab_size
        tape = _run(network, ids, keep)  # the first pass pays for memory that the next ones find ready
        kept = sum(tensor.nbytes for tensor in tape.records.values())
        yield Timing(length, median(_seconds(network, ids, keep) for _ in range(repeats)), kept)


def _seconds(network: Transformer, ids: Tensor, keep: str) -> float:
    start = perf_counter()
    _run(network, ids, keep)
    return perf_counter() - start


def _run(network: Transformer, ids: Tensor, keep: str) -> Tape:
    tape = Tape(keep)
    finish(network(ids, ids if network.config.kind == "encoder-decoder" else None, tape).device)
    return tape


def fit(timings: Iterable[Timing]) -> tuple[float, float, float]:
    """The a + b T + c T² that fits the seconds best (least squares, none of the three below 0).

    Raises `ValueError` with fewer than three lengths.
    """
    points = sorted(timings, key=lambda timing: timing.tokens)
    if len({point.tokens for point in points}) < 3:
        raise ValueError("A fit of three numbers needs at least three lengths.")
    tokens = np.array([point.tokens for point in points], dtype=float)
    seconds = np.array([point.seconds for point in points])
    # Time cannot shrink with length: where a term comes out negative, it is left out.
    best: tuple[float, np.ndarray] | None = None
    for used in ((0, 1, 2), (1, 2), (0, 2), (0, 1), (2,), (1,), (0,)):
        terms = tokens[:, None] ** np.array(used)
        found = np.linalg.lstsq(terms / seconds[:, None], np.ones(len(points)), rcond=None)[0]
        error = float(((terms @ found / seconds - 1) ** 2).sum())  # relative: short runs count as much as long ones
        if (found >= 0).all() and (best is None or error < best[0]):
            whole = np.zeros(3)
            whole[list(used)] = found
            best = (error, whole)
    assert best is not None
    a, b, c = best[1].tolist()
    return a, b, c
