"""The small pictures and the measures of every head of an attention: of a long text made while it is run.

The weights of all heads at once would be large, and to make those of each layer again takes half as long as the run.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from model.arrays import Array
from views.run import Run
from views.run_hook import RunHook
from views.run_spec import RunSpec
from viz.attention.heads import TILE, pack_tiles
from viz.shared.payload import pool

if TYPE_CHECKING:
    from torch import Tensor

    from model import Trace
    from model.analysis.head_measures import Kind

LayerTiles = tuple[Array, Array]  # small pictures (heads, rows, columns), measures (heads, kinds)


def tiles_hook() -> RunHook[LayerTiles]:
    """A hook that makes the tiles of each layer while a run is made. Then `keep` keeps them."""
    return RunHook(("_attn.weights",), _of_layer)


def keep(run: Run, tiles: RunHook[LayerTiles]) -> None:
    """Keep the tiles that were made with a run, of each of its attentions, for `tiles_of`."""
    for stack in run.model.config.stacks:
        for part in run.model.config.attentions(stack):
            layers = tiles.of(run, _names(run, stack, part))
            if layers is not None:
                run.pack(_key(stack, part), partial(_pack, layers))


def tiles_of(run: Run, stack: str, part: str) -> bytes:
    """The tiles of all heads (`viz.attention.heads.pack_tiles`): kept ones, or made of one layer after another."""

    def make() -> bytes:
        return _pack(_of_layer(run.trace, name, run.trace[name]) for name in _names(run, stack, part))

    return run.pack(_key(stack, part), make)


def kinds_of(part: str) -> tuple[Kind, ...]:
    """What is measured of the heads of an attention."""
    from model.analysis.head_measures import CROSS_KINDS, KINDS

    return CROSS_KINDS if part == "cross_attn" else KINDS


def _of_layer(run: RunSpec | Trace, name: str, weights: Tensor) -> LayerTiles:
    from model.analysis.head_measures import measure
    from model.device import PLAIN

    stack, part = _place(name)
    weights = PLAIN.take(weights)  # (heads, queries, keys)
    read = run.source_tokens if stack == "encoder" and run.source_tokens else run.tokens
    measured = measure(weights, None if part == "cross_attn" else [token.id for token in read])
    return pool(weights.numpy(), TILE), np.stack([measured[kind.key].numpy() for kind in kinds_of(part)], -1)


def _pack(layers: Iterable[LayerTiles]) -> bytes:
    pictures, measures = zip(*layers, strict=True)
    return pack_tiles(np.stack(pictures), np.stack(measures))


def _place(name: str) -> tuple[str, str]:
    """The stack and the attention: ("decoder", "self_attn")."""
    stack, _, part, _ = name.split(".")
    return stack, part


def _names(run: Run, stack: str, part: str) -> Sequence[str]:
    return [f"{stack}.{layer}.{part}.weights" for layer in range(run.model.config.n_layers(stack))]


def _key(stack: str, part: str) -> str:
    return f"tiles {stack} {part}"
