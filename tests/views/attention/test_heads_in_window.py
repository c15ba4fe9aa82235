"""Heads of a long text, shown in part: labels, numbers, files and clicks are those of the tokens that are shown."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import numpy as np
import pytest

from model.analysis.head_steps import Attention
from tests.conftest import loaded
from views.attention.lines import LineChoice, Lines
from views.attention.matrix import HeadMatrix
from views.head_of_run import HeadOfRun
from views.run import make_run
from viz.shared.payload import unpack
from viz.shared.tokens import words

TEXT = "the dog sees the cat and the girl has a red ball . the boy is happy and he sees a bird"
PART = (slice(8, 15), slice(3, 11))  # queries and keys
CHOICE = LineChoice(heads=(2,), least=0.0, hide=(), layout="across", has_key=True)
QUERY, KEY = 12, 6


@pytest.fixture(scope="module")
def head() -> HeadOfRun:
    run = make_run(loaded("tiny-lm"), TEXT, ("*.weights", "*.mask", "*.q", "*.k"))
    return HeadOfRun(run, Attention("decoder", 1, "self_attn"), 2, query=QUERY, key=KEY)


@pytest.fixture(scope="module")
def names(head: HeadOfRun) -> list[str]:
    return words(head.run.trace.tokens)


def csv_of(view: HeadMatrix | Lines) -> list[dict[str, str]]:
    made = view.files().others["CSV"]()
    assert isinstance(made, bytes)
    return list(csv.DictReader(io.StringIO(made.decode("utf-8-sig"))))


def test_the_matrix_names_the_tokens_that_it_shows(head: HeadOfRun, names: list[str]) -> None:
    figure = HeadMatrix(head, "weights", PART).picture().draw(theme="light")
    assert [each.strip("·") for each in figure.layout.yaxis.ticktext] == [each.strip("·") for each in names[8:15]]
    assert [each.strip("·") for each in figure.layout.xaxis.ticktext] == [each.strip("·") for each in names[3:11]]
    (box,) = figure.layout.shapes
    assert (box.x0 + 0.5, box.y0 + 0.5) == (KEY - 3, QUERY - 8)


def test_a_click_in_the_matrix_takes_the_cell_under_it(head: HeadOfRun) -> None:
    chart = HeadMatrix(head, "weights", PART).picture()
    assert chart.pick is not None
    assert chart.pick({"x": 0, "y": 0}) == {"query": 8, "key": 3}
    assert chart.pick({"x": 5.0, "y": 6.0}) == {"query": 14, "key": 8}


def test_the_lines_name_the_tokens_that_they_join(head: HeadOfRun, names: list[str]) -> None:
    header, _ = unpack(Lines(head, CHOICE, PART)._pack())
    for side, tokens in (("queries", names[8:15]), ("keys", names[3:11])):
        shown = [each["label"].strip("· ") for each in header[side]]
        assert shown == [each.strip("· ") for each in tokens]
    assert header["first"] == {"query": 8, "key": 3}
    assert (header["view"]["query"], header["view"]["key"]) == (QUERY - 8, KEY - 3)


def test_a_click_in_the_lines_takes_the_tokens_at_its_ends(head: HeadOfRun) -> None:
    view = Lines(head, CHOICE, PART)
    picked = view._lines().picks["view"](view._view() | {"query": 2, "key": 4})
    assert isinstance(picked, dict)
    assert (picked["query"], picked["key"]) == (10, 7)


@pytest.mark.parametrize("number", [0, 2])
def test_the_files_of_a_head_hold_its_own_weights(head: HeadOfRun, number: int) -> None:
    """The table of the lines is of their tokens, that of the matrix of all of a text that has room."""
    mine = replace(head, head=number)
    weights = mine.layer_weights()[number].numpy()
    lines, matrix = Lines(mine, replace(CHOICE, heads=(number,)), PART), HeadMatrix(mine, "weights", PART)
    for view, part in ((lines, PART), (matrix, (slice(None), slice(None)))):
        values = [float(row["value"]) for row in csv_of(view)]
        assert values == pytest.approx(weights[part].ravel(), abs=1e-6)
    first = csv_of(lines)[0]
    assert (first["query"].strip("· "), first["key"].strip("· ")) == (
        mine.queries[8].strip("· "),
        mine.keys[3].strip("· "),
    )
    arrays = lines.files().arrays
    assert arrays is not None
    assert np.asarray(arrays()["weights"])[0] == pytest.approx(weights[PART], abs=1e-6)
