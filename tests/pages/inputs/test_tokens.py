"""The Tokens page: the choice of a piece and of a word, and the tokenisers of all models."""

import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from model.errors import DamagedWeights
from model.zoo import cards
from pages.inputs.tokens_parts import tokenisers
from tests.hostile.tokenizer_files import BREAKING, GROWING
from tests.model.zoo import tiny
from tests.model.zoo.opened import card_of_files
from tests.pages.conftest import run_page


def _click_pieces() -> None:
    import streamlit as st

    from model import load
    from pages.inputs.tokens_parts import piece_choice
    from pages.shared.model_runs import traces
    from pages.shared.session import state

    text = piece_choice.cut(traces.run(load("minilm-l6"), "the tokenization works", keep=()))  # token, ##ization
    for piece in st.session_state["clicks"]:
        if piece is not None:  # None: the chosen piece is let go
            state.put(query=piece)
        piece_choice.read_piece(text)


@pytest.mark.parametrize(("clicks", "word"), [([3], 1), ([4, 0], 2), ([4, None], 2)])
def test_a_click_on_a_piece_chooses_its_word(clicks: list[int | None], word: int) -> None:
    app = AppTest.from_function(_click_pieces, default_timeout=60)
    app.session_state["clicks"] = clicks
    app.run()
    assert not app.exception
    assert app.session_state["tokens_place"] == word


def test_a_word_that_the_sentence_lacks_is_corrected() -> None:
    app = run_page("inputs/tokens.py", model="tiny-lm", text="The fox", tokens_place=9)
    assert "Word 9 does not exist here" in app.warning[0].value


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


def test_a_tokeniser_that_fails_takes_no_other_away(words_only: str) -> None:
    cuts = tokenisers.cut_by_all(("The zebra",))
    failed = [each.of_texts[0] for each in cuts.values() if isinstance(each.of_texts[0], Exception)]
    assert len(failed) == 1 < len(cuts)
    assert "cannot cut “The” into tokens" in str(failed[0])


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
    cuts = tokenisers.cut_by_all(("The fox",))
    failed = [each for each in cuts.values() if each.vocabulary is None]
    assert len(failed) == 1 < len(cuts)
    assert reason in str(failed[0].of_texts[0])


def test_files_that_are_refused_are_not_read_again_for_each_visitor(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def refuse(name: str) -> None:
        read.append(name)
        raise DamagedWeights("refused")

    monkeypatch.setattr("views.inputs.tokenisers.load_tokenizer", refuse)
    found = [tokenisers._keep("a model of this test") for _ in range(3)]
    assert list(map(str, found)) == ["refused"] * 3
    assert read == ["a model of this test"]
