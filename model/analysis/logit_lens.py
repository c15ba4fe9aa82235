"""The logit lens: what every layer would predict if it were the last one. nostalgebraist (2020), "interpreting GPT"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from model.analysis.block_steps import output_name
from model.config import TransformerConfig
from model.device import PLAIN, Place
from model.network.transformer import Transformer
from model.tape import Trace


@dataclass(frozen=True)
class Lens:
    """The likeliest next tokens after each layer. Row 0 is the embedding, row l + 1 what layer l hands on.

    `ids` and `probabilities`: (layers + 1, positions, k), the likeliest first. `of_final` (layers + 1, positions):
    the probability of the token that the last layer puts first there.
    """

    positions: tuple[int, ...]
    ids: Tensor
    probabilities: Tensor
    of_final: Tensor

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
    norm, hidden = network.decoder.final_norm, Place.of(network).take(hidden)
    return PLAIN.take(network.logits(hidden if norm is None else norm(hidden)))


@torch.inference_mode()
def logit_lens(network: Transformer, trace: Trace, positions: Sequence[int], k: int = 5) -> Lens:
    """The final norm and the output layer, applied to the residual stream after every layer.

    The last row is the model's own prediction. `trace` needs the tensors of `lens_names`.
    """
    rows = []
    for name in lens_names(network.config):
        hidden = trace[name][list(positions)]  # (positions, d_model)
        rows.append(lens_logits(network, hidden).softmax(-1))  # (positions, V)
    final = rows[-1].argmax(-1)  # (positions,)
    top = [row.topk(k) for row in rows]
    return Lens(
        tuple(positions),
        torch.stack([each.indices for each in top]),
        torch.stack([each.values for each in top]),
        torch.stack([row.gather(-1, final[:, None])[:, 0] for row in rows]),
    )
