from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from torch.nn import functional as F

from model.network.feed_forward import ACTIVATIONS, FeedForward
from model.tape import SILENT, Tape
from tests.model.networks import config, network

pytestmark = pytest.mark.usefixtures("inference")


def made(**changes: Any) -> Any:
    ffn = network("decoder", **changes).decoder.blocks[0].ffn
    assert isinstance(ffn, FeedForward)
    return ffn


def test_by_hand() -> None:
    ffn = FeedForward(config("decoder", d_model=2, n_heads=1, d_ff=3)).requires_grad_(False)
    ffn.expand.weight.copy_(torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, -1.0]]))
    ffn.expand.bias.copy_(torch.tensor([0.0, -1.0, 0.0]))
    ffn.contract.weight.copy_(torch.tensor([[1.0, 2.0, 0.0], [0.0, 0.0, 3.0]]))
    ffn.contract.bias.copy_(torch.tensor([0.5, 0.0]))
    tape = Tape("*")
    out = ffn(torch.tensor([[2.0, 4.0], [3.0, 1.0]]), tape)
    assert tape.records["hidden"].tolist() == [[2, 3, -2], [3, 0, 2]]
    assert tape.records["activated"].tolist() == [[2, 3, 0], [3, 0, 2]]
    assert out.tolist() == [[8.5, 0], [3.5, 6]]


def by_tanh(x: torch.Tensor) -> torch.Tensor:
    """Hendrycks and Gimpel (2016), section 2."""
    return 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def by_sigmoid(x: torch.Tensor) -> torch.Tensor:
    """Hendrycks and Gimpel (2016), section 2."""
    return x / (1 + torch.exp(-1.702 * x))


@pytest.mark.parametrize("activation", ACTIVATIONS)
def test_plain_and_gated(activation: str) -> None:
    x = torch.randn(5, 16, generator=torch.Generator().manual_seed(0))
    acts = {"relu": F.relu, "gelu": F.gelu, "gelu_tanh": by_tanh, "silu": F.silu, "tanh": torch.tanh}
    act: Any = (acts | {"gelu_quick": by_sigmoid})[activation]
    plain = made(activation=activation)
    expected = act(x @ plain.expand.weight.mT + plain.expand.bias) @ plain.contract.weight.mT + plain.contract.bias
    torch.testing.assert_close(plain(x, SILENT), expected)
    gated = made(activation=activation, gated=True, bias=False)
    expected = (act(x @ gated.expand.weight.mT) * (x @ gated.up.weight.mT)) @ gated.contract.weight.mT
    torch.testing.assert_close(gated(x, SILENT), expected)


def test_each_position_alone() -> None:
    x = torch.randn(5, 16, generator=torch.Generator().manual_seed(0))
    ffn = made()
    torch.testing.assert_close(ffn(x, SILENT), torch.stack([ffn(row, SILENT) for row in x]))
