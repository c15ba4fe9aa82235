"""The views of Translate, with the bundled translators."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from model import Model, load
from model.train.everyday import is_right, read_sentences
from model.train.samples import held_out_examples
from model.zoo import cards
from tests.model.zoo import tiny_families
from tests.model.zoo.opened import card_of_files
from tests.views.shown import messages, parts, said
from views.models.translate import beam, forcing, trust, unknown_words
from views.models.translate.beam import BeamSearch
from views.models.translate.forcing import TeacherForcing
from views.models.translate.mistakes import Mistakes, reliability_points
from views.models.translate.pair import Pair, of_run
from views.models.translate.steps import Steps
from views.models.translate.translation import Choice, Translation
from views.models.translate.truth import read_truth
from views.models.translate.wiring import Wiring
from views.parts import Action, DataTable
from views.plain import plain_view
from views.run import make_run
from views.view import DEPTHS
from viz.documents.page_parts import Group, Text

LIST = Path(__file__).parents[2] / "model" / "train" / "everyday" / "sentences.txt"
EVERYDAY = "en-ur-everyday"
SENTENCE, URDU = "I am a robot", "میں ایک روبوٹ ہوں"
OUTSIDE = "This is outside what this model learnt"
NONSENSE = "Today is hotter than yesterday"  # the model knows every word of it


def pair_of(text: str = SENTENCE, model: str = "en-ur", target: str | None = None) -> Pair:
    return of_run(make_run(load(model), text, ("*.weights", "logits"), target=target))


def test_a_translation_that_is_markdown_stays_text() -> None:
    """The reader may give the translation."""
    said_of_it = Steps(pair_of(target="میں **ایک** [x](http://a.b) <b>ہوں</b>"), Choice()).caption()
    assert r"\*\*" in said_of_it
    assert r"\[" in said_of_it
    assert "**ایک**" not in said_of_it
    assert "<b>" not in said_of_it


def rows(table: DataTable) -> pd.DataFrame:
    return table.make()


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A Marian that a reader has added, by the name of its card."""
    tiny_families.make_translator("marian", tmp_path / "opus-mt-en-ur")
    card = replace(card_of_files(tmp_path / "opus-mt-en-ur"), place=str(tmp_path / "opus-mt-en-ur"))
    monkeypatch.setattr(cards, "REAL", (*cards.REAL, card))
    return card.name


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Steps, Wiring, BeamSearch, TeacherForcing])
def test_an_added_translator_has_every_part(added: str, kind: type[Translation]) -> None:
    view = kind(pair_of(model=added), Choice(step=1))
    assert all(plain_view(view, depth) for depth in DEPTHS)


def test_a_character_without_a_piece_is_named(added: str) -> None:
    assert "no piece for **漢**" in str(unknown_words.notes(make_run(load(added), "I am 漢", "logits")))


def test_it_writes_the_greedy_translation() -> None:
    assert URDU in Steps(pair_of()).caption()


@pytest.mark.slow
def test_held_out_sentences_translate_on_the_page_as_in_the_card() -> None:
    """The card's share of exact translations, on the first held-out sentences, and the words of the page."""
    translator, right = load("en-ur"), 0
    pairs = held_out_examples(60)
    for each in pairs:
        ids = [id for id in ids_of(translator, each.source_text) if id != translator.tokenizer.end]
        right += translator.tokenizer.decode(ids) == each.target_text
    assert right / len(pairs) >= translator.card.details["metrics"]["exact_match"] - 0.1
    tokens = translator.tokenizer.tokens(ids_of(translator, pairs[0].source_text))
    table = rows(Steps(pair_of(pairs[0].source_text)).table())
    assert table["token"].tolist() == [token.text.strip() for token in tokens]


def ids_of(translator: Model, text: str) -> list[int]:
    return list(translator.translate_ids(translator.tokens_of(text)))


