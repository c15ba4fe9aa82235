"""Matrices side by side for print: their cells, in the colours of their scale, their words and their signs."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

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


def frames(figure: Figure, place: int) -> list[tuple[float, float, float, float]]:
    """The first column and row, the width and the height of each frame of a matrix."""
    found = [each for each in figure.axes[place].patches if isinstance(each, Rectangle)]
    return [(*each.get_xy(), each.get_width(), each.get_height()) for each in found]


def test_the_chosen_cell_is_framed_in_each_panel_and_its_words_are_marked() -> None:
    panels = [Panel(name, "", name, np.eye(2)) for name in "ab"]
    figure = panels_picture(panels, WORDS, WORDS, "t", selected=(1, 0))
    assert [frames(figure, place) for place in (0, 1)] == [[(0, 1, 1, 1)]] * 2
    assert [label.get_color() for label in figure.axes[1].get_yticklabels()] == [
        COLOURS["light"]["text"],
        COLOURS["light"]["query"],
    ]
    assert figure.axes[1].get_xticklabels()[0].get_color() == COLOURS["light"]["key_text"]
    assert frames(panels_picture(panels, WORDS, WORDS, "t"), 0) == []


STEPS = {
    "product": (("query", "feature"), [(0, 1, 3, 1)], [(0, 1, 1, 1)]),
    "scale": (("query", "key"), [(0, 1, 1, 1)], [(0, 1, 1, 1)]),
    "softmax": (("query", "key"), [(0, 1, 3, 1), (0, 1, 1, 1)], [(0, 1, 1, 1)]),
    "rotate": (("query", "feature"), [(2, 1, 2, 1)], [(2, 1, 1, 1)]),
    "concat": (("query", "feature"), [(0, 1, 1, 1)], [(3, 0, 3, 2), (3, 1, 1, 1)]),
}


@pytest.mark.parametrize("kind", STEPS)
def test_a_step_frames_the_cell_of_its_result_and_what_it_is_made_of(kind: str) -> None:
    (row, column), of_a, of_c = STEPS[kind]
    a, c = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(2, 6)[:, : 6 if kind == "concat" else 3]
    matrices = {"a": Matrix("A", a, row, column)}
    if kind == "product":
        matrices["b"] = Matrix("B", np.ones((3, 3)), "feature", "key")
    matrices["c"] = Matrix("C", c, row, "key" if kind == "product" else column)
    figure = matrices_picture(StepData(kind, matrices), WORDS, [*WORDS, "c"], "t", selected=(1, 0), head=1)
    assert frames(figure, 0) == of_a
    assert frames(figure, -1) == of_c
    if kind == "product":
        assert frames(figure, 1) == [(0, 0, 1, 3)]
