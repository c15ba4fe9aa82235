"""What is not linear, with the factors that it has at a token of one run: then it is, and a sum can be followed.

A norm keeps its scale, and the transform of a BERT, act(W x + b), the ratio act(z) / z of each feature.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from model.network.block import Block
from model.network.norms import LayerNorm, RMSNorm
from model.network.transform import Transform


@dataclass(frozen=True)
class FrozenNorm:
    """g * (x - mean(x)) / scale + b, where `scale` stays that of one run. An RMSNorm subtracts no mean.

    The mean is linear in x already; only the scale is not. Elhage et al. (2021), "Handling Layer Normalization".
    """

    gain: Tensor  # (d_model,)
    bias: Tensor | None  # (d_model,)
    scale: Tensor | float  # (..., 1), one for each token
    subtracts_mean: bool

    def push(self, x: Tensor) -> Tensor:
        """What a part of the norm's input adds to its output, without the bias: (..., d_model) -> the same shape."""
        centred = x - x.mean(-1, keepdim=True) if self.subtracts_mean else x
        return self.gain * centred / self.scale

    def pull(self, direction: Tensor) -> Tensor:
        """The direction r in which a part x of the input gives what its result gives along `direction`.

        r . x = direction . push(x) for every x: the transpose of `push`. (..., d_model) -> the same shape.
        """
        scaled = self.gain * direction / self.scale
        return scaled - scaled.mean(-1, keepdim=True) if self.subtracts_mean else scaled


@dataclass(frozen=True)
class FrozenTransform:
    """ratio * (W x + b), where `ratio` = act(z) / z stays that of one run: its slope from 0 to z = W x + b.

    act(0) = 0 of every activation here, so the product is exactly what the run made.
    """

    weight: Tensor  # (d_out, d_in)
    bias: Tensor | None  # (d_out,): what b becomes after the activation
    ratio: Tensor  # (d_out,), or () where it is 1

    def push(self, x: Tensor) -> Tensor:
        """What a part of the transform's input adds to its output, without the bias: (..., d_in) -> (..., d_out)."""
        return self.ratio * (x @ self.weight.mT)

    def pull(self, direction: Tensor) -> Tensor:
        """The direction r with r . x = direction . push(x) for every x: (..., d_out) -> (..., d_in)."""
        return (self.ratio * direction) @ self.weight


Frozen = FrozenNorm | FrozenTransform


def freeze_transform(transform: Transform, x: Tensor) -> tuple[FrozenTransform, Tensor]:
    """The map at one token x (d_model,) of a run, and what the activation made, (d_model,)."""
    weight, bias = transform.dense.weight.detach(), transform.dense.bias
    z = transform.dense(x)
    made = transform.activation(z)
    ratio = torch.where(z == 0, 0.0, made / z)  # at 0 nothing is to be shared out
    return FrozenTransform(weight, None if bias is None else ratio * bias.detach(), ratio), made


def freeze_map(linear: nn.Linear) -> FrozenTransform:
    """A map of the network that is linear already: its ratios are 1."""
    bias = None if linear.bias is None else linear.bias.detach()
    return FrozenTransform(linear.weight.detach(), bias, torch.ones(()))


def freeze(norm: nn.Module, x: Tensor) -> FrozenNorm:
    """A norm of the network at tokens x (..., d_model) of a run. A model without norms has the identity."""
    if isinstance(norm, nn.Identity):
        return FrozenNorm(x.new_ones(x.shape[-1]), None, 1.0, subtracts_mean=False)
    assert isinstance(norm, LayerNorm | RMSNorm)
    wide, is_rms = x.double(), isinstance(norm, RMSNorm)
    variance = wide.square().mean(-1, keepdim=True) if is_rms else wide.var(-1, keepdim=True, correction=0)
    scale = (variance + norm.eps).sqrt()  # (..., 1)
    bias = norm.bias.detach() if isinstance(norm, LayerNorm) and norm.bias is not None else None
    return replace(without_scale(norm), bias=bias, scale=scale.to(x))


def freeze_output(block: Block, part: str, out: Tensor) -> dict[str, FrozenNorm]:
    """What a sublayer's output, `out` (..., d_model), passes before it is added to the stream, by its name.

    `part` is "self_attn", "cross_attn" or "ffn". A block has a gain there, a norm, both or nothing.
    """
    place, found = part.removeprefix("self_").removesuffix("_attn"), {}
    norm, gain = (getattr(block, f"{place}_{each}", None) for each in ("out_norm", "gain"))
    if gain is not None or block.residual_scale != 1:
        times = torch.tensor(block.residual_scale) if gain is None else gain.detach()
        found[f"{place}_scaled"] = FrozenNorm(times, None, 1.0, subtracts_mean=False)
        out = times * out
    if norm is not None:
        found[f"{place}_out_norm"] = freeze(norm, out)
    return found


def without_scale(norm: nn.Module) -> FrozenNorm:
    """A norm of the network as a linear map whose scale, which depends on the run, is left out."""
    if isinstance(norm, nn.Identity):
        return FrozenNorm(torch.ones(()), None, 1.0, subtracts_mean=False)
    assert isinstance(norm, LayerNorm | RMSNorm)
    return FrozenNorm(norm.gain.detach(), None, 1.0, subtracts_mean=isinstance(norm, LayerNorm))
