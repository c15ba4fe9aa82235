"""The views of one head over many texts: what they show is what runs of the texts alone have."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from model import Model, load, survey
from model.surveys.reading import Place, Reading
from model.surveys.rows import read_rows
from model.surveys.rules import Nearest, SameEarlier
from model.surveys.survey import as_collection, never
from model.texts.collection import Collection, Text
from tests.views.heads import arrays, head_of, header, sums
from views.attention.many_texts.every_tenth import WEAK, PlacesOfEveryTenth
from views.attention.many_texts.how_far_back import AT_NEXT, HowFarBack
from views.attention.many_texts.kinds_of_text import ALL_HEADS, LARGEST_KIND, KindsOfText
from views.attention.many_texts.one_head import ABOUT, DISTANCE, KINDS, possible_abouts, view_of_head
from views.attention.many_texts.spread_of_measures import SpreadOfMeasures
from views.attention.many_texts.strongest_places import FOLLOWED, LARGEST, StrongestPlaces
from views.attention.many_texts.text_places import PlacesOfHead
from views.attention.many_texts.token_pairs import LARGEST_PAIR, PairsOfTokens
from views.head_of_run import HeadOfRun
from views.parts import OtherPage
from views.run import make_run
from views.view import DEPTHS
from viz.shared.payload import printed_codes
from viz.shared.style import markdown_text

TEXTS = (
    ("the dog sees the cat and the cat sees the dog", "animals"),
    ("Kate is busy and Max is sick. Kate is busy.", "people"),
    ("the bird is small because the bird is young", "animals"),
    ("Max sees the small cat", "people"),
)
COLLECTION = Collection("mine", tuple(Text(text, line, kind) for line, (text, kind) in enumerate(TEXTS, 1)))
# Of several lines, with accents, in another script, and with words that come again.
ODD_TEXTS = ("  Café Noir:\n\tthe café of Zoë", "میں ایک روبوٹ ہوں", "I'd like a tea, I'd like two teas.")
LAYER, HEAD = 2, 1
MOST_OPENED = 4  # places, since each is a run
PATH = f"decoder.{LAYER}.self_attn"


@pytest.fixture(scope="module")
def head() -> HeadOfRun:
    return head_of(load("tiny-lm"), "the dog sees the cat", PATH, HEAD)


@pytest.fixture(scope="module")
def reading() -> Reading:
    return survey(load("tiny-lm"), COLLECTION, keep=False)


@pytest.fixture(scope="module")
def matrices() -> list[torch.Tensor]:
    """The weights of the head on each text alone, (queries, keys), without the places that are not compared."""
    found = []
    for text, _ in TEXTS:
        weights = load("tiny-lm").trace(text, keep=f"{PATH}.weights")[f"{PATH}.weights"][HEAD].clone()
        weights[:, 0] = 0
        found.append(weights.fill_diagonal_(0))
    return found


def keys_of(view: PlacesOfHead, group: int, place: int) -> dict[str, Any]:
    """What a click on a text changes."""
    opened = view.picture().picks["open"]([group, place])
    assert isinstance(opened, OtherPage)
    assert opened.page == "heads"
    return dict(opened.keys)


def check_opened(model: Model, view: PlacesOfHead) -> None:
    """Each text, run as the sentence that a click makes of it, has the place of the list at its query and key."""
    at, head = view.head.at, view.head.head
    assert len(view.places) >= 3
    for number, place in enumerate(view.places[:MOST_OPENED]):
        keys = keys_of(view, 0, number)
        assert (keys["attention"], keys["layer"], keys["head"]) == (view.attention, at.layer, head)
        run = make_run(model, keys["text"], f"{at.path}.weights", target=keys["target"] or None)
        weights = run.trace[f"{at.path}.weights"][head]  # (queries, keys)
        assert float(weights[keys["query"], keys["key"]]) == pytest.approx(place.weight, abs=1e-5)
        opened = replace(view.head, run=run)
        assert (tuple(opened.query_tokens), tuple(opened.key_tokens)) == view.sides(place)


def test_a_click_makes_the_text_the_sentence_at_its_query_and_key(head: HeadOfRun, reading: Reading) -> None:
    check_opened(head.run.model, StrongestPlaces(head, reading))


@pytest.mark.slow
def test_so_it_is_of_a_bert_whose_tokens_are_no_text(minilm: Model) -> None:
    head = head_of(minilm, "I am a robot", "encoder.2.self_attn", 2)
    check_opened(minilm, StrongestPlaces(head, survey(minilm, ODD_TEXTS, keep=False)))


@pytest.mark.slow
def test_a_sentence_has_the_tokens_that_a_survey_read(smollm2: Model) -> None:
    """Of a model whose survey takes seconds."""
    rows, faults = read_rows(smollm2, as_collection(ODD_TEXTS), never) or ([], ())
    assert not faults
    assert [smollm2.trace(text, keep=()).tokens for text in ODD_TEXTS] == [row.tokens for row in rows]


@pytest.mark.slow
@pytest.mark.parametrize("path", ["decoder.1.cross_attn", "encoder.1.self_attn", "decoder.1.self_attn"])
def test_so_it_is_of_a_translator_which_reads_its_own_translation(path: str) -> None:
    model = load("en-ur")
    reading = survey(model, ["I am a robot", "what time is it"], keep=False)
    view = StrongestPlaces(head_of(model, "I am a robot", path, 0), reading)
    check_opened(model, view)
    roles = [[side["role"] for side in line["sides"]] for line in header(view.picture())["groups"][0]["lines"]]
    assert roles == [["keys", "queries"] if "cross" in path else ["both"]] * len(view.places)
    missing = set(ABOUT) - set(possible_abouts(view.head, reading))
    assert missing == ({KINDS, DISTANCE} if "cross" in path else {KINDS})


def test_a_line_has_the_weights_of_its_query_on_all_keys(head: HeadOfRun, reading: Reading) -> None:
    view = StrongestPlaces(head, reading)
    rows = [
        load("tiny-lm").trace(place.text, keep=f"{PATH}.weights")[f"{PATH}.weights"][HEAD, place.query]
        for place in view.places[:MOST_OPENED]
    ]
    for line, row in zip(view.lines[:MOST_OPENED], rows, strict=True):
        np.testing.assert_allclose(line.looks, row, atol=1e-6)
    sent = arrays(view.picture())["looks"][: sum(map(len, rows))]
    assert np.abs(sent.astype(int) - printed_codes(np.concatenate(rows)).astype(int)).max() <= 1  # up to rounding


def test_the_caption_counts_what_a_rule_predicts(head: HeadOfRun, reading: Reading) -> None:
    view = StrongestPlaces(head, reading)

    def repeats(place: Place) -> bool:
        return place.key < place.query and place.tokens[place.key] == place.tokens[place.query]

    expected = sum(map(repeats, view.places))
    assert view.predicted[SameEarlier()] == expected > 0
    best = max(view.predicted, key=view.predicted.__getitem__)
    assert view.told() == {LARGEST: view.places[0].weight, FOLLOWED: best.words}
    assert f"Of these, {view.predicted[best]} look {best.words}." in view.caption()


def test_places_of_every_tenth_are_counted_and_stand_below_the_stronger_ones(
    head: HeadOfRun, reading: Reading, matrices: list[torch.Tensor]
) -> None:
    view = PlacesOfEveryTenth(head, reading)
    weights = torch.cat([matrix[matrix > 0] for matrix in matrices])
    titles = [title for title, _ in view.groups()]
    assert titles[-1] == f"0 to 0.1: {int((weights < 0.1).sum()):,} places"
    assert titles[0].startswith("0.9 to 1: ")
    assert view.told()[WEAK] == pytest.approx(float((weights < 0.1).float().mean()))
    shown = [place.weight for place in view.places]
    assert shown == sorted(shown, reverse=True)


def test_each_kind_has_the_mean_of_its_texts_beside_that_of_all_heads(head: HeadOfRun, reading: Reading) -> None:
    view = KindsOfText(head, reading, "previous")
    values = reading.measure("previous", "decoder.self_attn")  # (layers, heads, texts)
    people = values[:, :, [1, 3]].mean(-1)
    assert view.of_head["people"] == pytest.approx(people[LAYER, HEAD])
    assert view.of_all["people"] == pytest.approx(people.mean())
    assert view.told()[LARGEST_KIND] == max(view.of_head, key=view.of_head.__getitem__)
    row = next(each for each in view.table().make().to_dict("records") if each["kind"] == "people")
    assert (row["texts"], row[ALL_HEADS]) == (2, pytest.approx(people.mean()))


def test_a_pair_has_its_weight_in_all_texts(head: HeadOfRun, reading: Reading, matrices: list[torch.Tensor]) -> None:
    view = PairsOfTokens(head, reading)
    first, model = view.pairs[0], load("tiny-lm")
    total = 0.0
    for (text, _), weights in zip(TEXTS, matrices, strict=True):
        ids = torch.tensor([token.id for token in model.tokens_of(text)])
        chosen = (ids == first.query_id)[:, None] & (ids == first.key_id)
        total += float(weights[chosen].sum())
    assert first.weight == pytest.approx(total, abs=1e-5)
    assert view.total == pytest.approx(sum(float(weights.sum()) for weights in matrices), abs=1e-4)
    assert view.told()[LARGEST_PAIR] == " → ".join(view.words[0])


def test_the_weight_at_a_distance_is_a_share_of_all(
    head: HeadOfRun, reading: Reading, matrices: list[torch.Tensor]
) -> None:
    view = HowFarBack(head, reading)
    whole = sum(float(weights.sum()) for weights in matrices)
    near = sum(float(weights.diagonal(-1).sum()) for weights in matrices)
    assert view.told()[AT_NEXT] == pytest.approx(near / whole, abs=1e-5)
    assert view.shares[1].sum() == pytest.approx(1)
    assert view.shares[0][0] == 1, "a decoder looks at no later token"


def test_the_present_sentence_is_measured_as_a_text_is(head: HeadOfRun, reading: Reading) -> None:
    view, alone = SpreadOfMeasures(head, reading), survey(load("tiny-lm"), [head.run.text], keep=False)
    for name, value in view.yours.items():
        assert value == pytest.approx(float(alone.measure(name)[LAYER, HEAD, 0]), abs=1e-6)
    known = {name for name in alone.tally().measures if np.isfinite(alone.measure(name)[LAYER, HEAD, 0])}
    assert view.yours.keys() == known
    assert view.unusual in known


@pytest.mark.parametrize(("below", "said"), [(0, "more than on all 4 texts"), (4, "less than on all 4 texts")])
def test_a_sentence_beyond_all_texts_is_said_to_be(
    below: int, said: str, head: HeadOfRun, reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    yours = {"first": 5.0 if not below else -1.0}
    monkeypatch.setattr(SpreadOfMeasures, "yours", yours)
    assert said in SpreadOfMeasures(head, reading).caption()


def test_what_texts_cannot_tell_is_not_offered(head: HeadOfRun, reading: Reading) -> None:
    assert possible_abouts(head, reading) == ABOUT
    without_kinds = survey(load("tiny-lm"), [text for text, _ in TEXTS], keep=False)
    assert set(ABOUT) - set(possible_abouts(head, without_kinds)) == {KINDS}


@pytest.mark.parametrize("about", ABOUT)
def test_texts_of_one_token_have_no_places(about: str, head: HeadOfRun) -> None:
    texts = Collection("words", (Text("the", 1, "articles"),))
    view = view_of_head(head, survey(head.run.model, texts, keep=False), about)
    for depth in DEPTHS:
        assert view.at(depth)
    assert view.caption()
    view.told()
    files = view.files()
    assert files is not None
    assert files.rows is not None
    files.rows()
    assert not sums(view.formula()[3:]) or about in ("by kind", "measures")


def test_the_words_of_a_rule_of_the_reader_are_no_mark_up(head: HeadOfRun) -> None:
    rule = Nearest(any_of=("[x](y)",), pattern="*")
    reading = survey(load("tiny-lm"), COLLECTION, rules=[rule], keep=False)
    view = StrongestPlaces(HeadOfRun(head.run, replace(head.at, layer=1), 1), reading)
    assert markdown_text(rule.words) in view.caption()
    assert "[x](y)" not in view.caption()
