"""Steps of several generations, together: a batch of one new token of each, with the same numbers as each alone."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import torch
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from model.device import PLAIN, to_cpu, within_memory
from model.generation.steps import NewToken, Read
from model.graph.batch import cut_out
from model.network.kv_cache import JoinedCache
from model.network.transformer import Transformer
from model.tape import Tape


@torch.inference_mode()
def read_together(network: Transformer, tokens: Sequence[NewToken]) -> list[Read]:
    """The logits after each token, and its recorded tensors. Those that keep the same tensors go in one batch.

    A token that is alone takes the usual way. Raises `DeviceFull`.
    """
    results: list[Read] = [(torch.empty(0), {})] * len(tokens)
    for _, group in groupby(sorted(range(len(tokens)), key=lambda place: tokens[place].keep), lambda i: tokens[i].keep):
        places = list(group)
        one = tokens[places[0]]
        made = [one.alone()] if len(places) == 1 else _read(network, [tokens[place] for place in places])
        for place, read in zip(places, made, strict=True):
            results[place] = read
    return results


def _read(network: Transformer, tokens: Sequence[NewToken]) -> list[Read]:
    tape, cache = Tape(tokens[0].keep), JoinedCache([token.cache for token in tokens])
    memory, memory_is_real = _fill_up([token.memory for token in tokens if token.memory is not None])
    with within_memory():
        ids = torch.stack([token.id for token in tokens])  # (batch, 1)
        hidden = network.decode(ids, memory, tape, cache.is_real, memory_is_real, cache)  # (batch, 1, d_model)
        logits = tape("logits", network.logits(hidden[:, -1]))  # (batch, V)
        logits, recorded = PLAIN.take(logits), to_cpu(tape.records)
    return [
        (logits[row], {name: _cut_out(name, tensor, row, token) for name, tensor in recorded.items()})
        for row, token in enumerate(tokens)
    ]


def _fill_up(memories: Sequence[Tensor]) -> tuple[Tensor | None, Tensor | None]:
    """What the encoder made of each source (source tokens, d_model) as a batch, and which rows are real."""
    if not memories:
        return None, None
    lengths = torch.tensor([[len(memory)] for memory in memories])
    return pad_sequence(list(memories), batch_first=True), torch.arange(int(lengths.max())) < lengths


def _cut_out(name: str, tensor: Tensor, row: int, token: NewToken) -> Tensor:
    if name == "logits":
        return tensor[row]
    keys = token.cache.length
    if token.memory is not None and ".cross_attn." in name:  # its keys are the tokens of the source
        keys = len(token.memory)
    return cut_out(name, tensor, row, {"tokens": 1, "queries": 1, "keys": keys})
