"""The Classify page: what it cannot read gets a message."""

from streamlit.testing.v1 import AppTest

from tests.pages.conftest import run_page

PRAISE = "I love this film"


def open_page(**values: object) -> AppTest:
    return run_page("models/classify.py", **({"model": "tiny-encoder", "text": PRAISE} | values))


def test_a_token_that_does_not_exist_is_replaced_with_a_message() -> None:
    app = open_page(classify_part="labels", classify_token=40)
    assert any("Token 40 does not exist here" in each.value for each in app.warning)


def test_a_missing_word_gets_a_message() -> None:
    app = open_page(classify_part="words", classify_word="zebra")
    assert any("stands nowhere in these sentences" in each.value for each in app.warning)
    assert not app.dataframe


def test_a_sentence_that_cannot_be_run_is_named() -> None:
    app = open_page(classify_part="sentences", classify_texts="a short one\n" + "long " * 1100)
    assert any("Sentence 2" in each.value for each in app.error)
    assert not app.exception
