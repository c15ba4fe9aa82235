"""The direct path: the residual stream past all sublayers, with the norms that stand on it.

A circuit of a head joins the head to the embedding, to the output layer, or to another head by this path alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from model import work_bound
from model.analysis.attribution import NORM_OF
from model.analysis.frozen_norm import without_scale
from model.analysis.head_steps import Attention
from model.errors import ModelMismatch
from model.network.embedding import Embedding
from model.network.transformer import Stack
from model.run import Model

AT_ONCE = 1024  # tokens of the vocabulary whose vectors are made together: 2.4 MB for a d_model of 576


@dataclass(frozen=True)
class Reader:
    """The place where an attention reads a stream: `stack` and the number of the sublayer before which it stands.

    Of cross-attention, keys and values are read after the last sublayer of the encoder.
    """

    stack: Stack
    sublayer: int
    norms: tuple[nn.Module, ...]  # those of a pre-norm model between the stream and the reader


def query_reader(model: Model, at: Attention) -> Reader:
    """Where an attention reads what its queries are made from."""
    stack = stack_of(model, at.stack)
    return Reader(stack, sublayer_of(model, at), _own_norm(stack, at))


def key_reader(model: Model, at: Attention) -> Reader:
    """Where an attention reads what its keys and values are made from."""
    return end_of(stack_of(model, "encoder")) if at.is_cross else query_reader(model, at)


def end_of(stack: Stack) -> Reader:
    """Where the output layer, or another stack, reads a stack."""
    norms = () if stack.final_norm is None else (stack.final_norm,)
    return Reader(stack, len(stack.blocks) * len(_parts(stack)), norms)


def stack_of(model: Model, name: str) -> Stack:
    """A stack of the network, with its weights on the CPU."""
    stack = model.on_cpu.network.get_submodule(name)
    assert isinstance(stack, Stack)
    return stack


def sublayer_of(model: Model, at: Attention) -> int:
    """The number of an attention among the sublayers of its stack, in the order of the run."""
    parts = _parts(stack_of(model, at.stack))
    return at.layer * len(parts) + parts.index(at.part)


def norms_between(reader: Reader, start: int = 0) -> list[nn.Module]:
    """The norms that the stream passes from before the sublayer `start` to a reader, in the order of the run.

    A post-norm model has one after each sublayer on the way. Any other has only the reader's own.
    """
    stack, parts = reader.stack, _parts(reader.stack)
    if not stack.config.norms_sums:
        return list(reader.norms)
    places = (divmod(sublayer, len(parts)) for sublayer in range(start, reader.sublayer))
    return [stack.blocks[layer].get_submodule(NORM_OF[parts[part]]) for layer, part in places]


def pull(norms: Iterable[nn.Module], matrix: Tensor) -> Tensor:
    """A matrix (d_model, features) that reads after some norms, as one that reads before them: the same shape.

    The norms' gains are folded in, and their subtraction of the mean; their scales are left out.
    """
    rows = matrix.mT  # (features, d_model)
    for norm in reversed(list(norms)):
        rows = without_scale(norm).pull(rows)
    return rows.mT


def token_inputs(reader: Reader, ids: Tensor) -> Tensor:
    """What a reader gets of tokens (tokens,) if no sublayer writes anything: (tokens, d_model).

    It is the embedding without a position, through the norms as they take it. Raises `ModelMismatch` for a model of
    pictures, which has no vocabulary.
    """
    return _through(reader, _scaled(reader.stack.embed, _table(reader.stack.embed)[ids]))


def position_inputs(reader: Reader, count: int) -> Tensor:
    """What a reader gets of the first positions alone, without tokens: (count, d_model)."""
    embed = reader.stack.embed
    p = embed.position_vectors(torch.arange(count)).float()  # (count, position_width)
    if embed.config.position_mix == "concat":
        p = torch.cat((p.new_zeros(count, embed.config.token_width), p), dim=-1)  # (count, d_model)
    return _through(reader, p)


def vocabulary(reader: Reader) -> Iterator[tuple[int, Tensor]]:
    """`token_inputs` of the whole vocabulary, a block at a time: the first id, and (tokens, d_model)."""
    embed, start = reader.stack.embed, 0
    for rows in _table(embed).split(AT_ONCE):
        work_bound.check()
        yield start, _through(reader, _scaled(embed, rows))
        start += len(rows)


def _scaled(embed: Embedding, rows: Tensor) -> Tensor:
    """Rows (tokens, token_width) of the table as the embedding begins with them: (tokens, embedding_width)."""
    config, rows = embed.config, rows.float()
    rows = rows * config.token_factor
    if config.token_width == config.embedding_width:
        return rows
    return nn.functional.pad(rows, (0, config.embedding_width - config.token_width))  # zeros in the place of a position


def _table(embed: Embedding) -> Tensor:
    """The embedding table: (vocabulary, token_width)."""
    if embed.config.image_size:
        raise ModelMismatch("A model of pictures has no vocabulary, so its heads have no circuits over one.")
    return embed.tokens.weight.detach()


def _through(reader: Reader, x: Tensor) -> Tensor:
    embed = reader.stack.embed
    for each in (embed.norm, embed.widen, *norms_between(reader)):
        x = x if each is None else each(x)
    return x


def _own_norm(stack: Stack, at: Attention) -> tuple[nn.Module, ...]:
    own = stack.config.norms_inputs
    return (stack.blocks[at.layer].get_submodule(NORM_OF[at.part]),) if own else ()


def _parts(stack: Stack) -> tuple[str, ...]:
    """The sublayers of one layer, in the order of the run."""
    return (*stack.config.attentions(stack.name), "ffn")
