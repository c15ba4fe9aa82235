"""Two runs on the map: another sentence, or the model with all of its heads, subtracted."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from model import load
from pages.home.model_map.comparison import LONGEST_QUOTE
from pages.home.tiles import routes
from tests.pages.conftest import components, open_link

SENTENCE, OTHER = "The dog is here", "The cat is here"
WEIGHTS = "decoder.2.self_attn.weights"


def visit(**url: str) -> AppTest:
    return open_link("home/home.py", **({"model": "tiny-lm", "text": SENTENCE} | url))


def read(app: AppTest) -> dict[str, Any]:
    """What the map receives."""
    shown = components(app)
    return shown["model_map"][0] | shown["map_place"][0]


def cells_of(data: dict[str, Any], tensor: str, matrix: int) -> Any:
    with TestClient(Starlette(routes=routes.routes())) as client:
        answer = client.get(f"{data['root']}/{data['handle']}/{tensor}/{matrix}/0/0/0")
    assert answer.status_code == 200
    return np.frombuffer(answer.content, "<f4")


def test_another_sentence_is_subtracted_and_the_tokens_are_named_for_both() -> None:
    app = visit(home_with="another sentence", home_text2=OTHER)
    data = read(app)
    assert not app.exception
    assert not app.error
    assert data["compared"] == [f"“{SENTENCE}”", f"“{OTHER}”"]
    assert data["layout"]["tokens"]["source"] == ["The", "·dog / ·cat", "·is", "·here"]
    assert not data["next"]
    model = load("tiny-lm")
    first, second = (model.trace(text, keep=WEIGHTS)[WEIGHTS][3] for text in (SENTENCE, OTHER))
    np.testing.assert_allclose(cells_of(data, WEIGHTS, 3), (first - second).ravel(), atol=1e-6)
    assert "home_text2" in app.query_params


def test_a_translator_reads_both_sentences_and_goes_through_the_same_translation() -> None:
    data = read(visit(model="en-ur", text="I am a robot", home_with="another sentence", home_text2="I am a doctor"))
    assert data["compared"] == ["“I am a robot”", "“I am a doctor”"]
    assert any("/" in label for label in data["layout"]["tokens"]["source"])
    assert not any("/" in label for label in data["layout"]["tokens"]["target"])
    assert np.abs(cells_of(data, "decoder.0.cross_attn.weights", 0)).max() > 0
    assert not cells_of(data, "decoder.0.self_attn.weights", 0).any()


def test_the_run_without_a_head_is_compared_with_the_whole_model() -> None:
    """It stands beside the edited one, and the third map is their difference. Both share their weights."""
    app = visit(edits="decoder.1.self_attn.2", home_with="the whole model")  # as older links say it
    assert not app.error
    data = read(app)  # of the last map, the difference
    assert data["compared"] == ["Tiny language model, edited", "Tiny language model"]
    assert not cells_of(data, "decoder.0.resid_out", 0).any()
    assert cells_of(data, "decoder.1.resid_out", 0).any()
    assert not cells_of(data, "decoder.blocks.1.attn_norm.gain", 0).any()


def test_the_weights_of_two_steps_of_a_training_are_subtracted() -> None:
    app = visit(beside="tiny-lm@300")
    assert not app.error
    data = read(app)  # of the last map, the difference
    name = "decoder.blocks.1.attn_norm.gain"
    first, second = (load(each).network.state_dict()[name] for each in ("tiny-lm", "tiny-lm@300"))
    np.testing.assert_allclose(cells_of(data, name, 0), first - second, atol=1e-6)


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ({"home_with": "another sentence", "home_text2": "The dog"}, "the first has 4, the second 2"),
        ({"home_with": "another sentence", "home_text2": "The dog " * 400}, "tokens"),
    ],
)
def test_what_cannot_be_compared_is_said_in_one_line_and_the_run_is_shown(url: dict[str, str], words: str) -> None:
    app = visit(**url)
    assert not app.exception
    assert [words in each.value for each in app.error] == [True]
    assert read(app)["compared"] is None


def test_without_a_second_sentence_the_page_asks_for_one_and_offers_an_example() -> None:
    app = visit(home_with="another sentence")
    assert not app.error
    assert read(app)["compared"] is None
    next(button for button in app.button if button.label.startswith("Try")).click().run()
    second = read(app)["compared"][1]
    assert re.fullmatch("“The .+ is here”", second)


def test_sentences_that_are_too_long_are_both_cut_and_quoted_in_part() -> None:
    mine, other = ("the dog sees the cat " * 40, "the bird sees the cat " * 40)
    app = visit(model="tiny-encoder", text=mine, home_with="another sentence", home_text2=other)
    assert not app.error
    for quoted, whole in zip(read(app)["compared"], (mine, other), strict=True):
        assert whole.startswith(quoted[1:-2])
        assert len(quoted) == LONGEST_QUOTE + 2
    notes = components(app)["run_bar"][0]["notes"]
    assert [("your sentence" in note, "the second sentence" in note) for note in notes] == [
        (True, False),
        (False, True),
    ]


def test_the_second_sentence_is_never_markup() -> None:
    app = visit(home_with="another sentence", home_text2="<b>x</b> *a*")
    assert "<b>" not in "".join(each.value for each in app.error)
