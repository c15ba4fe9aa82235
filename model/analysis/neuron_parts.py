"""The part of a feed-forward, split by its neurons, and the tokens or classes that a neuron writes towards."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from model import work_bound
from model.analysis.answers import output_layer
from model.analysis.attribution import Account
from model.analysis.written_by_experts import weight_of
from model.config import TransformerConfig
from model.graph.network_graph import make_graph
from model.network.feed_forward import FeedForward
from model.run import Model
from model.tape import Tape, Trace

AT_ONCE = 16  # neurons whose logits are made together: 3 MB for a vocabulary of 49,152


@dataclass(frozen=True)
class NeuronParts:
    """What each neuron of a feed-forward gives: activated[n] W_2[:, n] r. With the bias they sum to its part.

    `activated` (d_ff,) are the neurons themselves. `bias` is b_2 r. Those of an expert are times its weight.
    """

    path: str
    parts: Tensor  # (d_ff,)
    activated: Tensor  # (d_ff,)
    bias: float

    @property
    def total(self) -> float:
        """The sum of all neurons and the bias."""
        return float(self.parts.sum()) + self.bias

    def largest(self, count: int) -> Tensor:
        """The neurons with the largest parts in size, largest first: (count,)."""
        return self.parts.abs().topk(min(count, len(self.parts))).indices


def input_of_ffn(config: TransformerConfig, path: str) -> str:
    """The tensor that a feed-forward, or an expert of it, reads."""
    return make_graph(config)[f"{sublayer_of(path)}.{'router' if config.n_experts else 'hidden'}"].one("x")


def sublayer_of(path: str) -> str:
    """The feed-forward that an expert is of: "decoder.3.ffn" for "decoder.3.ffn.experts.5"."""
    return f"{path.partition('.ffn')[0]}.ffn"


def keep_for_neurons(config: TransformerConfig) -> tuple[str, ...]:
    """The tensors that a run must record for `neuron_parts`, beside those of `keep_for_account`."""
    stack = config.stacks[-1]
    return tuple(input_of_ffn(config, f"{stack}.{layer}.ffn") for layer in range(config.n_layers(stack)))


@torch.inference_mode()
def neuron_parts(model: Model, trace: Trace, account: Account, path: str) -> NeuronParts:
    """The neurons of a feed-forward ("decoder.3.ffn"), or of an expert of it, at the position of the account."""
    ffn, tape = _module(model, path), Tape(keep="activated")
    ffn(trace[input_of_ffn(model.config, path)][account.position], tape)
    weight = weight_of(trace, path, account.position)
    activated, direction = weight * tape.records["activated"], account.directions[sublayer_of(path)]
    bias = 0.0 if ffn.contract.bias is None else weight * float(ffn.contract.bias @ direction)
    return NeuronParts(path, activated * (direction @ ffn.contract.weight), activated, bias)


@dataclass(frozen=True)
class Written:
    """The tokens whose logits one neuron raises most in this run, and how much: largest first."""

    neuron: int
    ids: Tensor  # (count,)
    rises: Tensor  # (count,)


@torch.inference_mode()
def written_tokens(model: Model, account: Account, found: NeuronParts, neurons: Tensor, count: int) -> list[Written]:
    """For some neurons: activated[n] W_2[:, n] through the norms above it, frozen as in this run, and the output layer.

    It is the change of every logit, before a cap, that is due to the neuron directly. Geva et al. (2022),
    arXiv:2203.14680, read feed-forwards so. `neurons` (n,) are taken a few at a time, so no matrix neurons x vocabulary
    is ever whole.
    """
    ffn, written = _module(model, found.path), []
    for some in neurons.split(AT_ONCE):
        work_bound.check()
        added = (found.activated[some] * ffn.contract.weight[:, some]).mT  # (neurons, d_model)
        written_out = push_to_output(account, sublayer_of(found.path), added)
        logits = written_out @ output_layer(model)[0].mT  # without its bias, which is no neuron's doing
        top = logits.topk(min(count, logits.shape[-1]))  # (neurons, count)
        written += [Written(*row) for row in zip(some.tolist(), top.indices, top.values, strict=True)]
    return written


def push_to_output(account: Account, path: str, x: Tensor) -> Tensor:
    """What a part x (..., d_model) of a sublayer's output becomes after the last norm: the same shape."""
    for frozen in account.outputs[path]:
        x = frozen.push(x)
    order = list(account.directions)[::-1]  # sublayers in the order of the run, the embedding first
    above = set(order[order.index(path) :])
    for name, norm in account.norms.items():
        if name in above or name not in order:
            x = norm.push(x) if not name.endswith("embed.norm") else x
    return x


def _module(model: Model, path: str) -> FeedForward:
    """The feed-forward of that name, with its weights on the CPU, where traces are."""
    module = model.on_cpu.network.get_submodule(path.replace(".", ".blocks.", 1))
    assert isinstance(module, FeedForward)
    return module
