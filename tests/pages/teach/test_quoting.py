"""A question about a sentence quotes enough of it to be answered, by one rule."""

from __future__ import annotations

import pytest

from pages.catalogue import PAGES
from pages.shared.session.question_kinds import QUESTION_KINDS
from pages.teach import questions
from pages.teach.presenting.current_question import _below
from pages.teach.questions import View
from pages.teach.questions.view import MAX_QUOTED_CHARACTERS, quote
from tests.pages.teach.test_asking import TINY, USUAL

# What these ask needs no word of the sentence: they are about a layer, a number, a training, a picture.
WITHOUT_SENTENCE = {
    "spread", "scale", "hidden cells", "hand", "nearest", "earlier head", "temperature", "digit", "quarter", "cost",
    "loss", "measure", "steps", "rule",
}  # fmt: skip
ASKED = [(entry.url, kind) for entry in PAGES for kind in entry.question_kinds]


@pytest.mark.parametrize(("page", "kind"), ASKED)
def test_a_question_of_a_view_quotes_its_sentence_or_needs_none(page: str, kind: str) -> None:
    view = View(page, {**TINY, **USUAL.get(page, {})})
    assert (quote(view["text"]) in questions.pose(kind, view).text) == (kind not in WITHOUT_SENTENCE)
    assert set(QUESTION_KINDS) > WITHOUT_SENTENCE


def test_a_text_is_quoted_whole_as_far_as_there_is_room() -> None:
    text = "Anna is happy, Tom is sad and the dog is hungry. He is"
    assert quote(f" {text}\n") == f"“{text}”"
    longest = "x" * MAX_QUOTED_CHARACTERS
    assert quote(longest) == f"“{longest}”"


def test_the_end_of_a_long_text_begins_with_a_sentence_or_a_word() -> None:
    told = "The dog is hungry. " * 30
    quoted = quote(told)
    assert quoted.startswith("“… The dog")
    assert quoted.endswith("hungry.”")
    assert len(quoted) > MAX_QUOTED_CHARACTERS / 2
    assert quote("and the cat " * 40).split()[1] in {"and", "the", "cat"}
    assert len(quote("x" * 1000)) == MAX_QUOTED_CHARACTERS + 4  # a word without an end


def test_the_lecturers_words_stand_above_a_question_unless_it_says_the_same() -> None:
    question = questions.pose("hidden cells", View("masks", TINY))
    lines = _below("Look  first:\nwhich?", question).text.split("\n")
    assert lines == ["Look first: which?", question.text]
    assert _below("which cells will the mask hide?", question) == question
    assert _below("", question) == question
