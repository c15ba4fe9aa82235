"""A number has one text: wherever pages print the probability of the next word, it reads the same.

Each number near to it is looked at: in sentences, in tables, and in what components and figures get.
One that is near but has another text was rounded twice, or by another rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from model import load
from model.numerals import number, percent, read
from tests.pages.conftest import components, figures, run_page

VIEWS: list[tuple[str, dict[str, object]]] = [
    ("home/home.py", {}),
    ("home/home.py", {"depth": "Numbers"}),
    ("home/home.py", {"depth": "Formula"}),
    *(("models/predict.py", {"predict_tokens": 0, "depth": depth}) for depth in ("Picture", "Numbers", "Formula")),
    *(("models/predict.py", {"predict_tokens": 1, "predict_view": view, "depth": depth})
      for view in ("lens", "branches", "surprise") for depth in ("Picture", "Numbers")),
    *(("models/why.py", {"why_part": part}) for part in ("account", "cause")),
]  # fmt: skip
# The probability of the likeliest next word is 0.174869, which 0.175 would make 18%; and 0.999718, which is not all.
SENTENCES = ["the man saw a", "the king is not"]
ROUNDED = 2e-4  # a number so near is taken for the same: as it would be after rounding to three decimals
DIGITS = r"\d[\d,]*(?:\.\d+)?"


def is_rounding(digits: str, value: float) -> bool:
    """Whether printed digits may be meant for a value: they are less than a unit of the last one away."""
    return abs(float(digits) - value) < 10.0 ** -len(digits.partition(".")[2])


def probability(text: str) -> float:
    return float(load("tiny-lm").trace(text, keep="logits").logits[-1].softmax(-1).max())


def texts_of(app: AppTest) -> Iterator[str]:
    """All texts of a page: its words, its equations, and what its figures say and tell on hovering."""
    for each in (*app.markdown, *app.caption, *app.latex, *app.info):
        yield each.value
    for figure in figures(app):
        yield from strings(figure)


def strings(value: Any) -> Iterator[str]:
    """The strings anywhere in a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)


def floats(value: Any) -> Iterator[float]:
    """The floats anywhere in a value of JSON."""
    if isinstance(value, float):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from floats(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from floats(each)


def numbers_of(app: AppTest) -> Iterator[float]:
    """All numbers that a browser gets to print: those of components, and the cells of tables."""
    for name, (header, _) in components(app).items():
        if name != "run_bar":
            yield from floats(header)
    for table in app.dataframe:
        yield from (float(value) for name in table.value.select_dtypes("floating") for value in table.value[name])


@pytest.mark.parametrize("sentence", SENTENCES)
@pytest.mark.parametrize(("page", "keys"), VIEWS, ids=lambda value: re.sub(r"\W+", " ", str(value)))
def test_the_likeliest_word_has_one_probability(page: str, keys: dict[str, object], sentence: str) -> None:
    p = probability(sentence)
    app = run_page(page, model="tiny-lm", text=sentence, **keys)
    printed: set[str] = set()
    for text in texts_of(app):
        for found in re.findall(rf"(?:over |under )?{DIGITS}%", text):
            digits = re.search(DIGITS, found)[0].replace(",", "")  # type: ignore[index]
            if is_rounding(digits, 100 * p):
                printed.add(found)
        for found in re.findall(r"(?<![\d.])0\.\d{2,}(?![\d%])", text):
            if is_rounding(found, p):
                assert found == number(p, len(found) - 2), f"{found} for {p} in {text}"
    for value in numbers_of(app):
        if abs(value - p) < ROUNDED and value != 1:  # exactly 1 is all that a filter leaves
            printed.add(percent(value))
            assert number(value, 4) == number(p, 4), f"{value} for {p}"
    if keys.get("predict_view") == "lens":  # it also tells other places, at some of which exactly 1 is reached
        printed.discard("100%")
    assert printed <= {percent(p)}, f"{p} is printed as {printed}"
    if page != "models/why.py" and keys.get("predict_view") is None:
        assert printed, "the page does not print it"


def test_a_number_that_is_near_is_seen() -> None:
    """The half of a percent that the test above is after."""
    assert percent(0.174869) == "17%"
    assert percent(0.175) == "18%"
    assert read(number(0.174869))[0] == 0.175
