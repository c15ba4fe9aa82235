"""The data of the printed map of one run: the transformer, with a small picture of every part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from model.arrays import Array

MAX_ROWS, MAX_COLUMNS = 64, 96  # tokens and features of one small picture
MAX_NEURONS = 60
MAX_CHIPS = 12
MAX_OUTCOMES = 6


@dataclass(frozen=True)
class Attention:
    """One attention sublayer of the shown layer. `part` is its name in the tape."""

    part: str  # "self_attn" or "cross_attn"
    title: str
    weights: Array  # (heads, queries, keys)
    framed: int  # the head of the caption


@dataclass(frozen=True)
class StackData:
    """One stack of one run, as arrays."""

    stack: str  # "encoder" or "decoder"
    title: str  # "" where the model has one stack
    tokens: Sequence[str]  # labels
    embedding: Array  # (tokens, d_model)
    layer: int
    n_layers: int
    attentions: Sequence[Attention]
    activated: Array  # (tokens, d_ff)
    sizes: Array  # (n_layers,): how large the residual stream is after each layer
    d_head: int
    query: int  # the token whose attention the caption describes


@dataclass(frozen=True)
class Outcome:
    """The model's answer: bars with shares 0..1, likeliest first, or one vector for each token.

    `kind` is that of the bars, a configuration's `label_scores`: of the kind "none" they are numbers of any size.
    """

    title: str
    note: str = ""
    labels: Sequence[str] = ()
    shares: Sequence[float] = ()
    vectors: Array | None = None  # (tokens, d_model)
    kind: str = "softmax"


@dataclass(frozen=True)
class Predictions:
    """What the model predicts at each token from the token `first` on: the likeliest label and its share, 0..1.

    `kind` is that of the shares, as of an `Outcome`.
    """

    title: str
    labels: Sequence[str]
    shares: Sequence[float]
    first: int = 0
    kind: str = "softmax"


@dataclass(frozen=True)
class Map:
    """Everything in the picture."""

    stacks: Sequence[StackData]
    outcome: Outcome


def strongest(values: Array, rows: int = MAX_ROWS, columns: int = MAX_COLUMNS) -> Array:
    """(tokens, features) reduced to at most `rows` x `columns`: each block becomes its value farthest from zero."""
    for axis, most in ((0, rows), (1, columns)):
        if values.shape[axis] > most:
            blocks = np.array_split(values, most, axis=axis)
            places = [np.abs(block).argmax(axis, keepdims=True) for block in blocks]
            largest = [np.take_along_axis(block, at, axis) for block, at in zip(blocks, places, strict=True)]
            values = np.concatenate(largest, axis=axis)
    return values


def strongest_neurons(activated: Array, count: int = MAX_NEURONS) -> tuple[Array, NDArray[np.intp]]:
    """The neurons of (tokens, d_ff) with the largest mean size, in their order: (tokens, count), and their numbers."""
    chosen = np.sort(np.argsort(-np.abs(activated).mean(0), kind="stable")[:count])
    return activated[:, chosen], chosen


def chips(labels: Sequence[str], most: int = MAX_CHIPS) -> tuple[list[str], int]:
    """The first and last labels of a long list, and how many are left out in the middle."""
    if len(labels) <= most:
        return list(labels), 0
    half = most // 2
    return [*labels[:half], *labels[-half + 1 :]], len(labels) - most + 1
