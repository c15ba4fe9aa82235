"""The logit lens: what every layer would predict if it were the last one. nostalgebraist (2020), "interpreting GPT"."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model.analysis.block_steps import output_name
from model.config import TransformerConfig
from model.device import PLAIN, Placement
from model.network.transformer import Transformer
from model.tape import Trace


@dataclass(frozen=True)
class Lens:
    """The likeliest next tokens after each layer. Row 0 is the embedding, row l + 1 what layer l hands on.

    `ids` and `probabilities`: (layers + 1, positions, k), the likeliest first. `of_final` (layers + 1, positions):
    the probability of the token that the last layer puts first there, and `ranks` its rank, from 1. `entropy` and
    `divergence` (layers + 1, positions), in bits: that of each row's distribution, and D(output || row), the
    Kullback-Leibler divergence of the last row from it, which is 0 there.
    """

    positions: tuple[int, ...]
    ids: Tensor
    probabilities: Tensor
    of_final: Tensor
    ranks: Tensor
    entropy: Tensor
    divergence: Tensor

    def settled_row(self, column: int) -> int:
        """The lowest row from which on every row puts the last row's token first, at one of the positions."""
        is_final = (self.ids[:, column, 0] == self.ids[-1, column, 0]).tolist()
        return next((row + 1 for row in reversed(range(len(is_final))) if not is_final[row]), 0)


def lens_names(config: TransformerConfig) -> tuple[str, ...]:
    """The tensors that a lens looks at, for `keep`."""
    output = output_name(config)
    return ("decoder.0.resid_in", *(f"decoder.{layer}.{output}" for layer in range(config.n_decoder_layers)))


@torch.inference_mode()
def lens_logits(network: Transformer, hidden: Tensor) -> Tensor:
    """The final norm and the output layer on a residual stream (..., d_model) of any layer: (..., V).

    The stream comes from a trace and the logits go to the CPU; they are computed on the network's device.
    """
    assert network.decoder is not None, "an encoder-only model has no next token"
    norm, hidden = network.decoder.final_norm, Placement.of(network).take(hidden)
    return PLAIN.take(network.logits(hidden if norm is None else norm(hidden)))


@torch.inference_mode()
def logit_lens(network: Transformer, trace: Trace, positions: Sequence[int], k: int = 5) -> Lens:
    """The final norm and the output layer, applied to the residual stream after every layer.

    The last row is the model's own prediction. `trace` needs the tensors of `lens_names`.
    """
    names = lens_names(network.config)
    output = lens_logits(network, trace[names[-1]][list(positions)]).log_softmax(-1)  # (positions, V)
    final = output.argmax(-1, keepdim=True)  # (positions, 1)
    rows = [_look(lens_logits(network, trace[name][list(positions)]), output, final, k) for name in names]
    return Lens(tuple(positions), *(torch.stack(column) for column in zip(*rows, strict=True)))


def _look(logits: Tensor, output: Tensor, final: Tensor, k: int) -> tuple[Tensor, ...]:
    """The values of one row of a lens: (positions, k) or (positions,) each, in the order of `Lens`.

    `logits` and `output`, the logarithms of the last row's probabilities, (positions, V); `final` (positions, 1).
    """
    logs = logits.log_softmax(-1)  # (positions, V)
    shares = logs.exp()
    top, of_final = shares.topk(k), shares.gather(-1, final)  # (positions, 1)
    ranks = (shares > of_final).sum(-1) + 1
    entropy = torch.special.entr(shares).sum(-1) / math.log(2)
    divergence = (output.exp() * (output - logs)).nan_to_num(0.0).sum(-1) / math.log(2)
    return top.indices, top.values, of_final[:, 0], ranks, entropy, divergence
