"""The guided path of Home: facts that are those of the run, and buttons that lead to the view of a fact."""

from __future__ import annotations

import math
import re

import pytest
from streamlit.testing.v1 import AppTest

from model import load
from pages.shared.session.view_session import ViewSession
from tests.pages.conftest import messages, open_link, session_of, text

LAST = {"tiny-lm": "predict", "minilm-l6": "classify", "tiny-encoder": "classify", "en-ur": "translate"}


def visit(model: str = "tiny-lm", sentence: str = "The dog is hungry and the cat sees it", **url: str) -> AppTest:
    app = open_link("home/home.py", model=model, text=sentence, **url)
    assert not app.exception
    return app


def steps(app: AppTest) -> list[str]:
    """The pages of the path, in order."""
    keys = [button.key or "" for button in app.button]
    return [key.removeprefix("path ") for key in keys if key.startswith("path ")]


def fact(app: AppTest, title: str) -> str:
    """The line below the heading of a step."""
    lines = text(app).splitlines()
    place = next(i for i, line in enumerate(lines) if re.fullmatch(rf"\*\*\d\. {title}\*\*", line))
    return lines[place + 1]


def find(pattern: str, said: str) -> tuple[str, ...]:
    """The groups of a pattern in a fact."""
    found = re.search(pattern, said)
    assert found is not None, said
    return found.groups()


def press(app: AppTest, page: str) -> AppTest:
    app.button(key=f"path {page}").click().run()
    assert not app.exception
    assert messages(app) == []
    assert session_of(app, ViewSession).page == page
    return app


@pytest.mark.parametrize("model", LAST)
def test_the_path_has_six_steps_that_fit_the_model(model: str) -> None:
    assert steps(visit(model)) == ["tokens", "positions", "heads", "scores", "block", LAST[model]]


@pytest.mark.parametrize("depth", ["Numbers", "Formula", "Code"])
def test_the_path_is_there_at_every_depth(depth: str) -> None:
    assert len(steps(visit(depth=depth))) == 6


def test_the_facts_are_those_of_the_run() -> None:
    app = visit(layer="2")
    trace = load("tiny-lm").trace(app.session_state["text"], keep=("*.weights", "*.scores", "*.resid_out", "*logits"))
    count = len(trace.tokens)
    assert f"**{count} tokens**" in fact(app, "Tokens")
    assert f"{trace.tokens[-1].id:,}" in fact(app, "Tokens")
    assert f"place **{count - 1}**" in fact(app, "Positions")
    head, key, share = find(r"head (\d+), .*small\[(\d+)\]\] \*\*(\d+)%", fact(app, "Heads"))
    row = trace["decoder.2.self_attn.weights"][int(head), -1]
    assert abs(float(row[int(key)]) - int(share) / 100) < 0.006
    others = row.clone()
    others[int(key)] = 0
    difference = math.log(float(row[int(key)] / others.max()))
    side = "above" if difference > 0 else "below"
    assert f"**{abs(difference):.2f}** {side}" in fact(app, "Scores")
    moved = trace["decoder.2.resid_out"][-1] - trace["decoder.1.resid_out"][-1]
    assert f"by **{float(moved.norm()):.0f}**" in fact(app, "Block")
    best = float(trace.logits[-1].softmax(-1).max())
    assert f"**{best:.0%}**" in fact(app, "Predict")


@pytest.mark.parametrize("model", ["tiny-lm", "en-ur", "minilm-l6", "tiny-lm-rotary"])
@pytest.mark.parametrize("page", ["heads", "scores", "block"])
def test_a_step_opens_its_page_at_the_same_layer_head_and_token(model: str, page: str) -> None:
    app = visit(model, "I am a robot")
    said = fact(app, "Heads")
    layer, head = find(r"layer (\d+), head (\d+)", said)
    (query,) = find(r"small\[(\d+)\]", said)
    press(app, page)
    assert (app.session_state["layer"], app.session_state["query"]) == (int(layer), int(query))
    if page != "block":
        assert app.session_state["head"] == int(head)
    assert app.session_state["attention"].startswith("encoder" if model == "minilm-l6" else "decoder")
    assert app.session_state["text"] == "I am a robot"


@pytest.mark.parametrize(
    ("model", "page"),
    [
        ("tiny-lm-rotary", "positions"),
        ("tiny-lm-none", "positions"),
        ("minilm-l6", "positions"),
        ("tiny-lm", "tokens"),
        ("tiny-lm", "predict"),
        ("en-ur", "translate"),
        ("tiny-encoder", "classify"),
    ],
)
def test_the_other_steps_open_without_a_complaint(model: str, page: str) -> None:
    press(visit(model, "I am a robot"), page)


@pytest.mark.parametrize(
    ("model", "says"),
    [
        ("tiny-lm", "waves of this place are added"),
        ("tiny-lm-concat", "waves of this place are joined"),
        ("tiny-lm-learned", "learned table of 128 places"),
        ("tiny-lm-none", "nothing tells the model so but its mask"),
        ("tiny-lm-rotary", "by 3 rad = 171.9°"),
    ],
)
def test_the_step_of_positions_is_that_of_the_model(model: str, says: str) -> None:
    assert says in fact(visit(model, "I am a robot"), "Positions")


def test_one_token_alone_has_a_path_too() -> None:
    app = visit(sentence="a")
    assert "gives itself **100%**" in fact(app, "Heads")
    assert "**100%** of its weight on one key" in fact(app, "Scores")


def test_text_of_the_reader_is_no_markdown_on_the_path() -> None:
    said = fact(visit(sentence="**b** [x](y) *"), "Tokens")
    assert "\\*" in said
