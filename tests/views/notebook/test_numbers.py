"""The numbers of a notebook: those that the app showed, and the check that finds a wrong one."""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import pytest

from model.analysis.head_steps import Attention
from tests.conftest import loaded
from views.attention.matrix import HeadMatrix
from views.head_of_run import HeadOfRun
from views.notebook.numbers import MAX_COLUMNS, MAX_ROWS, check_numbers, numbers_of
from views.parts import DataTable
from views.run import make_run
from views.view import View

RUN_TEXT = "the dog sees the cat and the girl has a red ball"


def matrix(head: int = 0) -> HeadMatrix:
    run = make_run(loaded("tiny-lm"), RUN_TEXT, ("*.weights", "*.mask"))
    count = len(run.trace.tokens)
    return HeadMatrix(HeadOfRun(run, Attention("decoder", 1, "self_attn"), head), "weights", (slice(0, count),) * 2)


def test_they_are_the_first_cells_of_the_table() -> None:
    view = matrix()
    ((first, *rows),) = numbers_of(view)
    assert len(rows) == MAX_ROWS - 1
    assert len(first) == MAX_COLUMNS
    assert first == [1.0, *[None] * (MAX_COLUMNS - 1)]
    assert rows[0][:2] == pytest.approx(view.head.weights[1, :2].tolist(), abs=1e-4)


@dataclass(frozen=True)
class Endless(View):
    """Numbers of a model whose weights lead to no numbers."""

    def number_parts(self) -> Sequence[Any]:
        return [DataTable(lambda: pd.DataFrame({"score": [float("-inf"), float("inf"), float("nan"), 0.5]}))]


def test_infinity_is_written_as_python_reads_it() -> None:
    shown = numbers_of(Endless())
    assert ast.literal_eval(repr(shown)) == shown == [[["-inf"], ["inf"], [None], [0.5]]]
    check_numbers(Endless(), shown)


def test_the_same_view_passes(capsys: pytest.CaptureFixture[str]) -> None:
    check_numbers(matrix(), numbers_of(matrix()))
    assert "cells are as the app showed them" in capsys.readouterr().out


def test_another_head_or_one_wrong_number_does_not() -> None:
    shown = numbers_of(matrix())
    with pytest.raises(AssertionError, match="The view has the row"):
        check_numbers(matrix(head=1), shown)
    wrong = copy.deepcopy(shown)
    wrong[0][1][0] += 0.01
    with pytest.raises(AssertionError, match="The view has the row"):
        check_numbers(matrix(), wrong)
    with pytest.raises(AssertionError, match="the app showed 0"):
        check_numbers(matrix(), [])
