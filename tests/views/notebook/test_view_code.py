"""A view as Python code: its fields are its code, and the code makes an equal view."""

from __future__ import annotations

from typing import Any

import pytest

from model.analysis.head_steps import Attention
from model.edits.text import parse
from model.experiments.surgery import with_edits
from tests.conftest import loaded
from views.attention.matrix import HeadMatrix
from views.call import Call
from views.head_of_run import HeadOfRun
from views.notebook.view_code import CodeWriter, NotWritten, write_view
from views.run import make_run
from views.view import View

TEXT = 'the dog "sees" the cat\n'


def matrix(edits: str = "") -> HeadMatrix:
    model = loaded("tiny-lm")
    run = make_run(with_edits(model, parse(edits)) if edits else model, TEXT, ("*.weights", "*.mask"))
    head = HeadOfRun(run, Attention("decoder", 1, "self_attn"), 0, query=5, key=1)
    return HeadMatrix(head, "weights", (slice(0, 6), slice(0, 6)))


def made(view: View) -> Any:
    code, names = write_view(view), {}
    exec("\n".join((code.imports, code.models, code.runs, code.view)), names)
    return names["view"]


@pytest.mark.parametrize("edits", ["", "decoder.0.self_attn.1"])
@pytest.mark.usefixtures("loads_once")
def test_the_code_of_a_view_makes_an_equal_view(edits: str) -> None:
    view = matrix(edits)
    again = made(view)
    assert again == view
    assert again.head.weights.equal(view.head.weights)


def test_the_model_and_the_run_stand_above_the_view() -> None:
    code = write_view(matrix())
    assert code.models == 'model = load("tiny-lm")'
    assert code.runs.startswith("run = make_run(model, ")
    assert "from model import load" in code.imports
    assert code.view.startswith("view = HeadMatrix(\n    head=HeadOfRun(run=run, at=Attention(")


def test_a_text_stays_a_text() -> None:
    hostile = '"); import os; os.abort()  # \\ \n """'
    assert eval(CodeWriter().write({"text": hostile})) == {"text": hostile}


def test_a_default_is_not_written() -> None:
    head = matrix().head
    written = CodeWriter().write(HeadOfRun(head.run, head.at, head.head))
    assert "query" not in written


class Measured:
    """A value with a number that was measured."""

    def __init__(self, place: int) -> None:
        self.place = place

    def made_by(self) -> Call:
        return Call(measure, (self.place,), {"times": 2})


def measure(place: int, times: int) -> Measured:
    assert times == 2
    return Measured(place)


def test_a_measured_value_is_made_by_its_call() -> None:
    assert CodeWriter().write(Measured(3)) == "measure(3, times=2)"


def test_a_value_that_no_code_makes_is_named() -> None:
    with pytest.raises(NotWritten, match=r"No code makes a torch\.Tensor"):
        CodeWriter().write([matrix().head.weights])
    with pytest.raises(NotWritten, match="has no public name"):
        CodeWriter().write(lambda: None)
