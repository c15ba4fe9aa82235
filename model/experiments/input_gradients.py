"""Gradient x input: by how much would a logit change if the embedding of a token were a little smaller?"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from model.device import PLAIN
from model.errors import ModelMismatch
from model.experiments.gradients import track_gradient
from model.network.transformer import Transformer
from model.tape import Edit, Tape


@dataclass(frozen=True)
class InputGradients:
    """x . d logit / d x of the embedding x of each token, of the source's too where there is one."""

    tokens: Tensor  # (tokens,)
    source: Tensor | None  # (source tokens,)


def gradient_times_input(
    network: Transformer, ids: Tensor, source: Tensor | None, position: int, token: int, against: int | None = None
) -> InputGradients:
    """Gradient x input of one logit, or of the difference of two, at one position. ids (tokens,), source (tokens,).

    The gradient: Simonyan et al. (2014), arXiv:1312.6034; times the input: Shrikumar et al. (2016), arXiv:1605.01713.
    Unlike the parts of an account it goes through everything, attention weights and feed-forwards too, but only as a
    small step would. Of an encoder the tokens are those at the position, or classes of texts. Raises `ModelMismatch`
    for an encoder without either.
    """
    if not network.config.has_answer:
        raise ModelMismatch("This encoder gives a text neither a word nor a class: there is no logit.")
    tape = Tape(keep="*embed.out", edits=(Edit("*embed.out", track_gradient),))
    with torch.inference_mode(False), torch.enable_grad():
        ids, source = ids.clone(), None if source is None else source.clone()
        logits = _logits(network, ids, source, position, tape)  # (answers,)
        answer = logits[token] if against is None else logits[token] - logits[against]
        inputs = list(tape.records.values())  # the source's first, where there is one
        gradients = torch.autograd.grad(answer, inputs)
        products = [(x * gradient).sum(-1) for x, gradient in zip(inputs, gradients, strict=True)]
    by_token = [PLAIN.take(product.detach()) for product in products]
    return InputGradients(by_token[-1], None if source is None else by_token[0])


def _logits(network: Transformer, ids: Tensor, source: Tensor | None, position: int, tape: Tape) -> Tensor:
    """The logits of the next token after a position, of the word there, or of the classes of a text: (answers,)."""
    if network.decoder is None:
        return network.answer(network.encode(ids, tape), position)
    memory = None if source is None else network.encode(source, tape)
    return network.logits(network.decode(ids, memory, tape)[position][None])[0]
