from __future__ import annotations

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from model.network.linear import _ONEDNN as ONEDNN
from model.network.linear import Linear, copy_out, linear, transposed_names


def random(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(sum(shape)))


@pytest.mark.parametrize("shape", [(7,), (1, 7), (5, 7), (2, 3, 5, 7)])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_equals_torch(shape: tuple[int, ...], bias: bool, dtype: torch.dtype) -> None:
    x, weight, b = random(*shape).to(dtype), random(11, 7).to(dtype), random(11).to(dtype) if bias else None
    with torch.no_grad():
        torch.testing.assert_close(linear(x, weight, b), F.linear(x, weight, b))


def test_works_on_views() -> None:
    x, weight = random(7, 5).mT, random(7, 11).mT
    with torch.no_grad():
        torch.testing.assert_close(linear(x, weight), x @ weight.mT)


def test_has_gradients_in_training() -> None:
    layer, x = Linear(7, 3), random(5, 7)
    layer(x).sum().backward()
    torch.testing.assert_close(layer.weight.grad, x.sum(0).expand(3, 7))
    torch.testing.assert_close(layer.bias.grad, torch.full((3,), 5.0))


def test_weights_that_are_stored_transposed_are_the_same_weights() -> None:
    layer, x = Linear(7, 11), random(5, 7)
    weight, product = layer.weight.detach().clone(), layer(x).detach()
    layer.store_transposed()
    assert layer.weight.equal(weight)
    assert layer.weight.mT.is_contiguous() or not ONEDNN
    with torch.no_grad():
        torch.testing.assert_close(layer(x), product)
    layer(x).sum().backward()
    torch.testing.assert_close(layer.weight.grad, x.sum(0).expand(11, 7))


@pytest.mark.parametrize("transposed", [True, False])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_a_weight_is_copied_out_as_it_will_be_stored(transposed: bool, dtype: torch.dtype) -> None:
    stored = random(70, 130).to(dtype)
    for weight in (stored, stored.mT.contiguous().mT, stored[:, 3:100], stored.mT[3:100], stored[:1], stored[:, :1]):
        copied = copy_out(weight, transposed)
        assert copied.equal(weight.float())
        assert copied.dtype == torch.float32
        assert copied.data_ptr() != weight.data_ptr()
        assert copied.mT.is_contiguous() or not transposed


def test_the_names_of_the_weights_that_are_stored_transposed() -> None:
    network = nn.Sequential(Linear(7, 11), nn.Linear(11, 3), nn.Sequential(Linear(3, 2)))
    assert transposed_names(network) == ({"0.weight", "2.0.weight"} if ONEDNN else set())


def test_a_layer_without_numbers_draws_none() -> None:
    before = torch.get_rng_state()
    with torch.device("meta"):
        layer = Linear(7, 11)
    assert layer.weight.is_meta
    assert torch.get_rng_state().equal(before)
    assert not Linear(7, 11).weight.isnan().any()
    assert not torch.get_rng_state().equal(before)
