import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model.analysis.scores import (
    BadTable,
    attend,
    check_table,
    entropy,
    fit_keys,
    project,
    sample_scale,
    softmax_at,
    softmax_gradient,
)

WORDS = ("Hello", "I", "like", "you")
SHAMSI = ((0.8, 0.1, 0.05, 0.05), (0.1, 0.6, 0.2, 0.1), (0.05, 0.2, 0.65, 0.1), (0.2, 0.1, 0.1, 0.6))


def test_similarity_alone_by_hand() -> None:
    x = torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    found = attend(x, x, x)
    assert found.scores.tolist() == [[1, 0], [0, 4]]
    first = math.e / (math.e + 1)
    second = 1 / (1 + math.exp(4))
    torch.testing.assert_close(found.weights, torch.tensor([[first, 1 - first], [second, 1 - second]]))
    torch.testing.assert_close(found.output[0], torch.tensor([first, 2 * (1 - first)]))


def test_the_scale_and_the_mask_are_those_of_torch() -> None:
    torch.manual_seed(0)
    q, k, v = torch.randn(3, 5, 8)
    mask = torch.zeros(5, 5).masked_fill(torch.ones(5, 5).triu(1).bool(), -torch.inf)
    expected = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    torch.testing.assert_close(attend(q, k, v, math.sqrt(8), mask).output, expected)


@given(st.lists(st.floats(-8, 8), min_size=2, max_size=9))
def test_the_gradient_is_the_norm_of_autograds_jacobian(values: list[float]) -> None:
    scores = torch.tensor(values, dtype=torch.float64)
    jacobian = torch.autograd.functional.jacobian(lambda s: s.softmax(-1), scores)
    torch.testing.assert_close(softmax_gradient(scores.softmax(-1)), jacobian.norm(), atol=1e-9, rtol=1e-6)


def test_the_sample_follows_the_theory() -> None:
    widths = [1, 4, 16, 64, 256, 1024]
    found = sample_scale(widths)
    for width, mean, variance in zip(widths, found.mean, found.variance, strict=True):
        assert abs(mean) < 4 * math.sqrt(width / 4096)
        assert variance == pytest.approx(width, rel=0.12)
    assert found.largest[-1] > 0.9 > 0.4 > found.largest_scaled[-1], "only unscaled scores saturate the softmax"
    assert found.gradient[-1] < found.gradient_scaled[-1] / 3, "and only their gradient vanishes"
    assert torch.equal(found.variance, sample_scale(widths).variance), "the same seed gives the same sample"
    assert not torch.equal(found.variance, sample_scale(widths, seed=1).variance)


@given(st.lists(st.floats(-20, 20), min_size=1, max_size=12), st.floats(0.05, 10))
@settings(max_examples=50)
def test_temperature_keeps_the_order_and_the_sum(values: list[float], temperature: float) -> None:
    scores = torch.tensor(values, dtype=torch.float64)
    weights = softmax_at(scores, temperature)
    assert weights.sum() == pytest.approx(1)
    order = scores.argsort()
    assert (weights[order].diff() >= -1e-12).all()


@pytest.mark.parametrize("shape", [(5,), (3, 5), (2, 130, 7), (2, 3, 4, 4)])
def test_entropy_is_that_of_each_row_however_many_there_are(shape: tuple[int, ...]) -> None:
    weights = torch.randn(shape, generator=torch.Generator().manual_seed(0)).softmax(-1)
    weights[..., 0] = 0
    expected = torch.special.entr(weights).sum(-1) / math.log(2)
    torch.testing.assert_close(entropy(weights), expected)


def test_temperature_one_is_the_softmax_and_entropy_grows_with_it() -> None:
    scores = torch.tensor([2.0, 1.0, -1.0, -torch.inf])
    torch.testing.assert_close(softmax_at(scores, 1.0), scores.softmax(-1))
    spread = [float(entropy(softmax_at(scores, t))) for t in (0.1, 0.5, 1.0, 3.0, 100.0)]
    assert spread == sorted(spread)
    assert spread[-1] == pytest.approx(math.log2(3), abs=1e-3), "a hidden key never gets weight"
    with pytest.raises(ValueError, match="greater than 0"):
        softmax_at(scores, 0.0)


def test_three_dimensions_keep_all_of_what_has_three() -> None:
    torch.manual_seed(0)
    plane = torch.randn(3, 16)
    q, k = torch.randn(6, 3) @ plane, torch.randn(7, 3) @ plane
    found = project(q, k)
    assert found.explained.sum() == pytest.approx(1)
    assert found.queries.shape == (6, 3)
    assert found.keys.shape == (7, 3)
    distances = torch.cdist(q.double(), k.double())
    torch.testing.assert_close(torch.cdist(found.queries, found.keys), distances, atol=1e-5, rtol=1e-5)


def test_one_token_has_a_projection() -> None:
    point = torch.ones(1, 4)
    assert project(point, point).explained.sum() == 0
    assert project(torch.ones(1, 2), torch.zeros(1, 2)).explained[0] == pytest.approx(1)


def test_shamsis_table_is_one() -> None:
    torch.testing.assert_close(check_table(SHAMSI, WORDS).sum(-1), torch.ones(4))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (float("nan"), "cell without a number"),
        (None, "cell without a number"),
        (float("inf"), "cell without a number"),
        (-0.1, "negative"),
        (0.9, "sums to 1.1"),
    ],
)
def test_a_bad_table_is_named_by_its_row(change: float | None, message: str) -> None:
    rows: list[list[float | None]] = [list(row) for row in SHAMSI]
    rows[2][2] = change if change != 0.9 else 0.75
    with pytest.raises(BadTable, match=message) as error:
        check_table(rows, WORDS)
    assert "like" in str(error.value)


def test_a_table_of_another_shape_is_refused() -> None:
    with pytest.raises(BadTable, match="4 rows and 4 columns"):
        check_table(SHAMSI[:3], WORDS)


def test_the_key_that_fits_best_need_not_be_the_nearest() -> None:
    query = torch.tensor([1.0, 0.0])
    keys = torch.tensor([[1.0, 0.0], [3.0, 3.0], [0.0, 0.0], [9.0, 0.0]])
    fit = fit_keys(query, keys)
    assert fit.products.tolist() == [1, 3, 0, 9]
    assert fit.cosines.tolist() == pytest.approx([1, math.sqrt(0.5), 0, 1])
    assert fit.distances.tolist() == pytest.approx([0, math.sqrt(13), 1, 8])
    first_three = torch.tensor([True, True, True, False])
    assert (fit.best(first_three), fit.nearest_by_angle(first_three), fit.nearest(first_three)) == (1, 0, 0)
    nothing = torch.zeros(4, dtype=torch.bool)
    assert fit.best(nothing) is fit.nearest(nothing) is fit.nearest_by_angle(nothing) is None
