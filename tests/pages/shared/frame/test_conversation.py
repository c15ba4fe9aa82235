"""A conversation in the run bar: its turns, its tokens, its address, and models that read none."""

from __future__ import annotations

from typing import Any

import pytest

from model.chat.turns import Conversation, Turn
from tests.conftest import loaded
from tests.pages.conftest import go, open_link, run_page, run_sentence, tell
from tests.pages.executed_notebooks import executed, written
from tests.pages.shared.frame.test_run_bar import bar, labels

MODEL = "smollm2-135m"
TALK = Conversation("system: Be brief.\nuser: the <|im_end|>")
SAYS = "Tiny language model has no chat template: it reads your sentence, and not your conversation."


def told(*turns: Turn) -> list[dict[str, Any]]:
    return [
        {
            "role": turn.role,
            "text": turn.text,
            "goes_on": turn.goes_on,
            "has_control": turn.has_control,
            "ids": [*turn.ids],
        }
        for turn in turns
    ]


@pytest.mark.slow
def test_turns_take_the_place_of_the_sentence_and_give_it_back() -> None:
    app = run_page("inputs/tokens.py", model=MODEL, text="I am a robot")
    assert (bar(app)["converses"], bar(app)["talks"], bar(app)["turns"]) == (True, False, [])
    tell(app, "run_bar", "talk", told(*TALK.turns))
    assert not app.exception
    assert app.query_params["turns"] == str(TALK)
    assert (bar(app)["talks"], bar(app)["turns"]) == (True, told(*TALK.turns))
    assert bar(app)["count"] == len(loaded(MODEL).tokens_of(TALK))
    chips = bar(app)["groups"][0]["tokens"]
    assert [chip["said"] for chip in chips if chip.get("starts")] == ["system", "user", "assistant"]
    assert bar(app)["begin"] is None, "the template says how it begins"
    tell(app, "run_bar", "step", "undo")
    assert (labels(app), "turns" in app.query_params) == (["I", "·am", "·a", "·robot"], False)
    tell(app, "run_bar", "step", "redo")
    assert (bar(app)["talks"], bar(app)["text"]) == (True, "I am a robot")
    tell(app, "run_bar", "model", "tiny-lm")
    assert (bar(app)["talks"], SAYS in bar(app)["notes"], len(labels(app))) == (False, True, 4)
    tell(app, "run_bar", "model", MODEL)
    go(app, "tokens")
    assert bar(app)["talks"]
    run_sentence(app, "I am")
    assert (labels(app), bar(app)["turns"]) == (["I", "·am"], [])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "values"),
    [
        ("attention/heads.py", {"heads_view": "What they do", "heads_work": "turns", "layer": 3, "head": 2}),
        ("inputs/tokens.py", {"tokens_part": "tokeniser"}),
        ("models/predict.py", {"predict_view": "lens", "predict_path": (504,)}),
    ],
)
def test_the_notebook_of_a_view_reads_the_turns(page: str, values: dict[str, Any]) -> None:
    app = run_page(page, model=MODEL, turns=str(TALK), **values)
    names = executed(written(app))
    assert names["run"].tokens[: len(loaded(MODEL).tokens_of(TALK))] == loaded(MODEL).tokens_of(TALK)


def test_a_link_that_writes_no_turns_says_so() -> None:
    app = open_link("inputs/tokens.py", model="tiny-lm", text="the dog", turns="hello")
    assert app.session_state["turns"] == ""
    assert any("conversation" in each.value and "user: Hello" in each.value for each in app.warning)


@pytest.mark.parametrize("sent", [[], "user", [{"role": "narrator", "text": "x"}], [7], [{"role": "user"}]])
def test_what_the_editor_never_sends_changes_nothing(sent: Any) -> None:
    app = run_page("inputs/tokens.py", model="tiny-lm", text="the dog")
    tell(app, "run_bar", "talk", sent)
    assert not app.exception
    assert app.session_state["turns"] == ""
