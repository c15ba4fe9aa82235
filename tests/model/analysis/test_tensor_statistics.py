"""Statistics of a tensor, by hand."""

import pytest
import torch

from model.analysis.tensor_statistics import Statistics, measure_tensor


def test_the_statistics_are_those_of_all_numbers() -> None:
    found = measure_tensor(torch.tensor([[0.0, 0.0], [-2.0, 6.0]]))
    assert found == Statistics(1.0, pytest.approx(9**0.5), -2.0, 6.0, 0.5)
