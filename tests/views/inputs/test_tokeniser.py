"""The pieces of a sentence: real words, odd texts, and tokenisers that fail."""

from __future__ import annotations

import re

import pytest

from model.errors import UnreadableText
from tests.conftest import loaded
from tests.views.shown import files, messages, parts, said, tables
from views.inputs.cut_text import CutText, cut_text
from views.inputs.every_tokeniser import EveryTokeniser, OddTexts
from views.inputs.sentence_pieces import SENTENCE, SentencePieces
from views.inputs.tokeniser import Tokeniser
from views.inputs.tokenisers import Cuts
from views.inputs.tokenisers import cut_by_all as cut_by_every_model
from views.inputs.word_steps import WordSteps
from views.parts import Canvas
from views.plain import plain_view
from views.run import make_run
from views.view import DEPTHS
from viz.inputs.pieces import NOT_CUT
from viz.shared.payload import unpack

MODELS = ("tiny-lm", "tiny-encoder", "en-ur", "smollm2-135m", "minilm-l6")


def cut(model: str, text: str) -> CutText:
    return cut_text(make_run(loaded(model), text, keep=()))


def word_steps(model: str, text: str, word: int = 0, step: int | None = None) -> WordSteps:
    text_cut = cut(model, text)
    return WordSteps(text_cut, word, len(text_cut.spellings[word].steps) - 1 if step is None else step)


def cut_by_all(texts: object) -> dict[str, Cuts]:
    """By two tokenisers: one of them knows only "fox", the other's files cannot be read."""
    tokenizer, unknown = loaded("minilm-l6").tokenizer, UnreadableText("cannot cut “zebra” into tokens")
    cuts = [unknown if "zebra" in text else tokenizer.encode(text, add_special=False) for text in texts]  # type: ignore[attr-defined]
    return {"MiniLM": Cuts(tokenizer.size, cuts), "Damaged": Cuts(None, [ValueError("no such file")] * len(cuts))}


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("sentence", ["a", "I like 🙂", "میں ایک روبوٹ ہوں"])
def test_any_text_in_any_model(model: str, sentence: str) -> None:
    text_cut = cut(model, sentence)
    others = EveryTokeniser(sentence, cut_by_all), OddTexts((sentence,), cut_by_all)
    view = Tokeniser(SentencePieces(text_cut, 0), WordSteps(text_cut, 0, 0), *others)
    for depth in DEPTHS:
        assert plain_view(view, depth)


def test_the_steps_of_a_word_join_its_letters() -> None:
    view = word_steps("tiny-lm", "The fox", 1, 1)
    (steps,) = tables(view)
    assert steps["count"].iloc[0] == len(" fox")
    assert steps["count"].iloc[-1] == 1
    assert "of the table makes" in said(view)


def test_the_whole_sentence_in_its_pieces() -> None:
    sentence = "Transformers disestablish the fox"
    tokens = loaded("minilm-l6").tokenizer.encode(sentence)
    the = [token.text for token in tokens].index("the")
    view = SentencePieces(cut("minilm-l6", sentence), the)
    (strip,) = [part for part in parts(view) if isinstance(part, Canvas)]
    header = unpack(strip.data())[0]
    assert strip.key == SENTENCE
    assert [chip["id"] for chip in header["tokens"]] == [token.id for token in tokens]
    assert header["selected"] == the
    assert f"4 words, {len(tokens)} tokens. In more than one piece:" in said(view)
    assert "“disestablish”" in said(view)
    assert "[SEP]" in said(view).replace("\\", ""), "a control token is explained"
    (table,) = tables(view)
    assert list(table["id"]) == [token.id for token in tokens]
    assert table["word"].iloc[the] == 2
    assert table["word"].isna().tolist() == [token.special for token in tokens]


def test_a_click_on_a_piece_chooses_it_and_a_piece_that_is_let_go_changes_nothing() -> None:
    pick = SentencePieces(cut("minilm-l6", "the fox"), 0).picture().picks["pick"]
    assert pick(3) == {"query": 3}
    assert pick(None) == {}


