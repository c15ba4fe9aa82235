"""Every part of a page that a second model may stand beside: its views of two models, and what they differ in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from model import load
from pages.catalogue import PAGES, PageEntry
from pages.shared.elements.page import Part, opened, page_of
from pages.shared.session import bar_notes, state, view_apart
from pages.shared.session.keys import KEYS
from tests.views.notebook.copied_lines import view_of
from tests.views.reader_words import names_of_code, words_of
from views.beside import Beside
from views.message import Message
from views.notebook.numbers import check_numbers, numbers_of
from views.parts import Chart, DataTable
from views.shown_page import ShownPage, walk
from views.view import DEPTHS, Nothing, View
from viz.documents.page_parts import Group, flatten

TEXT = "The dog is unhappy because it"
STEP = "tiny-lm@300"
PARTS = [
    (url, page.key, part)
    for url in KEYS["beside"].pages
    if (page := page_of(url)) is not None
    for part, each in page.parts.items()
    if each.goes_beside
]


ALONE = [
    (entry, page.key, name, part)
    for entry in PAGES
    if not entry.draws_itself and (page := page_of(entry.url)) is not None
    for name, part in page.parts.items()
    if not part.goes_beside
]


def note_of(second: str, entry: PageEntry, key: str, name: str, part: Part) -> list[str]:
    """The lines below the bar of a part, whose view need not be made for them."""
    with view_apart.opened(entry.url, {"model": "tiny-lm"} | ({key: name} if key else {})):
        state.put(beside=second)  # it stays where the reader goes to a page that has no such choice
        replace(part, view=Nothing).make()
        return bar_notes.lines()


@pytest.mark.parametrize(("entry", "key", "name", "part"), ALONE, ids=lambda value: getattr(value, "url", None))
def test_a_part_that_shows_one_model_says_so(entry: PageEntry, key: str, name: str, part: Part) -> None:
    """Every part of every page that shows no two: where a second model is chosen, a line below the bar says so."""
    said = note_of(STEP, entry, key, name, part)
    if entry.is_tool:
        assert said == []
    else:
        assert len(said) == 1
        assert said[0].startswith("Tiny language model after 300 steps stands beside your model ")
        assert said[0].endswith(", not here.")
    assert note_of("", entry, key, name, part) == note_of("tiny-lm", entry, key, name, part) == []


def test_a_part_that_takes_nothing_of_the_bar_says_that_alone() -> None:
    with opened("tokens", {"tokens_part": "ladder", "model": "tiny-lm", "beside": STEP}):
        assert len(bar_notes.lines()) == 1


def link_of(url: str, key: str, part: str) -> dict[str, str]:
    return {"model": "tiny-lm", "text": TEXT, "beside": STEP} | ({key: part} if key else {})


def keys_in(parts: Any) -> Iterator[str]:
    for part in parts:
        inside = part.at("Picture") if isinstance(part, View) else part.parts if isinstance(part, Group) else ()
        if getattr(part, "key", ""):
            yield part.key
        yield from keys_in(inside)


def both(page: ShownPage) -> tuple[Any, Any]:
    assert isinstance(page.view, Beside)
    assert not isinstance(page.view.second, Message)
    return page.view.first, page.view.second


@pytest.mark.slow
@pytest.mark.parametrize(("url", "key", "part"), PARTS, ids=lambda value: value or "map")
def test_both_models_in_one_frame(url: str, key: str, part: str) -> None:
    """Each has its pictures and files under names of its own; readers see no name of code."""
    with opened(url, link_of(url, key, part)) as page:
        first, second = both(page)
        assert type(first) is type(second)
        assert not any("not here" in line for line in bar_notes.lines())
        own = list(walk(page.view.at("Picture"), "Picture"))
        keys = list(keys_in(page.view.at("Picture")))
        assert len(keys) == len(set(keys))
        assert not names_of_code(words_of(page.parts(), own))
        names = [each.name for each in page.files()]
        assert len(names) == len(set(names))


COPIED: list[tuple[str, dict[str, str]]] = [
    ("home", {}),
    ("tokens", {}),
    ("heads", {"layer": "1", "head": "2", "query": "3"}),
    ("heads", {"heads_view": "Matrix", "edits": "decoder.1.self_attn.2", "beside": "tiny-lm"}),
    ("heads", {"layer": "3", "query": "5", "beside": "tiny-encoder"}),
    ("block", {"block_part": "stream"}),
    ("predict", {"predict_tokens": "2", "predict_step": "1"}),
    ("why", {}),
]


@pytest.mark.slow
@pytest.mark.parametrize(("url", "link"), COPIED, ids=str)
def test_the_lines_to_copy_make_both(url: str, link: dict[str, str]) -> None:
    with opened(url, {"model": "tiny-lm", "text": TEXT, "beside": STEP} | link) as page:
        assert page.live is not None
        assert page.live.copied.count("views.Beside(") == 1
        made = view_of(page.live.copied)
        assert isinstance(made, Beside)
        for side, of_app in zip((made.first, made.second), both(page), strict=True):
            assert (type(side), side.about()) == (type(of_app), of_app.about())
        check_numbers(made, numbers_of(page.view))


OTHERS = [
    ("heads", "tiny-encoder"),
    ("tokens", "tiny-encoder"),
    ("block", "tiny-encoder"),
    ("why", "tiny-encoder"),
    ("predict", "smollm2-135m"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("url", "other"), OTHERS)
def test_a_model_with_another_tokenizer(url: str, other: str) -> None:
    """It answers the same question of the same text."""
    for depth in DEPTHS:
        with opened(url, {"model": "tiny-lm", "text": TEXT, "beside": other, "depth": depth}) as page:
            first, second = both(page)
            assert first.about().text == second.about().text
            assert first.about().trace.tokens != second.about().trace.tokens
            assert list(flatten(page.parts()))


def difference(url: str, **link: str) -> tuple[Any, Any, Any]:
    with opened(url, {"model": "tiny-lm", "text": TEXT, "beside": STEP} | link) as page:
        first, second = both(page)
        found = first.minus(second)
        shown = list(walk(page.view.at("Numbers"), "Numbers"))
        assert sum(isinstance(each, DataTable) for each in shown) >= 3 or any(isinstance(each, Chart) for each in shown)
        return first, second, found


def test_how_far_each_head_has_moved() -> None:
    first, second, found = difference("heads", heads_view="All heads")
    weights = [
        np.stack([side.head.layer_weights(layer).numpy() for layer in range(4)]) for side in (first, second)
    ]  # (layers, heads, queries, keys)
    expected = np.abs(weights[0] - weights[1]).sum(-1).mean(-1) / 2
    assert np.allclose(found.moved, expected)
    layer, head = np.unravel_index(expected.argmax(), expected.shape)
    assert f"layer {layer}, head {head}" in found.caption()
    assert 0 < expected.max() <= 1


def test_the_stream_of_a_layer() -> None:
    first, second, found = difference("block", layer="2")
    name = f"decoder.2.{first.step}"
    traces = [load(each).trace(TEXT, keep=name)[name] for each in ("tiny-lm", STEP)]
    assert np.allclose(found.change, traces[0] - traces[1], atol=1e-5)
    assert found.rows()[0]["first"] == pytest.approx(float(traces[0][0].norm()), rel=1e-4)
    scaled = first.on_scale_of(second), second.on_scale_of(first)
    assert scaled[0].reaches == scaled[1].reaches


def test_the_accounts_of_one_logit() -> None:
    first, second, found = difference("why")
    assert first.asked.token == second.asked.token, "the answer that the first has chosen"
    logits = [load(each).trace(TEXT, keep="logits").logits[-1] for each in ("tiny-lm", STEP)]
    change = float(logits[0][first.asked.token] - logits[1][first.asked.token])
    assert sum(found.changes.values()) == pytest.approx(change, abs=1e-3)
    assert found.rows()[0]["difference"] == max(found.changes.values(), key=abs)


def test_an_answer_is_the_same_word_of_another_vocabulary() -> None:
    with opened("why", {"model": "tiny-lm", "text": "The capital of France is", "beside": "tiny-lm-rotary"}) as page:
        first, second = both(page)
        assert first.asked.word(first.asked.token) == second.asked.word(second.asked.token)
        assert first.asked.account.value != second.asked.account.value


def test_two_cuts_of_a_sentence() -> None:
    with opened("tokens", {"model": "tiny-lm", "text": "The dog is unhappy", "beside": "tiny-encoder"}) as page:
        first, second = both(page)
        rows = first.minus(second).rows()
    assert [row["characters"] for row in rows] == ["The", "dog", "is", "un", "h", "appy"]
    assert list(rows[-1].values())[1:] == ["a | pp | y", "ap | py"]
