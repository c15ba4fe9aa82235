"""Principal components against scikit-learn, and vectors that have fewer of them than are asked for."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.decomposition import PCA

from model.vectors.principal_components import component_variances, principal_components


@settings(max_examples=20)
@given(st.integers(4, 12), st.integers(3, 9), st.integers(0, 99))
def test_places_and_shares_are_those_of_scikit_learn(n: int, d: int, seed: int) -> None:
    vectors = torch.randn(n, d, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    places, shares = principal_components(vectors, 3)
    reference = PCA(3).fit(vectors.numpy())
    assert shares.numpy() == pytest.approx(reference.explained_variance_ratio_, abs=1e-9)
    assert places.abs().numpy() == pytest.approx(abs(reference.transform(vectors.numpy())), abs=1e-7)


def test_many_rows_give_the_same_as_scikit_learn() -> None:
    generator = torch.Generator().manual_seed(0)
    vectors = torch.randn(200, 5, generator=generator, dtype=torch.float64) @ torch.diag(torch.arange(1.0, 6).double())
    places, shares = principal_components(vectors, 3)
    reference = PCA(3).fit(vectors.numpy())
    assert shares.numpy() == pytest.approx(reference.explained_variance_ratio_, abs=1e-9)
    assert places.abs().numpy() == pytest.approx(abs(reference.transform(vectors.numpy())), abs=1e-7)


def test_a_component_points_where_its_largest_entry_is_positive() -> None:
    line = torch.tensor([[0.0, 0.0], [-1.0, -2.0], [-2.0, -4.0]])
    places, shares = principal_components(line, 2)
    assert shares.tolist() == pytest.approx([1, 0], abs=1e-6)
    assert places[:, 0].tolist() == pytest.approx([5**0.5, 0, -(5**0.5)], abs=1e-6)


def test_what_is_not_there_is_zero() -> None:
    places, shares = principal_components(torch.tensor([[1.0, 0.0], [0.0, 1.0]]), 3)
    assert (places.shape, shares.tolist()[2]) == ((2, 3), 0)
    same, none = principal_components(torch.full((5, 4), 0.1), 2)
    assert not same.any()
    assert not none.any()


def test_variances_are_those_of_the_shares_and_one_fewer_than_the_rows() -> None:
    vectors = torch.randn(5, 8, generator=torch.Generator().manual_seed(3))
    variances = component_variances(vectors)
    assert variances.shape == (4,)
    torch.testing.assert_close(variances.sum(), (vectors - vectors.mean(0)).square().sum())
    torch.testing.assert_close((variances / variances.sum())[:3], principal_components(vectors, 3)[1])
