"""What names a view without its run bar: the models that its picture shows, and the sentence that they read."""

from __future__ import annotations

import pytest

from pages.shared.elements import page
from pages.shared.sharing import share

TINY = {"model": "tiny-lm", "text": "The dog is hungry"}
VIEWS: dict[str, tuple[str, dict[str, str], str | None, str | None]] = {
    "the bar's": ("heads", TINY, "Tiny language model", "The dog is hungry"),
    "another, which reads the sentence": (
        "training", TINY | {"training_part": "replay", "training_of": "en-ur"},
        "English to Urdu", TINY["text"],
    ),
    "three": (
        "before_attention", TINY | {"before_attention_part": "sentence"},
        "seq2seq, Bahdanau, Transformer", TINY["text"],
    ),
    "one of pictures": ("see", TINY | {"see_model": "digits-vit"}, "Digits", None),
    "none of ours": ("training", TINY | {"training_part": "live"}, None, None),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", VIEWS)
def test_the_models_and_the_sentence_are_those_of_the_picture(name: str) -> None:
    url, link, model, sentence = VIEWS[name]
    with page.opened(url, link):
        facts = share.collect_facts()
    found = facts.get("Model")
    assert found == model if model is None or found is None else model in found
    assert facts.get("Sentence") == sentence
