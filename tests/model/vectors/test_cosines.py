"""Cosines by hand."""

import torch

from model.vectors.cosines import cosine_table, cosines

VECTORS = torch.tensor([[2.0, 0.0], [0.0, 5.0], [-1.0, 0.0], [0.0, 0.0]])


def test_the_table_holds_every_pair_and_a_vector_of_zeros_is_like_none() -> None:
    assert cosine_table(VECTORS).tolist() == [[1, 0, -1, 0], [0, 1, 0, 0], [-1, 0, 1, 0], [0, 0, 0, 0]]


def test_one_row_is_a_row_of_the_table() -> None:
    for row, expected in enumerate(cosine_table(VECTORS)):
        assert cosines(VECTORS, row).tolist() == expected.tolist()
