"""The everyday measures and the confidence of the shipped translator: the arithmetic, and a sample of what it says."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from corpora.en_ur import hand_made_examples, training_examples
from model import load
from model.generation.trust import Signs, confidence
from model.train.everyday import read_sentences
from model.train.trust import (
    NEARBY_FILE,
    Judged,
    calibrate,
    fit_logistic,
    judge,
    measure_unused,
    reliability,
    report,
    silent_words,
    with_unknown_word,
)
from model.vectors.nearest_sentence import plain
from model.zoo import cards

LIST = Path(__file__).parent / "everyday" / "sentences.txt"
TRAINED = 8000  # sentences of the shipped training that are looked at


@pytest.fixture(scope="module", params=["en-ur", "en-ur-everyday"])
def name(request):
    return request.param


@pytest.fixture(scope="module")
def card(name):
    return json.loads((cards.ASSETS / name / "card.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def shipped(name):
    return load(name)


def judged(
    right: bool, doubt: float = -5.0, looked: tuple[tuple[str, bool], ...] = (), unknown: tuple[str, ...] = ()
) -> Judged:
    return Judged("one two", ("ایک دو۔",), "ایک دو" if right else "تین", right, doubt, looked, unknown)


@pytest.mark.slow
def test_no_everyday_sentence_is_trained_on():
    everyday = {plain(sentence.english) for sentence in read_sentences(LIST)}
    assert not everyday & {plain(pair.source_text) for pair in hand_made_examples()}
    assert not everyday & {plain(pair.source_text) for pair in islice(training_examples("0 0"), TRAINED)}


def test_the_fit_finds_the_weights_that_made_the_data():
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(20_000, 2))
    p = 1 / (1 + np.exp(-(0.5 + 2 * rows[:, 0] - rows[:, 1])))
    weights = fit_logistic(rows, (draw.random(len(rows)) < p).astype(float))
    assert weights == pytest.approx([0.5, 2.0, -1.0], abs=0.1)


def test_a_sign_that_separates_right_from_wrong_keeps_its_weight_finite():
    weights = fit_logistic(np.array([[0.0], [0.0], [1.0], [1.0]]), np.array([1.0, 1.0, 0.0, 0.0]))
    assert np.isfinite(weights).all()
    assert weights[1] < 0 < weights[0]


def test_the_ranges_of_reliability_hold_every_sentence_once():
    sure, right = np.array([0.0, 0.1, 0.2, 0.9, 1.0]), np.array([False, True, True, True, False])
    ranges = reliability(sure, right, everyday=np.array([True, True, False, True, False]))
    assert [each["sentences"] for each in ranges] == [2, 1, 0, 0, 1, 1]
    assert [each["right"] for each in ranges] == [1, 1, 0, 0, 1, 0]
    assert [each["everyday"] for each in ranges] == [2, 0, 0, 0, 1, 0]
    assert [each["everyday_right"] for each in ranges] == [1, 0, 0, 0, 1, 0]
    assert ranges[0]["confidence"] == pytest.approx(0.05)
    assert ranges[-1]["confidence"] == pytest.approx(1.0)


def test_words_that_right_translations_overlook_are_silent():
    seen = [judged(True, looked=(("the", True), ("cat", False))) for _ in range(5)]
    wrong = [judged(False, looked=(("cat", True),)) for _ in range(5)]
    assert silent_words(seen + wrong) == ["the"]


def test_a_word_that_right_translations_do_without_is_needless_and_does_not_count():
    def tried(right, *words):
        return replace(judged(right), tried=tuple(words))

    composed = [tried(True, ("the", True), ("cat", False)) for _ in range(5)]
    everyday = [
        tried(True, ("the", True), ("cat", False)),
        tried(True, ("cat", True)),
        tried(False, ("cat", True), ("dog", True)),
    ]
    found = measure_unused(everyday, composed)
    assert (found["needless"], found["sentences"], found["right"]) == (["the"], 2, 1)


def test_calibration_prefers_fewer_signs():
    good = [judged(True, looked=(("cat", False),)) for _ in range(20)]
    bad = [judged(False, doubt=-0.5, looked=(("cat", True),), unknown=("plugh", "zork")) for _ in range(20)]
    found = calibrate(bad, good, [])
    assert confidence(Signs(-5.0, 0, 0), found["weights"]) > 0.8
    assert confidence(Signs(-0.5, 2, 1), found["weights"]) < 0.2
    assert sum(each["sentences"] for each in found["reliability"]) == 20


def test_a_made_up_word_takes_the_place_of_a_known_one_and_is_no_name():
    english = "Ali buys bread, and we are at home."
    told = with_unknown_word(english).split()
    changed = [one for one, other in zip(told, english.split(), strict=True) if one != other]
    assert len(changed) == 1
    assert changed[0].islower()
    assert with_unknown_word("I am Ali") == ""


def test_the_shipped_confidence_falls_with_an_unknown_word(name, card, shipped):
    silent, weights = card["confidence"]["silent"], card["confidence"]["weights"]

    def sure(text):
        return confidence(judge(shipped, text, ()).signs(silent), weights)

    assert sure("the zorblax is here") < 0.4
    assert sure("xyzzy plugh") < 0.4
    if name == "en-ur-everyday":  # which learnt to spell names
        assert sure("Kashmala is my sister") > 0.4


def test_the_report_counts_and_lists_every_miss():
    sentences = read_sentences(LIST)[:3]
    found = report(sentences, [judged(True), judged(False, unknown=("zork",)), judged(False)])
    assert (found["sentences"], found["right"], found["of_known_words"], found["right_of_known_words"]) == (3, 1, 2, 1)
    assert [miss["unknown"] for miss in found["misses"]] == [1, 0]
    assert 0 < found["chrf"] < 100


@pytest.mark.slow
def test_the_card_says_what_the_shipped_weights_do(card, shipped):
    """Every tenth sentence is translated again."""
    misses = {miss["english"]: miss["written"] for miss in card["everyday"]["misses"]}
    sentences = read_sentences(LIST)
    assert set(misses) <= {sentence.english for sentence in sentences}
    assert card["everyday"]["sentences"] == len(sentences) == card["everyday"]["right"] + len(misses)
    for sentence in sentences[::10]:
        again = judge(shipped, sentence.english, sentence.references)
        assert again.right == (sentence.english not in misses)
        assert again.right or again.written == misses[sentence.english]


def test_the_card_is_calibrated(card):
    """Where there are enough sentences, the share of right ones is near the confidence: within 2.6 standard errors."""
    ranges = [each for each in card["confidence"]["reliability"] if each["sentences"] >= 30]
    assert len(ranges) >= 2
    for each in ranges:
        p = each["confidence"]
        off = max(0.1, 2.6 * (p * (1 - p) / each["sentences"]) ** 0.5)
        assert each["right"] / each["sentences"] == pytest.approx(p, abs=off)


@pytest.mark.slow
def test_the_shipped_sentences_nearby_come_out_right_and_sure(name, card, shipped):
    lines = (cards.ASSETS / name / NEARBY_FILE).read_text(encoding="utf-8").splitlines()
    assert len(lines) == len(set(lines)) > 1000
    silent, weights = card["confidence"]["silent"], card["confidence"]["weights"]
    sure = [confidence(judge(shipped, line, ("",)).signs(silent), weights) for line in lines[::100]]
    assert sorted(sure)[len(sure) // 2] > 0.8
