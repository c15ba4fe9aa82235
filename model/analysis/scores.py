"""Attention built up from similarity, and what its scale is for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from model.errors import GlassformerError
from model.network.masks import masked_softmax
from model.numerals import number
from model.vectors.principal_components import principal_components

CELLS_AT_ONCE = 131_072  # half a megabyte


class BadTable(GlassformerError):
    """A table of attention weights that is none."""


@dataclass(frozen=True)
class AttentionResult:
    """One head's attention: scores and weights (queries, keys), output (queries, width of the values)."""

    scores: Tensor
    weights: Tensor
    output: Tensor


def attend(q: Tensor, k: Tensor, v: Tensor, scale: float = 1.0, mask: Tensor | None = None) -> AttentionResult:
    """softmax(q k^T / scale + mask) v.

    The three steps to attention (Bishop, ch. 12; Palaskos (2022), eqs. 3.15-3.42): `attend(x, x, x)` is similarity
    alone, softmax(X X^T) X; `attend(q, k, v)` has learnable projections; scale = sqrt(d_k) completes it.
    """
    scores = q @ k.mT / scale  # (queries, keys)
    weights = masked_softmax(scores if mask is None else scores + mask)
    return AttentionResult(scores, weights, weights @ v)


def softmax_at(scores: Tensor, temperature: float) -> Tensor:
    """softmax(scores / temperature): below 1 sharper, above 1 flatter; same shape. Raises ValueError unless > 0."""
    if not temperature > 0:
        raise ValueError(f"The temperature is {temperature}; it must be greater than 0.")
    return masked_softmax(scores / temperature)


