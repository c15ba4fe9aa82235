"""The words of the everyday corpus: their spelling, their columns, and the forms that follow from them."""

from __future__ import annotations

import random
import unicodedata
from collections import Counter

import pytest

from corpora.en_ur_phrases import noun_form
from corpora.everyday import lexicon
from corpora.everyday.english import article, gerund, plural, regular_past, third_person
from corpora.everyday.small_talk import Talker
from corpora.everyday.spelled_names import transliterate
from corpora.urdu_forms import decline

LETTERS = set("ءآأؤئابپتٹثجچحخدڈذرڑزژسشصضطظعغفقکگلمنںوہھیےۃ" + "\u0670\u064b" + " ،؟!")  # with ٰ and ً


def urdu_texts():
    for pattern in ("nouns_*.tsv", "adjectives.tsv", "verbs.tsv", "adverbs.tsv", "names.tsv", "places.tsv",
                    "numbers.tsv", "function_words.tsv", "set_phrases.tsv"):  # fmt: skip
        for row in lexicon.rows(pattern):
            yield row.cell(1)
    for noun in lexicon.nouns():
        yield from noun.forms


def test_urdu_is_nfc_and_of_urdu_letters():
    texts = list(urdu_texts())
    assert len(texts) > 3000
    for text in texts:
        assert text
        assert unicodedata.is_normalized("NFC", text)
        assert set(text) <= LETTERS, text


def test_there_are_2500_lemmas_and_300_names():
    assert len(lexicon.lemmas()) >= 2500
    assert len(lexicon.names()) >= 300


def test_common_words_are_words_of_the_lexicon():
    known = {f"{verb.base} (verb)" for verb in lexicon.verbs()} | lexicon.lemmas()
    assert sorted(lexicon.common_words() - known) == []


def test_a_common_word_is_drawn_more_often_and_every_word_now_and_then():
    talker = Talker(random.Random(1))
    words = [noun for noun in lexicon.nouns() if noun.english in ("man", "jeweller", "umpire", "bowler")]
    drawn = Counter(talker.choose_word(words).english for _ in range(400))
    assert len(drawn) == 4
    assert drawn["man"] > 200


def test_every_noun_has_a_gender_and_all_of_its_forms():
    assert not [noun for noun in lexicon.nouns() if noun.gender not in ("m", "f") or len(noun.forms) not in (0, 3)]
    assert {word: count for word, count in Counter(noun.english for noun in lexicon.nouns()).items() if count > 1} == {}


def test_verbs_and_adjectives_name_kinds_that_exist():
    known = {noun.kind for noun in lexicon.nouns()} | {noun.english for noun in lexicon.nouns()}
    verbs = {kind for verb in lexicon.verbs() for kind in (verb.subjects + " " + verb.objects).split()}
    assert verbs | {kind for adjective in lexicon.adjectives() for kind in adjective.kinds} <= known


def test_the_features_of_verbs_are_known():
    features = {feature for verb in lexicon.verbs() for feature in verb.features}
    assert features <= {
        "ne", "-ne", "v:جا", "v:دے", "v:لے", "stative", "state", "to", "sep", "adj", "ko", "dative", "where", "habit",
        "p:چوری_ہو",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("english", "forms"),
    [
        ("mother", ("والدہ", "والدہ")), ("king", ("بادشاہ", "بادشاہ")), ("uncle", ("چچا", "چچا")),
        ("salary", ("تنخواہ", "تنخواہ")), ("boy", ("لڑکا", "لڑکے")), ("village", ("گاؤں", "گاؤں")),
        ("kitten", ("بلی کا بچہ", "بلی کے بچے")),
    ],
)  # fmt: skip
def test_direct_and_oblique_singular(english, forms):
    noun = lexicon.noun(english)
    assert (noun_form(noun, "sg", False), noun_form(noun, "sg", True)) == forms


def test_nouns_whose_he_is_sounded_keep_it():
    assert decline("تنخواہ", "f") == ("تنخواہیں", "تنخواہ", "تنخواہوں")
    assert decline("گناہ", "m") == ("گناہ", "گناہ", "گناہوں")
    assert decline("بچہ", "m") == ("بچے", "بچے", "بچوں")


def test_english_forms():
    assert [plural(word) for word in ("city", "boy", "box", "bus")] == ["cities", "boys", "boxes", "buses"]
    assert [third_person(word) for word in ("go", "have", "wash", "cry")] == ["goes", "has", "washes", "cries"]
    assert [gerund(word) for word in ("stop", "make", "see", "die", "visit", "fix")] == [
        "stopping", "making", "seeing", "dying", "visiting", "fixing",
    ]  # fmt: skip
    assert [regular_past(word) for word in ("stop", "like", "carry", "play")] == [
        "stopped",
        "liked",
        "carried",
        "played",
    ]
    assert [article(word) for word in ("apple", "hour", "university", "one-eyed", "house")] == [
        "an",
        "an",
        "a",
        "a",
        "a",
    ]


def test_names_are_spelled_by_rule():
    assert [transliterate(name) for name in ("Zareen", "Shamoon", "Noora")] == ["زرین", "شمون", "نورا"]
    with pytest.raises(ValueError, match="without a rule"):
        transliterate("Zoë")
