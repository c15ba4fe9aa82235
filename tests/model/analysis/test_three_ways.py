import math

import torch

from model.analysis.three_ways import mask_three_ways


def test_the_two_failures_by_hand() -> None:
    scores = torch.tensor([[0.0, math.log(3)], [math.log(4), 0.0]])
    ways = mask_three_ways(scores, torch.tensor([[True, False], [True, True]]))
    torch.testing.assert_close(ways.added, torch.tensor([[1.0, 0.0], [0.8, 0.2]]))
    torch.testing.assert_close(ways.leaks, torch.tensor([0.5, 0.0]))  # exp(0) = 1 for both keys of the first row
    torch.testing.assert_close(ways.remainders, torch.tensor([0.25, 1.0]))


def test_the_three_ways_agree_where_nothing_is_hidden() -> None:
    scores = torch.randn(5, 7, generator=torch.Generator().manual_seed(0))
    ways = mask_three_ways(scores, torch.ones(5, 7, dtype=torch.bool))
    for weights in ways.weights:
        torch.testing.assert_close(weights, scores.softmax(-1))
    assert not ways.leaks.any()
    torch.testing.assert_close(ways.remainders, torch.ones(5))
