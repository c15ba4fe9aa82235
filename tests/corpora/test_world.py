"""The small world: the same lines for the same seed, a split that never overlaps, questions that the text decides."""

from __future__ import annotations

import re
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.feelings import (
    BAD,
    DISLIKING,
    EXAMPLES_TAGGED,
    GOOD,
    LIKING,
    PARTS,
    _tag_sentence,
    cut,
    held_out_sentences,
    small,
    training_sentence,
)
from corpora.lines import Probe, is_held_out, make_line
from corpora.skills import SKILLS
from corpora.words import CAPITALS, EXAMPLE_SENTENCES, PLURAL_FORMS, SINGULAR_FORMS
from corpora.world import SKILL_NAMES, held_out_lines, held_out_probes, training_line, training_text


def test_the_same_seed_gives_the_same_text():
    assert training_text(Random(7), 50) == training_text(Random(7), 50)
    assert training_text(Random(7), 50) != training_text(Random(8), 50)


def test_held_out_questions_are_the_same_in_every_run():
    assert held_out_probes("pronoun", 50) == held_out_probes("pronoun", 50)


@pytest.fixture(scope="module")
def training_lines():
    rng = Random(0)
    return [training_line(rng) for _ in range(10_000)]


@pytest.mark.parametrize("skill", SKILL_NAMES)
def test_no_held_out_line_is_in_training_text(skill, training_lines):
    held_out = [line.text for line in islice(held_out_lines(skill), 300)]
    text = "\n".join(line.text for line in training_lines)
    assert len(set(held_out)) == 300
    assert not [line for line in held_out if line in text]


def test_training_never_quotes_a_held_out_line(training_lines):
    quoted = [inner for line in training_lines for inner in line.inner]
    assert len(quoted) > 100
    assert not any(map(is_held_out, quoted))


def test_about_a_tenth_is_held_out():
    rng = Random(1)
    share = sum(is_held_out(SKILLS["pronoun"](rng).text) for _ in range(5000)) / 5000
    assert 0.08 < share < 0.12


def test_every_spec_sentence_is_in_training_text(training_lines):
    texts = {line.text for line in training_lines}
    assert texts.issuperset(EXAMPLE_SENTENCES)


@given(st.sampled_from(SKILL_NAMES), st.integers(0, 10**6))
def test_the_line_continues_each_question_with_a_right_answer(skill, seed):
    line = SKILLS[skill](Random(seed))
    assert line.probes
    for probe in line.probes:
        assert line.text.startswith(probe.prefix)
        rest = line.text.removeprefix(probe.prefix)
        assert any(rest.startswith(answer) for answer in probe.right)


def test_a_mark_asks_for_the_word_that_follows():
    line = make_line("facts", "The cow says| moo.")
    assert line.text == "The cow says moo."
    assert line.probes == (Probe("The cow says", frozenset({" moo"})),)


def test_a_mark_at_the_end_is_refused():
    with pytest.raises(ValueError, match="no answer"):
        make_line("facts", "The cow says|")


def test_agreement_is_asked_across_words_of_either_number():
    probes = held_out_probes("agreement", 400)
    plural = [probe for probe in probes if probe.right == PLURAL_FORMS]
    singular = [probe for probe in probes if probe.right == SINGULAR_FORMS]
    assert len(plural) > 100
    assert len(singular) > 100
    assert not PLURAL_FORMS & SINGULAR_FORMS


def test_a_capital_is_the_one_of_the_table():
    for probe in held_out_probes("facts", 500):
        for country, capital in CAPITALS.items():
            if probe.prefix.endswith(f"capital of {country} is"):
                assert probe.right == {f" {capital}"}


def test_a_counted_list_has_as_many_items_as_it_says():
    rng, numbers = Random(0), {"two": 2, "three": 3, "four": 4}
    for _ in range(500):
        text = SKILLS["closing"](rng).text
        if ": a " in text or " foods:" in text:
            promised = next(numbers[word] for word in text.split() if word in numbers)
            assert len(text.split(":")[1].replace(" and ", ", ").split(", ")) == promised


@pytest.mark.slow
def test_feelings_are_seeded_and_split():
    def take(seed):
        rng = Random(seed)
        return [training_sentence(rng) for _ in range(5000)]

    assert take(1) == take(1)
    held_out = {sentence.text for sentence in islice(held_out_sentences(), 500)}
    assert len(held_out) == 500
    assert not held_out & {sentence.text for sentence in take(1)}


def test_every_word_has_one_part_of_speech_and_every_part_occurs():
    sentences = list(islice(held_out_sentences(), 500))
    for sentence in sentences:
        assert len(sentence.pieces) == len(sentence.parts)
        assert set(sentence.parts) <= set(PARTS)
    # particles ('s, to get) and interjections stand in the example sentences of the app only
    assert {part for sentence in sentences for part in sentence.parts} == set(PARTS) - {"particle", "interjection"}


PRONOUNS = ("I", "you", "he", "she", "it", "we", "they", "me", "him", "her", "us", "them")


def test_every_pronoun_is_among_the_words_of_training():
    rng = Random(0)
    sentences = [training_sentence(rng) for _ in range(5000)]
    words = [pair for each in sentences for pair in zip(each.pieces, each.parts, strict=True)]
    said = {piece.strip() for piece, part in words if part == "pronoun"}
    assert said >= {*PRONOUNS, "He", "She", "It", "We", "They", "You"}


def test_names_and_i_keep_their_capital():
    assert small(_tag_sentence("she/PRO is/V kind/A ./.", "positive")).text == "she is kind."
    for text in ("Anna/NAME is/V kind/A ./.", "I/PRO am/V kind/A ./."):
        sentence = _tag_sentence(text, "positive")
        assert small(sentence) == sentence


def test_a_long_word_that_is_cut_has_one_part_of_speech():
    sentence = _tag_sentence("she/PRO likes/V the/D garden/N ./.", "positive")
    for seed in range(20):
        pieces = cut(sentence, Random(seed), share=1.0)
        assert pieces.text == sentence.text
        assert all(piece.strip() for piece in pieces.pieces)
        assert pieces.parts == ("pronoun", "verb", "verb", "determiner", "noun", "noun", "punctuation")
    assert cut(sentence, Random(0), share=0.0) == sentence
    assert cut(sentence, Random(3), 0.5) == cut(sentence, Random(3), 0.5)


def test_the_spec_sentences_are_tagged_word_for_word():
    tagged = [_tag_sentence(*entry) for entry in EXAMPLES_TAGGED]
    assert tuple(sentence.text for sentence in tagged) == EXAMPLE_SENTENCES
    rng = Random(0)
    assert {training_sentence(rng).text for _ in range(5000)}.issuperset(EXAMPLE_SENTENCES)


GOOD_WORDS = {*GOOD, *LIKING, *LIKING.values(), *(f"{verb}s" for verb in LIKING)}
BAD_WORDS = {*BAD, *DISLIKING, *DISLIKING.values(), *(f"{verb}s" for verb in DISLIKING)}


@pytest.mark.slow
def test_negation_flips_the_feeling_of_its_own_clause():
    checked = 0
    for sentence in islice(held_out_sentences(), 2000):
        for clause in re.split(r", (?:and|but|because) ", sentence.text.rstrip(".!")):
            words = clause.lower().replace("looks like", "looks").split()
            sign = any(word in GOOD_WORDS for word in words) - any(word in BAD_WORDS for word in words)
            if sign:
                negated = "not" in words or "never" in words
                assert sentence.feeling == ("positive" if (sign > 0) != negated else "negative"), sentence.text
                checked += negated
    assert checked > 300
