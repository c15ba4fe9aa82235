"""How far vectors and predictions move, on numbers worked out by hand."""

from __future__ import annotations

import pytest
import torch

from model.analysis.change import likeliest_of_either, likeliest_with_new, relative_change, turn


def test_the_relative_change_is_in_lengths_of_the_vector_before() -> None:
    before, after = torch.tensor([[3.0, 4.0], [1.0, 0.0]]), torch.tensor([[3.0, 4.0], [1.0, 2.0]])
    assert relative_change(before, after).tolist() == [0, 2]


def test_a_vector_that_was_zero_gives_a_finite_change() -> None:
    assert relative_change(torch.zeros(1, 2), torch.zeros(1, 2)).tolist() == [0]
    assert relative_change(torch.zeros(1, 2), torch.ones(1, 2)).isfinite().all()


def test_the_turn_is_that_of_the_direction_alone() -> None:
    before = torch.tensor([[1.0, 0.0]] * 3)
    after = torch.tensor([[5.0, 0.0], [0.0, 2.0], [-1.0, 0.0]])
    assert turn(before, after).tolist() == pytest.approx([0, 1, 2])


def test_the_likeliest_of_either_run() -> None:
    before, after = torch.tensor([0.6, 0.3, 0.1, 0.0]), torch.tensor([0.05, 0.15, 0.3, 0.5])
    assert likeliest_of_either(before, after, 3)[:2] == [0, 3]
    assert len(likeliest_of_either(before, after, 9)) == 4


def test_new_ids_come_after_those_that_were_likely_before() -> None:
    before, after = torch.tensor([0.6, 0.3, 0.1, 0.0]), torch.tensor([0.3, 0.05, 0.15, 0.5])
    assert likeliest_with_new(before, after, 2, 2) == [0, 1, 3]
    assert likeliest_with_new(before, after, 9, 9) == [0, 1, 2, 3]
