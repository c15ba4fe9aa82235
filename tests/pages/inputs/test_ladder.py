"""The Ladder on its page: GloVe is trained, ratings are edited, and a word is taken from the bar."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from model.zoo import cards
from pages.inputs.tokens import TWO_BANKS
from pages.inputs.tokens_parts import glove_training
from pages.inputs.tokens_parts.ratings_editor import RatingsSession
from pages.shared.model_runs import traces
from tests.pages.conftest import components, open_link, run_page, text


def open_ladder(*kept: object, **state: object) -> AppTest:
    return run_page("inputs/tokens.py", *kept, model="tiny-lm", tokens_part="ladder", **state)


def row(app: AppTest, name: str) -> pd.Series:
    table = app.dataframe[-1].value
    return table[table["rung"] == name].iloc[0]


@pytest.mark.slow
def test_glove_opens_trained_and_learns_again_while_the_reader_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(glove_training, "MIN_PICTURE_SECONDS", 0.0)
    app = open_ladder(tokens_rung="glove")
    assert "in 400 steps" in text(app)
    opened = row(app, "GloVe")["similarity"]
    app.button(key="tokens glove train").click().run()
    assert not app.exception
    assert "in 400 steps" in text(app)
    assert row(app, "GloVe")["similarity"] == opened
    assert float(opened) > 0.5
    app.session_state["tokens_window"] = 2
    assert row(app.run(), "GloVe")["similarity"] != opened
    app.session_state["tokens_window"] = 0
    app.run()
    assert "at least 1" in app.warning[0].value
    assert float(row(app, "GloVe")["similarity"]) > 0.5  # the trained vectors stay


def test_a_table_of_before_comes_back() -> None:
    ratings = pd.DataFrame({"Dune": [5.0, 1.0, 4.0], "Emma": [None, 2.0, None]})
    app = open_ladder(RatingsSession([ratings]), tokens_rung="factorisation")
    buttons = {button.label: button for button in app.button}
    assert buttons["Undo"].disabled
    buttons["Back to the example"].click().run()
    assert "10 missing ratings" in text(app)
    next(button for button in app.button if button.label == "Undo").click().run()
    assert "2 missing ratings" in text(app)


@pytest.fixture
def no_packages(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The packages of the real models are not installed, and no cache remembers that they were."""
    traces._models.clear()
    cards._folders.cache_clear()
    monkeypatch.setattr(cards, "find_spec", lambda name: None)
    yield
    cards._folders.cache_clear()


@pytest.mark.usefixtures("no_packages")
def test_without_minilm_its_rung_says_how_to_get_it_and_the_others_stand() -> None:
    app = open_ladder(**TWO_BANKS.values | {"tokens_word1": "fox", "tokens_word2": "dog"})
    assert len(app.error) == 1
    assert "is not installed\\. To get it, run" in app.error[0].value
    assert list(app.dataframe[-1].value["rung"]) == ["One-hot", "Presence", "TF-IDF", "Matrix factorisation"]


def test_the_word_of_the_bars_token_is_one_press_away() -> None:
    app = open_link("inputs/tokens.py", model="tiny-lm", text="the dog sees the cat", tokens_part="ladder", query="2")
    header = components(app)["run_bar"][0]
    assert header["groups"][0]["selected"] == 2
    take = app.button(key="tokens take word")
    assert take.label == "Take “dog” from your sentence"
    app = take.click().run()
    assert app.session_state["tokens_word1"] == "dog"
    assert "tokens take word" not in [button.key for button in app.button], "it is there"


@pytest.mark.slow
def test_in_context_the_sentence_of_the_bar_comes_with_its_word() -> None:
    sentence = "Quarks are strange"
    values = {"model": "smollm2-135m", "text": sentence, "tokens_part": "ladder"}
    app = open_link("inputs/tokens.py", **values, query="0")
    assert "tokens take word" not in [button.key for button in app.button], "the small world has no such word"
    app = open_link("inputs/tokens.py", **values, query="0", tokens_rung="context")
    app = app.button(key="tokens take word").click().run()
    assert (app.session_state["tokens_word1"], app.session_state["tokens_sentence1"]) == ("quarks", sentence)
