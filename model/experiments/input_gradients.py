"""Gradient x input: by how much would a logit change if the embedding of a token were a little smaller?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from model.device import PLAIN
from model.errors import ModelMismatch
from model.experiments.layerwise_gradient import Watch, layer_gradients, leaf
from model.network.transformer import Transformer


@dataclass(frozen=True)
class InputGradients:
    """x . d logit / d x of the embedding x of each token, of the source's too where there is one."""

    tokens: Tensor  # (tokens,)
    source: Tensor | None  # (source tokens,)


def gradient_times_input(
    network: Transformer,
    streams: Mapping[str, Tensor],
    position: int,
    token: int,
    against: int | None = None,
    watch: Watch = iter,
) -> InputGradients:
    """Gradient x input of one logit, or of the difference of two, at one position of a run.

    `streams` are the tensors of `stream_names` of that run, on any device.

    The gradient: Simonyan et al. (2014), arXiv:1312.6034; times the input: Shrikumar et al. (2016), arXiv:1605.01713.
    Unlike the parts of an account it goes through everything, attention weights and feed-forwards too, but only as a
    small step would. Of an encoder the tokens are those at the position, or classes of texts. `watch` goes through the
    layers, the last one first. Raises `ModelMismatch` for an encoder without either.
    """
    if not network.config.has_answer:
        raise ModelMismatch("This encoder gives a text neither a word nor a class: there is no logit.")

    @torch.inference_mode(False)
    @torch.enable_grad()
    def differentiate(hidden: Tensor) -> Tensor:  # (tokens, d_model) -> the same shape
        hidden = leaf(hidden)
        logits = network.answer(hidden, position)  # (answers,)
        return torch.autograd.grad(logits[token] if against is None else logits[token] - logits[against], hidden)[0]

    of_stack = {}
    for each in watch(layer_gradients(network, streams, differentiate)):
        if each.layer == 0:  # x is the embedding
            of_stack[each.stack] = PLAIN.take((each.x * each.of_x).sum(-1))  # (tokens,)
    *source, tokens = (of_stack[stack] for stack in network.config.stacks)
    return InputGradients(tokens, source[0] if source else None)
