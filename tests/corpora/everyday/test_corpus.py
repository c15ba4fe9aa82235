"""The everyday corpus: its seeds, split, marks and alignment, and its task."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

import pytest
import torch

from corpora.en_ur import MARKS
from corpora.en_ur_phrases import pronoun_phrase
from corpora.everyday import corpus, kept_apart
from corpora.everyday.corpus import (
    MOST_WORDS,
    american,
    compose,
    draw,
    hand_made_examples,
    held_out,
    held_out_examples,
    key,
    set_phrases,
    training_examples,
)
from corpora.everyday.small_talk import Talker, set_phrase
from corpora.everyday.vocabulary import vocabulary
from model.network.transformer import Transformer
from model.tokens.word_vocabulary import is_byte
from model.train.everyday import read_sentences
from model.train.registry import make_task
from model.train.task import IGNORE
from tests.corpora.everyday.test_lexicon import LETTERS

LIST = Path(__file__).parents[2] / "model" / "train" / "everyday" / "sentences.txt"


@pytest.fixture(scope="module")
def sample():
    return list(islice(training_examples(0), 1500))


@pytest.fixture(scope="module")
def task():
    return make_task("en-ur-everyday")


@pytest.mark.slow
def test_the_same_seed_makes_the_same_sentences(sample):
    assert list(islice(training_examples(0), 200)) == sample[:200]
    assert list(islice(training_examples(1), 200)) != sample[:200]
    assert held_out_examples(10) == held_out_examples(15)[:10]


@pytest.mark.slow
def test_no_training_sentence_is_held_out(sample):
    kept = {example.source_text.rstrip(".?!").lower() for example in held_out_examples(150)}
    assert len(kept) == 150
    assert not kept & {example.source_text.rstrip(".?!").lower() for example in sample}


def test_the_digests_are_those_of_the_list():
    sentences = read_sentences(LIST)
    assert len(sentences) == 300
    assert kept_apart.digests() == {kept_apart.digest(sentence.english) for sentence in sentences}


@pytest.mark.slow
def test_no_sentence_of_the_list_is_trained_on_or_held_out(sample):
    every = [*sample, *held_out_examples(150), *hand_made_examples()]
    assert not [each.source_text for each in every if kept_apart.is_kept_apart(each.source_text)]


def test_a_sentence_that_is_kept_apart_is_never_composed(monkeypatch):
    first = compose(Talker(random.Random(0)))
    monkeypatch.setattr(kept_apart, "digests", lambda: {kept_apart.digest(key(first))})
    assert key(compose(Talker(random.Random(0)))) != key(first)


def test_set_phrases_are_never_held_out():
    assert len(set_phrases()) >= 200
    assert not any(map(held_out, set_phrases()))


@pytest.mark.slow
def test_sentences_are_of_urdu_letters_end_alike_and_are_not_too_long(sample):
    for example in sample:
        assert set(example.target_text) <= LETTERS | {"۔"}, example.target_text
        assert example.source_text.isascii()
        assert len(example.english) <= MOST_WORDS + 3  # contractions and the mark are words of their own
        last = [word for word in example.english if word != '"'][-1]  # a mark stands within a quotation
        end = last if last in ".?!" else ""
        assert (example.urdu[-1] if example.urdu[-1] in "۔؟!" else "") == MARKS[end]


def test_alignment_points_into_the_english_sentence(sample):
    for example in sample:
        assert len(example.sources) == len(example.content) == len(example.urdu)
        for places, content in zip(example.sources, example.content, strict=True):
            assert all(0 <= place < len(example.english) for place in places)
            assert places or not content
    content = [bool(places) for example in sample for places in example.sources]
    assert sum(content) / len(content) > 0.6


@pytest.mark.slow
def test_an_english_sentence_has_one_translation():
    """The model can be right only where the English decides the Urdu."""
    talker = Talker(random.Random(3))
    translations: dict[str, set[str]] = {}
    for _ in range(4000):
        pair = compose(talker)
        english = " ".join(word.text for word in pair.english if word.text != ",").lower()
        translations.setdefault(english, set()).add(" ".join(word.text for word in pair.urdu if word.text != "،"))
    assert {english: urdu for english, urdu in translations.items() if len(urdu) > 1} == {}


@pytest.mark.parametrize(("speaker", "end"), [("he", "گا"), ("she", "گی")])
def test_i_in_quotation_marks_has_the_gender_of_who_speaks(monkeypatch, speaker, end):
    talker = Talker(random.Random(0))
    monkeypatch.setattr(talker, "known_person", lambda: pronoun_phrase("subject", speaker))
    pairs = [talker.quoted() for _ in range(300)]
    coming = [pair for pair in pairs if "I will" in " ".join(word.text for word in pair.english)]
    assert len(coming) >= 10
    assert {pair.urdu[-1].text for pair in coming} == {end}


def test_a_name_outside_the_vocabulary_is_spelled_and_aligned(task):
    spelled = next(
        example for example in training_examples(2)
        if any(is_byte(piece) for piece in task.tokenizer.encode(example.source_text).tokens)
    )  # fmt: skip
    ids, words = task.pieces(spelled.english, spelled.source_text)
    assert len(ids) == len(words) > len(spelled.english)
    assert sorted(set(words)) == list(range(len(spelled.english)))
    batch = task.encode_batch([spelled])
    assert task.tokenizer.decode(batch.labels[0][:-1].tolist()) == spelled.target_text


def test_most_words_are_in_the_vocabulary(task, sample):
    known = set(vocabulary())
    assert sorted(known) == vocabulary()
    words = [word.lower() for example in sample for word in (*example.english, *example.urdu)]
    assert sum(word in known for word in words) / len(words) > 0.98
    for example in hand_made_examples():
        assert {word.lower() for word in (*example.english, *example.urdu)} <= known


def test_a_step_of_training_has_a_finite_loss(task):
    torch.manual_seed(0)
    network = Transformer(task.config)
    batch = task.encode_batch(held_out_examples(4))
    loss, count = task.loss(network, batch)
    assert torch.isfinite(loss)
    assert count == int((batch.labels != IGNORE).sum())
    assert batch.extras["alignment"].sum(-1).max() <= 1 + 1e-6


def test_american_spelling_changes_english_alone():
    pair = set_phrase("My neighbour travelled to the city centre", "میرا پڑوسی شہر کے مرکز گیا")
    spelled = american(pair)
    assert " ".join(word.text for word in spelled.english) == "My neighbor traveled to the city center"
    assert spelled.urdu == pair.urdu


def test_no_american_spelling_of_a_sentence_that_is_kept_apart_is_drawn(monkeypatch):
    pair = set_phrase("His colour is grey", "اس کا رنگ سرمئی ہے")
    always = random.Random(0)
    monkeypatch.setattr(corpus, "AMERICAN_SHARE", 1.0)
    assert "color" in draw(pair, always).source_text
    monkeypatch.setattr(corpus, "is_kept_apart", lambda english: "color" in english)
    assert "colour" in draw(pair, always).source_text
