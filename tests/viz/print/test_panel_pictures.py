"""Matrices side by side for print: their cells, in the colours of their scale, their words and their signs."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgba
from matplotlib.figure import Figure

from viz.attention.head_steps import Matrix, StepData
from viz.print.panel_pictures import matrices_picture, panels_picture
from viz.shared.panels import Panel
from viz.shared.style import COLOURS, SEQUENTIAL, SIGNED, Theme

WORDS = ["$x$", "ہوں"]
THEMES: tuple[Theme, ...] = ("light", "dark")


def cells(figure: Figure, place: int) -> np.ndarray:
    """Colours (rows, columns, 4) of one matrix."""
    return np.asarray(figure.axes[place].collections[0].get_array())


@pytest.mark.parametrize("theme", THEMES)
def test_weights_hidden_cells_and_what_is_no_number_have_their_colours(theme: Theme) -> None:
    panels = [
        Panel("Weights", "", "w", np.array([[1.0, 0.0], [np.nan, 0.5]])),
        Panel("Scores", "", "s", np.array([[2.0, -np.inf], [0.0, -2.0]]), "signed"),
    ]
    figure = panels_picture(panels, WORDS, WORDS, "t", theme=theme)
    assert to_hex(figure.get_facecolor()) == COLOURS[theme]["background"]
    weights, scores = cells(figure, 0), cells(figure, 1)
    assert [to_hex(weights[0, j]) for j in (0, 1)] == [SEQUENTIAL[theme][-1][1], SEQUENTIAL[theme][0][1]]
    assert tuple(weights[1, 0]) == to_rgba(COLOURS[theme]["warn"])
    assert tuple(scores[0, 1]) == to_rgba(COLOURS[theme]["masked"])
    assert [to_hex(scores[0, 0]), to_hex(scores[1, 1])] == [SIGNED[theme][-1][1], SIGNED[theme][0][1]]
    labels = figure.axes[0].get_yticklabels()
    assert [label.get_text() for label in labels] == WORDS
    assert not any(label.get_parse_math() for label in labels)
    assert {label.get_color() for label in labels} == {COLOURS[theme]["text"]}


def test_panels_stand_below_each_other_where_a_row_is_full() -> None:
    panels = [Panel(str(i), "", str(i), np.eye(2)) for i in range(3)]
    first, second, third = (axes.get_position() for axes in panels_picture(panels, WORDS, WORDS, "t", across=2).axes)
    assert first.y0 == second.y0 > third.y1
    assert first.x0 == third.x0 < second.x0


def test_a_step_has_its_matrices_in_order_and_its_signs_between() -> None:
    a, b = np.array([[1.0, -4.0]]), np.array([[2.0], [1.0]])
    picture = StepData(
        "product",
        {
            "a": Matrix("Q", a, "query", "feature", "query"),
            "b": Matrix("Kᵀ", b, "feature", "key", "key_text"),
            "c": Matrix("Q Kᵀ", a @ b, "query", "key"),
        },
    )
    figure = matrices_picture(picture, ["q"], ["k"], "t")
    assert [cells(figure, i).shape[:2] for i in range(3)] == [(1, 2), (2, 1), (1, 1)]
    assert [text.get_text() for text in figure.texts] == ["t", "×", "="]
    assert [label.get_text() for label in figure.axes[2].get_yticklabels()] == ["q"]
    assert figure.axes[1].get_xlabel() == "Kᵀ\n2 × 1"
    assert to_hex(cells(figure, 0)[0, 1]) == SIGNED["light"][0][1], "the largest size is the end of its own scale"
