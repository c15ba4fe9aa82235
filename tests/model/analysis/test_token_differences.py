"""How much tokens differ: worked by hand, and gone without skip connections."""

from __future__ import annotations

import pytest
import torch

from model.analysis.token_differences import differences_by_depth, token_difference
from model.experiments.gradients import fresh, narrow
from model.experiments.layerwise_gradient import record_streams
from model.run import ids_of
from tests.conftest import loaded


def test_it_is_worked_by_hand() -> None:
    x = torch.tensor([[3.0, 0.0], [1.0, 0.0]])  # the mean is (2, 0), so 1 and -1 are left
    assert float(token_difference(x)) == pytest.approx(2**0.5 / 10**0.5)


def test_tokens_that_are_the_same_do_not_differ_and_a_larger_stream_differs_as_much() -> None:
    torch.manual_seed(0)
    x = torch.randn(5, 8)
    assert float(token_difference(x[:1].expand(5, 8))) == pytest.approx(0, abs=1e-6)
    assert float(token_difference(7 * x)) == pytest.approx(float(token_difference(x)), rel=1e-6)


@pytest.mark.parametrize("name", ["tiny-lm", "tiny-encoder"])
def test_without_skips_the_tokens_become_one(name: str) -> None:
    """Dong et al. (2021), arXiv:2103.03404."""
    model = loaded(name)
    ids = ids_of(model.tokens_of("the old dog sees the small red garden"))
    last = {}
    for skips in (True, False):
        network = fresh(narrow(model.config, 64), 16, skips, True)
        differences = differences_by_depth(network.config, record_streams(network, ids, None))
        assert differences.shape == (16,)
        assert differences[0] > 0.5
        last[skips] = float(differences[-1])
    assert last[False] < last[True] / 20
