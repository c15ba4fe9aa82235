"""The begin token in the run bar: put before the sentence or left out, on every page, in the URL and in the files."""

from __future__ import annotations

import numpy as np
import pytest

from tests.conftest import loaded
from tests.pages.conftest import go, open_link, run_page, run_sentence, sent, tell
from tests.pages.executed_notebooks import executed, written
from tests.pages.shared.frame.test_run_bar import bar, labels
from views.shared import begin_words
from viz.shared.payload import unpack

MODEL, TEXT = "smollm2-135m", "The quick brown fox"
BEGIN = "<|im_start|>"
SAYS = f"SmolLM2 135M reads {BEGIN} before the sentence: its tokenizer does not put it there."


@pytest.mark.slow
def test_it_is_put_before_the_sentence_and_left_out_again() -> None:
    app = run_page("attention/heads.py", model=MODEL, text=TEXT, query=2)
    assert bar(app)["begin"] == {"token": BEGIN, "is_on": False, "is_usual": False}
    assert "begin" not in app.query_params
    count, chosen = bar(app)["count"], labels(app)[2]
    tell(app, "run_bar", "begin", True)
    assert not app.exception
    assert labels(app)[0] == BEGIN
    assert (bar(app)["count"], bar(app)["begin"]["is_on"]) == (count + 1, True)
    assert labels(app)[bar(app)["groups"][0]["selected"]] == chosen, "the same word is chosen"
    assert app.query_params["begin"] == "with"
    assert SAYS in bar(app)["notes"]
    tell(app, "run_bar", "step", "undo")
    assert labels(app)[0] == "The"
    tell(app, "run_bar", "step", "redo")
    assert labels(app)[0] == BEGIN
    tell(app, "run_bar", "begin", False)
    assert (labels(app)[0], bar(app)["count"], bar(app)["notes"]) == ("The", count, [])
    assert "begin" not in app.query_params


@pytest.mark.slow
def test_every_page_reads_it_and_another_sentence_too() -> None:
    app = run_page("attention/scores.py", model=MODEL, text=TEXT, begin="with")
    go(app, "predict")
    assert labels(app)[0] == BEGIN
    run_sentence(app, "I am a robot")
    assert labels(app) == [BEGIN, "I", "·am", "·a", "·robot"]
    tell(app, "run_bar", "model", "minilm-l6")
    go(app, "heads")
    assert (bar(app)["begin"], bar(app)["notes"]) == (None, []), "an encoder has none to choose"
    tell(app, "run_bar", "model", MODEL)
    assert labels(app)[0] == BEGIN


@pytest.mark.parametrize("begin", ["with", ""])
def test_a_link_shows_the_numbers_of_its_run(begin: str) -> None:
    link = {"heads_view": "Matrix", "layer": "3", "head": "2", "depth": "Numbers"}
    app = open_link("attention/heads.py", model=MODEL, text=TEXT, begin=begin, **link)
    assert not app.exception
    trace = loaded(MODEL).with_begin(begin == "with").trace(TEXT, keep="decoder.3.self_attn.weights")
    weights = trace["decoder.3.self_attn.weights"][2].numpy()  # (queries, keys)
    assert len(labels(app)) == len(weights) == 4 + (begin == "with")
    shown = app.dataframe[0].value.select_dtypes("number").to_numpy()
    np.testing.assert_allclose(np.nan_to_num(shown), weights, atol=1e-4)  # masked cells are empty


def test_an_impossible_value_of_a_link_is_replaced() -> None:
    app = open_link("attention/heads.py", model="tiny-lm", text=TEXT, begin="perhaps")
    assert app.session_state["begin"] == ""


@pytest.mark.slow
@pytest.mark.parametrize(("page", "values"), [
    ("attention/heads.py", {"heads_view": "Matrix", "layer": 3, "head": 2}),
    ("inputs/tokens.py", {"tokens_part": "tokeniser"}),
])  # fmt: skip
def test_the_notebook_reads_it_too(page: str, values: dict[str, object]) -> None:
    app = run_page(page, model=MODEL, text=TEXT, begin="with", **values)
    text = written(app)
    assert ".with_begin(True)" in text
    names = executed(text)
    assert names["model"].tokenizer.begins
    assert names["run"].tokens[0].text == BEGIN


def test_the_strip_of_the_page_tokens_has_it_as_no_word() -> None:
    app = run_page("inputs/tokens.py", model=MODEL, text=TEXT, begin="with", tokens_place=0)
    strip = unpack(sent(app, "token_strip").bytes)[0]
    assert strip["tokens"][0]["label"] == BEGIN
    assert strip["selected"] == 1


@pytest.mark.parametrize(("source", "begun"), [
    ("m = load(model)", "m = load(model).with_begin(False)"),
    ("load(next(iter((a, b)))).config", "load(next(iter((a, b)))).with_begin(False).config"),
    ("t = load_tokenizer(name); x = np.load(path)", "t = load_tokenizer(name).with_begin(False); x = np.load(path)"),
    ("from model import load\nupload(x)", "from model import load\nupload(x)"),
])  # fmt: skip
def test_every_model_that_code_loads_begins_so(source: str, begun: str) -> None:
    assert begin_words.in_code(source, "without") == begun
    assert begin_words.in_code(source, "") == source