def entropy(weights: Tensor) -> Tensor:
    """How spread a row of weights is, in bits: 0 for one key, log2(keys) for equal weights; (..., keys) -> (...,).

    H = - sum over j of A[i, j] log2 A[i, j]. A weight of 0 adds 0.
    """
    smallest = torch.finfo(weights.dtype).tiny
    rows = torch.atleast_2d(weights)  # (..., rows, keys)
    cells = max(1, rows.numel() // max(1, rows.shape[-2]))  # of all rows with one number
    # A few rows at a time stay in the cache of a processor. All rows of a long text at once take four times as long.
    parts = [
        some.clamp_min(smallest).log2_().mul_(some).sum(-1) for some in rows.split(max(1, CELLS_AT_ONCE // cells), -2)
    ]
    return -torch.cat(parts, dim=-1).reshape(weights.shape[:-1])


def softmax_gradient(weights: Tensor) -> Tensor:
    """The size of the softmax's derivative where it gives these weights: (..., keys) -> (...,).

    The Jacobian of w = softmax(s) is J = diag(w) - w w^T. Its Frobenius norm is
    |J|^2 = sum w_i^2 - 2 sum w_i^3 + (sum w_i^2)^2: it vanishes where one weight is 1.
    """
    squares = weights.square().sum(-1)
    return (squares - 2 * weights.pow(3).sum(-1) + squares.square()).clamp_min(0).sqrt()


@dataclass(frozen=True)
class ScaleSample:
    """What random queries and keys of width d give, (widths,) each; `_scaled` is after dividing by sqrt(d).

    `variance` is that of q . k, `largest` the mean of each row's largest weight, `gradient` the mean of
    `softmax_gradient` over the rows. `row` is the first query's weights: (widths, keys).
    """

    widths: Tensor
    mean: Tensor
    variance: Tensor
    largest: Tensor
    largest_scaled: Tensor
    gradient: Tensor
    gradient_scaled: Tensor
    row: Tensor
    row_scaled: Tensor


def sample_scale(widths: Sequence[int], n_queries: int = 256, n_keys: int = 16, seed: int = 0) -> ScaleSample:
    """Draws queries and keys with independent components of mean 0 and variance 1, each query with its own keys.

    Then q . k has mean 0 and variance d_k (Vaswani et al., note 4; Palaskos (2022), below eq. 3.33). A vector of
    width d is the first d components of the widest, so one sample serves every width.
    """
    source = torch.Generator().manual_seed(seed)
    widest = max(widths)
    q = torch.randn(n_queries, 1, widest, generator=source)
    k = torch.randn(n_queries, n_keys, widest, generator=source)
    at = torch.tensor(widths)
    dots = (q * k).cumsum(-1)[..., at - 1].movedim(-1, 0)  # (widths, queries, keys)
    weights, scaled = dots.softmax(-1), (dots / at.sqrt()[:, None, None]).softmax(-1)
    return ScaleSample(
        at,
        dots.mean((1, 2)),
        dots.var((1, 2)),
        weights.amax(-1).mean(-1),
        scaled.amax(-1).mean(-1),
        softmax_gradient(weights).mean(-1),
        softmax_gradient(scaled).mean(-1),
        weights[:, 0],
        scaled[:, 0],
    )


@dataclass(frozen=True)
class Projection:
    """Queries and keys in three dimensions, and the share of their variance that each dimension keeps: (3,)."""

    queries: Tensor  # (queries, 3)
    keys: Tensor  # (keys, 3)
    explained: Tensor


def project(q: Tensor, k: Tensor) -> Projection:
    """The three principal components of one head's queries (queries, d_k) and keys (keys, d_k) together.

    The geometry of Palaskos (2022), fig. 3.4, for vectors with more than three dimensions.
    """
    points, explained = principal_components(torch.cat((q, k)).double(), 3)
    return Projection(points[: len(q)], points[len(q) :], explained)


@dataclass(frozen=True)
class KeyFit:
    """How well each key fits one query: its product with the query, the cosine of their angle, their distance."""

    products: Tensor  # (keys,)
    cosines: Tensor  # (keys,), 0 for a vector of length 0
    distances: Tensor  # (keys,)

    def best(self, visible: Tensor) -> int | None:
        """The visible key with the largest product; None where every key is hidden. visible: (keys,)."""
        return _first_largest(self.products, visible)

    def nearest_by_angle(self, visible: Tensor) -> int | None:
        """The visible key with the smallest angle to the query."""
        return _first_largest(self.cosines, visible)

    def nearest(self, visible: Tensor) -> int | None:
        """The visible key with the smallest distance to the query."""
        return _first_largest(-self.distances, visible)


def _first_largest(values: Tensor, visible: Tensor) -> int | None:
    return int(values.masked_fill(~visible, -math.inf).argmax()) if visible.any() else None


def fit_keys(query: Tensor, keys: Tensor) -> KeyFit:
    """Compares one query (d_k,) with every key (keys, d_k), in all dimensions: q . k = |q| |k| cos(angle)."""
    return KeyFit(keys @ query, F.cosine_similarity(keys, query, dim=-1), (keys - query).norm(dim=-1))


def check_table(rows: Sequence[Sequence[float | None]], words: Sequence[str]) -> Tensor:
    """A table of attention weights, one row a query: (words, words). Raises `BadTable`, naming the row to mend."""
    if len(rows) != len(words) or any(len(row) != len(words) for row in rows):
        raise BadTable(f"The table must have {len(words)} rows and {len(words)} columns, one for each word.")
    for word, row in zip(words, rows, strict=True):
        if any(value is None or not math.isfinite(value) for value in row):
            raise BadTable(f"The row of “{word}” has a cell without a number. Type a weight from 0 to 1 there.")
        numbers = [float(value) for value in row if value is not None]
        if min(numbers) < 0:
            raise BadTable(f"The row of “{word}” has a negative weight. Weights go from 0 to 1.")
        if abs(sum(numbers) - 1) > 1e-3:
            raise BadTable(f"The row of “{word}” sums to {number(sum(numbers))}. A row of weights must sum to 1.")
    return torch.tensor([[float(value or 0) for value in row] for row in rows])
