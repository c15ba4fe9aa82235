"""A second model for the same sentence: the choice in the run bar, its view on a page, its places, and its cost."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from model import load
from tests.pages.conftest import components, messages, open_link, run_page, run_sentence, shown_page, tell
from views.beside import Beside

START: dict[str, Any] = {"model": "tiny-lm", "text": "The dog is hungry because it", "layer": 1, "head": 3}


def bar(app: AppTest) -> dict[str, Any]:
    return components(app)["run_bar"][0]


def beside(app: AppTest) -> Beside:
    view = shown_page(app).view
    assert isinstance(view, Beside)
    return view


def heads(app: AppTest) -> list[tuple[str, int, int]]:
    """The model, the layer and the head of each side."""
    view = beside(app)
    sides = [side.head for side in (view.first, view.second)]  # type: ignore[attr-defined]
    return [(each.run.name, each.at.layer, each.head) for each in sides]


def test_a_press_takes_a_second_model_and_another_lets_it_go() -> None:
    app = run_page("attention/heads.py", **START)
    offered = bar(app)["beside"]
    assert offered["chosen"] == ""
    names = [each["name"] for each in offered["models"]]
    assert names[:2] == ["tiny-lm@1893", "tiny-lm@1194"], "the steps of its training, the last first"
    assert "tiny-encoder" in names
    assert "tiny-lm" not in names, "nothing is edited, so both would be the same"

    tell(app, "run_bar", "beside", "tiny-lm@300")
    assert heads(app) == [("tiny-lm", 1, 3), ("tiny-lm@300", 1, 3)]
    assert app.query_params["beside"] == "tiny-lm@300"
    assert bar(app)["beside"]["title"] == "Tiny language model after 300 steps"

    tell(app, "run_bar", "beside", "")
    assert not isinstance(shown_page(app).view, Beside)
    assert "beside" not in app.query_params


def test_the_whole_model_stands_beside_the_edited_one() -> None:
    app = run_page("attention/heads.py", **START, edits="decoder.1.self_attn.3")
    assert bar(app)["beside"]["models"][0]["name"] == "tiny-lm"
    tell(app, "run_bar", "beside", "tiny-lm")
    first, second = beside(app).runs or ()
    assert (first.edits != (), second.edits) == (True, ())
    assert beside(app).titles == ("Tiny language model, edited", "Tiny language model")
    name = "decoder.3.self_attn.weights"
    whole = load("tiny-lm").trace(START["text"])[name]
    assert (second.trace[name] - whole).abs().max() < 1e-5 < (first.trace[name] - whole).abs().max()


def test_another_shape_has_places_of_its_own() -> None:
    """The layer that the reader has chosen, where it exists; else the nearest. A token by its characters."""
    app = run_page("attention/heads.py", **START | {"layer": 3}, query=3, beside="tiny-encoder")
    (_, layer, _), (name, other, _) = heads(app)
    assert (layer, name) == (3, "tiny-encoder")
    assert other == load("tiny-encoder").config.n_encoder_layers - 1
    first, second = (side.head for side in (beside(app).first, beside(app).second))  # type: ignore[attr-defined]
    assert first.queries[first.query].strip() == "hungry"
    assert second.queries[second.query].strip() == "h", "its first piece there"
    assert not messages(app)


def test_both_answer_another_sentence() -> None:
    app = run_page("models/predict.py", model="tiny-lm", text="The dog is", beside="tiny-lm@300")
    run_sentence(app, "The cat sees the")
    assert [run.text for run in beside(app).runs or ()] == ["The cat sees the"] * 2
    paths = [side.now.written.path for side in (beside(app).first, beside(app).second)]  # type: ignore[attr-defined]
    assert len(paths[0]) == len(paths[1]) == 8
    greedy = load("tiny-lm@300").generate("The cat sees the", max_new_tokens=8)
    assert paths[1] == tuple(step.chosen for step in greedy)


@pytest.mark.parametrize(
    ("page", "name", "why"),
    [
        ("models/predict.py", "tiny-encoder", "cannot stand beside it here"),
        ("attention/heads.py", "no-such-model", "There is no model called"),
        ("attention/heads.py", "tiny-lm@7", "There is no model called"),
    ],
)
def test_a_link_to_a_model_that_cannot_stand_there_says_so(page: str, name: str, why: str) -> None:
    app = run_page(page, model="tiny-lm", text="The dog is", beside=name)
    assert not app.exception
    assert any(why in each.value for each in app.error)


def test_other_pages_show_one_model() -> None:
    app = open_link("attention/scores.py", model="tiny-lm", text="The dog is", beside="tiny-lm@300")
    assert bar(app)["beside"] is None
    assert not app.exception
