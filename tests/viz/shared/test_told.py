"""What the marks of a figure tell on hovering."""

from __future__ import annotations

import numpy as np

from model.numerals import percent
from viz.shared.told import END, MOST_TEXTS, told


def test_numbers_are_told_as_text_in_the_shape_of_the_trace() -> None:
    assert told([[0.5, 2.4e-5], [1206.504, -np.inf]], "token %{x}: ") == {
        "customdata": [["0.500", "2.4\u00a0×\u00a010⁻⁵"], ["1,206.5", "−∞"]],
        "hovertemplate": f"token %{{x}}: %{{customdata}}{END}",
    }
    assert told(np.float32([0.25]), "", " of all", write=percent)["customdata"] == ["25%"]


def test_a_figure_with_too_many_numbers_leaves_them_to_plotly() -> None:
    many = np.zeros(MOST_TEXTS + 1)
    assert told(many, "", axis="y") == {"hovertemplate": f"%{{y:.3f}}{END}"}
    assert told(many[:9], "", count=many.size) == {"hovertemplate": f"%{{z:.3f}}{END}"}
