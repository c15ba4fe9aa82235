"""The Tokens page: real vectors, odd texts."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from model.errors import DamagedWeights
from model.zoo import cards
from pages.inputs.tokens_parts import every_tokeniser
from tests.conftest import loaded
from tests.hostile.tokenizer_files import BREAKING, GROWING
from tests.model.zoo import tiny
from tests.model.zoo.opened import card_of_files
from tests.pages.conftest import run_page, sent, text
from viz.shared.payload import unpack


@pytest.mark.slow
@pytest.mark.parametrize("model", ["tiny-lm", "tiny-encoder", "en-ur", "smollm2-135m", "minilm-l6"])
@pytest.mark.parametrize("sentence", ["a", "I like 🙂", "میں ایک روبوٹ ہوں"])
def test_any_text_in_any_model(model: str, sentence: str) -> None:
    for part in ("tokeniser", "embedding"):
        run_page("inputs/tokens.py", model=model, text=sentence, tokens_part=part)


def test_the_steps_have_a_caption_and_the_counts_are_those_of_the_tokenisers() -> None:
    app = run_page("inputs/tokens.py", model="tiny-lm", text="The fox", depth="Numbers", tokens_place=1, tokens_step=1)
    steps = app.dataframe[1].value
    assert steps["count"].iloc[0] == len(" fox")
    assert steps["count"].iloc[-1] == 1
    assert "of the table makes" in text(app)
    every = app.dataframe[2].value.set_index("model")
    assert every.loc["Tiny language model", "tokens"] == len(loaded("tiny-lm").tokenizer.encode("The fox"))


def test_the_part_opens_on_the_whole_sentence_in_its_pieces() -> None:
    sentence = "Transformers disestablish the fox"
    app = run_page("inputs/tokens.py", model="minilm-l6", text=sentence, tokens_place=2)
    strip = unpack(sent(app, "token_strip").bytes)[0]
    tokens = loaded("minilm-l6").tokenizer.encode(sentence)
    assert [chip["id"] for chip in strip["tokens"]] == [token.id for token in tokens]
    the = [token.text for token in tokens].index("the")
    assert strip["selected"] == the
    assert f"4 words, {len(tokens)} tokens. In more than one piece:" in text(app)
    assert "“disestablish”" in text(app)
    app.session_state["depth"] = "Numbers"
    table = app.run().dataframe[0].value
    assert list(table["id"]) == [token.id for token in tokens]
    assert table["word"].iloc[the] == 2
    assert table["word"].isna().tolist() == [token.special for token in tokens]


def _click_pieces() -> None:
    import streamlit as st

    from model import load
    from pages.inputs.tokens_parts import tokeniser
    from pages.shared.model_runs import traces

    run = traces.run(load("minilm-l6"), "the tokenization works", keep=())
    for piece in st.session_state["clicks"]:  # None: the chosen piece is let go
        st.session_state[tokeniser.SENTENCE] = {"pick": piece}
        tokeniser._take_piece()
        tokeniser._read_piece(run, [None, 0, 1, 1, 2, None])  # token, ##ization


@pytest.mark.parametrize(("clicks", "word"), [([3], 1), ([4, 0], 2), ([4, None], 2)])
def test_a_click_on_a_piece_chooses_its_word(clicks: list[int | None], word: int) -> None:
    app = AppTest.from_function(_click_pieces, default_timeout=60)
    app.session_state["clicks"] = clicks
    app.run()
    assert not app.exception
    assert app.session_state["tokens_place"] == word


def test_the_vectors_are_those_of_the_run() -> None:
    sentence = "The quick brown fox"
    app = run_page(
        "inputs/tokens.py", model="tiny-lm", text=sentence, tokens_part="embedding", query=2, depth="Numbers"
    )
    trace = loaded("tiny-lm").trace(sentence, keep="embed.*")
    table = app.dataframe[0].value
    np.testing.assert_allclose(table["row of the table"], trace["embed.tokens"][2], atol=1e-6)
    np.testing.assert_allclose(table["what layer 0 reads"], trace["embed.out"][2], atol=1e-6)
    assert "Their sum is what the first layer reads" in text(app)


def test_no_odd_text_asks_for_one() -> None:
    app = run_page("inputs/tokens.py", model="tiny-lm", tokens_samples=" ")
    assert "Write a text" in app.info[0].value


def test_a_word_that_the_sentence_lacks_is_corrected() -> None:
    app = run_page("inputs/tokens.py", model="tiny-lm", text="The fox", tokens_place=9)
    assert "Word 9 does not exist here" in app.warning[0].value


def test_captions_count_with_singular_and_plural() -> None:
    app = run_page("inputs/tokens.py", model="tiny-lm", text="the", tokens_part="tokeniser")
    caption = text(app)
    one_count = "3 characters: 1 token in every model here." in caption
    assert one_count or re.search(r"3 characters: 1 token in .*, \d", caption)
    app = run_page("inputs/tokens.py", model="en-ur", text="the dog", tokens_part="embedding")
    assert re.search(r"Grey: 1,200 of the 2,260 tokens", text(app))


@pytest.fixture
def words_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """An added model whose tokenizer has the words of the specification, and no token for an unknown one."""
    folder = tmp_path / tmp_path.name  # models are known by their names, also to caches
    tiny.llama(folder)
    path = folder / "tokenizer.json"
    values = json.loads(path.read_text())
    values["model"]["unk_token"] = "<none>"
    values["pre_tokenizer"] = {"type": "WhitespaceSplit"}
    path.write_text(json.dumps(values))
    for bundled in cards.ASSETS.iterdir():
        (tmp_path / bundled.name).symlink_to(bundled)
    card = card_of_files(folder)
    monkeypatch.setattr(cards, "ASSETS", tmp_path)
    monkeypatch.setattr(cards, "REAL", (*cards.REAL, card))
    return card.name


def test_a_tokeniser_that_fails_has_its_reason_in_its_row_and_takes_no_other_away(words_only: str) -> None:
    app = run_page("inputs/tokens.py", model="tiny-lm", text="The zebra", tokens_samples="zebra", depth="Numbers")
    (rows,) = (each.value for each in app.dataframe if "vocabulary" in each.value)
    failed = rows[rows["tokens"].isna()]
    assert len(failed) == 1 < len(rows)
    assert "cannot cut “The” into tokens" in failed["pieces"].iloc[0]
    assert "1 tokeniser of" in text(app)
    assert "In 1, the tokeniser cannot cut the text." in text(app)
    assert "not cut" in app.dataframe[-1].value.iloc[0].tolist()
    assert not app.error


def test_the_others_are_shown_where_the_chosen_tokeniser_fails(words_only: str) -> None:
    app = run_page("inputs/tokens.py", model=words_only, text="a zebra")
    assert "cannot cut “zebra” into tokens" in app.error[0].value
    assert "The same text, by every tokeniser here" in [each.value for each in app.subheader]
    assert "Odd texts" in [each.value for each in app.subheader]


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("{", "tokenizer.json cannot be read"),
        (json.dumps(BREAKING["a template with the second text"]), "its template has not the text once"),
        (json.dumps(GROWING["twenty doublings"]), "may write 1,048,576 letters for one letter"),
    ],
)
def test_a_damaged_tokeniser_takes_no_other_away(file: str, reason: str, words_only: str, tmp_path: Path) -> None:
    (tmp_path / words_only / "tokenizer.json").write_text(file)
    app = run_page("inputs/tokens.py", model="tiny-lm", text="The fox", tokens_samples="fox")
    (rows,) = (each.value for each in app.dataframe if "vocabulary" in each.value)
    failed = rows["pieces"][rows["tokens"].isna()]
    assert len(failed) == 1 < len(rows)
    assert reason in failed.iloc[0]


def test_files_that_are_refused_are_not_read_again_for_each_visitor(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def refuse(name: str) -> None:
        read.append(name)
        raise DamagedWeights("refused")

    monkeypatch.setattr(every_tokeniser, "load_tokenizer", refuse)
    found = [every_tokeniser._load_tokeniser("a model of this test") for _ in range(3)]
    assert list(map(str, found)) == ["refused"] * 3
    assert read == ["a model of this test"]


@pytest.mark.parametrize(("model", "sentence", "word", "says"), [
    ("smollm2-135m", "<|im_start|> fox", 0, "A token of its own"),
    ("minilm-l6", "a 🙂", 1, "No piece of the vocabulary fits"),
])  # fmt: skip
def test_a_word_without_steps_says_why(model: str, sentence: str, word: int, says: str) -> None:
    assert says in text(run_page("inputs/tokens.py", model=model, text=sentence, tokens_place=word))
