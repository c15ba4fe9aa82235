"""The views of Classify: their numbers are those of the models."""

from __future__ import annotations

import pytest
import torch

from model import load
from tests.views.shown import said, tables
from views.models.classify import kinds, labels, sentences, words
from views.models.classify.kinds import KINDS, ThreeKinds
from views.models.classify.labels import Classes
from views.models.classify.lines import lines_of
from views.models.classify.sentences import AlikeSentences
from views.models.classify.words import WordInContext, WordOccurrences, places_in, say_missing
from views.plotted import Plotted
from views.run import make_run
from views.view import DEPTHS
from viz.documents.page_parts import Text

PRAISE = "I love this film"
BANKS = (
    "He walked along the bank of the river\nThe bank raised its interest rates\nShe works at the bank in the city\n"
    "She fished from the bank of the river"
)


def classes(token: int = 0) -> Classes:
    return Classes(make_run(load("tiny-encoder"), PRAISE, labels.KEEP), token)


def word(text: str, name: str, text_word: str = "bank") -> WordInContext:
    model, lines = load(name), lines_of(text)
    runs = {i: make_run(model, line, words.keep) for i, line in enumerate(lines.shown)}
    found = [i for i, each in enumerate(places_in(model, lines.shown, text_word)) if each]
    return WordInContext(lines, None, WordOccurrences(text_word, {i: runs[i] for i in found}))


def test_the_kinds_run_on_the_sentence() -> None:
    runs = tuple(make_run(load(kind.example), "I am a robot", kinds.keep) for kind in KINDS)
    view = ThreeKinds(runs, (("A",), ("B",), ()))
    encoder, decoder, both = (table["number"].tolist() for table in tables(view))
    assert encoder[2] == encoder[3] == encoder[0] ** 2
    assert decoder[2] == decoder[0] * (decoder[0] + 1) // 2
    read, written = both[:2]
    assert both[2] == read**2 + written * read + written * (written + 1) // 2
    assert "میں" in said(view)
    assert view.told() == {kinds.PICTURES: 3}
    assert ThreeKinds((*runs[:2], None), ((), (), ())).told() == {kinds.PICTURES: 2}


def test_the_probabilities_are_those_of_the_trace() -> None:
    trace = load("tiny-encoder").trace(PRAISE, keep=("text_logits", "token_logits"))
    view = classes()
    sentence, tokens, _ = tables(view)
    assert sentence["probability"].tolist() == pytest.approx(trace["text_logits"].softmax(-1).tolist(), abs=1e-6)
    shown = torch.tensor(tokens.drop(columns=["token", "taken for"]).to_numpy())
    torch.testing.assert_close(shown.float(), trace["token_logits"].softmax(-1)[1:])
    assert "**positive**" in said(view)


def test_the_attention_is_that_of_the_asked_token() -> None:
    trace = load("tiny-encoder").trace(PRAISE, keep="*.weights")
    rows = tables(classes(2))[2]
    assert rows.loc["1.3"].tolist() == pytest.approx(trace["encoder.1.self_attn.weights"][3, 2].tolist(), abs=1e-6)


@pytest.mark.parametrize("name", ["minilm-l6", "tiny-encoder"])
def test_cosines_of_a_word_start_alike_and_part(name: str) -> None:
    table = tables(word(BANKS, name))[0]
    assert len(table) == load(name).config.n_encoder_layers + 1
    assert list(table.columns) == ["in 2", "in 3", "in 4"]
    assert table.iloc[-1].min() < table.iloc[0].min()


def test_minilm_puts_the_two_river_banks_together() -> None:
    view = word(BANKS, "minilm-l6")
    last = tables(view)[0].iloc[-1]
    assert last.idxmax() == "in 4"  # she fished from the bank of the river
    assert view.told()[words.LEAST] == pytest.approx(last.min())
    assert "nearest to that in 4" in view.caption()


def test_a_missing_word_gets_a_message() -> None:
    assert "stands nowhere in these sentences" in str(say_missing("zebra", [0, 0]))
    assert "stands once" in str(say_missing("cash", [0, 1]))
    assert "is not in sentence 2" in str(say_missing("bank", [1, 0, 1]))
    assert say_missing("bank", [1, 1]) is None
    assert say_missing("", []) == Text("Type a word that stands in the sentences.", "info")
    assert tables(WordInContext(lines_of(BANKS), None, None)) == []


def test_a_word_twice_in_a_sentence_is_two_places() -> None:
    table = tables(word("from bank to bank\nthe bank", "minilm-l6"))[0]
    assert list(table.columns) == ["in 1 b", "in 2"]


def test_one_sentence_is_too_few_and_of_too_many_the_first_are_shown() -> None:
    assert "at least two sentences" in said(AlikeSentences(lines_of("only one\n \n"), ()))
    many = lines_of("\n".join(f"line {i}" for i in range(15)))
    assert len(many.shown) == 12
    assert "the first 12 are shown" in str(many.field())


def test_the_pair_that_is_most_alike_is_told_at_every_depth() -> None:
    lines, model = lines_of("The dog bites the man\nThe bank is closed\nThe man bites the dog"), load("minilm-l6")
    view = AlikeSentences(lines, tuple(make_run(model, line, sentences.keep) for line in lines.shown))
    assert view.told()[sentences.MOST_ALIKE] == "1 and 3"
    table = tables(view)[0]
    assert table.iloc[0].iloc[2] == pytest.approx(float(view.vectors[0] @ view.vectors[2]), abs=1e-6)
    assert "Most alike are sentences 1 and 3" in view.caption()
    assert all(view.at(depth) for depth in DEPTHS)
    assert not any(isinstance(part, Plotted) for part in view.at("Formula"))