def test_rows_of_cross_attention_sum_to_one() -> None:
    table = rows(Steps(pair_of()).table())
    weights = table.drop(columns=["step", "token", "probability"]).to_numpy(dtype=float)
    assert weights.sum(1) == pytest.approx([1.0] * len(weights), abs=1e-3)


def test_the_look_back_is_that_of_the_chosen_layer_and_head() -> None:
    pair = pair_of()
    view = Steps(pair, Choice(step=2, layer=1, head=0))
    expected = pair.run.trace["decoder.1.cross_attn.weights"][0]
    assert view.cross_attention.equal(expected)
    table = rows(view.table())
    assert table.iloc[1, 3:].tolist() == pytest.approx(expected[1].tolist())


def test_every_layer_receives_the_same_memory() -> None:
    view = Wiring(pair_of())
    table = rows(view.table())
    assert set(table["is the encoder's output"]) == {"the same tensor"}
    assert table["norm"].nunique() == 1
    assert table["K from memory, largest difference"].max() < 1e-5
    assert "receive the same tensor" in view.caption()


def found(view: BeamSearch) -> pd.DataFrame:
    """The translations that a search found."""
    table = view.at("Picture")[-2]
    assert isinstance(table, DataTable)
    return rows(table)


def test_a_beam_of_one_is_greedy() -> None:
    table = found(BeamSearch(pair_of(), Choice(width=1)))
    assert table["search"].tolist() == ["greedy", "beam, place 1"]
    assert table["translation"].nunique() == 1
    assert table["log p"].nunique() == 1


def test_scores_are_normalised_by_length() -> None:
    view = BeamSearch(pair_of(), Choice(alpha=0.5))
    table = found(view)
    expected = table["log p"] / table["tokens"] ** 0.5
    assert table["score"].tolist() == pytest.approx(expected.tolist(), abs=1e-9)
    assert view.told()[beam.LIVE] > 1


def test_a_wrong_word_of_the_teacher_shows_in_its_loss_and_in_the_free_run() -> None:
    view = TeacherForcing(pair_of(), Choice(truth="میں ایک دریا ہوں"))
    table = pd.DataFrame(view.rows())
    assert table["should write"].tolist() == ["میں", "ایک", "دریا", "ہوں", "<EOS>"]
    assert table["decoder reads"].tolist() == ["<SOS>", "میں", "ایک", "دریا", "ہوں"]
    assert int(table["loss in nats"].argmax()) == 2
    as_true = "as the true translation"
    assert table["free run is"].tolist()[:3] == [as_true, as_true, "here the first other token"]
    assert "leaves the true translation at position 2" in said(view)
    assert view.told()[forcing.COSTLIEST] == "دریا"


def test_an_empty_or_endless_teacher_is_an_error_at_its_place() -> None:
    assert read_truth(pair_of(), "").ids is not None
    assert read_truth(pair_of(), "میں " * 100).ids is not None
    endless = read_truth(pair_of(), "☂" * 200)
    assert endless.ids is None
    assert "at most 127 fit" in endless.notes[-1].text
    assert "not in Arabic script" in read_truth(pair_of(), "I am a dog").notes[0].text
    assert said(TeacherForcing(pair_of(), Choice(truth="☂" * 200))).count("at most 127 fit") == 1


def test_unknown_words_are_named_with_suggestions_that_can_be_taken() -> None:
    view = Steps(pair_of("I am a robotz"))
    assert "does not know" in said(view)
    buttons = [each for each in parts(view) if isinstance(each, Action)]
    (suggestion,) = (each for each in buttons if each.label == "robotz → robot")
    assert suggestion.keys == {"text": SENTENCE}
    assert unknown_words.notes(pair_of().run) == []


def test_a_known_word_behind_a_quotation_mark_is_known() -> None:
    assert unknown_words.notes(pair_of("“The robot” is “happy”").run) == []
    assert "does not know" in str(unknown_words.notes(pair_of("“Zaphod” is happy").run))


