"""Runs of one model, together: sentences of any length in one batch, with the same numbers as each alone.

Shorter sentences are filled up, a mask hides the padding, and what belongs to the padding is cut off again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby
from typing import TypeVar

import torch
from torch import Tensor

from model import names
from model.device import to_cpu, within_memory
from model.graph.on_demand import last_kept
from model.graph.run_request import RunRequest
from model.network.transformer import Transformer
from model.tape import AllRecorded, Tape

MAX_BATCH_TOKENS = 512  # with the padding; a run that keeps every tensor of SmolLM2 takes 2.6 MB a token
MAX_WINDOW_BYTES = 500_000_000  # of tensors that are held before anybody asks for them
MAX_WINDOW = 1024  # items, however little they hold
PADDING = 0  # any id of the vocabulary: its mask hides it

Item = TypeVar("Item")


@torch.inference_mode()
def record_together(network: Transformer, requests: Sequence[RunRequest]) -> list[dict[str, Tensor]]:
    """The kept tensors of each request, on the CPU and without a batch axis, as a run of it alone gives them.

    Raises `DeviceFull` if a GPU has too little memory.
    """
    results: list[dict[str, Tensor]] = [{}] * len(requests)
    for places in group(requests):
        for place, tensors in zip(places, _record(network, [requests[place] for place in places]), strict=True):
            results[place] = tensors
    return results


def can_batch(network: Transformer) -> bool:
    """Whether its runs can be made together: those of a transformer without edits.

    A recurrent network has a tensor for each step. An edit changes the tensor of one sentence.
    """
    return isinstance(network, Transformer) and not getattr(network, "edits", ())


def windows(items: Iterable[Item], nbytes: Callable[[Item], int]) -> Iterator[list[Item]]:
    """Items that follow one another, as many at a time as have `MAX_WINDOW_BYTES` together; at least one, and at most
    `MAX_WINDOW`. A window is taken from `items` when it is asked for."""
    window: list[Item] = []
    held = 0
    for item in items:
        if len(window) == MAX_WINDOW or (window and held + nbytes(item) > MAX_WINDOW_BYTES):
            yield window
            window, held = [], 0
        window.append(item)
        held += nbytes(item)
    if window:
        yield window


def group(requests: Sequence[RunRequest]) -> Iterator[list[int]]:
    """The places of requests that run in one batch: they keep the same, and are of similar length."""

    def kind(place: int) -> tuple[tuple[str, ...], bool]:
        return requests[place].keep, bool(requests[place].source)

    for _, places in groupby(
        sorted(range(len(requests)), key=lambda place: (kind(place), length(requests[place]))), kind
    ):
        batch: list[int] = []
        for place in places:  # the longest comes last
            if batch and length(requests[place]) * (len(batch) + 1) > MAX_BATCH_TOKENS:
                yield batch
                batch = []
            batch.append(place)
        yield batch


def length(request: RunRequest) -> int:
    """The tokens of the longer sentence of a run."""
    return max(len(request.ids), len(request.source))


def _record(network: Transformer, requests: Sequence[RunRequest]) -> list[dict[str, Tensor]]:
    """The tensors of requests of one kind. One alone needs no padding."""
    if len(requests) == 1:
        return [dict(requests[0].record(network))]
    ends_after = last_kept(network, requests[0].keep, ())
    if ends_after == 0:
        return [{} for _ in requests]
    tape = Tape(requests[0].keep, ends_after=ends_after)
    with within_memory():
        ids, ids_are_real = fill_up([request.ids for request in requests])
        source, source_is_real = (
            fill_up([request.source for request in requests]) if requests[0].source else (None,) * 2
        )
        with suppress(AllRecorded):
            network(ids, source, tape, ids_are_real, source_is_real)
        recorded = to_cpu(tape.records)
    return [_of_row(recorded, row, request, network.config.kind) for row, request in enumerate(requests)]


def _of_row(recorded: Mapping[str, Tensor], row: int, request: RunRequest, kind: str) -> dict[str, Tensor]:
    """The tensors of one request, in memory of their own: else each would hold that of the whole batch."""
    lengths = {name: _lengths(name, request, kind) for name in recorded}
    return separate({name: cut_out(name, tensor, row, lengths[name]) for name, tensor in recorded.items()})


def fill_up(rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Ids of one length, and which of them are real: (batch, tokens) each."""
    lengths = torch.tensor([len(row) for row in rows])
    ids = torch.full((len(rows), int(lengths.max())), PADDING)
    for place, row in enumerate(rows):
        ids[place, : len(row)] = torch.tensor(row)
    return ids, torch.arange(ids.shape[1]) < lengths[:, None]


def cut_out(name: str, tensor: Tensor, row: int, lengths: Mapping[str, int]) -> Tensor:
    """One sentence's part of a tensor that a padded batch recorded, in the shape of a run alone.

    `lengths` are those of the axes that count tokens.
    """
    axes = names.describe(name).axes
    if tensor.ndim > len(axes):  # what depends on the place alone has no batch axis, as the position vectors
        tensor = tensor[row]
    if axes == ("queries", "keys"):  # a mask has one row for all heads, and of an encoder one for all queries
        tensor = tensor.expand(1, lengths["queries"], -1)[0] if tensor.shape[-2] == 1 else tensor[0]
    return tensor[tuple(slice(lengths.get(axis)) for axis in axes)]


def separate(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Copies that share no memory with those of a batch. A tensor with several names stays one tensor."""
    copies: dict[tuple[object, ...], Tensor] = {}
    shared = {}
    for name, tensor in tensors.items():
        place = tensor.data_ptr(), tensor.shape, tensor.stride()
        if place not in copies:
            copies[place] = tensor.clone(memory_format=torch.contiguous_format)
        shared[name] = copies[place]
    return shared


def _lengths(name: str, request: RunRequest, kind: str) -> dict[str, int]:
    """The number of tokens along each axis that counts tokens."""
    reads_source = kind == "encoder-decoder" and name.startswith("encoder.")
    own = len(request.source if reads_source else request.ids)
    return {"tokens": own, "queries": own, "keys": len(request.source) if ".cross_attn." in name else own}
