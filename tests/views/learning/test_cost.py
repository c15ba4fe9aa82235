"""The cost of a run, as views: formulas against torch, the crossing, shapes that are not the model's, and times."""

from __future__ import annotations

import pytest

from model.cost.formulas import model_costs
from model.cost.shape import layers_of
from model.cost.timing import Timing
from tests.conftest import loaded
from tests.views.shown import equations, parts, said
from views.learning.cost.cost_view import CROSSING, CostView, Shape
from views.learning.cost.growth import Growth, Memory
from views.learning.cost.parts import LARGEST, CostParts
from views.learning.cost.times import GROWTH, Times, time_passes
from views.parts import Chart, Controls, DataTable, Files, Source
from views.view import DEPTHS
from viz.documents.page_parts import Text
from viz.shared.style import markdown_text, number

LENGTHS = (8, 16, 32)


def shape_of(name: str, tokens: int = 64, width: int = 0) -> Shape:
    model = loaded(name)
    config = model.config
    return Shape(model.card.title, model, tokens, width or config.d_model, config.n_heads, layers_of(config))


@pytest.mark.parametrize("name", ["minilm-l6", "tiny-encoder", "en-ur"])
def test_the_formulas_and_torch_agree(name: str) -> None:
    view = CostParts(shape_of(name))
    assert "The difference is 0." in said(view, "Numbers")
    table = view.table().make()
    assert table["multiplications"].sum() == view.total > 0
    assert table["share"].sum() == pytest.approx(1)
    assert table.loc[table["multiplications"].idxmax(), "part"] == view.told()[LARGEST]


def test_a_model_with_class_heads_counts_them() -> None:
    assert {"text classes", "token classes"} <= {row["part"] for row in CostParts(shape_of("tiny-encoder")).rows()}


def test_the_crossing_is_2d_plus_d_ff() -> None:
    growth = Growth(shape_of("minilm-l6"))
    assert f"T = {2 * 384 + 1536:,} tokens" in growth.caption()  # MiniLM: D = 384, d_ff = 1536
    before, behind = (next(row for row in growth.rows() if row["tokens"] == tokens) for tokens in (2048, 4096))
    pairs, products = "grows with T² D: scores and mix", "grows with T D²: projections and feed-forward"
    assert before[pairs] < before[products]
    assert behind[pairs] > behind[products]
    assert equations(growth)[-1].endswith("= 2{,}304")


def test_memory_with_all_weights_grows_with_the_square() -> None:
    rows = Memory(shape_of("tiny-lm")).rows()
    kept, unkept = list(rows[-1])[1:]
    assert rows[-1][kept] > 3.5 * rows[-2][kept]
    assert rows[-1][unkept] == 2 * rows[-2][unkept]


def test_another_shape_is_not_called_the_model() -> None:
    wide = CostParts(shape_of("minilm-l6", width=1024))
    assert "Not MiniLM" in said(wide)
    assert "12 heads of 32 features and 4,096 hidden features" in said(wide), "1,024 does not divide into 12 heads"
    assert wide.told()[CROSSING] > 2
    own = CostParts(shape_of("minilm-l6"))
    assert "Not MiniLM" not in said(own)
    assert own.told()[CROSSING] == 1


def test_a_shape_that_cannot_be_has_a_message_at_every_depth() -> None:
    shape = shape_of("tiny-lm-concat", width=2)  # the vectors of its positions are as wide
    assert "d_position < d_model" in shape.fault
    for view in (CostParts(shape), Growth(shape), Memory(shape)):
        assert view.told() == {}
        for depth in DEPTHS:
            found = parts(view, depth)
            assert [part.text for part in found if isinstance(part, Text) and part.kind == "error"] == [
                markdown_text(shape.fault)
            ]
            assert not any(isinstance(part, Chart | DataTable | Files) for part in found)
        assert len(equations(view)) == 2, "the formulas stay, without numbers"


def times_of(name: str, count: int = len(LENGTHS), is_quick: bool = False) -> Times:
    timings = [Timing(tokens, tokens / 1000, tokens**2) for tokens in LENGTHS[:count]]
    return Times(shape_of(name), tuple(timings), len(LENGTHS), is_quick)


def test_times_stand_beside_the_multiplications() -> None:
    view, config = times_of("minilm-l6"), loaded("minilm-l6").config
    first, last = (sum(each.multiplications for each in model_costs(config, tokens)) for tokens in (8, 32))
    assert view.told() == {GROWTH: last / first}
    assert f"the multiplications grow {number(last / first)} times, and the time 4.000 times" in view.caption()
    assert view.caption().endswith("takes the same time at any length.") == (last / first > 4)
    assert [row["milliseconds"] for row in view.rows()] == [8, 16, 32]


def test_times_say_how_they_were_measured() -> None:
    for view, words in (
        (times_of("tiny-lm"), "Medians of three passes"),
        (times_of("tiny-lm", 2), "Partial: stopped after 2 of 3 lengths."),
        (times_of("tiny-lm", 2, is_quick=True), "2 of 3 lengths in about half a second"),
    ):
        for depth in DEPTHS[:2]:
            assert words in said(view, depth)
            assert parts(view, depth)[-1] == Controls("measure")


def test_times_are_of_the_model_in_its_own_shape() -> None:
    fault = shape_of("tiny-lm-concat", width=2)
    timings = times_of("tiny-lm").timings
    assert "d\\_model" not in said(Times(fault, timings, 3, False))


def test_the_code_is_what_counted() -> None:
    views: list[CostView] = [CostParts(shape_of("tiny-lm")), times_of("tiny-lm")]
    for view in views:
        assert [part.of.__name__ for part in parts(view, "Code") if isinstance(part, Source)][-1] == "measure"


def test_each_length_is_timed_once() -> None:
    timings = time_passes(loaded("tiny-lm"), (4, 8), n_passes=1)
    assert [each.tokens for each in timings] == [4, 8]
    assert all(each.seconds > 0 for each in timings)