@pytest.mark.parametrize(("text", "target"), [(SENTENCE, "I am a dog"), (URDU, None)])
def test_the_wrong_script_is_said(text: str, target: str | None) -> None:
    assert "script, but the model reads" in str(unknown_words.notes(pair_of(text, target=target).run))


def test_a_given_translation_is_read_and_not_called_the_models_nor_judged() -> None:
    view = Steps(pair_of(target=URDU))
    assert "You gave this translation" in said(view)
    assert "The model was given" in view.caption()
    assert view.assessed is None
    assert "sure** of this translation" not in said(view)


# -- how sure it is ----------------------------------------------------------------------------------------------------


def test_a_sentence_of_its_world_is_sure() -> None:
    text = said(Steps(pair_of()))
    assert "% sure** of this translation" in text
    assert "kept apart of which it was" in text
    assert OUTSIDE not in text


def test_a_sentence_outside_is_said_even_where_every_word_is_known() -> None:
    view = Steps(pair_of(NONSENSE))
    ((kind, warning),) = messages(view)
    assert kind == "warning"
    assert OUTSIDE in warning
    assert "It is least sure of" in warning
    assert "No step looked at" in warning
    assert "It repeats" in warning
    assert view.told()[trust.HOW_SURE] < trust.OUTSIDE


def test_a_word_without_which_it_writes_the_same_is_named_where_it_is_sure() -> None:
    view = Steps(pair_of("If it rains tomorrow, we will stay at home", EVERYDAY))
    line = view.at("Picture")[0]
    assert isinstance(line, Text)
    assert "Without **tomorrow** it writes the same" in line.text
    assert ":material/verified:" not in line.text
    unused = cards.card(EVERYDAY).details["confidence"]["unused"]
    assert f"{unused['sentences']} everyday sentences with such a word, {unused['right']} came out right" in line.text


def test_unknown_words_are_marked_in_the_sentence() -> None:
    text = said(Steps(pair_of("My grandmother bakes bread")))
    assert text.count(":orange-background[") == 2  # what the warning names
    assert OUTSIDE in text


@pytest.mark.parametrize("text", ["<b>zebra</b> $x$ ](x) :red[zebra]", "۔" * 30, "zebra " * 15, "کتاب robot 漢字 x=1;"])
def test_any_text_is_marked_and_judged(text: str) -> None:
    shown = said(Steps(pair_of(text)))
    assert "<b>" not in shown
    assert " :red[" not in shown


def test_the_misses_are_those_of_the_card() -> None:
    view = Mistakes(pair_of())
    found = cards.card("en-ur").details["everyday"]
    assert f"**{found['right']}** come out right" in said(view)
    (group,) = (part for part in view.at("Picture") if isinstance(part, Group) and part.key == "translate misses")
    table = rows(group.parts[0])
    assert list(table["English"]) == [miss["english"] for miss in found["misses"]]
    references = {sentence.english: sentence.references for sentence in read_sentences(LIST)}
    assert not [row for row in table.itertuples() if is_right(row[3], references[row.English])]


def test_the_ranges_have_the_numbers_of_the_card() -> None:
    table = rows(Mistakes(pair_of()).table())
    ranges = cards.card("en-ur").details["confidence"]["reliability"]
    assert list(table["sentences"]) == [each["sentences"] for each in ranges]
    assert table["everyday sentences among them"].sum() == 150
    assert list(table["right"]) == [each["right"] for each in ranges]


def test_an_empty_range_is_no_point() -> None:
    empty, full = ({"confidence": 0.5, "sentences": count, "right": count} for count in (0, 4))
    ((confidence, share, low, high, count),) = reliability_points([empty, full])
    assert (confidence, share, count) == (0.5, 1.0, 4)
    assert 0 < low < share <= high


def test_a_card_without_measures_says_how_to_measure() -> None:
    pair = pair_of()
    card = replace(pair.run.model.card, details={})
    view = Mistakes(replace(pair, run=replace(pair.run, model=replace(pair.run.model, card=card))))
    assert "--everyday" in said(view)
    assert "% sure" not in said(view)
