"""The hidden features of a feed-forward network, one by one: "neurons"."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from torch import Tensor

from model.graph.explain import explain
from model.tape import Trace
from model.tokens.tokenizer import Token


@dataclass(frozen=True)
class Excitement:
    """How strongly one token, in its sentence, excites a neuron."""

    activation: float
    token: Token
    place: int  # in the sentence's tokens
    sentence: int  # which of the traces


def strongest(activated: Tensor, count: int) -> tuple[Tensor, Tensor]:
    """The neurons with the largest |activation| for one token: activated (d_ff,) -> values and indices (count,)."""
    indices = activated.abs().topk(min(count, len(activated))).indices
    return activated[indices], indices


def excited_by(
    traces: Iterable[Trace], name: str, neuron: int, count: int, *, negative: bool = False
) -> list[Excitement]:
    """Over some runs, the tokens with the largest activation of a neuron, or the lowest if `negative`; extreme first.

    `name` is the recorded tensor, `decoder.3.ffn.activated`; in an encoder's stack its tokens are the source's.
    """
    found = []
    for sentence, trace in enumerate(traces):
        encoder = name.startswith("encoder.") and trace.source_tokens
        tokens = trace.source_tokens if encoder else trace.tokens
        for place, value in enumerate(trace[name][:, neuron].tolist()):
            found.append(Excitement(value, tokens[place], place, sentence))
    return sorted(found, key=lambda each: each.activation, reverse=not negative)[:count]


@dataclass(frozen=True)
class OutputSum:
    """One feature of a feed-forward network's output as a sum over its neurons."""

    feature: int
    terms: dict[int, float]  # of the neurons with the largest terms, by their numbers
    others: float  # the sum over all other neurons
    bias: float
    total: float


def explain_output(trace: Trace, name: str, token: int, count: int) -> OutputSum:
    """The largest feature of one token's output, with the `count` largest terms W_2[feature, n] activated[n].

    `name` is the recorded output, `decoder.3.ffn.out`. The trace must know its model, and have kept `ffn.activated`.
    """
    feature = int(trace[name][token].abs().argmax())
    made = explain(trace, name, (token, feature))
    neurons = [term for term in made.terms if term.factor is not None]  # the largest first
    largest = {term.index[-1]: term.part for term in neurons[:count]}
    bias = math.fsum(term.value for term in made.terms if term.factor is None)
    return OutputSum(feature, largest, made.value - math.fsum(largest.values()) - bias, bias, made.value)


def share_of_zero(activated: Tensor) -> float:
    """The share of activations that are exactly 0. ReLU makes many; GELU and SiLU none, only small ones."""
    return float((activated == 0).float().mean())


def share_of_small(activated: Tensor, threshold: float = 0.01) -> float:
    """The share of activations below `threshold` times the largest one, in size."""
    return float((activated.abs() < threshold * activated.abs().max()).float().mean())
