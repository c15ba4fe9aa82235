"""A view as Python code: its fields are its code, and the code makes an equal view."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from model.analysis.head_steps import Attention
from model.edits.text import parse
from model.experiments.surgery import with_edits
from model.zoo.card_values import RECURRENT_KIND
from model.zoo.cards import card
from tests.conftest import loaded
from views.attention.matrix import HeadMatrix
from views.call import Call, call_of
from views.head_of_run import HeadOfRun
from views.models.why.account import LogitAccount
from views.models.why.opened_part import open_part
from views.models.why.question import ask
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
    assert "from glassformer import load" in code.imports
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


@dataclass(frozen=True)
class Twice(View):
    """A view with a measured value in two places, and a field that tells no value from another."""

    measured: Measured
    other: Measured
    keep: object = field(default=None, compare=False)


def test_a_measured_value_of_a_field_stands_before_the_view_once() -> None:
    measured = Measured(3)
    code = write_view(Twice(measured, measured, keep=object()))
    assert code.view.splitlines() == [
        "measured = measure(3, times=2)",
        "view = Twice(measured=measured, other=measured)",
    ]
    assert write_view(Twice(measured, Measured(4))).view.splitlines() == [
        "measured = measure(3, times=2)",
        "other = measure(4, times=2)",
        "view = Twice(measured=measured, other=other)",
    ]


@pytest.mark.usefixtures("loads_once")
def test_what_a_view_needs_is_named_where_the_list_is_long() -> None:
    model = loaded("tiny-lm")
    asked = ask(make_run(model, "the dog sees the cat", LogitAccount.needs), position=3)
    view = LogitAccount(asked, open_part(asked, "decoder.1.ffn"))
    code = write_view(view)
    assert code.runs == 'run = make_run(model, "the dog sees the cat", LogitAccount.needs)'
    assert code.view.startswith(f"asked = ask(run, {asked.token}, position=3)\nview = LogitAccount(asked=asked, ")
    assert made(view) == view


def test_a_value_that_no_code_makes_is_named() -> None:
    with pytest.raises(NotWritten, match=r"No code makes a torch\.Tensor"):
        CodeWriter().write([matrix().head.weights])
    with pytest.raises(NotWritten, match="has no public name"):
        CodeWriter().write(lambda: None)


@dataclass(frozen=True)
class Kept(View):
    place: int
    maker: object = field(default=None, compare=False)


def test_what_is_not_compared_and_has_a_default_is_left_out() -> None:
    assert CodeWriter().write(Kept(3, maker=lambda: "of the app")) == "Kept(place=3)"


def test_a_card_is_taken_by_its_name() -> None:
    tiny, recurrent = card("tiny-lm"), card("tiny-lm-rnn", RECURRENT_KIND)
    assert CodeWriter().write([tiny, recurrent]) == '[card("tiny-lm"), card("tiny-lm-rnn", "recurrent")]'


@dataclass(frozen=True)
class Timed(View):
    place: int
    seconds: tuple[float, ...] | None = None
    title: str = ""

    def made_by(self) -> Call:
        return call_of(self, seconds=Call(measure, (self.place,)) if self.seconds else None)


def test_of_a_view_only_the_measured_fields_are_calls() -> None:
    assert CodeWriter().write(Timed(3, (0.1, 0.2))) == "Timed(place=3, seconds=measure(3))"
    assert CodeWriter().write(Timed(3, title="new")) == 'Timed(place=3, title="new")'
