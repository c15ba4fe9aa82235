"""Sinusoidal and rotary positions.

p(t) is like a set of clock hands. Pair k of the features turns at the speed w_k = n^(-2k / d), fast pairs first.
"""

from __future__ import annotations

import math

import torch
from torch import Tensor

from model.config import TransformerConfig
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


def angles(positions: Tensor, speeds: Tensor) -> Tensor:
    """The angle w_k t of each position t at each of the speeds (pairs,), in radians: (T, pairs), float64."""
    return positions.to(torch.float64)[..., None] * speeds.to(positions.device)


def sinusoidal(positions: Tensor, d: int, base: float = 10000.0) -> Tensor:
    """P[t, 2k] = sin(w_k t), P[t, 2k+1] = cos(w_k t): (T, d), float64.

    Encoder notes, eq. 0.1.1; Shamsi (2024), eqs. 1-2; Palaskos (2022), eqs. 3.3-3.4.
    """
    return waves(positions, frequencies(d, base))


def waves(positions: Tensor, speeds: Tensor) -> Tensor:
    """The sine and the cosine of w_k t side by side, of each position t and each of the speeds (pairs,): (T, 2 pairs).

    They are float64.
    """
    radians = angles(positions, speeds)  # (T, pairs)
    return torch.stack((radians.sin(), radians.cos()), dim=-1).flatten(-2)  # (T, 2 pairs)


def sines_first(pairs: Tensor) -> Tensor:
    """The features in the order of Marian, all sines and then all cosines: (T, d) with pairs side by side -> (T, d).

    Junczys-Dowmunt et al. (2018), arXiv:1804.00344, and the first code of Vaswani et al. (tensor2tensor) store them so.
    """
    return pairs.unflatten(-1, (-1, 2)).mT.flatten(-2)


def side_by_side(halves: Tensor) -> Tensor:
    """The inverse of `sines_first`: features k and k + d/2 become neighbours, (T, d) -> (T, d)."""
    return halves.unflatten(-1, (2, -1)).mT.flatten(-2)


def shift_matrix(phi: float, d: int, base: float = 10000.0) -> Tensor:
    """The matrix T(phi) with T(phi) p(t) = p(t + phi) for every t: (d, d), float64.

    Block-diagonal: pair k, ordered (sin, cos), turns clockwise by w_k phi. Palaskos (2022), eqs. 3.6-3.8.
    """
    radians = frequencies(d, base) * phi  # (d / 2,)
    cos, sin = radians.cos(), radians.sin()
    blocks = torch.stack((torch.stack((cos, sin), -1), torch.stack((-sin, cos), -1)), -2)  # (d / 2, 2, 2)
    return torch.block_diag(*blocks)  # (d, d)


def rotary_speeds(config: TransformerConfig) -> Tensor:
    """w_k of each pair of a head's features, in radians per position: (d_k / 2,). A pair that never turns has 0."""
    turning = config.rotary_width or config.head_width
    speeds = frequencies(turning, config.position_base)  # (turning / 2,)
    if config.rotary_scaling:
        speeds = speeds / torch.tensor(config.rotary_scaling, dtype=torch.float64)
    return torch.cat((speeds, speeds.new_zeros((config.head_width - turning) // 2)))  # (d_k / 2,)


def rotary_gains(config: TransformerConfig) -> Tensor:
    """What each pair of a head's features is multiplied by when it is turned: (d_k / 2,). It is 1 but for YaRN."""
    turning = (config.rotary_width or config.head_width) // 2
    gains = torch.ones(config.head_width // 2, dtype=torch.float64)
    gains[:turning] = config.rotary_gain
    return gains


def rotation(positions: Tensor, speeds: Tensor, dtype: torch.dtype, gains: Tensor | float = 1.0) -> Tensor:
    """g_k (cos(w_k t) + i sin(w_k t)), by which `rotate` turns queries and keys: (T, d / 2), for speeds (d / 2,).

    It fits vectors of the type `dtype`. torch has no complex numbers of half width, so for those it has full width.
    """
    radians = angles(positions, speeds)
    width = torch.promote_types(dtype, torch.float32)
    return torch.complex((gains * radians.cos()).to(width), (gains * radians.sin()).to(width))


def rotate(x: Tensor, turn: Tensor) -> Tensor:
    """Turns each pair (x[2k], x[2k+1]) of the vector at position t by the angle w_k t: same shape as x (..., T, d).

    A pair counts as a complex number. The product with cos(a) + i sin(a), the `rotation`, turns it by the angle a.
    After this, q_t . k_s depends on t and s only through t - s. Su et al. (2021), arXiv:2104.09864, eq. 34.
    """
    pairs = torch.view_as_complex(x.to(turn.real.dtype).unflatten(-1, (-1, 2)))  # (..., T, d / 2)
    return torch.view_as_real(pairs * turn).flatten(-2).to(x.dtype)


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


def score_by_distance(q: Tensor, k: Tensor, distances: Tensor, speeds: Tensor, gains: Tensor | float = 1.0) -> Tensor:
    """q_t . k_s under rotary positions, at each distance t - s: (distances,). The contents q and k (d,) stay the same.

    Pair k turns by w_k, `speeds` (d / 2,), and q and k are multiplied by its gain, `gains` (d / 2,). Su et al. (2021),
    eq. 34: only the distance counts.
    """
    turn = rotation(distances, speeds, torch.float64, gains * gains)  # the turn between the two, and both gains
    return rotate(q.to(torch.float64).expand(len(distances), -1), turn) @ k.to(torch.float64)


def pair_contributions(q: Tensor, k: Tensor, distance: float, speeds: Tensor, gains: Tensor | float = 1.0) -> Tensor:
    """The part of each pair in `score_by_distance` at one distance: (d / 2,)."""
    turn = rotation(torch.tensor([distance]), speeds, torch.float64, gains * gains)
    turned_q = rotate(q.to(torch.float64)[None], turn)[0]
    return (turned_q * k.to(torch.float64)).unflatten(-1, (-1, 2)).sum(-1)


def count_slow_pairs(speeds: Tensor, count: int) -> int:
    """How many pairs turn less than a quarter over `count` positions. `speeds`: (d / 2,), in radians per position."""
    return int((speeds * (count - 1) < math.pi / 2).sum())


def row_lengths(p: Tensor) -> Tensor:
    """|p(t)| of each position: (T, d) -> (T,). Of sinusoidal positions it is sqrt(d / 2)."""
    return p.norm(dim=-1)


def products(p: Tensor) -> Tensor:
    """p(t) . p(s) for all positions t and s: (T, d) -> (T, T)."""
    return p @ p.mT


def by_distance(scores: Tensor) -> Tensor:
    """Mean, smallest and largest score of each diagonal: (T, T) -> (2T - 1, 3), from t - s = -(T - 1) to T - 1.

    The three agree where only the distance counts.
    """
    length = len(scores)
    diagonals = [scores.diagonal(-offset) for offset in range(1 - length, length)]
    return torch.stack([torch.stack((each.mean(), each.min(), each.max())) for each in diagonals])
