"""Five ways to say where a token stands, and what is asked of any such way, each demand with a check.

The demands: unique, bounded, deterministic, distances consistent whatever the sentence's length (Palaskos 2022, section
3.2; Bishop, ch. 12 slides), and defined beyond the lengths met in training.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from model.errors import ConfigError
from model.network.positions import frequencies, rotate, rotation, row_lengths, sinusoidal

TOLERANCE = 1e-6
REQUIREMENTS = {
    "unique": "No two positions get the same vector.",
    "bounded": "Values do not grow with the sentence.",
    "deterministic": "The same position of the same sentence always gets the same vector.",
    "consistent": "A step of δ words is as far everywhere, in short sentences and in long ones.",
    "extends": "Positions past the training length get vectors of a familiar size.",
}


@dataclass(frozen=True)
class Scheme:
    """One way to give positions. `vectors(positions, length)` is p(t) for each position t of a sentence of `length`
    tokens: (T,) -> (T, d), float64. `longest` is the length of a table, None where a formula goes on for ever."""

    name: str
    title: str
    vectors: Callable[[Tensor, int], Tensor]
    longest: int | None = None

    def all(self, length: int) -> Tensor:
        """p(0) .. p(length - 1): (length, d). Raises `ConfigError` past the end of a table."""
        if self.longest is not None and length > self.longest:
            raise ConfigError(f"The table ends after {self.longest} positions; {length} were asked for.")
        return self.vectors(torch.arange(length), length)


def counter() -> Scheme:
    """p(t) = t, one number."""
    return Scheme("counter", "Plain counter", lambda t, length: t.to(torch.float64)[:, None])


def normalised_counter() -> Scheme:
    """p(t) = t / (L - 1): from 0 to 1, whatever the length L."""
    return Scheme(
        "normalised", "Normalised counter", lambda t, length: t.to(torch.float64)[:, None] / max(length - 1, 1)
    )


def sinusoidal_scheme(d: int, base: float) -> Scheme:
    """Vaswani et al. section 3.5. Raises `ConfigError` for an odd d or a base of at most 1."""
    sinusoidal(torch.zeros(1), d, base)
    return Scheme("sinusoidal", "Sinusoidal", lambda t, length: sinusoidal(t, d, base))


def learned_scheme(table: Tensor) -> Scheme:
    """A row of a trained table (positions, d) for each position."""
    rows = table.detach().to(torch.float64)
    return Scheme("learned", "Learned table", lambda t, length: rows[t], longest=len(rows))


def directions_scheme(table: Tensor) -> tuple[Scheme, int]:
    """The rows of a trained table (positions, d), each divided by its length, and the number of the longest row."""
    rows = table.detach().to(torch.float64)
    lengths = row_lengths(rows)
    return learned_scheme(rows / lengths[:, None]), int(lengths.argmax())


def rotary_scheme(d: int, base: float) -> Scheme:
    """What rotation makes of one content at each position: each pair starts as (1, 0) and is turned by w_k t.

    Su et al. (2021), arXiv:2104.09864.
    """
    content = torch.tensor([1.0, 0.0], dtype=torch.float64).repeat(d // 2)  # (d,)

    def vectors(positions: Tensor, length: int) -> Tensor:
        turn = rotation(positions, frequencies(d, base), torch.float64)
        return rotate(content.expand(len(positions), d), turn)

    vectors(torch.zeros(1), 1)
    return Scheme("rotary", "Rotary", vectors)


@dataclass(frozen=True)
class Check:
    """One demand on one scheme: whether it holds, the number that decides it, and what that number is."""

    requirement: str
    passed: bool
    measured: float
    finding: str


def check(scheme: Scheme, length: int) -> tuple[Check, ...]:
    """Every demand of `REQUIREMENTS`, measured on sentences of `length` tokens and longer ones.

    `length`, at least 4, stands for the longest sentence met in training. A table is as long as it is.
    """
    if length < 4:
        raise ConfigError("Give a length of at least 4: distances are compared over several words.")
    length = min(length, scheme.longest or length)
    return tuple(each(scheme, length) for each in CHECKS.values())


def check_unique(scheme: Scheme, length: int) -> Check:
    p = scheme.all(length)  # (T, d)
    apart = torch.cdist(p, p) + torch.diag(torch.full((length,), torch.inf, dtype=p.dtype))
    nearest = float(apart.min())
    return Check("unique", nearest > TOLERANCE, nearest, "the smallest distance between two positions")


def check_bounded(scheme: Scheme, length: int) -> Check:
    longer = min(8 * length, scheme.longest or 8 * length)
    growth = float(scheme.all(longer).abs().max() / scheme.all(length).abs().max())
    finding = f"the largest value among {longer} positions, over that among {length}"
    return Check("bounded", growth < 1.5, growth, finding)


def check_deterministic(scheme: Scheme, length: int) -> Check:
    difference = float((scheme.all(length) - scheme.all(length)).abs().max())
    return Check("deterministic", difference == 0, difference, "the difference between two computations")


def check_consistent(scheme: Scheme, length: int) -> Check:
    lengths = (max(length // 2, 3), length)
    spread = 0.0
    for step in range(1, lengths[0] - 1):
        apart = torch.cat([step_distances(scheme.all(each), step) for each in lengths])
        spread = max(spread, float((apart.max() - apart.min()) / apart.mean()))
    finding = f"how much the length of one step varies, over places and between {lengths[0]} and {lengths[1]} words"
    return Check("consistent", spread < TOLERANCE, spread, finding)


def step_distances(p: Tensor, step: int) -> Tensor:
    """|p(t + step) - p(t)| for every t: (T, d) -> (T - step,)."""
    return (p[step:] - p[:-step]).norm(dim=-1)


def check_extends(scheme: Scheme, length: int) -> Check:
    if scheme.longest is not None:
        return Check("extends", False, float(scheme.longest), "the table's last row; there is no vector after it")
    beyond = scheme.all(2 * length)[length:].abs().max()
    growth = float(beyond / scheme.all(length).abs().max())
    return Check("extends", growth < 1.5, growth, "the largest value past the training length, over that within it")


CHECKS = {
    "unique": check_unique,
    "bounded": check_bounded,
    "deterministic": check_deterministic,
    "consistent": check_consistent,
    "extends": check_extends,
}  # by the names of `REQUIREMENTS`
