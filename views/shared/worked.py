"""Whether the printed digits of a worked sum give its printed result: the arithmetic of the LaTeX that pages write."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from itertools import pairwise

_TOKEN = re.compile(r"\d+(?:\{,\}\d{3})*(?:\.\d+)?|\\[A-Za-z]+|\\.|\S")
_NUMBER = re.compile(r"\(?(-?)(\d+(?:\{,\}\d{3})*)(\.\d+)?(?: \\cdot 10\^\{(-?\d+)\})?\)?")
_SILENT = {r"\,", r"\!", r"\;", r"\left", r"\right", r"\big", r"\Big"}  # tokens that are only looks
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    r"\ln": math.log, r"\cos": math.cos, r"\sin": math.sin, r"\exp": math.exp,
}  # fmt: skip
_FACTORS = {"(", "e", r"\frac", r"\tfrac", r"\sqrt", r"\log", *_FUNCTIONS}  # what multiplies the number before it
_BESIDE = re.compile(r"(,?\s*\\qquad\s*)")  # between equations in one line


class NotArithmetic(Exception):
    """A piece of LaTeX that is no number: it has letters, dots, or a sign that is not known here."""


def mark_rounded(latex: str) -> str:
    """Equations with ≈ in the place of each = whose printed terms do not give its printed result.

    They give it where they are at most half a unit of its last digit away. Sides with letters or dots are left alone.
    """
    return "".join(_mark_line(part) if i % 2 == 0 else part for i, part in enumerate(_BESIDE.split(latex)))


def _mark_line(latex: str) -> str:
    sides = _split_equation(latex)
    line = sides[0]
    for left, right in pairwise(sides):
        line += (r"\approx" if _are_apart(left, right, sides[-1]) else "=") + right
    return line


def _are_apart(left: str, right: str, last: str) -> bool:
    """Whether two sides differ by more than half a unit of a result: the right one, or the `last` of the equation, or
    the left one."""
    units = [unit for side in (right, last, left) if (unit := unit_of(side)) is not None]
    try:
        one, other = evaluate(left), evaluate(right)
    except NotArithmetic:
        return False
    if one == other or not units:
        return False
    return not abs(one - other) <= units[0] / 2 * (1 + 1e-6) + 1e-12 * abs(other)


def _split_equation(latex: str) -> list[str]:
    """The sides of an equation. Signs inside braces, such as those below a sum, split nothing."""
    sides, depth = [""], 0
    for sign in latex:
        depth += (sign == "{") - (sign == "}")
        if sign == "=" and depth == 0:
            sides.append("")
        else:
            sides[-1] += sign
    return sides


def unit_of(latex: str) -> float | None:
    """The unit of the last digit of a number: 0.01 of `1{,}234.50`. None for anything else."""
    found = _NUMBER.fullmatch(latex.strip())
    if found is None:
        return None
    decimals = len(found[3] or ".") - 1
    return 10.0 ** (int(found[4] or 0) - decimals)


def evaluate(latex: str) -> float:
    r"""The value of `\frac{1.5 + 2}{e^{(-1)}} \cdot 3`. Raises `NotArithmetic` where something is no number."""
    reader = _Reader([token for token in _TOKEN.findall(latex) if token not in _SILENT])
    try:
        value = reader.sum()
    except (ArithmeticError, ValueError) as fault:  # too large, or without a logarithm
        raise NotArithmetic(latex) from fault
    if reader.tokens:
        raise NotArithmetic(latex)
    return value


class _Reader:
    """Reads the tokens of a formula from the left."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens

    def next(self) -> str:
        return self.tokens[0] if self.tokens else ""

    def take(self, token: str = "") -> str:
        if not self.tokens or token not in ("", self.tokens[0]):
            raise NotArithmetic(token)
        return self.tokens.pop(0)

    def sum(self) -> float:
        value = self.product()
        while self.next() in ("+", "-"):
            value += self.product() if self.take() == "+" else -self.product()
        return value

    def product(self) -> float:
        value = self.power()
        while True:
            if self.next() == r"\cdot":
                self.take()
            elif self.next() == "/":
                self.take()
                value /= self.power()
                continue
            elif self.next() not in _FACTORS:
                return value
            value *= self.power()

    def power(self) -> float:
        if self.next() == "-":
            self.take()
            return -self.power()
        value = self.atom()
        if self.next() != "^":
            return value
        self.take()
        return float(value ** (self.group("{", "}") if self.next() == "{" else self.atom()))

    def group(self, first: str, last: str) -> float:
        self.take(first)
        value = self.sum()
        self.take(last)
        return value

    def atom(self) -> float:
        token = self.next()
        if token in ("(", "{"):
            return self.group(token, ")" if token == "(" else "}")
        self.take()
        if token[0].isdigit():
            return float(token.replace("{,}", ""))
        if token in (r"\frac", r"\tfrac"):
            above = self.group("{", "}")
            return above / self.group("{", "}")
        if token == r"\sqrt":
            return math.sqrt(self.group("{", "}"))
        if token in _FUNCTIONS:
            return _FUNCTIONS[token](self.power())
        if token == r"\infty":
            return math.inf
        if token == "e" and self.next() == "^":
            return math.e
        if token == r"\log":
            self.take("_")
            self.take("2")
            return math.log2(self.power())
        if token == r"\underbrace":  # with what it counts below
            value = self.group("{", "}")
            self.take("_")
            self.group("{", "}")
            return value
        raise NotArithmetic(token)
