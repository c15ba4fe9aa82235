"""The list of everyday sentences: its form, its spelling, and how a translation is compared with it."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

from model.errors import GlassformerError
from model.train.everyday import SPELLINGS, comparable, is_right, read_sentences

LIST = Path(__file__).parent / "everyday" / "sentences.txt"
LETTERS = set("آأؤئابپتٹثجچحخدڈذرڑزژسشصضطظعغفقکگلمنںوہھءیے")
MARKS = set('۔؟،!"0123456789 ')
ONLY_AT_THE_END = re.compile(r"[ںے]\w")  # both letters have another form inside a word
NEVER_FIRST = re.compile(r"(?<!\w)[ھڑںے]")


@pytest.fixture(scope="module")
def sentences():
    return read_sentences(LIST)


def test_the_list_has_three_hundred_different_sentences(sentences):
    assert len(sentences) == 300
    assert len({sentence.english.lower().strip(".?!") for sentence in sentences}) == 300
    assert min(sum(one.topic == topic for one in sentences) for topic in {one.topic for one in sentences}) >= 15


def test_a_sentence_has_two_to_twenty_four_words_and_one_to_twenty_four_references(sentences):
    for sentence in sentences:
        assert 2 <= len(sentence.english.split()) <= 24, sentence.english
        assert 1 <= len(sentence.references) <= 24, sentence.english
        assert len({comparable(text) for text in sentence.references}) == len(sentence.references), sentence.english


def test_the_english_is_plain_and_ends_with_a_mark(sentences):
    for sentence in sentences:
        assert re.fullmatch(r"[\"A-Z][A-Za-z ,'\"-]*[.?!]", sentence.english), sentence.english


def test_references_are_spelled_as_modern_urdu(sentences):
    for sentence in sentences:
        for text in sentence.references:
            assert text == unicodedata.normalize("NFC", text)
            assert set(text) <= LETTERS | MARKS, text
            assert not ONLY_AT_THE_END.search(text), text
            assert not NEVER_FIRST.search(text), text
            assert text == " ".join(text.split()), text
            assert not [old for old in SPELLINGS if re.search(rf"(?<!\w){old}(?!\w)", text)], text


def test_a_question_is_translated_as_a_question(sentences):
    for sentence in sentences:
        for text in sentence.references:
            assert text.rstrip('"')[-1] in "۔؟!", text
            asks = sentence.english.endswith("?") and not text.startswith("براہ کرم")  # "please" makes it a request
            assert text.endswith("؟") == asks, text


def test_marks_diacritics_and_spelling_do_not_count():
    assert comparable("براہِ کرم، دروازہ بند کریں۔") == "براہ کرم دروازہ بند کریں"
    assert comparable("یہ آپ كے لئے ہو گا") == "یہ آپ کے لیے ہوگا"
    assert is_right("وہ گھر ہے", ("یہ گھر ہے۔", "وہ گھر ہے۔"))
    assert not is_right("وہ گھر تھا۔", ("یہ گھر ہے۔", "وہ گھر ہے۔"))


@pytest.mark.parametrize("text", ["    ترجمہ\n", "One.\n  دو\n", "One.\nTwo.\n    دو\n"])
def test_a_list_that_is_out_of_order_says_so(tmp_path, text):
    path = tmp_path / "list.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(GlassformerError, match=r"list\.txt"):
        read_sentences(path)
