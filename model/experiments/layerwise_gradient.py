"""The gradient of one number with respect to the residual stream before each layer, the last layer first.

Autograd over a whole run keeps the graph of all layers, with the weights (tokens, tokens) of every head. Here a run
without a graph keeps the residual stream x_l before each layer l. From the last layer down, each layer runs once more
from its x_l with a graph, and by the chain rule

    d u / d x_l = d u / d x_(l+1) . d x_(l+1) / d x_l

So one layer's graph is in memory at a time. Each layer runs twice. Chen et al. (2016), arXiv:1604.06174, section 4.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor

from model.device import Placement
from model.experiments.surgery import edits_of
from model.graph.network_graph import make_graph
from model.graph.on_demand import stream_names
from model.network.masks import causal_mask
from model.network.transformer import Transformer
from model.tape import Tape


@dataclass(frozen=True)
class LayerGradient:
    """The gradients of a number at one layer, on the model's device: (tokens, d_model) each."""

    stack: str
    layer: int
    x: Tensor  # the residual stream before the layer
    of_x: Tensor  # the gradient with respect to x
    of_resid_in: Tensor  # the same, but where an edit changes `resid_in`: with respect to what the edit gives


Steps = Iterator[LayerGradient]
Watch = Callable[[Steps], Steps]  # goes through the layers, and may show how far they are


def layer_gradients(
    network: Transformer, streams: Mapping[str, Tensor], differentiate: Callable[[Tensor], Tensor]
) -> Steps:
    """The gradients at each layer: those of the last stack, then those of a translator's encoder.

    `streams` are the tensors of `stream_names` of a run of the network, on any device. `differentiate` takes the last
    stack's hidden states, and returns the number's gradient with respect to them: (tokens, d_model). Every layer of a
    translator's decoder reads the encoder's output, so the gradients of all these ways add up.
    """
    config, graph, place = network.config, make_graph(network.config), Placement.of(network)
    last, *before = (place.take(streams[graph.outputs[stack]]) for stack in reversed(config.stacks))
    gradient, memory = differentiate(last), before[0] if before else None
    for stack in reversed(config.stacks):
        of_memory = torch.zeros_like(gradient if memory is None else memory)
        for layer in reversed(range(config.n_layers(stack))):
            x = place.take(streams[graph[f"{stack}.{layer}.resid_in"].one("x")])
            gradient, of_resid_in, *of_read = _go_back(network, stack, layer, x, memory, gradient)
            of_memory = sum(of_read, start=of_memory)
            yield LayerGradient(stack, layer, x, gradient, of_resid_in)
        gradient, memory = of_memory, None


@torch.inference_mode()
def record_streams(network: Transformer, ids: Tensor, source: Tensor | None) -> dict[str, Tensor]:
    """The tensors of `stream_names` by name, each (tokens, d_model), of a run over ids and source, (tokens,) each.

    The ids are those of the last stack, source those of an encoder before it.
    """
    tape = Tape(stream_names(network.config))
    if network.decoder is None:
        network.encode(ids, tape)
    else:
        network.decode(ids, None if source is None else network.encode(source, tape), tape)
    return tape.records


@torch.inference_mode(False)
@torch.enable_grad()
def _go_back(
    network: Transformer, stack: str, layer: int, x: Tensor, memory: Tensor | None, gradient: Tensor
) -> tuple[Tensor, ...]:
    """From the gradient with respect to a layer's output to those with respect to x, `resid_in` and the memory, if any.

    All are (tokens, d_model). The final norm belongs to the last layer.
    """
    x, *read = (leaf(each) for each in (x, memory) if each is not None)
    resid_in = f"{stack}.{layer}.resid_in"
    tape = Tape(resid_in, edits_of(network))
    out = run_layer(network, stack, layer, x, tape, *read)
    return torch.autograd.grad(out, (x, tape.records[resid_in], *read), gradient, materialize_grads=True)


def leaf(x: Tensor) -> Tensor:
    """A copy of the tensor where a graph begins: the weights of a loaded model need no gradient."""
    return x.clone().requires_grad_()


def run_layer(
    network: Transformer, stack: str, layer: int, x: Tensor, tape: Tape, memory: Tensor | None = None
) -> Tensor:
    """One layer, and after the last one the final norm: (tokens, d_model) -> the same shape.

    The tape applies all edits, also those of the network. So the network applies none itself.
    """
    chosen = network.encoder if stack == "encoder" else network.decoder
    assert chosen is not None, f"this model has no {stack}"
    mask = causal_mask(len(x), len(x), x.device) if network.config.is_causal(stack) else None
    is_last = layer == network.config.n_layers(stack) - 1
    return chosen.run(x, tape, mask, memory, first=layer, stop=None if is_last else layer + 1)
