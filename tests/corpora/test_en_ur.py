"""The English-Urdu corpus: its grammar against sentences translated by hand, its alignment, its letters, its split."""

from __future__ import annotations

import random
import unicodedata
from itertools import islice

import pytest

from corpora.en_ur import (
    FIXED,
    FIXED_PAIRS,
    hand_made_examples,
    held_out_examples,
    is_held_out,
    join_words,
    training_examples,
    write_pair,
)
from corpora.en_ur_clauses import Clause, PlacePhrase, Purpose, there_is, to_be, to_have
from corpora.en_ur_phrases import adverb_phrase, name_phrase, noun_phrase, pronoun_phrase, who_phrase
from corpora.en_ur_sentences import Storyteller
from corpora.en_ur_speaker import Speaker
from corpora.en_ur_words import vocabulary, words_of
from corpora.urdu_forms import Agreement, agree, decline, finite
from corpora.urdu_lexicon import ADJECTIVES, NAMES, NOUNS
from corpora.urdu_verbs import DO, GET_TO, VERBS
from tests.model.networks import SENTENCES

URDU_LETTERS = set("ءآأؤئابپتٹثجچحخدڈذرڑزژسشصضطظعغفقکگلمنںوہھیے")
URDU_MARKS = set("۔،؟! ")


def noun(english, number="sg", determiner="the", slot="object", adjective=None, colour=None, owner=None, own=False):
    word = next(noun for noun in NOUNS if noun.english == english)
    first, second = (next((a for a in ADJECTIVES if a.english == wanted), None) for wanted in (adjective, colour))
    return noun_phrase(slot, word, number, determiner, first, owner=owner, own=own, colour=second)


def name(english, slot="subject"):
    return name_phrase(slot, next(name for name in NAMES if name.english == english))


def verb(base, particle=""):
    return next(verb for verb in VERBS if verb.english[0] == base and verb.particle == particle)


def said(pair):
    return tuple(join_words(tuple(word.text for word in side)) for side in (pair.english, pair.urdu))


def action(subject, base, tense, object=None, particle="", **more):
    return said(Clause(subject, verb(base, particle), tense, object, **more).pair())


BOY, GIRLS = noun("boy", slot="subject"), noun("girl", "pl", slot="subject")
I, SHE = pronoun_phrase("subject", "I"), pronoun_phrase("subject", "she")

