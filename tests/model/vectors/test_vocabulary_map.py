"""Neighbours and the plane of a vocabulary, by hand."""

import pytest
import torch

from model.vectors.vocabulary_map import nearest_tokens, plane


def test_the_nearest_are_those_of_the_same_direction() -> None:
    table = torch.tensor([[1.0, 0.0], [2.0, 0.1], [0.0, 3.0], [-1.0, 0.0]])
    found = nearest_tokens(table, 0, 2)
    assert [row for row, _ in found] == [1, 2]
    assert found[0][1] == pytest.approx(2 / (4 + 0.01) ** 0.5)


def test_rows_in_a_plane_keep_their_distances_in_it() -> None:
    generator = torch.Generator().manual_seed(0)
    flat = torch.randn(40, 2, generator=generator)
    turned = flat @ torch.linalg.qr(torch.randn(6, 2, generator=generator)).Q.T
    places, share = plane(turned)
    assert share == pytest.approx(1, abs=1e-5)
    torch.testing.assert_close(torch.pdist(places), torch.pdist(flat), atol=1e-4, rtol=0)
