"""Downloads: every kind of file opens and holds the data."""

import csv
import io

import numpy as np
import pytest
from matplotlib.figure import Figure

from viz.files import file_of, npz, rows_csv


def test_a_figure_becomes_every_kind_of_file() -> None:
    starts = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG"}
    for kind, start in starts.items():
        assert file_of(Figure(), kind).lstrip().startswith(start)


def test_another_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="svg, pdf or png"):
        file_of(Figure(), "exe")


def test_rows_become_csv_without_formulas() -> None:
    data = rows_csv([{"token": "=1+1", "value": 0.5}, {"token": "b", "more": 2}])
    assert data.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
    assert rows == [["token", "value", "more"], ["'=1+1", "0.5", ""], ["b", "", "2"]]


def test_arrays_load_without_pickle() -> None:
    with np.load(io.BytesIO(npz(weights=np.eye(2), tokens=["a", "بی"])), allow_pickle=False) as found:
        assert found["weights"].tolist() == [[1, 0], [0, 1]]
        assert found["tokens"].tolist() == ["a", "بی"]
