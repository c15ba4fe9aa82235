"""The words that the vocabulary of the everyday corpus is collected from."""

from __future__ import annotations

import pytest

from corpora.everyday import lexicon
from corpora.everyday.vocabulary import collect


@pytest.fixture(scope="module")
def collected():
    return set(collect(100))


@pytest.mark.slow
def test_every_lemma_is_collected(collected):
    lemmas = {lemma.rpartition(" (")[0] for lemma in lexicon.lemmas()}
    words = {word.lower() for lemma in lemmas for word in lemma.split() if not word.isdigit()}
    assert {"star", "headache", "tail", "generally"} <= words
    assert sorted(words - collected) == []


@pytest.mark.slow
def test_rare_words_are_collected_in_all_forms(collected):
    assert {"stars", "ستارہ", "ستارے", "ستاروں"} <= collected
    assert {"thicker", "thickest", "موٹا", "موٹے", "موٹی"} <= collected
    assert {"peel", "peels", "peeled", "peeling", "چھیلا", "چھیلتے", "چھیلیں", "چھیلنے", "چھیلنی"} <= collected
