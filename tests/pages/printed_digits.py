"""The arithmetic of printed LaTeX, worked out apart from the app: by Python itself, after plain replacements."""

from __future__ import annotations

import math
import re
from itertools import pairwise

NAMES = {"exp": math.exp, "sqrt": math.sqrt, "ln": math.log, "log2": math.log2, "cos": math.cos, "sin": math.sin,
         "inf": math.inf}  # fmt: skip
INNERMOST = r"\{([^{}]*)\}"


def assert_digits_hold(latex: str) -> None:
    """Each = between two sides of numbers alone holds for the printed digits, and each ≈ does not.

    It holds where the sides are half a unit of the result's last digit apart at most.
    """
    for line in re.split(r"\\qquad", latex):
        sides = re.split(r"(=|\\approx)", line.rstrip(" ,"))
        for (left, sign), (right, _) in pairwise(list(zip(sides[::2], [*sides[1::2], ""], strict=True))):
            one, other, unit = value(left), value(right), unit_of(right) or unit_of(sides[-1]) or unit_of(left)
            if one is None or other is None or not unit:
                continue  # an equation of letters
            is_near = one == other or abs(one - other) <= unit / 2 + 1e-9 * max(1, abs(other)) * unit
            assert is_near == (sign == "="), f"{left} {sign} {right} in {latex}: {one}, {other}"


def value(side: str) -> float | None:
    """What Python makes of one side; None where it has letters or dots."""
    text = side.replace("{,}", "").replace(r"\left", "").replace(r"\right", "").replace(r"\,", " ")
    text = re.sub(r"\\underbrace\{([^{}]*)\}_\{[^{}]*\}", r"(\1)", text)
    text = re.sub(r"\\(ln|cos|sin) ?(\([^()]*\)|[\d.]+)", r"*\1(\2)", text)
    text = re.sub(r"\\log_2 ([\d.]+)", r"*log2(\1)", text)
    for _ in range(12):
        text = re.sub(r"\be\^" + INNERMOST, r"exp(\1)", text)
        text = re.sub(r"\\sqrt" + INNERMOST, r"sqrt(\1)", text)
        text = re.sub(r"\^" + INNERMOST, r"**(\1)", text)
        text = re.sub(r"\\t?frac" + INNERMOST + INNERMOST, r"((\1)/(\2))", text)
    text = text.replace(r"\exp", "exp").replace(r"\cdot", "*").replace(r"\infty", "inf").replace("^", "**")
    text = re.sub(r"(^|[-+*/(])\s*\*(?=[a-z])", r"\1", text.strip())  # a function at the beginning multiplies nothing
    if not text or not set(re.findall(r"[a-zA-Z_]\w*", text)) <= set(NAMES) or re.search(r"[\\{}=]", text):
        return None
    try:
        return float(eval(text, {"__builtins__": {}}, dict(NAMES)))
    except (SyntaxError, ArithmeticError, ValueError, TypeError):
        return None


def unit_of(side: str) -> float:
    """The unit of the last digit of a number; 0 for anything else."""
    found = re.fullmatch(r"\(?-?([\d{},]+)(\.\d+)?( \\cdot 10\^\{(-?\d+)\})?\)?", side.strip())
    return 10.0 ** (int(found[4] or 0) - len((found[2] or ".")[1:])) if found else 0.0
