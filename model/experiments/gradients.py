"""How much of the learning signal reaches each depth: gradient norms, with and without skip connections."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import islice

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.config_values import NormPosition
from model.device import PLAIN, Placement
from model.experiments.head_ablation import next_token_loss
from model.experiments.layerwise_gradient import Watch, layer_gradients, leaf, run_layer
from model.experiments.surgery import edits_above
from model.generation.surprise import AT_ONCE
from model.network.transformer import Transformer, initialise
from model.seeding import seeded
from model.tape import AllRecorded, Tape


def gradient_by_depth(network: Transformer, ids: Tensor, streams: Mapping[str, Tensor], watch: Watch = iter) -> Tensor:
    """|d loss / d resid_in| of each layer of the last stack, first layer first: (layers,).

    With a decoder the loss is that of the next tokens of `ids` (tokens,). An encoder-only model has no such loss; there
    it is the final hidden states' product with one fixed direction. `streams` are the tensors of `stream_names` of a
    run over these ids, on any device. `watch` goes through the layers, the last one first.

    With a skip connection d(F(x) + x)/dx = F'(x) + 1: the 1 lets the gradient pass however small F' is. Palaskos
    (2022), eq. 3.51.
    """
    differentiate = _direction if network.decoder is None else partial(_differentiate_loss, network, ids)
    layers = network.config.n_layers(network.config.stacks[-1])
    steps = watch(islice(layer_gradients(network, streams, differentiate), layers))
    return PLAIN.take(torch.stack([each.of_resid_in.norm() for each in steps]).flip(0))


def _direction(hidden: Tensor) -> Tensor:
    """d mean(hidden x r) / d hidden for a fixed random r: (tokens, d_model) -> the same shape."""
    direction = torch.randn(hidden.shape, generator=torch.Generator().manual_seed(0)).to(hidden)
    return direction / direction.numel()


@torch.inference_mode(False)
@torch.enable_grad()
def _differentiate_loss(network: Transformer, ids: Tensor, hidden: Tensor) -> Tensor:
    """The gradient of the loss with respect to the hidden states: ids (tokens,), (tokens, d_model) -> the same shape.

    The logits of all tokens of a long text are large, so those of `AT_ONCE` tokens are made at a time.
    """
    predicted, gradient = len(ids) - 1, torch.zeros_like(hidden)
    for first in range(0, predicted, AT_ONCE):
        some = slice(first, first + AT_ONCE + 1)  # of the last one only the id is read: nothing is predicted after it
        x, read = leaf(hidden[some]), ids[some].clone()
        share = (len(read) - 1) / predicted
        gradient[some] += torch.autograd.grad(share * next_token_loss(network, x, read), x)[0]
    return gradient


def derivative_of_sum(
    network: Transformer, place: str, resid_in: Tensor, token: int, feature: int
) -> tuple[float, float]:
    """dF/dx and d(F(x) + x)/dx of one feature of a token by itself, for the self-attention F of the layer `place`
    ("decoder.3"). Palaskos (2022), eq. 3.51: they differ by 1.

    `resid_in` (tokens, d_model) is what the layer finds in a run of the network.
    """
    names = tuple(f"{place}.{name}" for name in ("self_attn.out", "resid_mid"))
    tape = Tape(names, edits_above(network, f"{place}.resid_in"), ends_after=len(names))
    stack, layer = place.split(".")
    with torch.inference_mode(False), torch.enable_grad():
        x = leaf(Placement.of(network).take(resid_in))
        with suppress(AllRecorded):
            run_layer(network, stack, int(layer), x, tape)
        by_feature = (torch.autograd.grad(tape.records[name][token, feature], x, retain_graph=True) for name in names)
        inner, outer = (float(gradient[token, feature]) for (gradient,) in by_feature)
    return inner, outer


def track_gradient(x: Tensor) -> Tensor:
    """The same tensor with a gradient of its own, as the change of an `Edit`: the graph begins there, since the weights
    of a loaded model need none."""
    return x.detach().requires_grad_()


def narrow(config: TransformerConfig, width: int) -> TransformerConfig:
    """The same kind of model with a stream of `width` features and four heads. It computes many layers quickly.

    Its heads turn as fast as those of any model of that width, and none of its layers has a window.
    """
    d_position = width // 4 if config.d_position else 0
    return replace(
        config,
        d_model=width,
        n_heads=4,
        n_kv_heads=None,
        d_head=None,
        rotary_width=None,
        rotary_scaling=(),
        rotary_gain=1.0,
        window=None,
        window_layers=(),
        window_base=None,
        unturned_layers=(),
        d_ff=4 * width,
        d_position=d_position,
    )


def lone_encoder(config: TransformerConfig) -> TransformerConfig:
    """An encoder with the same layers and no answer: a stack alone, of any kind of model."""
    return replace(
        config,
        n_encoder_layers=1,
        n_decoder_layers=0,
        text_labels=(),
        label_scores="softmax",
        token_labels=(),
        answer_span=False,
        masked_words=False,
        transform="none",
        output_bias=False,
    )


def in_order(config: TransformerConfig, norm_position: NormPosition) -> TransformerConfig:
    """The same layers in the "pre" or in the "post" order. Only pre-norm sublayers can read the same stream."""
    parallel = config.parallel_residual and norm_position == "pre"
    return replace(config, norm_position=norm_position, parallel_residual=parallel, unnormed_first=False)


def fresh(config: TransformerConfig, depth: int, residual: bool, norm: bool, seed: int = 0) -> Transformer:
    """An untrained network of this shape with `depth` layers in its last stack, with or without skips and norms."""
    n_layers = {"n_encoder_layers" if config.kind == "encoder" else "n_decoder_layers": depth}
    kept = replace(config, residual=residual, norm=config.norm if norm else "none", **n_layers)  # type: ignore[arg-type]
    with seeded(seed), torch.inference_mode(False):
        return Transformer(kept).apply(initialise).eval().requires_grad_(False)
