"""What a head writes on many texts, and what is lost without it: what is shown, and what is said of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from model import load, survey
from model.analysis.head_steps import Attention
from model.surveys.reading import Reading
from model.tokens.tokenizer import Token
from tests.views.heads import header
from views.attention.many_texts.effect import MEAN_RISE, NO_WORDS, NOT_RUN, EffectOnTexts, effect_on_texts
from views.head_of_run import HeadOfRun, keep
from views.parts import Canvas, Chart, DataTable, OtherPage
from views.run import make_run
from views.view import DEPTHS
from viz.documents.page_parts import Metric, Text
from viz.shared.style import bold_word


@pytest.fixture(scope="module")
def view(one_head: HeadOfRun, few_texts: Reading) -> EffectOnTexts:
    return effect_on_texts(one_head, few_texts)


def words(view: EffectOnTexts) -> str:
    return " ".join(part.text for part in view.at("Picture") if isinstance(part, Text))


def test_the_mean_and_the_texts_that_need_it_most_are_those_of_the_effect(view: EffectOnTexts) -> None:
    assert view.effect is not None
    metric = next(part for part in view.at("Picture") if isinstance(part, Metric))
    assert " ± " in metric.value
    assert view.told() == {MEAN_RISE: view.effect.mean}
    figure = view.picture().draw(theme="dark")
    assert sum(figure.data[0].y) == np.isfinite(view.effect.rises).sum()
    tables = [part.make() for part in view.at("Numbers") if isinstance(part, DataTable)]
    assert [len(table) for table in tables] == [12, 9, 12, 12]
    assert tables[1].iloc[0, 0] == pytest.approx(np.nanmax(view.effect.rises))


def test_the_words_are_those_that_rise_and_fall_most(view: EffectOnTexts) -> None:
    chart = next(part for part in view.at("Picture") if isinstance(part, Chart) and part.key == "words of texts")
    values = list(chart.draw().data[0].x)
    assert values == sorted(values, reverse=True)
    assert values[0] > 0 > values[-1]
    assert len(values) == 20


def test_brackets_among_the_words_end_no_colour_and_begin_no_link(view: EffectOnTexts) -> None:
    place, rises = view.written[0]
    signs = tuple((Token(id, sign, sign.encode()), 1.0) for id, sign in enumerate(("].", "](", "]")))
    said = words(replace(view, written=((place, replace(rises, most=signs)),)))
    for sign in ("].", "](", "]"):
        assert bold_word(sign) in said
    assert bold_word("](") != "**](**"


def test_the_places_where_it_writes_most_are_a_list_by_length(view: EffectOnTexts) -> None:
    assert view.effect is not None
    canvas = next(part for part in view.at("Picture") if isinstance(part, Canvas))
    lines = header(canvas)["groups"][0]["lines"]
    lengths = [length for _, length in view.effect.longest_places(12)]
    assert [line["length"] for line in lines] == lengths == sorted(lengths, reverse=True)
    shown = canvas.picks["open"]([0, 1])
    assert isinstance(shown, OtherPage)
    assert shown.keys["text"] == view.effect.longest_places(12)[1][0].text


def test_before_the_measurement_only_the_strongest_places_are_there(view: EffectOnTexts) -> None:
    unread = effect_on_texts(view.head, view.reading, most=0)
    assert unread == replace(view, effect=None)
    assert NOT_RUN in words(unread)
    assert [type(part) for part in unread.at("Picture") if isinstance(part, Chart | DataTable)] == [DataTable]
    assert not unread.told()
    assert all(unread.at(depth) for depth in DEPTHS)


def test_a_part_of_the_texts_is_made_again_as_it_was(view: EffectOnTexts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("model.surveys.rows.BATCH_TOKENS", 60)
    part = effect_on_texts(view.head, view.reading, most=3)
    assert part.effect is not None
    assert 3 <= part.effect.done.sum() < len(part.effect.done)
    assert "**Partial**" in words(part)
    call = part.made_by()
    assert call.named == {"most": int(part.effect.done.sum())}
    assert effect_on_texts(view.head, view.reading, **call.named) == part
    assert view.made_by().named == {}


def test_of_an_encoder_the_turn_of_the_vector_is_measured() -> None:
    model = load("tiny-encoder")
    head = HeadOfRun(make_run(model, "the dog sees the cat", keep), Attention("encoder", 0, "self_attn"), 1)
    view = effect_on_texts(head, survey(model, ["the dog sees the cat", "a fox", "it is a road"], keep=False))
    assert NO_WORDS in words(view)
    assert "1 − cosine" in view.measure
    assert "predicted better" not in view.caption()
    assert all(view.at(depth) for depth in DEPTHS)
