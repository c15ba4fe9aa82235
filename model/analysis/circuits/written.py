"""The OV circuit over the vocabulary: which tokens become likelier when a head reads a token, and whether it copies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model import work_bound
from model.analysis.circuits.direct_path import (
    AT_ONCE,
    end_of,
    key_reader,
    norms_between,
    stack_of,
    sublayer_of,
    token_inputs,
    vocabulary,
)
from model.analysis.circuits.head_matrices import head_matrices
from model.analysis.circuits.largest import Ends, EndsKeeper
from model.analysis.frozen_norm import without_scale
from model.analysis.head_steps import Attention
from model.errors import ModelMismatch, NumbersNotFinite
from model.run import Model


@dataclass(frozen=True)
class Written:
    """What reading some tokens writes.

    `ends` are the tokens of the vocabulary that rise and that fall most. `own` (tokens,) is the rise of the token that
    was read, and `ranks` (tokens,) its place among all, 1 for the one that rises most. Both are None where the model
    reads one vocabulary and writes another. `added` (tokens, d_model) is what stands before the output layer: a rise is
    its product with the row of a token.
    """

    ends: Ends
    own: Tensor | None
    ranks: Tensor | None
    added: Tensor


@dataclass(frozen=True)
class Copying:
    """The eigenvalues (d_head,) of the OV circuit that need not be 0, complex, the largest in size first.

    Those of a vocabulary x vocabulary matrix that goes through d_head features are those of a d_head x d_head one.
    """

    eigenvalues: Tensor

    @property
    def score(self) -> float:
        """Sum of the eigenvalues over the sum of their sizes: 1 where all are positive, as in a head that copies.

        Elhage et al. (2021), "Copying / primarily positive eigenvalues": sum(l) / sum(|l|). -1: all are negative.
        """
        return float(self.eigenvalues.real.sum() / self.eigenvalues.abs().sum().clamp_min(1e-30))


@torch.inference_mode()
def written(model: Model, at: Attention, head: int, ids: Sequence[int], count: int) -> Written:
    """What each token s makes of every logit if the head reads nothing else: x_s W_V W_O N W_U.

    Elhage et al. (2021), "The Output-Value (OV) circuit": W_U W_OV W_E. x_s is the token's embedding through the norms
    before the head, as if no sublayer wrote anything. N are the norms between the head and the output layer, without
    their scales: so the numbers compare with each other, but are no logits. The bias of the values, which a head writes
    whatever it reads, is left out. `count` is that of the tokens of each end. Raises `ModelMismatch` for a head whose
    stack has no output layer.
    """
    matrices, known = head_matrices(model, at, head), torch.tensor(ids)
    values = token_inputs(key_reader(model, at), known) @ matrices.w_v  # (tokens, d_head)
    added = values @ pushed_to_output(model, at, matrices.w_o)  # (tokens, d_model)
    table, shared = output_table(model), reads_what_it_writes(model, at)
    own = (added * table[known]).sum(-1) if shared else None  # (tokens,)
    keeper, ranks = EndsKeeper(len(known), count), torch.ones(len(known), dtype=torch.long)
    for start in range(0, len(table), AT_ONCE):
        work_bound.check()
        rises = added @ table[start : start + AT_ONCE].mT  # (tokens, block)
        keeper.add(start, rises)
        if own is not None:
            others = torch.arange(start, start + rises.shape[-1]) != known[:, None]  # (tokens, block)
            ranks += ((rises > own[:, None]) & others).sum(-1)
    return Written(keeper.ends, own, None if own is None else ranks, added)


@torch.inference_mode()
def word_ends(model: Model, added: Tensor, count: int) -> Ends:
    """The words whose logits rise most and fall most by what is added before the output layer, (rows, d_model).

    Raises `ModelMismatch` for a model without an output layer over a vocabulary.
    """
    table, keeper = output_table(model), EndsKeeper(len(added), count)
    for start in range(0, len(table), AT_ONCE):
        work_bound.check()
        keeper.add(start, added @ table[start : start + AT_ONCE].mT)
    return keeper.ends


@torch.inference_mode()
def copying(model: Model, at: Attention, head: int) -> Copying:
    """The eigenvalues of a head's OV circuit over the whole vocabulary, x W_V W_O N W_U.

    A product A B, (vocabulary, d_head) times (d_head, vocabulary), has the eigenvalues of B A, and 0. Raises
    `ModelMismatch` where the model reads one vocabulary and writes another, or the stack has no output layer;
    `NumbersNotFinite` for weights whose products are not finite.
    """
    matrices, reader, table = head_matrices(model, at, head), key_reader(model, at), output_table(model)
    outward = pushed_to_output(model, at, matrices.w_o)  # (d_head, d_model)
    if not reads_what_it_writes(model, at):
        raise ModelMismatch("This head reads one vocabulary and writes another, so it cannot copy.")
    inner = torch.zeros(len(outward), len(outward), dtype=torch.float64)  # W_O N W_U x W_V: (d_head, d_head)
    for start, x in vocabulary(reader):
        rows = table[start : start + len(x)]  # (block, d_model)
        inner += ((outward @ rows.mT) @ (x @ matrices.w_v)).double()
    if not inner.isfinite().all():
        raise NumbersNotFinite("The products of this head's weights are not finite: they have no eigenvalues.")
    found = torch.linalg.eigvals(inner)  # (d_head,)
    return Copying(found[found.abs().argsort(descending=True)])


def pushed_to_output(model: Model, at: Attention, w_o: Tensor) -> Tensor:
    """W_O N: what a head writes (d_head, d_model), after the norms before the output layer, without their scales.

    Raises `ModelMismatch` for a head of a stack that has no output layer.
    """
    if at.stack != "decoder":
        raise ModelMismatch("This head is in an encoder, which has no output layer: it makes no next token likelier.")
    for norm in norms_between(end_of(stack_of(model, at.stack)), sublayer_of(model, at)):
        w_o = without_scale(norm).push(w_o)
    return w_o


def output_table(model: Model) -> Tensor:
    """W_U, a row for each token that the model writes: (vocabulary, d_model). Where logits are scaled, so are its rows.

    Raises `ModelMismatch` without one.
    """
    network = model.on_cpu.network
    if network.decoder is None:
        raise ModelMismatch("This model has no output layer over a vocabulary.")
    table = network.output_table.detach().float()
    return table if model.config.logit_factor == 1 else table * model.config.logit_factor


def reads_what_it_writes(model: Model, at: Attention) -> bool:
    """Whether the tokens that a head reads are those that the model writes."""
    return not (at.is_cross and model.config.target_vocab_size)