@pytest.mark.parametrize(("model", "sentence", "word", "says"), [
    ("smollm2-135m", "<|im_start|> fox", 0, "A token of its own"),
    ("minilm-l6", "a 🙂", 1, "No piece of the vocabulary fits"),
])  # fmt: skip
def test_a_word_without_steps_says_why(model: str, sentence: str, word: int, says: str) -> None:
    assert says in said(word_steps(model, sentence, word))


def test_captions_count_with_singular_and_plural() -> None:
    tokens = loaded("minilm-l6").tokenizer.encode("the", add_special=False)
    one = EveryTokeniser("the", lambda texts: {"A": Cuts(9, [tokens]), "B": Cuts(9, [tokens])})
    assert "3 characters: 1 token in every model here." in said(one)
    many = EveryTokeniser("the", lambda texts: {"A": Cuts(9, [tokens]), "B": Cuts(9, [tokens * 2])})
    assert "3 characters: 1 token in A, 2 in B." in said(many)


def test_a_tokeniser_that_fails_has_its_reason_in_its_row_and_takes_no_other_away() -> None:
    every, odd = EveryTokeniser("a fox", cut_by_all), OddTexts(("fox", "zebra"), cut_by_all)
    (rows,) = tables(every)
    assert rows["tokens"].isna().tolist() == [False, True]
    assert rows["pieces"].iloc[1] == "no such file"
    assert "1 tokeniser of 2 cannot cut it" in said(every)
    assert "In 3, the tokeniser cannot cut the text." in said(odd)
    assert odd.counts == {"MiniLM": [1, NOT_CUT], "Damaged": [NOT_CUT] * 2}
    assert tables(odd)[0].iloc[0].tolist() == ["fox", 3, "1", "not cut"]


def test_no_odd_text_asks_for_one() -> None:
    ((kind, asked),) = messages(OddTexts((), cut_by_all))
    assert kind == "info"
    assert asked.startswith("Write a text")


def test_a_sentence_of_special_tokens_has_no_word_to_cut() -> None:
    view = WordSteps(CutText(make_run(loaded("minilm-l6"), "a", keep=()), []), 0, 0)
    for depth in ("Picture", "Numbers", "Formula"):
        assert [text for _, text in messages(view, depth)] == [  # type: ignore[arg-type]
            "There is no word to cut: only special tokens are left of this text."
        ]


@pytest.mark.parametrize("text", ["The quick fox", "میں ہوں", "I 👍🏽\nok", "\t7"])
def test_the_files_have_the_pieces_of_the_tokeniser(text: str) -> None:
    tokenizer = loaded("tiny-lm").tokenizer
    own = [token.id for token in tokenizer.encode(text, add_special=False)]
    pieces = files(word_steps("tiny-lm", text))["pieces"]
    assert pieces.arrays is not None
    assert pieces.rows is not None
    assert pieces.arrays()["ids"] == [token.id for token in tokenizer.encode(text)]
    last = {row["word"]: row["ids"] for row in pieces.rows()}  # the last step of each word
    assert [int(id) for ids in last.values() for id in ids.split()] == own
    every = EveryTokeniser(text, lambda texts: {"Tiny": Cuts(9, [tokenizer.encode(text, add_special=False)])})
    assert every.files().arrays()["Tiny"] == own  # type: ignore[misc]
    assert re.findall(r"\d+", str(tables(every)[0]["tokens"].iloc[0])) == [str(len(own))]


@pytest.mark.slow
def test_every_installed_tokeniser_cuts_a_text_once() -> None:
    cuts = cut_by_every_model(("The fox",))
    tiny = loaded("tiny-lm")
    assert [token.id for token in cuts[tiny.card.title].of_texts[0]] == [  # type: ignore[union-attr]
        token.id for token in tiny.tokenizer.encode("The fox", add_special=False)
    ]
    assert not [title for title in cuts if title.startswith(f"{tiny.card.title}, ")], "variants share it"
