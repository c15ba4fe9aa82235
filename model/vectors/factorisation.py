"""Matrix factorisation: a table of ratings as products of short vectors, fitted by alternating least squares.

    r_ij ~ w_i . u_j + b_i + c_j + mu      on the entries that were observed

Palaskos (2022), eq. 1.5-1.12; Koren, Bell and Volinsky (2009), "Matrix factorization techniques".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from model.arrays import Array
from model.errors import GlassformerError


class TableError(GlassformerError):
    """A ratings table that cannot be factorised."""


@dataclass(frozen=True)
class Factors:
    """Readers' vectors and biases, books' vectors and biases, and the mean rating."""

    readers: Array  # w: (readers, K)
    books: Array  # u: (books, K)
    reader_bias: Array  # b: (readers,)
    book_bias: Array  # c: (books,)
    mean: float  # mu

    def predicted(self) -> Array:
        """Every rating, observed or not: (readers, books)."""
        return self.readers @ self.books.T + self.reader_bias[:, None] + self.book_bias + self.mean


def loss(ratings: Array, factors: Factors, penalty: float) -> float:
    """Squared errors of the observed entries, plus `penalty` times the squares of all vectors and biases."""
    errors = (ratings - factors.predicted())[~np.isnan(ratings)]
    parts = (factors.readers, factors.books, factors.reader_bias, factors.book_bias)
    return float(np.square(errors).sum() + penalty * sum(np.square(part).sum() for part in parts))


def half_step(ratings: Array, other: Array, other_bias: Array, mean: float, penalty: float) -> tuple[Array, Array]:
    """The best vectors (rows, K) and biases (rows,) of the rows. The columns' vectors `other` do not change.

    Each row solves (sum of u u^T + penalty I) w = sum of u (r - c - mu), with sums over its observed entries. The bias
    is one more weight: that of a feature that is always 1.
    """
    solved = np.array([np.linalg.solve(*normal_equations(row, other, other_bias, mean, penalty)) for row in ratings])
    return solved[:, :-1], solved[:, -1]


def normal_equations(row: Array, other: Array, other_bias: Array, mean: float, penalty: float) -> tuple[Array, Array]:
    """The equations that a row's vector and bias solve: sum of u u^T + penalty I, and sum of u (r - c - mu).

    `row` (columns,) has the row's ratings, NaN where there is none. The sums run over the others. Each u is a column's
    vector with a 1 after it, whose weight is the bias: (K + 1, K + 1) and (K + 1,).
    """
    observed = ~np.isnan(row)
    u = np.column_stack([other, np.ones(len(other))])[observed]  # (observed, K + 1)
    rest = row[observed] - other_bias[observed] - mean  # the part that this row must explain
    return u.T @ u + penalty * np.eye(u.shape[1]), u.T @ rest


def fit(ratings: Array, k: int, penalty: float = 0.1, steps: int = 20, seed: int = 0) -> Iterator[Factors]:
    """The factors at the start and after each half-step, the readers' first: 2 * steps + 1 of them.

    `ratings` (readers, books) is NaN where there is no rating. Each half-step solves its side exactly, so the loss
    never rises. Raises `TableError`.
    """
    readers, books = check(ratings, k)
    if penalty <= 0:
        raise TableError("The penalty must be above 0: without it, a reader of few books has no single best vector.")
    rng = np.random.default_rng(seed)
    mean = float(np.nanmean(ratings))
    w, u = rng.normal(scale=0.1, size=(readers, k)), rng.normal(scale=0.1, size=(books, k))
    b, c = np.zeros(readers), np.zeros(books)
    yield Factors(w, u, b, c, mean)
    for _ in range(steps):
        w, b = half_step(ratings, u, c, mean, penalty)
        yield Factors(w, u, b, c, mean)
        u, c = half_step(ratings.T, w, b, mean, penalty)
        yield Factors(w, u, b, c, mean)


def check(ratings: Array, k: int) -> tuple[int, int]:
    """The table's numbers of readers and books. Raises `TableError` if vectors of `k` numbers cannot be fitted."""
    if ratings.ndim != 2 or 0 in ratings.shape:
        raise TableError("The ratings table is empty: add a row and give it ratings.")
    if np.isnan(ratings).all():
        raise TableError("No rating is given: write at least one number into the table.")
    if np.isinf(ratings).any():
        raise TableError("A rating is not finite: write ordinary numbers, or leave the cell empty.")
    readers, books = ratings.shape
    if not 1 <= k <= min(readers, books):
        raise TableError(
            f"K = {k} does not fit a table of {readers} readers and {books} books: choose K from 1 to "
            f"{min(readers, books)}. Longer vectors could store every rating instead of explaining it."
        )
    return readers, books


def storage(readers: int, books: int, k: int) -> tuple[int, int]:
    """How many numbers the whole table has, and how many the vectors have.

    For 5,000,000 readers, 500,000 books and K = 10 these are 2.5e12 and 5.5e7.
    """
    return readers * books, (readers + books) * k
