"""The Classify page: its numbers are those of the models."""

import pytest
import torch
from streamlit.testing.v1 import AppTest

from model import load
from tests.pages.conftest import run_page, text

PRAISE = "I love this film"


def open_page(**values: object) -> AppTest:
    return run_page("models/classify.py", **({"model": "tiny-encoder", "text": PRAISE} | values))


def test_the_kinds_run_on_the_sentence() -> None:
    app = open_page(classify_part="kinds", text="I am a robot", depth="Numbers")
    encoder, decoder, both = (each.value["number"].tolist() for each in app.dataframe)
    assert encoder[2] == encoder[3] == encoder[0] ** 2
    assert decoder[2] == decoder[0] * (decoder[0] + 1) // 2
    read, written = both[:2]
    assert both[2] == read**2 + written * read + written * (written + 1) // 2
    assert "میں" in text(app)


def test_the_probabilities_are_those_of_the_trace() -> None:
    trace = load("tiny-encoder").trace(PRAISE, keep=("text_logits", "token_logits"))
    app = open_page(classify_part="labels", depth="Numbers")
    sentence, tokens = app.dataframe[0].value, app.dataframe[1].value
    assert sentence["probability"].tolist() == pytest.approx(trace["text_logits"].softmax(-1).tolist(), abs=1e-6)
    shown = torch.tensor(tokens.drop(columns=["token", "taken for"]).to_numpy())
    torch.testing.assert_close(shown.float(), trace["token_logits"].softmax(-1)[1:])
    assert "**positive**" in text(app)


def test_the_attention_is_that_of_the_asked_token() -> None:
    trace = load("tiny-encoder").trace(PRAISE, keep="*.weights")
    rows = open_page(classify_part="labels", depth="Numbers", classify_token=2).dataframe[2].value
    assert rows.loc["1.3"].tolist() == pytest.approx(trace["encoder.1.self_attn.weights"][3, 2].tolist(), abs=1e-6)


def test_a_token_that_does_not_exist_is_replaced_with_a_message() -> None:
    app = open_page(classify_part="labels", classify_token=40)
    assert any("Token 40 does not exist here" in each.value for each in app.warning)


@pytest.mark.parametrize("name", ["minilm-l6", "tiny-encoder"])
def test_cosines_of_a_word_start_alike_and_part(name: str) -> None:
    table = open_page(classify_part="words", depth="Numbers", classify_model=name).dataframe[0].value
    layers = load(name).config.n_encoder_layers
    assert len(table) == layers + 1
    assert list(table.columns) == ["in 2", "in 3", "in 4", "in 5"]
    assert table.iloc[-1].min() < table.iloc[0].min()


def test_minilm_puts_the_two_river_banks_together() -> None:
    last = open_page(classify_part="words", depth="Numbers").dataframe[0].value.iloc[-1]
    assert last.idxmax() == "in 4"  # she fished from the bank of the river


def test_a_missing_word_gets_a_message() -> None:
    app = open_page(classify_part="words", classify_word="zebra")
    assert any("stands nowhere in these sentences" in each.value for each in app.warning)
    assert not app.dataframe
    app = open_page(classify_part="words", classify_word="cash")
    assert any("stands once" in each.value for each in app.warning)
    app = open_page(classify_part="words", classify_sentences="a bank\nno such thing\nthe bank")
    assert any("is not in sentence 2" in each.value for each in app.info)


def test_a_word_twice_in_a_sentence_is_two_places() -> None:
    app = open_page(classify_part="words", depth="Numbers", classify_sentences="from bank to bank\nthe bank")
    assert list(app.dataframe[0].value.columns) == ["in 1 b", "in 2"]


def test_one_sentence_is_too_few() -> None:
    app = open_page(classify_part="sentences", classify_texts="only one\n \n")
    assert any("at least two sentences" in each.value for each in app.info)


def test_a_sentence_that_cannot_be_run_is_named() -> None:
    app = open_page(classify_part="sentences", classify_texts="a short one\n" + "long " * 1100)
    assert any("Sentence 2" in each.value for each in app.error)
    assert not app.exception


def test_too_many_sentences_are_cut_with_a_message() -> None:
    app = open_page(
        classify_part="sentences", depth="Numbers", classify_texts="\n".join(f"line {i}" for i in range(15))
    )
    assert any("the first 12 are shown" in each.value for each in app.warning)
    assert len(app.dataframe[0].value) == 12
