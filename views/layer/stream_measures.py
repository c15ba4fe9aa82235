"""The length of what each sublayer adds, and how far each layer turns the stream: of a long text made while it is run.

The tensors of all layers at once would be large, and to make those of each layer again takes half as long as the run.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import torch
from torch import Tensor

from model.analysis.block_steps import sublayer_outputs
from model.analysis.stream_growth import layer_cosines, layer_lengths
from model.arrays import Array
from model.device import PLAIN
from views.layer.layer_of_run import LayerOfRun
from views.run_hook import RunHook
from views.run_spec import RunSpec
from viz.shared.payload import pack, unpack

COSINES = "cosines"
ADDED = ("_attn.out", ".ffn.out", "_scaled", "_out_norm")  # endings of what a sublayer may add


def names_of(stack: str) -> tuple[str, ...]:
    """The tensors of a stack that are measured."""
    return tuple(f"{stack}.*{name}" for name in (".resid_in", *ADDED, ".resid_out", ".ffn_norm"))


def lengths_hook() -> RunHook[Tensor]:
    """A hook that measures what each layer adds while a run is made. Then `keep` keeps it."""
    return RunHook(ADDED, _length)


def keep(place: LayerOfRun, hook: RunHook[Tensor]) -> None:
    """Keep what was measured with a run, for `measures_of`."""
    config, stack = place.config, place.stack
    names = sublayer_outputs(config, stack)
    seen = {
        name: hook.of(place.run, [f"{stack}.{layer}.{name}" for layer in range(config.n_layers(stack))])
        for name in names
    }
    lengths = {name: torch.stack(each) for name, each in seen.items() if each is not None}
    if len(lengths) == len(names):
        place.run.pack(_key(place), partial(_pack, place, lengths))


def measures_of(place: LayerOfRun) -> tuple[dict[str, Array], Array]:
    """The lengths of what each sublayer adds, and the cosines of the stream: (layers, tokens) each."""
    names = sublayer_outputs(place.config, place.stack)

    def make() -> bytes:
        return _pack(place, layer_lengths(place.config, place.run.trace, place.stack, names))

    arrays = unpack(place.run.pack(_key(place), make))[1]
    return {name: arrays[name] for name in names}, arrays[COSINES]


def _length(spec: RunSpec, name: str, tensor: Tensor) -> Tensor:
    """The lengths of the vectors of a tensor: (tokens,)."""
    return PLAIN.take(tensor.norm(dim=-1))


def _pack(place: LayerOfRun, lengths: Mapping[str, Tensor]) -> bytes:
    cosines = layer_cosines(place.config, place.run.trace, place.stack)
    return pack({}, **{COSINES: cosines.numpy()}, **{name: each.numpy() for name, each in lengths.items()})


def _key(place: LayerOfRun) -> str:
    return f"stream {place.stack}"
