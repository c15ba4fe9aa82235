"""Two models on the same texts: which other models there are, and what is shown of both."""

from __future__ import annotations

import pytest

from model import GlassformerError, ablate, load
from model.experiments.surgery import with_edits
from model.surveys.comparison import compare
from model.surveys.reading import Reading
from views.attention.many_texts.beside import MOST_CHANGED, BesideOnTexts, beside_on_texts
from views.attention.many_texts.numbers import TITLES
from views.attention.many_texts.other_model import open_other, possible_others
from views.head_of_run import HeadOfRun
from views.parts import Chart
from views.view import DEPTHS


@pytest.fixture(scope="module")
def view(one_head: HeadOfRun, few_texts: Reading) -> BesideOnTexts:
    return beside_on_texts(one_head, few_texts, "step 0")


def test_a_model_has_its_training_and_other_models_beside_it() -> None:
    model = load("tiny-lm")
    others = possible_others(model)
    assert list(others)[:2] == ["step 0", "step 30"]
    assert {"tiny-lm-rotary", "tiny-encoder", "en-ur"} <= others.keys()
    assert not {"tiny-lm", "step 3000"} & others.keys()
    then = open_other(model, "step 0")
    assert then.card.name == "tiny-lm at step 0"
    assert open_other(model, "step 0") is then
    assert not then.network.output_table.equal(model.network.output_table)
    with pytest.raises(GlassformerError, match="cannot be set beside"):
        open_other(model, "step 7")


def test_the_whole_model_is_the_first_beside_one_with_edits() -> None:
    model = load("tiny-lm")
    edited = with_edits(model, [ablate("decoder.0.self_attn", 1)])
    assert next(iter(possible_others(edited))) == "whole"
    assert open_other(edited, "whole", {"tiny-lm": model}.__getitem__) is model


def test_each_head_is_a_point_and_the_most_changed_is_said(view: BesideOnTexts) -> None:
    found = view.comparison
    assert view.told()[MOST_CHANGED] == found.matches[0].change > 0
    assert found.by_place
    points = view.picture().draw(theme="dark").data[1]
    at = found.measures.index(view.drawn)
    assert sorted(points.x) == sorted(found.profiles[:, at])
    assert sorted(points.y) == sorted(found.other_profiles[:, at])
    assert f"{found.matches[0].layer}.{found.matches[0].head}" in view.caption()
    assert "step 0" in points.text or "step 0" in view.picture().draw().layout.yaxis.title.text


def test_a_click_chooses_the_head(view: BesideOnTexts) -> None:
    pick = view.picture().pick
    assert pick is not None
    assert pick({"customdata": [3, 1]}) == {"layer": 3, "head": 1, "heads_shown": ()}


def test_a_model_of_another_shape_is_matched_by_what_its_heads_do(one_head: HeadOfRun, few_texts: Reading) -> None:
    view = beside_on_texts(one_head, few_texts, "tiny-encoder", "previous")
    assert not view.comparison.by_place
    assert (view.drawn, view.comparison.other_attention) == ("previous", "encoder.self_attn")
    assert "the one whose measures are nearest" in view.caption()
    assert TITLES["previous"] in view.picture().alt


def test_what_is_not_read_is_said(view: BesideOnTexts) -> None:
    unread = BesideOnTexts(view.head, view.reading, "step 0", None)
    for depth in DEPTHS:
        assert not any(isinstance(part, Chart) for part in unread.at(depth))
    assert not unread.told()


def test_all_depths_have_their_parts(view: BesideOnTexts) -> None:
    assert all(view.at(depth) for depth in DEPTHS)
    table = view.table().make()
    assert len(table) == len(view.comparison.matches)
    assert beside_on_texts(view.head, view.reading, "step 0") == view
    assert compare(view.reading, view.reading).matches[0].change == 0
