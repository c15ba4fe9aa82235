from __future__ import annotations

import pytest

from model import load
from pages.shared.second_sentence import find_example
from pages.shared.traces import Run

SENTENCE = "The dog is here"


@pytest.mark.parametrize("name", ["tiny-lm", "minilm-l6", "en-ur"])
def test_an_example_has_as_many_tokens(name: str) -> None:
    model = load(name)
    count = len(model.tokens_of(SENTENCE))
    example = find_example(Run(name, SENTENCE, None, model, None), count)  # type: ignore[arg-type]
    assert example != SENTENCE
    assert not example or len(model.tokens_of(example)) == count