HAND_CHECKED = [
    # the verb agrees with the subject, in gender, number and person
    (action(BOY, "eat", "present", noun("apple", determiner="a")), "the boy eats an apple", "لڑکا ایک سیب کھاتا ہے"),
    (action(GIRLS, "eat", "present", noun("mango", "pl", "")), "the girls eat mangoes", "لڑکیاں آم کھاتی ہیں"),
    (action(I, "eat", "future", noun("bread", determiner="")), "I will eat bread", "میں روٹی کھاؤں گا"),
    (action(SHE, "sleep", "progressive"), "she is sleeping", "وہ سو رہی ہے"),
    (action(GIRLS, "sleep", "past progressive"), "the girls were sleeping", "لڑکیاں سو رہی تھیں"),
    (action(GIRLS, "swim", "can"), "the girls can swim", "لڑکیاں تیر سکتی ہیں"),
    (action(BOY, "sleep", "want"), "the boy wants to sleep", "لڑکا سونا چاہتا ہے"),
    # the ergative: the oblique and نے; the verb agrees with a bare object, with no marked one
    (action(BOY, "read", "past", noun("book", "pl", "two")), "the boy read two books", "لڑکے نے دو کتابیں پڑھیں"),
    (action(GIRLS, "read", "past", noun("newspaper")), "the girls read the newspaper", "لڑکیوں نے اخبار پڑھا"),
    (action(GIRLS, "see", "past", BOY), "the girls saw the boy", "لڑکیوں نے لڑکے کو دیکھا"),
    (action(I, "write", "perfect", noun("letter", "pl")), "I have written the letters", "میں نے خط لکھے ہیں"),
    (action(BOY, "help", "past", name("Sara", "object")), "the boy helped Sara", "لڑکے نے سارا کی مدد کی"),
    (action(SHE, "bring", "past", noun("book")), "she brought the book", "وہ کتاب لائی"),
    (action(GIRLS, "go", "past", noun("market"), "to"), "the girls went to the market", "لڑکیاں بازار گئیں"),
    # negation stands before the verb, and the present loses its auxiliary
    (action(GIRLS, "sleep", "present", negative=True), "the girls do not sleep", "لڑکیاں نہیں سوتیں"),
    (
        action(BOY, "clean", "past", noun("room"), negative=True),
        "the boy did not clean the room",
        "لڑکے نے کمرہ صاف نہیں کیا",
    ),
    (
        action(I, "eat", "past", noun("apple", determiner="a"), negative=True),
        "I did not eat an apple",
        "میں نے سیب نہیں کھایا",
    ),
    # questions
    (action(BOY, "eat", "present", question="object"), "what does the boy eat", "لڑکا کیا کھاتا ہے"),
    (action(who_phrase(), "eat", "past", noun("apple"), question="subject"), "who ate the apple", "سیب کس نے کھایا"),
    (action(BOY, "see", "past", question="object"), "who did the boy see", "لڑکے نے کس کو دیکھا"),
    (action(name("Ali"), "go", "present", particle="to", question="where"), "where does Ali go", "علی کہاں جاتا ہے"),
    (
        action(GIRLS, "read", "past", noun("book"), question="yes/no"),
        "did the girls read the book",
        "کیا لڑکیوں نے کتاب پڑھی",
    ),
    # pronouns and possessives
    (action(SHE, "see", "past", pronoun_phrase("object", "they")), "she saw them", "اس نے انہیں دیکھا"),
    (
        action(I, "read", "present", noun("book", owner=pronoun_phrase("owner", "I"), own=True)),
        "I read my book",
        "میں اپنی کتاب پڑھتا ہوں",
    ),
    (
        action(SHE, "wash", "past", noun("shirt", owner=name("Ali", "owner"), adjective="red")),
        "she washed Ali's red shirt",
        "اس نے علی کی سرخ قمیض دھوئی",
    ),
    (said(to_have(name("Ali"), noun("goat", "pl", "two"), "past")), "Ali had two goats", "علی کے پاس دو بکریاں تھیں"),
    (
        said(to_have(I, noun("book", determiner="a"), "present", True)),
        "I do not have a book",
        "میرے پاس کتاب نہیں ہے",
    ),
    # places and purposes
    (
        said(there_is(noun("book", determiner="a"), PlacePhrase("on", noun("table", slot="place")), "present")),
        "there is a book on the table",
        "میز پر ایک کتاب ہے",
    ),
    (
        action(name("George"), "drive", "past", noun("bank"), "to"),
        "George drove to the bank",
        "جارج گاڑی چلا کر بینک گیا",
    ),
    (
        action(I, "run", "past", noun("road"), "across", purpose=Purpose(GET_TO, noun("market", slot="aim"))),
        "I ran across the road to get to the market",
        "میں نے بازار تک پہنچنے کے لیے دوڑ کر سڑک پار کی",
    ),
    (said(to_be(GIRLS, "future", (), ())), "the girls will be", "لڑکیاں ہوں گی"),
    (
        action(BOY, "sleep", "past", place=PlacePhrase("", adverb_phrase("place", "here"))),
        "the boy slept here",
        "لڑکا یہاں سویا",
    ),
    (action(GIRLS, "go", "past", particle="home"), "the girls went home", "لڑکیاں گھر گئیں"),
    # two objects, two adjectives, and what one does
    (
        action(
            I, "give", "past", noun("book", determiner="a"), recipient=name("Sara", "recipient"), recipient_first=True
        ),
        "I gave Sara a book",
        "میں نے سارا کو ایک کتاب دی",
    ),
    (
        action(SHE, "chase", "past", noun("dog", adjective="big", colour="black")),
        "she chased the big black dog",
        "اس نے بڑے کالے کتے کا پیچھا کیا",
    ),
    (
        said(Clause(pronoun_phrase("subject", "you"), DO, "progressive", question="object").pair()),
        "what are you doing",
        "آپ کیا کر رہے ہیں",
    ),
]


@pytest.mark.parametrize(("pair", "english", "urdu"), HAND_CHECKED)
def test_grammar_against_sentences_translated_by_hand(pair, english, urdu):
    assert pair == (english, urdu)


def test_regular_nouns_decline():
    assert decline("لڑکا", "m") == ("لڑکے", "لڑکے", "لڑکوں")
    assert decline("گھر", "m") == ("گھر", "گھر", "گھروں")
    assert decline("لڑکی", "f") == ("لڑکیاں", "لڑکی", "لڑکیوں")
    assert decline("کتاب", "f") == ("کتابیں", "کتاب", "کتابوں")
    assert decline("چڑیا", "f") == ("چڑیاں", "چڑیا", "چڑیوں")


def test_adjectives_agree_and_the_unmarked_do_not():
    assert [agree("بڑا", "m", "sg"), agree("بڑا", "m", "pl"), agree("بڑا", "f", "pl")] == ["بڑا", "بڑے", "بڑی"]
    assert agree("بڑا", "m", "sg", oblique=True) == "بڑے"
    assert [agree("نیا", "m", "pl"), agree("نیا", "f", "sg")] == ["نئے", "نئی"]
    assert agree("خوبصورت", "f", "pl") == "خوبصورت"


