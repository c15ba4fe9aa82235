"""The live map of one run: the figure of the transformer with a small picture of the tensor of every part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from viz.shared.payload import codes, pack, pool, signed_codes

Array = NDArray[Any]

MAX_ROWS, MAX_COLUMNS = 64, 96  # tokens and features of one small picture
MAX_NEURONS = 60
MAX_SIDE = 40  # queries and keys of one small picture of attention
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
    """The model's answer: bars with shares 0..1, likeliest first, or one vector for each token."""

    title: str
    note: str = ""
    labels: Sequence[str] = ()
    shares: Sequence[float] = ()
    vectors: Array | None = None  # (tokens, d_model)


@dataclass(frozen=True)
class Map:
    """Everything on the map. `links`: the parts that lead to a page, each with the title of that page."""

    stacks: Sequence[StackData]
    outcome: Outcome
    links: Mapping[str, str] = field(default_factory=dict)


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


def pack_map(view: Map) -> bytes:
    """The map as bytes for the component `home_map`."""
    arrays: dict[str, NDArray[Any]] = {}
    stacks = [_pack_stack(number, stack, arrays) for number, stack in enumerate(view.stacks)]
    outcome = {
        "title": view.outcome.title,
        "note": view.outcome.note,
        "bars": [
            {"label": label, "share": round(float(share), 6)}
            for label, share in zip(view.outcome.labels, view.outcome.shares, strict=True)
        ],
    }
    if view.outcome.vectors is not None:
        arrays["vectors"] = signed_codes(strongest(view.outcome.vectors))
    return pack({"stacks": stacks, "outcome": outcome, "links": dict(view.links)}, **arrays)


def _pack_stack(number: int, stack: StackData, arrays: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """The stack's part of the header. Its arrays go into `arrays`, their names ending in the stack's number."""
    neurons, _ = strongest_neurons(stack.activated)
    arrays[f"embedding{number}"] = signed_codes(strongest(stack.embedding))
    arrays[f"neurons{number}"] = signed_codes(strongest(neurons))
    for attention in stack.attentions:
        arrays[f"{attention.part}{number}"] = codes(pool(attention.weights, MAX_SIDE))
        if attention.weights.shape[-1] <= MAX_CHIPS:  # the browser prints each key's mean: (heads, keys)
            arrays[f"{attention.part}{number}_means"] = np.asarray(attention.weights.mean(-2), np.float32)
    labels, left_out = chips(stack.tokens)
    return {
        "stack": stack.stack,
        "title": stack.title,
        "tokens": labels,
        "leftOut": left_out,
        "count": len(stack.tokens),
        "width": stack.embedding.shape[1],
        "layer": stack.layer,
        "layers": stack.n_layers,
        "attentions": [
            {"part": each.part, "title": each.title, "heads": each.weights.shape[0], "framed": each.framed}
            for each in stack.attentions
        ],
        "headWidth": stack.d_head,
        "neurons": stack.activated.shape[1],
        "shownNeurons": neurons.shape[1],
        "sizes": [round(float(size), 3) for size in stack.sizes],
    }
