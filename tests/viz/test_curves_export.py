import csv
import io

import numpy as np

from viz.curves_export import bars_picture, curves_picture, map_picture, rows_csv
from viz.heads_export import file_of


def test_the_curves_are_the_data() -> None:
    figure = curves_picture({"a": ([1, 2], [3, 4]), "b": ([1, 2], [5, 6])}, "x", "y", log_y=True, dots=["b"])
    first, second = figure.axes[0].get_lines()
    assert list(first.get_ydata()) == [3, 4]
    assert (second.get_linestyle(), second.get_marker()) == ("None", "o")
    assert figure.axes[0].get_yscale() == "log"


def test_the_bars_are_the_data_and_the_first_is_on_top() -> None:
    axes = bars_picture(["p", "q"], {"before": [1, 2], "after": [3, 4]}, "share").axes[0]
    assert [bar.get_width() for bar in axes.patches] == [1, 2, 3, 4]
    assert axes.yaxis_inverted()


def test_a_map_holds_its_matrix_and_becomes_every_kind_of_file() -> None:
    values = np.arange(6.0).reshape(2, 3) - 2
    figure = map_picture(values, ["$x^2$", "اردو"], "title", columns=["a", "b", "c"])
    np.testing.assert_array_equal(figure.axes[0].collections[0].get_array(), values)
    assert file_of(figure, "svg").lstrip().startswith(b"<?xml")
    assert file_of(figure, "pdf").startswith(b"%PDF")
    assert file_of(figure, "png").startswith(b"\x89PNG")


def test_rows_become_csv_without_formulas() -> None:
    data = rows_csv([{"token": "=1+1", "value": 0.5}, {"token": "b", "more": 2}])
    assert data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
    assert rows == [["token", "value", "more"], ["'=1+1", "0.5", ""], ["b", "", "2"]]
