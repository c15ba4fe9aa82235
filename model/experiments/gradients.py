"""How much of the learning signal reaches each depth: gradient norms, with and without skip connections."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from model.config import NormPosition, TransformerConfig
from model.device import PLAIN
from model.experiments.head_ablation import next_token_loss
from model.network.transformer import Transformer, initialise
from model.seeding import seeded
from model.tape import Edit, Tape


def gradient_by_depth(network: Transformer, ids: Tensor, source: Tensor | None = None) -> Tensor:
    """|d loss / d resid_in| of each layer of the last stack, first layer first: (layers,).

    With a decoder the loss is that of the next tokens of `ids` (tokens,). An encoder-only model has no such loss; there
    it is the final hidden states' product with one fixed direction. With a skip connection d(F(x) + x)/dx = F'(x) + 1:
    the 1 lets the gradient pass however small F' is. Palaskos (2022), eq. 3.51.
    """
    stack = "encoder" if network.decoder is None else "decoder"
    tape = Tape(keep=f"{stack}.*.resid_in", edits=(Edit(f"{stack}.0.resid_in", track_gradient),))
    with torch.inference_mode(False), torch.enable_grad():
        ids, source = ids.clone(), None if source is None else source.clone()
        if network.decoder is None:
            hidden = network.encode(ids, tape)
            direction = torch.randn(hidden.shape, generator=torch.Generator().manual_seed(0)).to(hidden)
            loss = (hidden * direction).mean()
        else:
            memory = None if source is None else network.encode(source)
            loss = next_token_loss(network, network.decode(ids, memory, tape), ids)
        gradients = torch.autograd.grad(loss, list(tape.records.values()))
    return PLAIN.take(torch.stack([gradient.norm() for gradient in gradients]))


def derivative_of_sum(
    network: Transformer, ids: Tensor, source: Tensor | None, place: str, token: int, feature: int
) -> tuple[float, float]:
    """dF/dx and d(F(x) + x)/dx of one feature of a token by itself, for the self-attention F of the layer `place`
    ("decoder.3"). Palaskos (2022), eq. 3.51: they differ by 1.

    `ids` (tokens,) are those of the last stack, `source` those that an encoder before it reads.
    """
    found, added, total = (f"{place}.{name}" for name in ("resid_in", "self_attn.out", "resid_mid"))
    tape = Tape(keep=(found, added, total), edits=(Edit(found, track_gradient),))
    with torch.inference_mode(False), torch.enable_grad():
        ids, source = ids.clone(), None if source is None else source.clone()
        if place.startswith("encoder"):
            network.encode(ids if source is None else source, tape)
        else:
            network.decode(ids, None if source is None else network.encode(source), tape)
        x = tape.records[found]
        by_feature = (
            torch.autograd.grad(tape.records[name][token, feature], x, retain_graph=True) for name in (added, total)
        )
        inner, outer = (float(gradient[token, feature]) for (gradient,) in by_feature)
    return inner, outer


def track_gradient(x: Tensor) -> Tensor:
    """The same tensor with a gradient of its own, as the change of an `Edit`: the graph begins there, since the weights
    of a loaded model need none."""
    return x.detach().requires_grad_()


def narrow(config: TransformerConfig, width: int) -> TransformerConfig:
    """The same kind of model with a stream of `width` features and four heads. It computes many layers quickly."""
    d_position = width // 4 if config.d_position else 0
    return replace(
        config,
        d_model=width,
        n_heads=4,
        n_kv_heads=None,
        d_head=None,
        rotary_width=None,
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
        token_labels=(),
        masked_words=False,
        transform="none",
        output_bias=False,
    )


def in_order(config: TransformerConfig, norm_position: NormPosition) -> TransformerConfig:
    """The same layers in the "pre" or in the "post" order. Only pre-norm sublayers can read the same stream."""
    parallel = config.parallel_residual and norm_position == "pre"
    return replace(config, norm_position=norm_position, parallel_residual=parallel)


def fresh(config: TransformerConfig, depth: int, residual: bool, norm: bool, seed: int = 0) -> Transformer:
    """An untrained network of this shape with `depth` layers in its last stack, with or without skips and norms."""
    n_layers = {"n_encoder_layers" if config.kind == "encoder" else "n_decoder_layers": depth}
    kept = replace(config, residual=residual, norm=config.norm if norm else "none", **n_layers)  # type: ignore[arg-type]
    with seeded(seed), torch.inference_mode(False):
        return Transformer(kept).apply(initialise).eval().requires_grad_(False)
