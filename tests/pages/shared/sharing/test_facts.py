"""What names a view without its run bar: the models that its picture shows, and the sentence that they read."""

from __future__ import annotations

from typing import Any

import pytest

from pages.shared.sharing import share
from tests.pages.conftest import run_page

SESSION = "test session id"  # what AppTest calls its session
TINY = {"model": "tiny-lm", "text": "The dog is hungry"}
VIEWS: dict[str, tuple[str, dict[str, Any], str | None, str | None]] = {
    "the bar's": ("attention/heads.py", TINY, "Tiny language model", "The dog is hungry"),
    "another, which reads the sentence": (
        "learning/training.py", TINY | {"training_part": "replay", "training_of": "en-ur"},
        "English to Urdu", TINY["text"],
    ),
    "three": (
        "learning/before_attention.py", TINY | {"before_attention_part": "sentence"},
        "seq2seq, Bahdanau, Transformer", TINY["text"],
    ),
    "one of pictures": ("models/see.py", TINY | {"see_model": "digits-vit"}, "Digits", None),
    "none of ours": ("learning/training.py", TINY | {"training_part": "live"}, None, None),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", VIEWS)
def test_the_models_and_the_sentence_are_those_of_the_picture(name: str) -> None:
    page, values, model, sentence = VIEWS[name]
    with share.collect_views(SESSION) as views:
        run_page(page, **values)
    facts = views[-1].facts
    found = facts.get("Model")
    assert found == model if model is None or found is None else model in found
    assert facts.get("Sentence") == sentence
