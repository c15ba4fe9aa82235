from __future__ import annotations

import pytest

from model import Model, load
from model.analysis.asked_place import asked_place
from model.loading import read_checkpoint
from tests.model.zoo import tiny_readers

TEXT = "The food is not good"


@pytest.fixture(scope="module")
def masked(tmp_path_factory: pytest.TempPathFactory) -> Model:
    folder = tmp_path_factory.mktemp("masked")
    tiny_readers.make("masked bert", folder)
    return read_checkpoint(folder)


def place(model: Model, text: str, chosen: int = -1) -> int:
    return asked_place(model, model.trace(text, keep=()), chosen)


def test_a_decoder_is_asked_what_follows_the_last_token_or_the_chosen_one() -> None:
    model = load("tiny-lm")
    assert place(model, TEXT) == len(model.tokens_of(TEXT)) - 1
    assert place(model, TEXT, 2) == 2


def test_a_translation_is_asked_for_its_last_word_and_not_for_its_end() -> None:
    model = load("en-ur")
    trace = model.trace("I am a robot", keep="logits")
    written = [int(logits.argmax()) for logits in trace.logits]
    assert written[-1] == model.output_tokenizer.end
    assert written[asked_place(model, trace)] == trace.tokens[-1].id


def test_a_class_is_read_off_the_first_token() -> None:
    model = load("tiny-encoder")
    assert (place(model, TEXT), place(model, TEXT, 3)) == (0, 0)


@pytest.mark.parametrize(
    ("text", "chosen", "expected"),
    [
        ("The weather is cool", -1, 4),  # the last word, not the mark behind it
        ("The weather is cool", 2, 2),
        ("The [MASK] is cool", -1, 2),
        ("The [MASK] is [MASK]", 4, 4),
        ("The [MASK] is [MASK]", 3, 2),  # no mask is there
    ],
)
def test_an_encoder_is_asked_for_a_mask_or_the_last_word(masked: Model, text: str, chosen: int, expected: int) -> None:
    assert place(masked, text, chosen) == expected


def test_without_a_word_it_is_the_last_token(masked: Model) -> None:
    start, *_, end = masked.tokens_of(TEXT)
    trace = masked.trace_tokens((start, end), keep=())
    assert asked_place(masked, trace) == 1
