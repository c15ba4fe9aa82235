"""Sinusoidal and rotary positions.

p(t) is like a set of clock hands. Pair k of the features turns at the speed w_k = n^(-2k / d), fast pairs first.
"""

from __future__ import annotations

import torch
from torch import Tensor

from model.errors import ConfigError


def frequencies(d: int, base: float = 10000.0) -> Tensor:
    """w_k = n^(-2k / d) for k = 0 .. d/2 - 1, in radians per position: (d / 2,).

    Vaswani et al. section 3.5; Palaskos (2022), eq. 3.4. Raises `ConfigError` if d is odd or the base is at most 1.
    """
    if d < 2 or d % 2:
        raise ConfigError(f"Sine and cosine come in pairs: d = {d} must be an even number of at least 2.")
    if not base > 1:
        raise ConfigError(f"The base n = {base} must be greater than 1, or the hands do not slow down.")
    return base ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)


def angles(positions: Tensor, d: int, base: float = 10000.0) -> Tensor:
    """The angle w_k t of each position t and pair k, in radians: (T, d / 2), float64."""
    return positions.to(torch.float64)[:, None] * frequencies(d, base).to(positions.device)


def sinusoidal(positions: Tensor, d: int, base: float = 10000.0) -> Tensor:
    """P[t, 2k] = sin(w_k t), P[t, 2k+1] = cos(w_k t): (T, d), float64.

    Encoder notes, eq. 0.1.1; Shamsi (2024), eqs. 1-2; Palaskos (2022), eqs. 3.3-3.4.
    """
    radians = angles(positions, d, base)  # (T, d / 2)
    return torch.stack((radians.sin(), radians.cos()), dim=-1).flatten(-2)  # (T, d)


def shift_matrix(phi: float, d: int, base: float = 10000.0) -> Tensor:
    """The matrix T(phi) with T(phi) p(t) = p(t + phi) for every t: (d, d), float64.

    Block-diagonal: pair k, ordered (sin, cos), turns clockwise by w_k phi. Palaskos (2022), eqs. 3.6-3.8.
    """
    radians = frequencies(d, base) * phi  # (d / 2,)
    cos, sin = radians.cos(), radians.sin()
    blocks = torch.stack((torch.stack((cos, sin), -1), torch.stack((-sin, cos), -1)), -2)  # (d / 2, 2, 2)
    return torch.block_diag(*blocks)  # (d, d)


def rotation(positions: Tensor, d: int, base: float, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """cos(w_k t) and sin(w_k t), with which `rotate` turns queries and keys: (T, d / 2) each."""
    radians = angles(positions, d, base)
    return radians.cos().to(dtype), radians.sin().to(dtype)


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Turns each pair (x[2k], x[2k+1]) of the vector at position t by the angle w_k t: same shape as x (..., T, d).

    A pair counts as a complex number. The product with cos(a) + i sin(a) turns it by the angle a. After this, q_t . k_s
    depends on t and s only through t - s. Su et al. (2021), arXiv:2104.09864, eq. 34.
    """
    width = torch.promote_types(x.dtype, torch.float32)  # torch has no complex numbers of half width
    pairs = torch.view_as_complex(x.to(width).unflatten(-1, (-1, 2)))  # (..., T, d / 2)
    turned = pairs * torch.complex(cos.to(width), sin.to(width))
    return torch.view_as_real(turned).flatten(-2).to(x.dtype)


def shift_pairs(t: float, phi: float, d: int, base: float = 10000.0) -> tuple[Tensor, Tensor]:
    """T(phi) p(t) and p(t + phi), which are equal up to rounding. Rows are pairs (sin, cos): (d / 2, 2) each."""
    here, there = (sinusoidal(torch.tensor([place], dtype=torch.float64), d, base) for place in (t, t + phi))
    return (here @ shift_matrix(phi, d, base).mT).view(-1, 2), there.view(-1, 2)


def product_terms(distance: float, d: int, base: float = 10000.0) -> Tensor:
    """The terms cos(w_k (t - s)) of the product p(t) . p(s), one for each pair: (d / 2,).

    From Palaskos (2022), eqs. 3.6-3.8: the product depends on the distance t - s alone.
    """
    return (frequencies(d, base) * distance).cos()


def shift_error(positions: Tensor, phi: float, d: int, base: float = 10000.0) -> float:
    """The largest component of |T(phi) p(t) - p(t + phi)| over the positions. By eq. 3.6 it is 0, up to rounding."""
    shifted = sinusoidal(positions, d, base) @ shift_matrix(phi, d, base).mT  # (T, d)
    return float((shifted - sinusoidal(positions.to(torch.float64) + phi, d, base)).abs().max())


def score_by_distance(q: Tensor, k: Tensor, distances: Tensor, base: float = 10000.0) -> Tensor:
    """q_t . k_s under rotary positions, at each distance t - s: (distances,). The contents q and k (d,) stay the same.

    Su et al. (2021), eq. 34: only the distance counts.
    """
    radians = angles(distances, q.shape[-1], base)
    return rotate(q.to(torch.float64).expand(len(distances), -1), radians.cos(), radians.sin()) @ k.to(torch.float64)


def pair_contributions(q: Tensor, k: Tensor, distance: float, base: float = 10000.0) -> Tensor:
    """The part of each pair in `score_by_distance` at one distance: (d / 2,)."""
    radians = angles(torch.tensor([distance]), q.shape[-1], base)
    turned_q = rotate(q.to(torch.float64)[None], radians.cos(), radians.sin())[0]
    return (turned_q * k.to(torch.float64)).unflatten(-1, (-1, 2)).sum(-1)


def by_distance(scores: Tensor) -> Tensor:
    """Mean, smallest and largest score of each diagonal: (T, T) -> (2T - 1, 3), from t - s = -(T - 1) to T - 1.

    The three agree where only the distance counts.
    """
    length = len(scores)
    diagonals = [scores.diagonal(-offset) for offset in range(1 - length, length)]
    return torch.stack([torch.stack((each.mean(), each.min(), each.max())) for each in diagonals])
