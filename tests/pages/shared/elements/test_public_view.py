""" "Copy as Python": the lines of the Export menu and of the depth Code, for what the reader has chosen."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pages.conftest import run_page
from tests.pages.views import View as Link
from tests.views.opened import shown

TEXT = "the dog sees the cat"


def copied(page: str, **state: Any) -> str:
    """The last lines, which make the view."""
    live = shown(Link(page, state)).live
    assert live is not None
    return live.copied


def test_the_depth_code_begins_with_the_lines() -> None:
    app = run_page("attention/heads.py", model="tiny-lm", text=TEXT, layer=1, head=2, query=4, depth="Code")
    assert app.code[0].value == (
        "from glassformer import load, views\n"
        f'views.heads.Lines(load("tiny-lm").trace("{TEXT}"), layer=1, head=2, query=4)'
    )


def test_the_model_and_its_run_are_those_of_the_bar() -> None:
    lines = copied("heads", begin="with", edits="decoder.1.self_attn.2", model="smollm2-135m", heads_least=0.1)
    assert "from glassformer.model.edits.parts import scale" in lines
    assert 'load("smollm2-135m").with_begin(True), [scale("decoder.1.self_attn.heads.2", 0)]' in lines
    assert "least=0.1" in lines
    assert 'trace("I am a robot", target="میں ایک روبوٹ ہوں")' in copied(
        "translate", model="en-ur", text="I am a robot", target="میں ایک روبوٹ ہوں"
    )


@pytest.mark.parametrize(
    ("page", "state", "line"),
    [
        ("scores", {"scores_part": "scale", "scores_seed": 3}, "views.scores.Scale(seed=3)"),
        ("cost", {"cost_view": "Growth", "cost_tokens": 9}, 'views.cost.Growth(load("tiny-lm"), tokens=9, width=128'),
        ("see", {"see_part": "cost"}, 'views.see.Cost(model="digits-vit", example="digit 3")'),
        ("positions", {"positions_part": "table", "positions_words": 'a "b"'}, "Table(words='a \"b\"')"),
    ],
)
def test_a_view_that_takes_no_run(page: str, state: dict[str, Any], line: str) -> None:
    assert line in copied(page, **state)


def test_a_page_that_shows_nothing_has_no_lines() -> None:
    assert not run_page("attention/heads.py", model="tiny-lm", text="", depth="Code").code
