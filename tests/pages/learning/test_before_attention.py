"""Before attention: its numbers are those of the models, and bad input gets one message."""

from __future__ import annotations

import pytest

from model.errors import ModelMismatch
from model.zoo import cards
from tests.pages.conftest import components, run_page, text

PAGE = "learning/before_attention.py"
HELD_OUT = "The soldiers want to throw this ball but a guest broke the toy."


def open_part(part: str, **state: object):
    values = {"model": "en-ur", "text": "I am a robot", "before_attention_part": part} | state
    return run_page(PAGE, **values)


@pytest.mark.slow
def test_the_slider_chooses_how_many_words_are_written() -> None:
    app = open_part("sentence", depth="Numbers", before_attention_step=2)
    assert len(app.dataframe[1].value) == 2
    app.slider(key="before_attention_step").set_value(4).run()
    assert len(app.dataframe[1].value) == 4


@pytest.mark.slow
def test_an_unknown_word_is_named_with_words_that_are_known() -> None:
    app = open_part("sentence", text="I am a robott")
    assert "does not know" in app.warning[0].value
    assert "robott" in app.warning[0].value
    next(button for button in app.button if button.label == "robott → robot").click()
    app.run()
    assert not app.warning
    assert app.session_state["text"] == "I am a robot"


def test_text_that_cannot_be_run_gets_one_message() -> None:
    assert len(open_part("sentence", text="").error) == 1


@pytest.mark.slow
def test_of_a_sentence_that_is_too_long_the_beginning_is_translated() -> None:
    app = open_part("sentence", text="hello " * 200)
    assert not app.error
    whose, cut = sorted(components(app)["run_bar"][0]["notes"], reverse=True)
    assert whose.startswith("This part gives your sentence to three translators")
    assert cut.startswith("English to Urdu reads")


def test_one_token_is_enough() -> None:
    app = open_part("sentence", text="hello")
    assert not app.error
    assert not app.exception


@pytest.mark.slow
def test_gradients_of_trained_and_fresh_networks() -> None:
    app = open_part("memory", depth="Numbers", before_attention_relative=False)
    table = app.dataframe[0].value
    assert len(table) == 64
    assert {"RNN, trained", "RNN, fresh", "LSTM, trained", "Transformer, fresh"} <= set(table.columns)
    far = table.iloc[-1]
    assert far["RNN, fresh"] < 1e-10  # a product of 63 matrices
    assert far["Transformer, trained"] > 1e-6
    app.toggle(key="before_attention_relative").set_value(True).run()
    assert app.dataframe[0].value.iloc[0]["LSTM, trained"] == pytest.approx(1.0)


@pytest.mark.slow
def test_measuring_the_order_of_work() -> None:
    app = open_part("order", depth="Numbers")
    assert "One pass each" in text(app)
    assert "A quick measurement" in text(app)
    assert set(app.dataframe[1].value["network"]) == {"LSTM", "LSTM, as PyTorch has it", "Transformer"}
    next(button for button in app.button if button.label == "Measure more exactly").click()
    app.run(timeout=120)
    assert not app.exception
    assert not app.info
    assert "Medians of 7 passes" in text(app)
    assert "A quick measurement" not in text(app)
    times = app.dataframe[1].value
    assert set(times["network"]) == {"LSTM", "LSTM, as PyTorch has it", "Transformer"}
    assert (times["milliseconds"] > 0).all()
    app.run()
    assert list(app.dataframe[1].value["milliseconds"]) == list(times["milliseconds"])


@pytest.mark.parametrize(
    ("blank", "message"),
    [("I am tired", "Write one blank"), ("I am ___ wombat", "does not know wombat"), (" ", "Type a sentence")],
)
def test_a_bad_blank_gets_one_message(blank: str, message: str) -> None:
    app = open_part("both", before_attention_blank=blank)
    assert len(app.error) == 1
    assert message in app.error[0].value.replace("\\", "")


@pytest.mark.slow
def test_a_recurrent_model_in_the_url_of_another_page_gets_one_clear_message() -> None:
    for page in ("attention/heads.py", "block/block.py", "models/translate.py"):
        app = run_page(page, model="en-ur-bahdanau", text="I am a robot")
        warnings = [each.value.replace("\\", "") for each in app.warning]
        message = "Bahdanau attention is no transformer: it is on the page"
        assert sum(message in each for each in warnings) == 1, (page, warnings)
        assert not app.exception
    assert "en-ur-bahdanau" not in [each["name"] for each in components(app)["run_bar"][0]["models"]]
    with pytest.raises(ModelMismatch, match="recurrent model"):
        cards.card("en-ur-bahdanau")
