"""How far back a network feels its inputs: the gradient of its last output with respect to each earlier input.

In a recurrent network the gradient passes through every state in between, and each multiplies it: it vanishes or
explodes (Hochreiter 1991; Bengio et al. 1994; Palaskos 2022, sections 2.1 and 3.1). Attention has a direct path to
every token.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from model import work_bound
from model.config import TransformerConfig
from model.device import PLAIN
from model.edits.edit import Change
from model.experiments.gradients import track_gradient
from model.network.transformer import Transformer
from model.recurrent.config import RecurrentConfig
from model.recurrent.networks import Recurrent, make_recurrent
from model.seeding import seeded
from model.tape import Tape


def gradient_by_distance(network: Transformer | Recurrent, ids: Tensor, directions: int = 8, seed: int = 0) -> Tensor:
    """The size of d h(T) / d x(T - k) for k = 0, 1, ..., T - 1: the mean over rows of `ids` (rows, T). (T,)

    x is a token's embedding and h(T) the last hidden state, which the output layer reads. The size is the root mean
    square of the Jacobian's product with `directions` random unit directions; the same directions for every network
    of the same width.
    """
    recurrent = isinstance(network, Recurrent)
    entry, last = ("embed", "states") if recurrent else ("embed.out", "final_norm")
    tape = Tape(keep=(entry, last), edits=(Change(entry, track_gradient),))
    with torch.inference_mode(False), torch.enable_grad():
        network.decode(ids.clone(), tape=tape)
        inputs, output = tape.records[entry], tape.records[last][..., -1, :]  # (rows, T, d), (rows, d)
        chance = torch.Generator().manual_seed(seed)
        squares = torch.zeros(ids.shape, device=output.device)
        for _ in range(directions):
            work_bound.check()
            direction = torch.randn(output.shape[-1], generator=chance)
            shadow = (output @ (direction / direction.norm()).to(output)).sum()
            (gradient,) = torch.autograd.grad(shadow, inputs, retain_graph=True)
            squares += gradient.square().sum(-1)
    return PLAIN.take((squares / directions).sqrt().mean(0).flip(0))


def make_untrained(config: TransformerConfig | RecurrentConfig, seed: int = 0) -> Transformer | Recurrent:
    """A network of this shape with the random weights that training starts from."""
    with seeded(seed), torch.inference_mode(False):
        made: nn.Module = make_recurrent(config) if isinstance(config, RecurrentConfig) else Transformer(config)
    return made.eval().requires_grad_(False)  # type: ignore[return-value]
