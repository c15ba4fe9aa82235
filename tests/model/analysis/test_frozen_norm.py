import pytest
import torch
from torch import nn

from model.analysis.frozen_norm import freeze
from model.network.norms import LayerNorm, RMSNorm


def norm_of(kind: type[LayerNorm] | type[RMSNorm], width: int = 5) -> LayerNorm | RMSNorm:
    made = kind(width, 1e-5).requires_grad_(False)
    random = torch.Generator().manual_seed(1)
    for parameter in made.parameters():
        parameter.copy_(torch.randn(width, generator=random))
    return made


def test_numbers_by_hand() -> None:
    layer = LayerNorm(2, 0.0)
    frozen = freeze(layer, torch.tensor([1.0, 5.0]))  # mean 3, deviation 2
    assert frozen.scale == 2.0
    assert frozen.push(torch.tensor([1.0, 5.0])).tolist() == [-1.0, 1.0]
    assert frozen.push(torch.tensor([0.0, 2.0])).tolist() == [-0.5, 0.5], "the scale stays that of the run"
    assert frozen.pull(torch.tensor([1.0, 0.0])).tolist() == [0.25, -0.25]
    rms = freeze(RMSNorm(2, 0.0), torch.tensor([1.0, 7.0]))
    assert rms.scale == 5.0
    assert rms.push(torch.tensor([5.0, 10.0])).tolist() == [1.0, 2.0]


@pytest.mark.parametrize("kind", [LayerNorm, RMSNorm])
def test_at_its_own_token_it_is_the_norm(kind: type[LayerNorm] | type[RMSNorm]) -> None:
    norm, x = norm_of(kind), torch.tensor([0.5, -2.0, 3.0, 1.0, 0.0])
    frozen = freeze(norm, x)
    whole = frozen.push(x) + (0 if frozen.bias is None else frozen.bias)
    torch.testing.assert_close(whole, norm(x))


@pytest.mark.parametrize("kind", [LayerNorm, RMSNorm])
def test_pull_is_the_transpose_of_push(kind: type[LayerNorm] | type[RMSNorm]) -> None:
    frozen = freeze(norm_of(kind), torch.tensor([0.5, -2.0, 3.0, 1.0, 0.0]))
    part, direction = torch.tensor([1.0, 2.0, -1.0, 0.5, 4.0]), torch.tensor([0.1, 0.2, 0.3, -0.4, 0.7])
    torch.testing.assert_close(direction @ frozen.push(part), frozen.pull(direction) @ part)


def test_no_norm_changes_nothing() -> None:
    x = torch.tensor([1.0, 5.0])
    assert torch.equal(freeze(nn.Identity(), x).push(x), x)
