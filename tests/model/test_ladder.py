"""The ladder of embeddings: factorisation, GloVe, one-hot and TF-IDF against hand numbers and planted tables."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.vectors import counts, factorisation, glove


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(2, 7), st.integers(2, 7), st.floats(0.01, 5))
def test_als_never_raises_its_loss(seed: int, readers: int, books: int, penalty: float) -> None:
    rng = np.random.default_rng(seed)
    ratings = rng.integers(1, 6, (readers, books)).astype(float)
    ratings[rng.random(ratings.shape) < 0.4] = np.nan
    ratings[0, 0] = 3.0
    losses = [factorisation.loss(ratings, f, penalty) for f in factorisation.fit(ratings, 2, penalty, 6, seed)]
    assert all(b <= a + 1e-9 * max(1, a) for a, b in pairwise(losses))


def test_als_recovers_a_planted_table_from_what_was_observed() -> None:
    rng = np.random.default_rng(1)
    planted = rng.normal(size=(40, 2)) @ rng.normal(size=(30, 2)).T + rng.normal(size=(40, 1)) + rng.normal(size=30)
    hidden = rng.random(planted.shape) < 0.3
    *_, found = factorisation.fit(np.where(hidden, np.nan, planted), 2, 1e-3, 60)
    assert np.abs(found.predicted() - planted)[hidden].mean() < 0.05


@pytest.mark.parametrize(
    ("ratings", "k", "says"),
    [
        (np.zeros((0, 3)), 1, "empty"),
        (np.full((2, 2), np.nan), 1, "No rating"),
        (np.ones((2, 3)), 3, "K = 3"),
        (np.array([[np.inf, 1.0]]), 1, "not finite"),
    ],
)
def test_tables_without_anything_to_learn(ratings: np.ndarray, k: int, says: str) -> None:
    with pytest.raises(factorisation.TableError, match=says):
        next(factorisation.fit(ratings, k))


def test_a_column_with_one_rating_is_predicted() -> None:
    ratings = np.array([[5.0, np.nan], [1.0, np.nan], [4.0, 2.0]])
    *_, found = factorisation.fit(ratings, 1)
    assert np.isfinite(found.predicted()).all()


def test_storage() -> None:
    assert factorisation.storage(5_000_000, 500_000, 10) == (2_500_000_000_000, 55_000_000)


def test_cooccurrence_by_hand() -> None:
    table = glove.cooccurrence([["a", "b", "c", "a"]], ["a", "b", "c"], 3)
    # a-b: 1 and 1/2 (b, a two apart); a-c: 1/2 and 1; a-a: 1/3, seen from both sides; b-c: 1
    np.testing.assert_allclose(table, [[2 / 3, 1.5, 1.5], [1.5, 0, 1], [1.5, 1, 0]])


def test_a_window_of_0() -> None:
    with pytest.raises(glove.CooccurrenceError, match="at least 1"):
        glove.cooccurrence([["a", "b"]], ["a", "b"], 0)


def test_weight_by_hand() -> None:
    np.testing.assert_allclose(glove.weight(np.array([0.0, 6.25, 100.0, 400.0])), [0, 0.125, 1, 1])


def test_loss_by_hand() -> None:
    x = np.array([[0.0, 100.0], [100.0, 0.0]])
    first = next(glove.fit(x, d=1, seed=0))
    w, u = first.centre[:, 0], first.near[:, 0]
    expected = (w[0] * u[1] - np.log(101)) ** 2 + (w[1] * u[0] - np.log(101)) ** 2
    assert first.loss == pytest.approx(expected)


def test_glove_falls_and_is_the_same_by_seed() -> None:
    table = glove.cooccurrence([["a", "b", "c", "a"], ["c", "b", "d"]], ["a", "b", "c", "d"], 2)
    runs = [list(glove.fit(table, 4, 200, seed=3)) for _ in range(2)]
    assert runs[0][-1].loss < 0.05 * runs[0][0].loss
    np.testing.assert_array_equal(runs[0][-1].words, runs[1][-1].words)


def test_presence_is_one_however_often_a_word_stands_in_a_line() -> None:
    assert counts.presence([["a", "b", "a"], ["a"], ["c"]], ["a", "b"]).tolist() == [[1, 1, 0], [1, 0, 0]]


def test_one_hot_and_tf_idf() -> None:
    assert counts.cosines(counts.one_hot(["a", "b"]), 0).tolist() == [1, 0]
    assert counts.zeros(counts.one_hot(["a", "b"])) == 0.5
    table = counts.tf_idf([["a", "b"], ["a"]], ["a", "b"])  # (words, lines)
    idf = np.array([1.0, np.log(3 / 2) + 1])
    np.testing.assert_allclose(table[:, 0], idf / np.linalg.norm(idf))
    np.testing.assert_allclose(table[:, 1], [1, 0])
    assert counts.nearest(table, 1, 3) == [(0, pytest.approx(float(counts.cosines(table, 1)[0])))]


def test_a_weight_of_tf_idf_is_that_of_the_table_before_its_line_is_scaled() -> None:
    lines, words = [["a", "b", "a"], ["b"], ["c"]], ["a", "b", "c"]
    raw = np.array([counts.tf_idf_weight(2, 1, 3), counts.tf_idf_weight(1, 2, 3), 0.0])
    np.testing.assert_allclose(counts.tf_idf(lines, words)[:, 0], raw / np.linalg.norm(raw))


def test_the_normal_equations_have_their_solution_in_the_next_half_step() -> None:
    ratings = np.array([[5.0, 1.0, np.nan], [2.0, np.nan, 3.0]])
    start, after = list(factorisation.fit(ratings, 2, 0.1, 1))[:2]
    left, right = factorisation.normal_equations(ratings[1], start.books, start.book_bias, start.mean, 0.1)
    np.testing.assert_allclose(left @ [*after.readers[1], after.reader_bias[1]], right)


def test_the_terms_of_a_pair_are_its_error() -> None:
    table = np.array([[0.0, 7.0], [7.0, 0.0]])
    vectors = next(glove.fit(table, d=2, steps=0))
    w, u, b, c = vectors.centre, vectors.near, vectors.centre_bias, vectors.near_bias
    assert sum(glove.error_terms(vectors, 7.0, 0, 1)) == pytest.approx(glove.errors(table, w, u, b, c)[0, 1])
