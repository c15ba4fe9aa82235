from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from model.network.norms import LayerNorm, RMSNorm, divide_by_rms, make_norm, standardise
from tests.model.networks import config


def random(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(0)) * 3 + 1


def filled(norm: nn.Module) -> Any:
    with torch.no_grad():
        for seed, parameter in enumerate(norm.parameters()):
            parameter.copy_(torch.randn(parameter.shape, generator=torch.Generator().manual_seed(seed)))
    return norm


def test_standardise_by_hand() -> None:
    # mean 5, population sigma 2: (2 - 5) / 2, (4 - 5) / 2, ...
    x = torch.tensor([2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0])
    expected = torch.tensor([-1.5, -0.5, -0.5, -0.5, 0.0, 0.0, 1.0, 2.0])
    torch.testing.assert_close(standardise(x, eps=0), expected)


@pytest.mark.parametrize("eps", [1e-12, 1e-5, 1.0])
def test_layer_norm_is_gain_times_standardise_plus_bias(eps: float) -> None:
    x, norm = random(2, 5, 16), filled(LayerNorm(16, eps))
    torch.testing.assert_close(norm(x), norm.gain * standardise(x, eps) + norm.bias)
    torch.testing.assert_close(norm(x), F.layer_norm(x, (16,), norm.gain, norm.bias, eps))


@pytest.mark.parametrize("eps", [1e-5, 1.0])
def test_rms_norm_by_its_formula(eps: float) -> None:
    x, norm = random(2, 5, 16), filled(RMSNorm(16, eps))
    torch.testing.assert_close(norm(x), norm.gain * x / (x.square().mean(-1, keepdim=True) + eps).sqrt())
    torch.testing.assert_close(norm(x), F.rms_norm(x, (16,), norm.gain, eps))


def test_equal_features_give_zeros_not_nan() -> None:
    assert LayerNorm(4, 1e-5)(torch.full((1, 4), 7.0)).tolist() == [[0, 0, 0, 0]]
    assert RMSNorm(4, 1e-5)(torch.zeros(1, 4)).tolist() == [[0, 0, 0, 0]]


def test_the_configuration_chooses() -> None:
    layer, rms, none = (make_norm(config("decoder", norm=norm, norm_eps=0.25)) for norm in ("layer", "rms", "none"))
    assert isinstance(layer, LayerNorm)
    assert isinstance(rms, RMSNorm)
    assert layer.eps == rms.eps == 0.25
    x = random(3, 16)
    assert none(x).equal(x)


def test_dividing_by_the_root_mean_square_is_rms_norm_without_gain() -> None:
    x = torch.tensor([[3.0, -4.0, 0.0, 5.0], [1.0, 1.0, 1.0, 1.0]])
    torch.testing.assert_close(divide_by_rms(x, 0.5), x / torch.tensor([[13.0], [1.5]]).sqrt())
    torch.testing.assert_close(divide_by_rms(x, 0.5), RMSNorm(4, 0.5)(x))
