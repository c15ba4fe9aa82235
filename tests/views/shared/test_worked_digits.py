"""A worked sum says = where its printed terms give its printed result, and else ≈."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.pages.printed_digits import assert_digits_hold
from views.shared import sums
from views.shared.quotes import tex
from views.shared.worked import NotArithmetic, evaluate, mark_rounded, unit_of

SOME = st.floats(-50, 50, allow_nan=False)
FEW = st.lists(SOME, min_size=2, max_size=5)


@pytest.mark.parametrize(
    ("latex", "value"),
    [
        ("1{,}234.5", 1234.5),
        (r"0.351 \cdot (-2.000) + 3", 2.298),
        (r"\frac{1.5 + 2}{e^{(-1)}} \cdot 3", 10.5 * math.e),
        (r"2.4 \cdot 10^{-5}", 2.4e-5),
        (r"\sqrt{16} - \ln 1 - \log_2 8", 1),
        (r"0.5 \log_2 0.5", -0.5),
        (r"2 \cos 0 - \sin(0.0)", 2),
        (r"\left(1 + \frac{3}{2}\right)^2", 6.25),
        (r"\underbrace{1.5}_{12} + 2", 3.5),
        (r"-\infty", -math.inf),
    ],
)
def test_the_arithmetic_of_latex(latex: str, value: float) -> None:
    assert evaluate(latex) == pytest.approx(value)


@pytest.mark.parametrize(
    "latex", ["x", r"1 + \dots + 2", "1 2", "(1", r"\frac{1}{0}", r"\ln 0", "e^{900}", "", r"\sum 3"]
)
def test_what_is_no_number_is_refused(latex: str) -> None:
    with pytest.raises(NotArithmetic):
        evaluate(latex)


def test_the_unit_of_a_result() -> None:
    assert [unit_of(each) for each in ("1{,}234.50", r"(-2.4 \cdot 10^{-5})", "7", "x")] == [0.01, 1e-6, 1, None]


def test_an_equation_is_marked_where_it_does_not_hold() -> None:
    assert mark_rounded(r"u = 0.351 \cdot 2.000 = 0.702") == r"u = 0.351 \cdot 2.000 = 0.702"
    assert mark_rounded(r"u = 0.351 \cdot 2.000 = 0.703") == r"u = 0.351 \cdot 2.000 \approx 0.703"
    assert mark_rounded(r"a + \dots = 0.703") == r"a + \dots = 0.703"
    assert mark_rounded(r"1 + 1 = 3, \qquad 1 + 1 = 2") == r"1 + 1 \approx 3, \qquad 1 + 1 = 2"
    assert mark_rounded(r"S + M = 0.3 + (-\infty) = (-\infty)") == r"S + M = 0.3 + (-\infty) = (-\infty)"


@given(FEW, FEW)
def test_every_kind_of_sum_is_marked_by_its_digits(left: list[float], right: list[float]) -> None:
    """Worked out apart from the app, by Python."""
    count = min(len(left), len(right))
    score, other = left[0], left[1]
    for latex in (
        sums.total(left),
        sums.product(left[:count], right[:count], bias=other),
        sums.share([abs(each) + 1 for each in left], 1),
        sums.softmax([each / 10 for each in left], 0),
        sums.sigmoid(score / 10),
        rf"{tex(score)} \cdot {tex(other)} = {tex(score * other)}",
    ):
        assert_digits_hold(mark_rounded(latex))
