"""The time of one forward pass on this machine, against the number of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import median

import torch
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
