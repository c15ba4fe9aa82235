"""Matrices for print: every cell of the screen, all labels as words, a frame, and a scale for each matrix."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from matplotlib.collections import PolyQuadMesh
from matplotlib.colors import to_hex
from matplotlib.text import Text
from PIL import Image

from viz.attention.printed_heads import CELL, MAX_NAMED, NamedMatrix, compared_figure, matrix_figure
from viz.print.files import file_of
from viz.print.from_plotly import PIXELS_PER_INCH, to_matplotlib
from viz.shared.style import COLOURS, Theme

WORDS = ["$x^2$", "ہوں", "<b>"]
WEIGHTS = np.array([[1, 0, 0], [0.25, 0.75, 0], [0.5, 0.3, 0.2]], np.float32)
HIDDEN = np.triu(np.ones((3, 3), bool), 1)
MATRIX = NamedMatrix("a $title$", WEIGHTS, WORDS, WORDS, hidden=HIDDEN)
COMPARED = [MATRIX, NamedMatrix("First − second", WEIGHTS - 0.5, WORDS, WORDS, "difference")]


def meshes(picture: Any) -> list[Any]:
    """The cells of the matrices of a picture, without those of scales and of masks."""
    found: list[Any] = [
        mesh for axes in picture.axes for mesh in axes.collections[:1] if isinstance(mesh, PolyQuadMesh)
    ]
    return [mesh for mesh in found if mesh.get_array().shape == WEIGHTS.shape]


def test_a_printed_matrix_has_its_cells_and_grey_where_it_is_masked() -> None:
    picture = to_matplotlib(matrix_figure(MATRIX))
    (mesh,) = meshes(picture)
    np.testing.assert_array_equal(np.ma.filled(mesh.get_array(), np.nan), np.where(HIDDEN, np.nan, WEIGHTS))
    assert mesh.get_clim() == (0, 1)
    grey: Any = picture.axes[0].collections[1]
    np.testing.assert_array_equal(np.ma.filled(grey.get_array(), 0), HIDDEN)
    assert len(grey.get_paths()) == HIDDEN.sum(), "a cell without a colour is not in the file"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_words_are_words_and_can_be_read_on_the_ground_of_their_theme(theme: Theme) -> None:
    picture = to_matplotlib(compared_figure(COMPARED, "a $title$", theme=theme))
    assert to_hex(picture.get_facecolor()) == COLOURS[theme]["background"]
    ours = (*WORDS, "a $title$", "key", "query")
    words = [text for text in picture.findobj(Text) if text.get_visible() and text.get_text() in ours]
    readable = {COLOURS[theme][role] for role in ("text", "muted", "query", "key_text")}
    assert {to_hex(text.get_color()) for text in words} == readable
    assert not any(text.get_parse_math() for text in words)
    labels = [text.get_text() for text in picture.axes[0].get_yticklabels()]
    assert [label.strip("\u2068\u2069") for label in labels] == WORDS


def test_the_chosen_cell_is_framed_and_its_labels_are_marked() -> None:
    axes: Any = to_matplotlib(matrix_figure(MATRIX, selected=(2, 1))).axes[0]
    (frame,) = axes.patches
    assert frame.get_path().get_extents().bounds == (0.5, 1.5, 1, 1)  # x, y, width and height
    assert to_hex(frame.get_edgecolor()) == COLOURS["light"]["key"]
    ink = COLOURS["light"]
    assert [to_hex(label.get_color()) for label in axes.get_yticklabels()] == [ink["text"], ink["text"], ink["query"]]
    assert [to_hex(label.get_color()) for label in axes.get_xticklabels()] == [
        ink["text"],
        ink["key_text"],
        ink["text"],
    ]
    assert not to_matplotlib(matrix_figure(MATRIX, selected=(2, -1))).axes[0].patches, "no key is chosen"


def test_compared_matrices_have_scales_of_their_own_and_do_not_touch() -> None:
    picture = to_matplotlib(compared_figure(COMPARED, "t"))
    first, second = meshes(picture)
    np.testing.assert_array_equal(second.get_array(), WEIGHTS - 0.5)
    assert (first.norm.vmin, first.norm.vmax) == (0, 1)
    assert (second.norm.vmin, second.norm.vmax) == (-0.5, 0.5)
    picture.draw_without_rendering()
    left, right = first.axes.get_tightbbox(), second.axes.get_tightbbox()
    assert left.x1 <= right.x0


def test_the_labels_of_a_long_matrix_stand_beside_each_other() -> None:
    words = [f"لفظ {n}" for n in range(MAX_NAMED)]
    figure = matrix_figure(NamedMatrix("t", np.eye(MAX_NAMED), words, words))
    assert len(figure.layout.yaxis.tickvals) == len(figure.layout.xaxis.tickvals) == MAX_NAMED
    assert to_matplotlib(figure).get_size_inches() == pytest.approx(CELL * MAX_NAMED / PIXELS_PER_INCH)


def test_a_character_that_no_font_has_is_named_on_every_label() -> None:
    words = ["$a$", "ہوں", "🙂"]
    svg = file_of(to_matplotlib(matrix_figure(NamedMatrix("t🙂", WEIGHTS, words, words))), "svg").decode()
    assert "<!-- $a$ -->" in svg
    assert "ہوں" in svg
    assert svg.count("⟨U+1F642⟩") == 3, "the title, a row and a column"


@pytest.mark.slow
def test_a_slide_of_compared_matrices_is_whole() -> None:
    words = [f"word {n}" for n in range(20)]
    matrices = [NamedMatrix(name, np.eye(20), words, words) for name in ("first", "second", "First − second")]
    picture = to_matplotlib(compared_figure(matrices, "t"))
    slide = np.asarray(Image.open(io.BytesIO(file_of(picture, "slide"))).convert("RGB"))
    for edge in (slide[0], slide[-1], slide[:, 0], slide[:, -1]):
        assert (edge == 255).all(), "nothing touches the edge"
    inked = np.flatnonzero((slide < 200).any(axis=(0, 2)))
    assert inked[0] < 200
    assert inked[-1] > 1720, "and it is as large as it fits"
