"""All heads on many texts: their numbers against means worked out here, the picture, and what is said of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from model import load, load_tokenizer
from model.analysis.head_steps import Attention
from model.edits.parts import scale
from model.errors import GlassformerError
from model.experiments.surgery import with_edits
from model.surveys.reading import Reading
from tests.views.shown import equations, tables
from views.attention.many_texts import numbers, texts
from views.attention.many_texts.all_heads import HISTOGRAMS, LARGEST, AllHeadsOfTexts, ordinal
from views.attention.many_texts.not_read import NotRead
from views.attention.many_texts.reading_view import call_of_reading
from views.attention.many_texts.texts import built_in, read_step, read_texts
from views.head_of_run import HeadOfRun, keep
from views.parts import Action, Canvas, Chart
from views.run import make_run
from views.view import DEPTHS
from viz.documents.page_parts import Text
from viz.shared.payload import unpack

ATTENTION = "decoder.self_attn"


@pytest.fixture(scope="module")
def reading() -> Reading:
    return read_texts(load("tiny-lm"), built_in("small world", "bank, facts"), keep=False)


@pytest.fixture(scope="module")
def head() -> HeadOfRun:
    return HeadOfRun(make_run(load("tiny-lm"), "the dog sees the cat", keep), Attention("decoder", 1, "self_attn"), 2)


@pytest.fixture
def view(head: HeadOfRun, reading: Reading) -> AllHeadsOfTexts:
    return AllHeadsOfTexts(head, reading, "previous", "induction in facts", "layer")


def said(view: Any) -> str:
    return " ".join(part.text for part in view.about_texts())


def test_a_point_stands_at_the_means_of_its_head(view: AllHeadsOfTexts) -> None:
    picture = view.picture()
    assert isinstance(picture, Chart)
    points, ring = picture.draw().data
    is_facts = [text.kind == "facts" for text in view.reading.collection.texts]
    means = [
        np.nanmean(view.reading.measure("previous")[1, 2]),
        np.nanmean(view.reading.measure("induction")[1, 2, is_facts]),
    ]
    at = [tuple(place) for place in points.customdata].index((1, 2))
    assert [points.x[at], points.y[at]] == pytest.approx(means, abs=1e-6)
    assert [ring.x[0], ring.y[0]] == [points.x[at], points.y[at]]
    assert points.text[at] == "1.2", "the chosen head has its name"
    assert points.text[int(np.argmax(points.y))] != "", "and so have the extremes"
    assert picture.pick is not None
    assert picture.pick({"customdata": [3, 1]}) == {"layer": 3, "head": 1, "heads_shown": ()}


def test_the_caption_says_where_the_chosen_head_stands(view: AllHeadsOfTexts) -> None:
    values = view.axes[0].values
    layer, head = np.unravel_index(values.argmax(), values.shape)
    place = ordinal(1 + int((values > values[1, 2]).sum()))
    assert f"“previous token” is largest in layer {layer}, head {head}" in view.caption()
    assert f"layer 1, head 2 is {place} of 16" in view.caption()
    assert view.told()[LARGEST] == pytest.approx(float(view.axes[1].values.max()))


def test_the_table_has_means_and_quantiles_of_every_measure(view: AllHeadsOfTexts) -> None:
    (table,) = tables(view)
    row = table[(table["layer"] == 1) & (table["head"] == 2)].iloc[0]
    values = view.reading.measure("spread")[1, 2]
    found = [row[f"entropy over its maximum{end}"] for end in ("", ", median", ", 10%", ", 90%")]
    known = values[np.isfinite(values)]
    assert found == pytest.approx([known.mean(), *np.quantile(known, (0.5, 0.1, 0.9))], abs=1e-6)
    assert len(table) == 16


def test_the_sum_is_the_mean_of_the_chosen_head(view: AllHeadsOfTexts) -> None:
    assert equations(view)[-1].startswith(r"\overline{m} = \frac{")


def test_the_histograms_count_the_texts_and_are_sorted(head: HeadOfRun, reading: Reading) -> None:
    canvas = AllHeadsOfTexts(head, reading, "first", "previous", "layer", HISTOGRAMS).picture()
    assert isinstance(canvas, Canvas)
    header, arrays = unpack(canvas.data())
    assert header["sort"] == "first"
    assert [kind["key"] for kind in header["kinds"]][:2] == ["previous", "first"]
    assert arrays["metrics"][1, 2, 1] == pytest.approx(np.nanmean(reading.measure("first")[1, 2]), abs=1e-6)
    assert arrays["tiles"].shape[:2] == (4, 4)
    assert canvas.picks["pick"]((0, 3)) == {"layer": 0, "head": 3, "heads_shown": ()}


def test_each_number_has_a_title_and_those_that_no_text_has_are_left_out(reading: Reading) -> None:
    titles = numbers.titles_of(reading, ATTENTION)
    assert {"layer", "random induction", "same in bank", "distance"} <= titles.keys()
    single = read_texts(load("tiny-lm"), ["Tom"], keep=False)
    assert "induction" not in numbers.titles_of(single, ATTENTION)
    assert numbers.usual_axes(numbers.titles_of(single, ATTENTION))["y"] in numbers.titles_of(single, ATTENTION)


def test_induction_on_random_tokens_is_that_of_the_measures(head: HeadOfRun, reading: Reading) -> None:
    from views.attention.measures import measure

    found = numbers.number_of(head, reading, ATTENTION, "random induction").values
    assert np.array_equal(found, measure(head)[-1].values)


def test_what_was_read_is_said(head: HeadOfRun, reading: Reading) -> None:
    assert said(AllHeadsOfTexts(head, reading, "first", "self", "layer")) == ":gray[Read: The small world, 70 texts.]"
    unknown = read_texts(load("tiny-lm"), built_in("small world", "translated, bank"), keep=False)
    assert "of the tokens are letters of words that the model does not know" in said(
        AllHeadsOfTexts(head, unknown, "first", "self", "layer")
    )
    too_long = read_texts(load("tiny-lm"), ["the dog sees the cat", "dog " * 500], keep=False)
    assert "1 text cannot be read by this model" in said(AllHeadsOfTexts(head, too_long, "first", "self", "layer"))


def test_a_partial_reading_says_so_and_is_made_again_as_far(head: HeadOfRun) -> None:
    model, collection = load("tiny-lm"), built_in("small world", "bank")
    part = read_step(model, collection)
    view = AllHeadsOfTexts(head, part, "first", "self", "layer")
    assert f"**Partial**: {texts.count_read(part)} of 35 texts are read" in said(view)
    call = call_of_reading(view)
    assert call.named == {"most": texts.count_read(part)}
    assert read_texts(model, collection, **call.named) == part


def test_texts_of_ones_own_are_written_one_by_one(head: HeadOfRun) -> None:
    own = read_texts(load("tiny-lm"), ["the dog sleeps", "the cat runs"], keep=False)
    call = call_of_reading(AllHeadsOfTexts(head, own, "first", "self", "layer"))
    assert call.arguments[1] == ["the dog sleeps", "the cat runs"]


def test_an_edited_model_has_a_reading_of_its_own() -> None:
    model, few = load("tiny-lm"), built_in("small world", "bank").texts[:5]
    collection = [text.content for text in few]
    whole = read_texts(model, collection, keep=False)
    edited = read_texts(with_edits(model, [scale("decoder.0.self_attn.heads.0", 0.0)]), collection, keep=False)
    assert edited != whole
    assert not np.allclose(edited.measure("previous")[1], whole.measure("previous")[1], equal_nan=True)


def test_texts_that_there_are_not_are_named() -> None:
    with pytest.raises(GlassformerError, match="There are: glassformer, small world"):
        built_in("mine")
    with pytest.raises(GlassformerError, match="no kind “riddles”"):
        built_in("small world", "riddles")


@pytest.mark.parametrize(
    ("name", "proposed"), [("tiny-lm", "small world"), ("en-ur", "small world"), ("minilm-l6", "glassformer")]
)
def test_a_model_is_proposed_the_texts_whose_words_it_knows(name: str, proposed: str) -> None:
    model: Any = SimpleNamespace(tokenizer=load_tokenizer(name))
    assert texts.usual_texts(model) == proposed


def test_what_is_not_read_is_said_at_every_depth(head: HeadOfRun) -> None:
    for depth in DEPTHS:
        (first, *_) = NotRead(head, built_in("glassformer")).at(depth)
        assert isinstance(first, Text)
        assert "reads 1,118 texts once" in first.text
    missing = NotRead(head, None).at("Picture")
    assert isinstance(missing[1], Action)
    assert missing[1].keys == {"heads_texts": ""}


def test_a_place_in_a_row_is_said_as_it_is_read() -> None:
    said = [ordinal(place) for place in (1, 2, 3, 4, 11, 12, 13, 21, 102, 111, 1023)]
    assert said == ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th", "1,023rd"]
