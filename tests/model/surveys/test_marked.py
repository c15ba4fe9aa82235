"""A head is asked whether it looks at the words that a reader has marked."""

from __future__ import annotations

import pytest

from model import survey
from model.surveys.reading import Reading
from model.surveys.rules import Marked
from model.texts.collection import Collection, Text
from model.texts.marks import take_marks
from tests.model.networks import small_model

TEXTS = take_marks(Collection("two", (Text("the [[dog is]] here", 1), Text("I am a robot", 2), Text("a [[cat]]", 3))))


def read(name: str, begun: Reading | None = None) -> Reading:
    return survey(small_model(name), TEXTS, rules=[Marked()], begun=begun, keep=False)


def test_the_share_is_that_of_the_marked_tokens() -> None:
    model = small_model("Llama")
    reading = read("Llama")
    score = reading.score(Marked(), 1, 1)
    words = [token.text.strip() for token in model.tokens_of("the dog is here")]
    begin, end = words.index("dog"), words.index("is")
    weights = model.trace("the dog is here", keep="*.weights")["decoder.1.self_attn.weights"][1]
    explained = sum(weights[query, begin : min(query, end + 1)].sum() for query in range(begin + 1, len(words)))
    queries = reading.tally().rules.queries[1, 0]
    assert score.asked == len(words) - begin - 1, "the last word of the third text is marked, and no query is later"
    assert score.share == pytest.approx(float(explained) / queries)


def test_a_translation_has_no_marks() -> None:
    reading = read("one vocabulary")
    assert reading.score(Marked(), 0, 0, "encoder.self_attn").asked > 0
    assert reading.score(Marked(), 0, 0, "decoder.self_attn").asked == 0


def test_a_survey_that_goes_on_has_the_marks() -> None:
    model = small_model("Llama")
    stop = iter([False] * len(TEXTS.texts) + [True])
    begun = survey(model, TEXTS, rules=[Marked()], keep=False, stop=lambda: next(stop))
    begun.read[1] = True  # only one text is left, of those that have marks
    assert read("Llama", begun).score(Marked(), 1, 1).asked == read("Llama").score(Marked(), 1, 1).asked
