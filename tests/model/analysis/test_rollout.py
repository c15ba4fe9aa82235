import pytest
import torch

from model.analysis.rollout import rollout


def test_two_layers_worked_by_hand() -> None:
    first = torch.tensor([[[1.0, 0.0], [0.5, 0.5]]])
    second = torch.tensor([[[1.0, 0.0], [1.0, 0.0]]])
    # (A + I) / 2 of each: ((1, 0), (.25, .75)) and ((1, 0), (.5, .5)); their product, the later layer on the left
    torch.testing.assert_close(rollout([first, second]), torch.tensor([[1.0, 0.0], [0.625, 0.375]]))


def test_rows_sum_to_one_also_where_a_row_was_hidden() -> None:
    weights = torch.rand(3, 5, 5, generator=torch.Generator().manual_seed(0)).softmax(-1)
    weights[:, 2] = 0
    torch.testing.assert_close(rollout([weights, weights]).sum(-1), torch.ones(5))


def test_without_layers() -> None:
    with pytest.raises(ValueError, match="at least one layer"):
        rollout([])
