"""Cosines by hand."""

import torch

from model.vectors.cosines import cosine_table, cosines, extreme_pairs

VECTORS = torch.tensor([[2.0, 0.0], [0.0, 5.0], [-1.0, 0.0], [0.0, 0.0]])


def test_the_table_holds_every_pair_and_a_vector_of_zeros_is_like_none() -> None:
    assert cosine_table(VECTORS).tolist() == [[1, 0, -1, 0], [0, 1, 0, 0], [-1, 0, 1, 0], [0, 0, 0, 0]]


def test_one_row_is_a_row_of_the_table() -> None:
    for row, expected in enumerate(cosine_table(VECTORS)):
        assert cosines(VECTORS, row).tolist() == expected.tolist()


def test_the_most_and_the_least_alike_of_different_rows() -> None:
    table = torch.tensor([[1.0, 0.2, -0.5], [0.2, 1.0, 0.9], [-0.5, 0.9, 1.0]])
    assert extreme_pairs(table) == ((1, 2), (0, 2))
    assert extreme_pairs(table[:2, :2]) == ((0, 1), (0, 1))
