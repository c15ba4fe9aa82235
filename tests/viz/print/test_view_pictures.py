"""Views drawn by browser components, for print: the same numbers, in both themes, words as words."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.text import Text

from model.tokens.tokenizer import Token
from viz.models.predict import candidates_figure
from viz.models.translate import whole_words
from viz.print.circle_pictures import clocks_picture, plane_picture, space_picture
from viz.print.files import file_of
from viz.print.head_pictures import atlas_picture
from viz.print.translation_pictures import lines_picture, word_weights
from viz.shared.style import COLOURS, Theme

THEMES: tuple[Theme, ...] = ("light", "dark")
RANDOM = np.random.default_rng(0)


def token(text: str, special: bool = False) -> Token:
    return Token(0, text, text.encode(), special)


SOURCE = [token("$I$"), token("am"), token("here")]
WRITTEN = [token("میں"), token("ہوں"), token("<EOS>", special=True)]
CROSS = np.array([[1.0, 0.0, 0.0], [0.0, 0.9, 0.1], [0.2, 0.2, 0.6]])
SPEEDS = np.array([1.0, 0.1])
LABELS = ["$a$", "ہوں", "c"]
POINTS = RANDOM.normal(size=(3, 3))


PICTURES: dict[str, Callable[..., Figure]] = {
    "clocks": partial(clocks_picture, SPEEDS, LABELS, 1.5, 1),
    "plane": partial(plane_picture, SPEEDS, LABELS, 1.5, 1, POINTS[:, :2], 0),
    "space": partial(space_picture, SPEEDS, LABELS, 1.5, 1, POINTS, [0, 1]),
    "translation": partial(lines_picture, SOURCE, WRITTEN, CROSS, 3, "a $title$"),
}


@pytest.mark.parametrize("name", PICTURES)
def test_every_view_is_drawn_in_both_themes_with_words_as_words(name: str) -> None:
    for theme in THEMES:
        picture = PICTURES[name](theme=theme)
        assert to_hex(picture.get_facecolor()) == COLOURS[theme]["background"]
        words = [text for text in picture.findobj(Text) if text.get_text()]
        assert words
        assert not any(text.get_parse_math() for text in words)
        assert file_of(picture, "svg").lstrip().startswith(b"<?xml")


def test_lines_lead_from_the_words_that_are_written_to_where_they_look() -> None:
    axes: Any = lines_picture(SOURCE, WRITTEN, CROSS, 2, "t").axes[0]
    assert {text.get_text() for text in axes.texts} == {"$I$", "am", "here", "میں", "ہوں"}, "the third is still to come"
    ends = [tuple(round(float(x), 2) for x in line.get_xdata()[[0, -1]]) for line in axes.get_lines()]
    assert ends == [(2, 0), (1, 1), (1, 2)], "Urdu is read from the right"
    widths = [line.get_linewidth() for line in axes.get_lines()]
    assert widths == pytest.approx([3.5, 3.2, 0.8])
    in_time: Any = lines_picture(SOURCE, WRITTEN, CROSS, 1, "t", leftwards=False).axes[0]
    assert [round(float(x)) for x in in_time.get_lines()[0].get_xdata()[[0, -1]]] == [0, 0]
    assert not lines_picture(SOURCE, WRITTEN, CROSS, 0, "t").axes[0].get_lines()


def test_words_of_several_tokens_take_the_sum_of_what_they_get_and_the_mean_of_what_they_give() -> None:
    source = whole_words([token("one"), token("two")])
    together = [{"first": 0, "last": 1}]
    np.testing.assert_allclose(word_weights(CROSS[:, :2], source, together), [[0.5, 0.45]])
    np.testing.assert_allclose(word_weights(CROSS[:, :2], together, source), [[1.0], [0.9]])


def test_hands_stand_at_their_angles() -> None:
    clocks: Any = clocks_picture(SPEEDS, LABELS, 1.5, 2).axes
    for axes, speed in zip(clocks, SPEEDS, strict=False):
        hands = [line for line in axes.get_lines() if line.get_linewidth() == 2 and len(line.get_xdata()) == 2]
        ends = [(line.get_xdata()[1], line.get_ydata()[1]) for line in hands]
        turns = np.array([2 * speed, 3.5 * speed])
        np.testing.assert_allclose(ends, np.stack([np.sin(turns), np.cos(turns)], 1))
        assert [line.get_color() for line in hands] == [COLOURS["light"][role] for role in ("query", "key")]


def test_the_chosen_head_of_the_atlas_is_framed() -> None:
    tiles = RANDOM.dirichlet(np.ones(4), (3, 2, 4))
    (frame,) = atlas_picture(tiles, "t", framed=(2, 1)).axes[0].patches
    assert frame.get_xy() == (2 * 5 - 1, 1 * 5 - 1)  # type: ignore[attr-defined]
    assert not atlas_picture(tiles, "t").axes[0].patches


def test_candidates_hold_both_probabilities() -> None:
    rows = [{"token": "<b>", "model": 0.5, "after min-p": 1.0}, {"token": "ہوں", "model": 0.25, "after min-p": 0.0}]
    figure = candidates_figure(rows, "read <i>")
    assert [list(bar.x) for bar in figure.data] == [[0.5, 0.25], [1, 0]]
    assert figure.layout.yaxis.ticktext[0] == "&lt;b&gt;"
    assert figure.layout.title.text == "read &lt;i&gt;"
    assert candidates_figure(rows, "read", theme="dark").data[0].marker.color == COLOURS["dark"]["query"]
