import pytest
import torch

from model.analysis.rollout import roll_back, rollout


def test_two_layers_worked_by_hand() -> None:
    first = torch.tensor([[[1.0, 0.0], [0.5, 0.5]]])
    second = torch.tensor([[[1.0, 0.0], [1.0, 0.0]]])
    # (A + I) / 2 of each: ((1, 0), (.25, .75)) and ((1, 0), (.5, .5)); their product, the later layer on the left
    torch.testing.assert_close(rollout([first, second]), torch.tensor([[1.0, 0.0], [0.625, 0.375]]))


def test_rows_sum_to_one_also_where_a_row_was_hidden() -> None:
    weights = torch.rand(3, 5, 5, generator=torch.Generator().manual_seed(0)).softmax(-1)
    weights[:, 2] = 0
    torch.testing.assert_close(rollout([weights, weights]).sum(-1), torch.ones(5))


@pytest.mark.parametrize("position", range(5))
def test_a_row_alone_is_that_of_the_whole(position: int) -> None:
    layers = torch.rand(4, 3, 5, 5, generator=torch.Generator().manual_seed(1), dtype=torch.float64).softmax(-1)
    layers[2, :, 1] = 0  # a row that was hidden
    row = torch.eye(5, dtype=torch.float64)[position]
    for weights in layers.flip(0):
        row = roll_back(row, weights)
    torch.testing.assert_close(row, rollout(layers)[position])


def test_without_layers() -> None:
    with pytest.raises(ValueError, match="at least one layer"):
        rollout([])
