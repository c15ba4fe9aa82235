"""A survey reads every text once, in whatever batches, can be stopped and go on, and says what it leaves out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import torch

from model import Change, Model, ablate, load, survey
from model.errors import EditError, ModelMismatch
from model.experiments.surgery import with_edits
from model.numerals import fixed
from model.surveys import rows
from model.surveys.flat_arrays import flatten
from model.surveys.reading import Reading
from model.surveys.rules import First, Nearest, Previous, SameEarlier
from model.surveys.survey import READING
from model.texts.collection import Collection, Text
from tests.model.networks import small_model
from tests.model.surveys.by_hand import Matrices, check_measures, check_places, check_sums

SENTENCES = (
    "I am a robot",
    "the dog is cool the dog is here",
    "what time is it",
    "a cat a fox a cat a fox a cat",
    "it is a bank it is a road it is a river",
    "you like the fox the fox like you",
    "robot",
)
TEXTS = Collection("seven", tuple(Text(text, line, "ab"[line % 2]) for line, text in enumerate(SENTENCES)))


def arrays(reading: Reading) -> dict[str, np.ndarray]:
    return flatten(dict(reading.tallies), "")


def assert_same(found: Reading, expected: Reading, close: float = 0.0) -> None:
    """All numbers, up to rounding; the places are the same."""
    ours, theirs = arrays(found), arrays(expected)
    assert ours.keys() == theirs.keys()
    for name, array in ours.items():
        np.testing.assert_allclose(array, theirs[name], atol=close, rtol=close, err_msg=name)


def matrices(model: Model, text: str, number: int, attention: str, **how: object) -> Matrices:
    """Those of a run of the text alone."""
    trace, (stack, name) = model.trace(text, keep="*.weights", **how), attention.split(".")
    weights = torch.stack([trace[f"{stack}.{layer}.{name}.weights"] for layer in range(model.config.n_layers(stack))])
    own = trace.source_tokens if stack == "encoder" and trace.source_tokens else trace.tokens
    queries, keys = (tuple(token.id for token in each) for each in (own, trace.source_tokens or own))
    return Matrices(number, weights, queries, keys if name == "cross_attn" else queries)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Llama", "window in one layer", "BERT", "one vocabulary"])
def test_all_numbers_are_those_of_the_matrices_of_each_text(name: str) -> None:
    model = small_model(name)
    reading = survey(model, TEXTS, keep=False)
    attentions = [f"{stack}.{each}" for stack in model.config.stacks for each in model.config.attentions(stack)]
    assert reading.attentions == tuple(attentions)
    for attention in attentions:
        made = [matrices(model, text, number, attention) for number, text in enumerate(SENTENCES)]
        check_measures(reading, attention, made)
        for layer, head in ((0, 0), (1, 1)):
            check_places(reading, attention, made, layer, head)
            check_sums(reading, attention, made, layer, head)


def test_batches_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    model = small_model("Llama")
    together = survey(model, TEXTS, keep=False)
    monkeypatch.setattr(rows, "BATCH_TOKENS", 1)
    assert_same(together, survey(model, TEXTS, keep=False), close=1e-5)


class StopAfter:
    """Stops a survey after so many batches of texts that were read."""

    def __init__(self, batches: int) -> None:
        self.left = batches

    def note(self, step: str, share: float) -> None:
        self.left -= step == READING

    def stop(self) -> bool:
        return self.left <= 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Llama", "one vocabulary"])
def test_a_survey_goes_on_where_it_was_stopped(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "BATCH_TOKENS", 10)
    model = small_model(name)
    whole = survey(model, TEXTS, keep=False)
    two = StopAfter(2)
    begun = survey(model, TEXTS, keep=False, stop=two.stop, progress=two.note)
    assert 0 < begun.read.sum() < len(SENTENCES)
    assert (whole.is_whole, begun.is_whole) == (True, False)
    assert repr(begun).startswith(f"Reading({begun.read.sum()} of 7 texts, ")
    before = arrays(begun)["/decoder.self_attn/by_pair"].copy()
    assert_same(survey(model, TEXTS, begun=begun, keep=False), whole)
    assert (arrays(begun)["/decoder.self_attn/by_pair"] == before).all(), "the reading that was begun is a value"


def test_a_survey_that_was_stopped_before_the_first_batch_begins_anew() -> None:
    model = small_model("one vocabulary")
    begun = survey(model, TEXTS, keep=False, stop=lambda: True)
    assert not begun.read.any()
    assert not begun.is_whole
    assert survey(model, TEXTS, begun=begun, keep=False).is_whole


def test_it_goes_on_from_the_same_alone() -> None:
    model = small_model("Llama")
    begun = survey(model, TEXTS, keep=False, stop=lambda: True)
    with pytest.raises(ModelMismatch, match="of another model, other texts"):
        survey(model, SENTENCES[:2], begun=begun, keep=False)
    with pytest.raises(ModelMismatch, match="other rules"):
        survey(model, TEXTS, begun=begun, keep=False, rules=[First()])


def test_progress_ends_with_all_texts() -> None:
    said: list[tuple[str, float]] = []
    survey(small_model("one vocabulary"), TEXTS, keep=False, progress=lambda *step: said.append(step))
    shares = [share for step, share in said if step == "Translating the texts"]
    assert shares[0] == 0
    assert shares == sorted(shares)
    assert said[-1] == ("Reading the texts", 1.0)


def test_a_text_that_cannot_be_read_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    model = small_model("Llama")
    monkeypatch.setattr(rows, "MOST_WEIGHTS", 9**2 * model.config.n_heads)  # nine tokens
    reading = survey(model, ["a cat", " ", SENTENCES[4], "a fox"], keep=False)
    assert reading.is_whole
    assert reading.read.tolist() == [True, False, False, True]
    assert [number for number, _ in reading.faults] == [1, 2]
    assert reading.faults[1][1] == "It has 12 tokens; a survey reads at most 9 of one."
    assert np.isnan(reading.measure("previous")[:, :, 1:3]).all()


def test_edits_are_those_of_each_run() -> None:
    model, edit = small_model("Llama"), ablate("decoder.0.self_attn", 0)
    reading = survey(model, TEXTS, edits=[edit], keep=False)
    made = [matrices(model, text, number, "decoder.self_attn", edits=[edit]) for number, text in enumerate(SENTENCES)]
    check_measures(reading, "decoder.self_attn", made)
    with pytest.raises(EditError):
        survey(model, TEXTS, edits=[Change("decoder.7.*", lambda tensor: tensor)], keep=False)


def test_who_has_no_heads_is_told() -> None:
    with pytest.raises(ModelMismatch, match="no heads that read text"):
        survey(load("tiny-lm-lstm"), TEXTS)


@pytest.fixture(scope="module")
def reading() -> Reading:
    return survey(small_model("Llama"), TEXTS, keep=False)


def test_a_rule_is_scored_on_every_head(reading: Reading) -> None:
    rule = SameEarlier()
    ranked = reading.ranked(rule)
    assert len(ranked) == reading.measure("first")[..., 0].size
    shares = [score.share_beyond for score in ranked]
    assert shares == sorted(shares, reverse=True)
    assert rule.score(reading, ranked[0].layer, ranked[0].head) == ranked[0]
    best = reading.best_rule(0, 1)
    assert best.above_chance == max(rule.score(reading, 0, 1).above_chance for rule in reading.rules)
    first = First().score(reading, 1, 0)  # the mean over queries, where the measure is the mean of each text
    counts = np.array([len(text.split()) - 1 for text in SENTENCES])
    measured = np.nan_to_num(reading.measure("first")[1, 0])
    assert first.share == pytest.approx((measured * counts).sum() / counts.sum(), abs=1e-6)


@pytest.mark.parametrize("name", ["window in one layer", "BERT"])
def test_chance_is_that_of_all_that_a_query_sees(name: str) -> None:
    """In the layers with a window, a query sees itself and the one before it; in an encoder, all tokens."""
    reading, counts = survey(small_model(name), TEXTS, keep=False), [len(text.split()) for text in SENTENCES]
    seen = [2] * sum(count - 1 for count in counts) if "window" in name else np.repeat(counts, np.subtract(counts, 1))
    score = Previous().score(reading, 1, 0, reading.attentions[0])
    assert score.chance == pytest.approx(np.mean(1 / np.array(seen)))
    assert score.asked == len(seen)


def test_a_rule_that_was_not_tested_says_how_it_is(reading: Reading) -> None:
    rule = Previous() | Nearest(any_of=("cat",))
    with pytest.raises(ModelMismatch, match=r"was not tested on decoder\.self_attn"):
        rule.score(reading, 0, 0)
    tested = survey(small_model("Llama"), TEXTS, rules=[rule], keep=False)
    assert rule.score(tested, 0, 0).share == pytest.approx(Previous().score(reading, 0, 0).share)


def test_a_measure_by_kind_is_the_mean_of_its_texts(reading: Reading) -> None:
    values = reading.measure("same")
    of_kind = [number for number, text in enumerate(TEXTS.texts) if text.kind == "b"]
    np.testing.assert_allclose(reading.by_kind("same")["b"], np.nanmean(values[..., of_kind], -1))
    assert list(reading.by_kind("same")) == ["a", "b"]


def test_a_place_has_its_text_and_its_tokens(reading: Reading) -> None:
    place = reading.strongest("decoder.self_attn", 1, 1, count=1)[0]
    assert place.text == SENTENCES[place.number]
    assert list(place.tokens) == place.text.split()
    assert str(place) == (
        f"{fixed(place.weight, 2)} {place.tokens[place.query]!r} → {place.tokens[place.key]!r} in {place.text!r}"
    )


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda reading: reading.measure("size"), "'size' is not measured here"),
        (lambda reading: reading.strongest("encoder.self_attn", 0, 0), "has no encoder.self_attn"),
        (lambda reading: reading.pairs("decoder.self_attn", 2, 0), "has 2 layers of 4 heads"),
        (lambda reading: reading.from_every_decile("decoder.self_attn", 0, -1), "has 2 layers of 4 heads"),
    ],
)
def test_what_is_not_there_is_named(ask: Callable[[Reading], object], said: str, reading: Reading) -> None:
    with pytest.raises(ModelMismatch, match=said):
        ask(reading)


def test_cross_attention_has_neither_distances_nor_rules() -> None:
    reading = survey(small_model("one vocabulary"), TEXTS, keep=False)
    with pytest.raises(ModelMismatch, match="nothing is near or far"):
        reading.by_distance("decoder.cross_attn", 0, 0)
    with pytest.raises(ModelMismatch, match=r"was not tested on decoder\.cross_attn"):
        First().score(reading, 0, 0, "decoder.cross_attn")


def test_readings_are_equal_where_they_are_of_the_same() -> None:
    model, texts = small_model("Llama"), SENTENCES[:3]
    first, again = (survey(model, texts, rules=[First()], keep=False) for _ in range(2))
    assert first == again
    assert hash(first) == hash(again)
    assert first != survey(model, texts, rules=[Previous()], keep=False)
    assert first != survey(model, SENTENCES[:2], rules=[First()], keep=False)


def test_a_model_that_is_always_edited_has_a_reading_of_its_own() -> None:
    model, edit = small_model("Llama"), ablate("decoder.0.self_attn", 1)
    edited = with_edits(model, [edit])
    whole, found = survey(model, TEXTS), survey(edited, TEXTS)
    assert found != whole
    assert_same(found, survey(model, TEXTS, edits=[edit], keep=False))
    assert not np.allclose(found.measure("strongest")[1], whole.measure("strongest")[1])


def test_the_texts_in_which_a_measure_is_largest_come_first() -> None:
    reading = survey(small_model("Llama"), TEXTS, keep=False)
    found = reading.top_texts("previous", 1, 0, count=3)
    values = reading.measure("previous")[1, 0]
    assert [value for _, value in found] == sorted(values[np.isfinite(values)].tolist(), reverse=True)[:3]
    assert [values[TEXTS.texts.index(text)] for text, _ in found] == [value for _, value in found]
    assert len(reading.top_texts("previous", 1, 0)) == 6, "a text of one token has no token before"
