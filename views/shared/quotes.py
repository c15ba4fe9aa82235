"""A token inside running text, and a number inside an equation."""

from __future__ import annotations

import math
from typing import Literal

from model.numerals import split_power
from viz.shared.style import MINUS, SPACE, bold_word, isolate, markdown_text, number

Tone = Literal["gray", "blue", "orange"]  # of a chip: any token, a query, a key


def quote(word: str, place: int | None = None, tone: Tone = "gray") -> str:
    """A token inside running text: bold, safe in Markdown, and in its own direction of writing.

    A token of a sentence is a chip with its `place` there, from 0: “lazy gives over 38%” would read as a sentence, and
    “Hello gives Hello” names two tokens.
    """
    if place is not None:  # the edge of the chip shows where the token begins, in place of its dot
        return f":{tone}-background[**{isolate(markdown_text(word.lstrip(SPACE) or word))}** :small[{place}]]"
    return bold_word(word)


def tex(value: float, digits: int = 3) -> str:
    """A number for LaTeX, with the digits of `number`. A negative number stands in brackets."""
    if math.isinf(value):
        return r"\infty" if value > 0 else r"(-\infty)"
    mantissa, power = split_power(number(value, digits))
    text = mantissa.replace(",", "{,}").replace(MINUS, "-")
    text = rf"{text} \cdot 10^{{{power}}}" if power else text
    return f"({text})" if value < 0 else text
