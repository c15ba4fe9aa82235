"""The Ladder: the table of its rungs, GloVe trained on the page, and input that cannot be used."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from model.zoo import cards
from pages.inputs.tokens_parts import ladder, ladder_glove
from pages.inputs.tokens_parts.ladder_factorisation import RatingsSession
from pages.shared.model_runs import traces
from pages.shared.server.session_values import name_of
from pages.shared.session.keys import KEYS
from tests.pages.conftest import components, open_link, text


def _page() -> None:
    from pages.inputs.tokens_parts import ladder
    from pages.shared.session import state

    ladder.show(state.get("depth"))


def open_ladder(*kept: object, **state: object) -> AppTest:
    """Open the part alone, with these keys of the state. It must raise nothing."""
    app = AppTest.from_function(_page, default_timeout=120)
    for key, value in ({name: key.default for name, key in KEYS.items()} | state).items():
        app.session_state[key] = value
    for each in kept:
        app.session_state[name_of(type(each))] = each
    app.run()
    assert not app.exception
    return app


def row(app: AppTest, name: str) -> pd.Series:
    table = app.dataframe[-1].value
    return table[table["rung"] == name].iloc[0]


@pytest.mark.parametrize("rung", list(ladder.RUNGS))
def test_the_table_of_rungs_stands_on_every_rung(rung: str) -> None:
    app = open_ladder(tokens_rung=rung)
    assert row(app, "One-hot")["share of zeros"] == "99.7%"
    assert row(app, "One-hot")["similarity"] == "0"
    assert row(app, "TF-IDF")["numbers a word"] == 1000
    assert 0 < float(row(app, "Presence")["similarity"]) < 1


@pytest.mark.slow
def test_glove_opens_trained_and_learns_again_while_the_reader_watches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder_glove, "MIN_PICTURE_SECONDS", 0.0)
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


def test_in_context_one_word_has_two_vectors() -> None:
    prompt = ladder.PROMPTS[-1]
    context = row(open_ladder(**prompt.values), "In context")
    assert context["numbers a word"] == 384
    assert 0 < float(context["similarity"]) < 0.99
    assert "river" in context["nearest to the first word"]


@pytest.mark.parametrize(
    ("state", "says"),
    [
        ({"tokens_word1": "xyzzy"}, "xyzzy"),
        ({"tokens_word1": ""}, "A word is missing"),
        ({"tokens_rung": "factorisation", "tokens_k": 9}, "K = 9"),
    ],
)
def test_bad_input_has_one_message(state: dict[str, object], says: str) -> None:
    app = open_ladder(**state)
    assert len(app.warning) == 1
    assert says in app.warning[0].value


@pytest.mark.parametrize(("table", "says"), [(np.full((2, 2), None), "No rating"), (np.zeros((0, 2)), "empty")])
def test_ratings_that_are_not_there(table: np.ndarray, says: str) -> None:
    ratings = pd.DataFrame(table, columns=["Dune", "Emma"])
    app = open_ladder(RatingsSession([ratings]), tokens_rung="factorisation")
    assert says in app.warning[0].value


def test_a_book_with_one_rating() -> None:
    ratings = pd.DataFrame({"Dune": [5.0, 1.0, 4.0], "Emma": [None, 2.0, None]})
    app = open_ladder(RatingsSession([ratings]), tokens_rung="factorisation")
    assert not app.warning
    assert "2 missing ratings are predicted" in text(app)


def test_a_table_of_before_comes_back() -> None:
    ratings = pd.DataFrame({"Dune": [5.0, 1.0, 4.0], "Emma": [None, 2.0, None]})
    app = open_ladder(RatingsSession([ratings]), tokens_rung="factorisation")
    buttons = {button.label: button for button in app.button}
    assert buttons["Undo"].disabled
    buttons["Back to the example"].click().run()
    assert "10 missing ratings" in text(app)
    next(button for button in app.button if button.label == "Undo").click().run()
    assert "2 missing ratings" in text(app)


def test_a_word_outside_its_sentence() -> None:
    app = open_ladder(tokens_rung="context", tokens_word2="<b>")
    assert "does not stand in its sentence" in app.info[0].value


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
    app = open_ladder(**ladder.PROMPTS[-1].values | {"tokens_word1": "fox", "tokens_word2": "dog"})
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


def test_in_context_the_sentence_of_the_bar_comes_with_its_word() -> None:
    sentence = "Quarks are strange"
    values = {"model": "smollm2-135m", "text": sentence, "tokens_part": "ladder"}
    app = open_link("inputs/tokens.py", **values, query="0")
    assert "tokens take word" not in [button.key for button in app.button], "the small world has no such word"
    app = open_link("inputs/tokens.py", **values, query="0", tokens_rung="context")
    app = app.button(key="tokens take word").click().run()
    assert (app.session_state["tokens_word1"], app.session_state["tokens_sentence1"]) == ("quarks", sentence)
