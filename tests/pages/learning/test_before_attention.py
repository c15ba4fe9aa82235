"""Before attention: its numbers are those of the models, and bad input gets one message."""

from __future__ import annotations

import pytest
import torch

from model import load
from model.errors import ModelMismatch
from model.recurrent.networks import stack_steps
from model.zoo import cards
from model.zoo.card_values import RECURRENT_KIND, TEXT_KINDS
from pages.learning.before_attention_parts import length
from pages.learning.before_attention_parts.translators import reference
from tests.pages.conftest import components, run_page, text

PAGE = "learning/before_attention.py"
HELD_OUT = "The soldiers want to throw this ball but a guest broke the toy."


def open_part(part: str, **state: object):
    values = {"model": "en-ur", "text": "I am a robot", "before_attention_part": part} | state
    return run_page(PAGE, **values)


def test_a_long_sentence_is_lost_in_one_vector_but_not_with_attention() -> None:
    app = open_part("sentence", text=HELD_OUT)
    page_text = text(app)
    assert page_text.count("right]") == 2
    assert page_text.count("not the translation]") == 1
    assert reference(HELD_OUT) == "سپاہی یہ گیند پھینکنا چاہتے ہیں لیکن ایک مہمان نے کھلونا توڑا"
    assert reference("The weather is a robot of the bank") is None


def test_an_alignment_is_worked_out_with_its_scores() -> None:
    model = load("en-ur-bahdanau")
    weights = stack_steps(model.trace("I am a robot"), "attention.weights")
    shown = open_part("sentence", depth="Formula", before_attention_step=2).latex[-1].value
    assert shown.strip("$\n ").endswith(f"= {float(weights[1].max()):.3f}")


def test_the_alignment_in_the_table_is_the_models() -> None:
    app = open_part("sentence", depth="Numbers", before_attention_step=2)
    model = load("en-ur-bahdanau")
    weights = stack_steps(model.trace("I am a robot"), "attention.weights")
    vector, table = app.dataframe[0].value, app.dataframe[1].value
    assert len(vector) == model.config.memory_width
    assert len(table) == 2  # as many rows as words are written
    numbers = torch.tensor(table.iloc[:, 1:].to_numpy(), dtype=torch.float32)
    torch.testing.assert_close(numbers, weights[:2], atol=1e-5, rtol=1e-4)
    app.slider(key="before_attention_step").set_value(4).run()
    assert len(app.dataframe[1].value) == 4


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


def test_the_table_by_length_is_that_of_the_cards() -> None:
    table = open_part("length", depth="Numbers").dataframe[0].value
    for name, column in (("en-ur-seq2seq", "seq2seq"), ("en-ur-bahdanau", "Bahdanau"), ("en-ur", "Transformer")):
        stored = cards.card(name, *TEXT_KINDS, RECURRENT_KIND).details["by_length"]
        assert list(table["words"]) == [row["words"] for row in stored]
        assert list(table[column]) == pytest.approx([row["exact_match"] for row in stored])


def test_the_caption_names_the_model_that_loses_most() -> None:
    table = {
        name: [
            {"words": 4, "sentences": 100, "exact_match": short},
            {"words": 14, "sentences": 100, "exact_match": long},
            {"words": 18, "sentences": 20, "exact_match": long},
        ]
        for name, short, long in (("A", 1.0, 0.9), ("B", 0.9, 0.2))
    }
    caption = length.describe_lengths(table)
    assert "With length **B** loses most, 70 points; A least, 10." in caption
    assert "A 90%, B 20%" in caption


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
def test_the_blank_beside_the_true_shares() -> None:
    assert "**both directions** “are”" in text(open_part("both", before_attention_blank="we ___ tired"))
    table = open_part("both", depth="Numbers", before_attention_blank="I am ___ tired").dataframe[0].value
    very = table[table["word"] == "very"].iloc[0]
    assert very["both, true share"] == 0.5
    assert very["both"] == pytest.approx(0.5, abs=0.1)


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
