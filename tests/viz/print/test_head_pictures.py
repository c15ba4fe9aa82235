"""Exported files: they open, hold the data, and take any text as text."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.text import Text

from viz.print.files import file_of
from viz.print.head_pictures import FAINT, atlas_picture, lines_picture, matrix_csv
from viz.shared.style import COLOURS, Theme

WORDS = ["$x^2$", "ہوں", "<b>"]
WEIGHTS = np.array([[1, 0, 0], [0.25, 0.75, 0], [0.5, 0.3, 0.2]], np.float32)

PICTURES: dict[str, Callable[..., Figure]] = {
    "lines": partial(lines_picture, WEIGHTS[None], [4], WORDS, WORDS, "a $title$"),
    "atlas": partial(atlas_picture, WEIGHTS[None, None].repeat(2, 0), "a title"),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize(("kind", "start"), [("svg", b"<?xml"), ("pdf", b"%PDF"), ("png", b"\x89PNG")])
@pytest.mark.filterwarnings("ignore:Glyph")
def test_every_picture_becomes_every_file(name: str, kind: str, start: bytes) -> None:
    assert file_of(PICTURES[name](), kind).startswith(start)


@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_stands_on_the_ground_of_its_theme_and_can_be_read_there(name: str) -> None:
    themes: tuple[Theme, ...] = ("light", "dark")
    for theme in themes:
        ink, picture = COLOURS[theme], PICTURES[name](theme=theme)
        readable = {ink[role] for role in ("text", "muted", "query", "key_text")}
        assert to_hex(picture.get_facecolor()) == ink["background"]
        words = [text for text in picture.findobj(Text) if text.get_text() and text.get_visible()]
        assert {to_hex(text.get_color()) for text in words} <= readable


def test_only_weights_from_the_threshold_on_have_a_line() -> None:
    lines = lines_picture(WEIGHTS[None], [0], WORDS, WORDS, "t", least=0.3).axes[0].collections[0]
    assert isinstance(lines, LineCollection)
    ends = [(round(path[0][1]), round(path[-1][1])) for path in lines.get_segments()]
    assert ends == [(0, 0), (1, 1), (2, 0), (2, 1)]


def test_labels_are_words_not_mathematics() -> None:
    texts = lines_picture(WEIGHTS[None], [0], WORDS, WORDS, "t").axes[0].texts
    labels = [text for text in texts if text.get_text() in WORDS]
    assert len(labels) == 2 * len(WORDS)
    assert not any(label.get_parse_math() for label in labels)


def test_the_table_has_a_row_for_each_cell() -> None:
    rows = list(csv.DictReader(io.StringIO(matrix_csv(WEIGHTS, WORDS, WORDS).decode("utf-8-sig"))))
    assert len(rows) == 9
    assert (rows[6]["query"], rows[6]["key"], float(rows[6]["value"])) == ("<b>", "$x^2$", 0.5)


@pytest.mark.parametrize("label", ["=1+1", "+1", "-1", "@x"])
def test_a_token_is_never_a_formula_in_a_spreadsheet(label: str) -> None:
    text = matrix_csv(np.ones((1, 1)), [label], ["a"]).decode("utf-8-sig")
    assert f"'{label}" in text


def test_the_lines_of_the_chosen_query_are_strong_and_the_others_faint() -> None:
    axes = lines_picture(WEIGHTS[None], [0], WORDS, WORDS, "t", selected=(2, -1)).axes[0]
    alphas = axes.collections[0].get_alpha()
    plain = lines_picture(WEIGHTS[None], [0], WORDS, WORDS, "t").axes[0].collections[0].get_alpha()
    assert np.allclose(alphas[3:], plain[3:])  # type: ignore[index]
    assert np.allclose(alphas[:3], FAINT * plain[:3])  # type: ignore[index, operator]
    marked = [text.get_text() for text in axes.texts if text.get_color() == COLOURS["light"]["query"]]
    assert marked == [WORDS[2], "query"], "the word, and the heading of its column"
