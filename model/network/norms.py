"""Norms give the features of every token the same size. So deep stacks stay stable."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.config import TransformerConfig
from model.network.graph_builder import GraphBuilder


def standardise(x: Tensor, eps: float = 1e-5) -> Tensor:
    """(x - mu) / sigma over the features, with the population sigma and eps inside the root: same shape as x.

    Palaskos (2022), eqs. 3.46-3.47; slides.
    """
    mu = x.mean(dim=-1, keepdim=True)
    variance = ((x - mu) ** 2).mean(dim=-1, keepdim=True)
    return (x - mu) / (variance + eps).sqrt()


def divide_by_rms(x: Tensor, eps: float = 1e-5) -> Tensor:
    """x / sqrt(mean(x^2) + eps) over the features: same shape as x. Zhang and Sennrich (2019), arXiv:1910.07467."""
    return x / ((x**2).mean(dim=-1, keepdim=True) + eps).sqrt()


class LayerNorm(nn.Module):
    """g * standardise(x) + b, with learnt gain g and bias b, which some models lack. Ba et al. (2016); Palaskos (2022),
    eq. 3.48."""

    def __init__(self, d_model: int, eps: float, bias: bool = True) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.ones(d_model))
        self.bias = nn.Parameter(torch.zeros(d_model)) if bias else None
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        """x (..., d_model) -> the same shape."""
        # One fused kernel for gain * standardise(x) + bias; a test compares the two.
        return F.layer_norm(x, self.gain.shape, self.gain, self.bias, self.eps)


class RMSNorm(nn.Module):
    """g * x / sqrt(mean(x^2) + eps), without subtracting the mean, without bias. Zhang and Sennrich (2019),
    arXiv:1910.07467."""

    def __init__(self, d_model: int, eps: float) -> None:
        super().__init__()
        self.gain = nn.Parameter(torch.ones(d_model))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        """x (..., d_model) -> the same shape."""
        return F.rms_norm(x, self.gain.shape, self.gain, self.eps)


def make_norm(config: TransformerConfig, width: int | None = None) -> nn.Module:
    """The norm that the configuration names, of d_model features by default: (..., width) -> the same shape.

    "none" changes nothing.
    """
    width = width or config.d_model
    if config.norm == "none":
        return nn.Identity()
    if config.norm == "rms":
        return RMSNorm(width, config.norm_eps)
    return LayerNorm(width, config.norm_eps, config.norm_bias)


def norm_weights(graph: GraphBuilder, norm: nn.Module) -> dict[str, str]:
    """The gain of a norm, and the bias that LayerNorm alone may have; {} where nothing is normalised."""
    return {name: graph.weight(weight, "d_model") for name, weight in norm.named_parameters()}


def add_norm(graph: GraphBuilder, name: str, norm: nn.Module, x: str) -> str:
    """The tensor x after a norm; x itself in a model without norms."""
    weights = norm_weights(graph, norm)
    return graph.add(name, "norm" if weights else "copy", x=x, **weights)
