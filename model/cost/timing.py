"""The time of one forward pass on this machine, against the number of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import median

import numpy as np
import torch
from scipy.optimize import nnls
from torch import Tensor

from model.device import finish
from model.network.transformer import Transformer
from model.tape import Tape
from model.work_bound import working_seconds


@dataclass(frozen=True)
class Timing:
    """The median time of a few passes over `tokens` tokens, in seconds, and the bytes of the recorded tensors."""

    tokens: int
    seconds: float
    kept_bytes: int


@torch.inference_mode()
def measure(
    network: Transformer, lengths: Iterable[int], keep: str = "*.weights", repeats: int = 3
) -> Iterator[Timing]:
    """One `Timing` for each length, as soon as it is known.

    The tokens are the first ones of the vocabulary, over and over. Which tokens the network reads does not change the
    time.
    """
    for length in lengths:
        ids = torch.arange(length) % network.config.vocab_size
        tape = _run(network, ids, keep)  # not timed: the first pass also allocates memory for the next ones
        kept_bytes = sum(tensor.nbytes for tensor in tape.records.values())
        yield Timing(length, median(_seconds(network, ids, keep) for _ in range(repeats)), kept_bytes)


def _seconds(network: Transformer, ids: Tensor, keep: str) -> float:
    start = working_seconds()
    _run(network, ids, keep)
    return working_seconds() - start


def _run(network: Transformer, ids: Tensor, keep: str) -> Tape:
    tape = Tape(keep)
    finish(network(ids, ids if network.config.kind == "encoder-decoder" else None, tape).device)
    return tape


def fit(timings: Iterable[Timing]) -> tuple[float, float, float]:
    """The a, b and c for which a + b T + c T² fits the seconds best. None is negative: time never falls with length.

    Non-negative least squares of the relative errors, so that short runs count as much as long ones: Lawson and Hanson
    (1974). Raises `ValueError` for fewer than three lengths.
    """
    points = sorted(timings, key=lambda timing: timing.tokens)
    if len({point.tokens for point in points}) < 3:
        raise ValueError("A fit of three numbers needs at least three lengths.")
    tokens = np.array([point.tokens for point in points], dtype=float)
    seconds = np.array([point.seconds for point in points])
    terms = tokens[:, None] ** np.arange(3) / seconds[:, None]  # (points, 3)
    sizes = np.linalg.norm(terms, axis=0)  # columns of equal size keep the sums exact
    a, b, c = nnls(terms / sizes, np.ones(len(points)))[0] / sizes
    return float(a), float(b), float(c)
