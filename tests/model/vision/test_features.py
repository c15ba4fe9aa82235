"""What a page asks of a vision model besides its run."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from model.vision.digits import held_out
from model.vision.features import (
    as_digit,
    longest_filters,
    neighbour_similarity,
    patch_means,
    position_similarity,
    principal_colours,
    shapes,
    shift_picture,
)
from model.vision.model import load_vision


def test_colours_are_those_of_sklearn_and_fill_the_range() -> None:
    from sklearn.decomposition import PCA

    features = torch.from_numpy(np.random.default_rng(1).normal(size=(40, 8)).astype(np.float32))
    colours, shares = principal_colours(features)
    reference = PCA(3).fit(features.numpy())
    assert shares.numpy() == pytest.approx(reference.explained_variance_ratio_, abs=1e-5)
    assert colours.amin(0).tolist() == [0, 0, 0]
    assert colours.amax(0).tolist() == [1, 1, 1]
    for ours, theirs in zip(colours.T.numpy(), reference.transform(features.numpy()).T, strict=True):
        assert abs(np.corrcoef(ours, theirs)[0, 1]) == pytest.approx(1, abs=1e-4)


def test_colours_do_not_depend_on_the_order_of_patches() -> None:
    features = torch.randn(30, 6, generator=torch.Generator().manual_seed(0))
    order = torch.randperm(30, generator=torch.Generator().manual_seed(1))
    assert torch.allclose(principal_colours(features[order])[0], principal_colours(features)[0][order], atol=1e-4)


def test_features_that_are_all_alike_have_one_colour() -> None:
    colours, shares = principal_colours(torch.ones(9, 4))
    assert torch.isfinite(colours).all()
    assert len(colours.unique(dim=0)) == 1
    assert torch.isfinite(shares).all()


def test_similarity_leaves_the_class_token_out() -> None:
    table = torch.tensor([[9.0, 9.0], [1.0, 0.0], [0.0, 2.0], [3.0, 3.0]])
    half = 0.5**0.5
    expected = torch.tensor([[1, 0, half], [0, 1, half], [half, half, 1]])
    assert torch.allclose(position_similarity(table), expected, atol=1e-6)


def test_a_shift_moves_pixels_and_repeats_edges() -> None:
    square = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
    right = shift_picture(square, 1, 0)
    assert (right[:, 1] == square[:, 0]).all()
    assert (right[:, 0] == square[:, 0]).all()
    up = shift_picture(square, 0, -1)
    assert (up[0] == square[1]).all()
    assert (shift_picture(square, 0, 0) == square).all()


def test_black_on_white_and_white_on_black_are_the_same_digit() -> None:
    picture = np.repeat(held_out()[0][153][..., None], 3, -1)
    dark, light = as_digit(picture), as_digit(255 - picture)
    assert dark.shape == (28, 28, 3)
    assert np.abs(dark.astype(int) - light).max() <= 1


def test_an_empty_page_has_no_ink() -> None:
    noise = np.random.default_rng(0).integers(250, 256, (50, 40, 3)).astype(np.uint8)
    assert not as_digit(np.full((50, 40, 3), 255, np.uint8)).any()
    assert as_digit(noise).mean() < 60


def test_photographed_digits_are_recognised() -> None:
    """Held-out digits in dark ink on a grey page, large and off the middle, are still named rightly."""
    model = load_vision("digits-vit")
    pictures, labels = held_out()
    right = 0
    for n in range(2, 500, 25):
        page = np.full((200, 260, 3), 190, np.uint8)
        ink = pictures[n].repeat(5, 0).repeat(5, 1)[..., None]
        page[20:160, 90:230] = 190 - (ink * 0.7).astype(np.uint8)
        trace = model.trace_picture(as_digit(page), keep="image_logits")
        right += int(trace["image_logits"].argmax()) == labels[n]
    assert right >= 18  # of 20


def test_the_drawn_example_has_three_colours_on_its_ground() -> None:
    picture = shapes(210)
    assert picture.shape == (210, 210, 3)
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) == 5


def test_neighbours_touch_along_a_side() -> None:
    similarity = torch.eye(4)  # patches 0 1 over 2 3
    for one, other, value in ((0, 1, 0.8), (0, 2, 0.4), (1, 3, 0.2), (2, 3, 0.6), (0, 3, -1.0), (1, 2, -0.4)):
        similarity[one, other] = similarity[other, one] = value
    near, every = neighbour_similarity(similarity, 2)
    assert near == pytest.approx((0.8 + 0.4 + 0.2 + 0.6) / 4)
    assert every == pytest.approx((0.8 + 0.4 + 0.2 + 0.6 - 1.0 - 0.4) / 6)


def test_the_longest_filters_and_their_share() -> None:
    filters = torch.zeros(3, 1, 2, 2)
    filters[0, 0, 0, 0], filters[1, 0, 0, :], filters[2, 0, 1, 1] = 1.0, torch.tensor([3.0, 4.0]), 2.0
    longest, lengths, share = longest_filters(filters, 2)
    assert longest.tolist() == [1, 2]
    assert lengths.tolist() == [5.0, 2.0]
    assert share == pytest.approx(29 / 30)


def test_means_of_patches_go_row_by_row() -> None:
    picture = torch.arange(16.0).reshape(4, 4)
    assert patch_means(picture, 2).tolist() == [2.5, 4.5, 10.5, 12.5]