def test_irregular_verbs():
    she, they = Agreement("f", "sg"), Agreement("m", "pl")
    assert finite("جا", "past", she) == "گئی"
    assert finite("کر", "past", they) == "کیے"
    assert finite("دے", "present", they) == "دیتے ہیں"
    assert finite("پی", "future", they) == "پئیں گے"
    assert finite("آ", "future", Agreement("m", "sg", 1)) == "آؤں گا"
    assert finite("رہ", "past", she, stative=True) == "رہتی تھی"


def test_what_belongs_to_the_subject_is_its_own():
    """Urdu has one word, in every person, for what belongs to the subject: his and her are not translated alike."""
    speaker = Speaker(random.Random(0))
    book = next(noun for noun in NOUNS if noun.english == "book")
    seen = {}
    for _ in range(600):
        phrase = speaker.noun("object", book, SHE)
        if phrase.english[0].text in ("her", "his", "my") and len(phrase.english) == 2 and phrase.number == "sg":
            seen[phrase.english[0].text] = " ".join(word.text for word in phrase.direct)
    assert seen == {"her": "اپنی کتاب", "his": "اس کی کتاب", "my": "میری کتاب"}


@pytest.fixture(scope="module")
def sample():
    return list(islice(training_examples(0), 3000))


@pytest.fixture(scope="module")
def held_out():
    return held_out_examples(300)


@pytest.mark.slow
def test_the_same_seed_makes_the_same_sentences(sample):
    assert list(islice(training_examples(0), 300)) == sample[:300]
    assert list(islice(training_examples(1), 300)) != sample[:300]
    assert held_out_examples(20) == held_out_examples(30)[:20]


def test_urdu_is_nfc_and_of_urdu_letters(sample):
    for example in sample:
        assert unicodedata.is_normalized("NFC", example.target_text)
        assert set(example.target_text) <= URDU_LETTERS | URDU_MARKS, example.target_text
        assert example.source_text.isascii()


def test_every_pair_ends_with_the_same_mark(sample):
    for example in sample:
        assert {"?": "؟", ".": "۔", "!": "!"}.get(example.english[-1]) == (
            example.urdu[-1] if example.urdu[-1] in "؟۔!" else None
        )


def key(example):
    expanded = join_words(tuple(word for word in example.english if word not in ",.?!"))
    return expanded.lower().replace("'re", " are").replace("n't", " not")


@pytest.mark.slow
def test_no_training_sentence_is_held_out(sample, held_out):
    keys = {key(example) for example in held_out}
    assert len(keys) == len(held_out) == 300
    assert not keys & {key(example) for example in sample}
    storyteller = Storyteller(random.Random(1))
    shares = [is_held_out(storyteller.sentence()) for _ in range(2000)]
    assert 0.02 < sum(shares) / len(shares) < 0.08


def test_hand_made_sentences_are_never_held_out():
    assert not any(map(is_held_out, FIXED_PAIRS))
    assert [example.source_text for example in hand_made_examples()] == list(FIXED)


@pytest.mark.slow
def test_an_english_sentence_has_one_translation(sample):
    """The model can be right only where the English decides the Urdu."""
    translations: dict[str, set[str]] = {}
    storyteller = Storyteller(random.Random(2))
    pairs = [storyteller.sentence() for _ in range(4000)] + list(FIXED_PAIRS)
    for pair in pairs:
        english, urdu = said(pair)
        translations.setdefault(english.lower(), set()).add(urdu)
    assert {english: urdu for english, urdu in translations.items() if len(urdu) > 1} == {}


def test_alignment_points_into_the_english_sentence(sample):
    for example in sample:
        assert len(example.sources) == len(example.content) == len(example.urdu)
        for urdu, places, content in zip(example.urdu, example.sources, example.content, strict=True):
            assert all(0 <= place < len(example.english) for place in places)
            assert places or not content, urdu


def test_alignment_of_a_sentence():
    clause = Clause(BOY, verb("eat"), "past", noun("apple", "pl", "two", adjective="red"))
    example = write_pair(clause.pair(), ".")
    found = {
        urdu: [example.english[i] for i in places] for urdu, places in zip(example.urdu, example.sources, strict=True)
    }
    assert found == {
        "لڑکے": ["boy"], "نے": [], "دو": ["two"], "سرخ": ["red"], "سیب": ["apples"], "کھائے": ["ate"], "۔": ["."],
    }  # fmt: skip


def test_the_vocabulary_has_every_word(sample, held_out):
    known = vocabulary()
    assert known == sorted(set(known))
    assert words_of(sample) | words_of(held_out) | words_of(hand_made_examples()) <= set(known)


def test_the_example_sentences_are_translated():
    assert tuple(FIXED)[: len(SENTENCES)] == SENTENCES
    by_text = {example.source_text: example.target_text for example in hand_made_examples()}
    assert by_text["I am a robot"] == "میں ایک روبوٹ ہوں"
    assert by_text["What time is it?"] == "کیا وقت ہوا ہے؟"
    assert "کنارے" in by_text[SENTENCES[2]]
    assert "بینک" in by_text[SENTENCES[3]]
