"""Runs of one model, together: sentences of any length in one batch, with the same numbers as each alone.

Shorter sentences are filled up, a mask hides the padding, and what belongs to the padding is cut off again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

import torch
from torch import Tensor

from model import names
from model.device import to_cpu, within_memory
from model.graph.run_request import RunRequest
from model.network.transformer import Transformer
from model.tape import Tape

MAX_BATCH_TOKENS = 512  # with the padding; a run that keeps every tensor of SmolLM2 takes 2.6 MB a token
PADDING = 0  # any id of the vocabulary: its mask hides it


@torch.inference_mode()
def record_together(network: Transformer, requests: Sequence[RunRequest]) -> list[dict[str, Tensor]]:
    """The kept tensors of each request, on the CPU and without a batch axis, as a run of it alone gives them.

    They may be parts of larger tensors. Raises `DeviceFull` if a GPU has too little memory.
    """
    results: list[dict[str, Tensor]] = [{}] * len(requests)
    for places in group(requests):
        for place, tensors in zip(places, _record(network, [requests[place] for place in places]), strict=True):
            results[place] = tensors
    return results


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
    tape = Tape(requests[0].keep)
    with within_memory():
        ids, ids_are_real = fill_up([request.ids for request in requests])
        source, source_is_real = (
            fill_up([request.source for request in requests]) if requests[0].source else (None,) * 2
        )
        network(ids, source, tape, ids_are_real, source_is_real)
        recorded = to_cpu(tape.records)
    return [
        {
            name: cut_out(name, tensor, row, _lengths(name, request, network.config.kind))
            for name, tensor in recorded.items()
        }
        for row, request in enumerate(requests)
    ]


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


def _lengths(name: str, request: RunRequest, kind: str) -> dict[str, int]:
    """The number of tokens along each axis that counts tokens."""
    reads_source = kind == "encoder-decoder" and name.startswith("encoder.")
    own = len(request.source if reads_source else request.ids)
    return {"tokens": own, "queries": own, "keys": len(request.source) if ".cross_attn." in name else own}
