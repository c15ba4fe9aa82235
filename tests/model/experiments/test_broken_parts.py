import pytest
import torch

from model import load
from model.edits.parts import Zero
from model.experiments.broken_parts import attention_entropy, can_be_measured, compare, sample
from model.experiments.surgery import PARTS, RemovablePart, edit_model

NAMES = ["tiny-lm", "tiny-encoder", "en-ur"]


def part(name: str) -> RemovablePart:
    return next(each for each in PARTS if each.name == name)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_without_feed_forward_every_bundled_model_is_worse(name: str) -> None:
    model = load(name)
    rows = list(compare(model, edit_model(model, [part("feed-forward")]), limit=20))
    assert len(rows) >= 2
    for row in rows:
        worse = row.without > row.whole if row.measure == "loss" else row.without <= row.whole
        assert worse, row
    assert any(row.without != row.whole for row in rows)


@pytest.mark.parametrize("name", NAMES)
def test_taking_nothing_away_changes_nothing(name: str) -> None:
    model = load(name)
    assert all(row.whole == row.without for row in compare(model, edit_model(model, []), limit=8))


def test_the_generator_leaves_gradients_on_between_two_measures() -> None:
    model = load("tiny-encoder")
    measured = compare(model, model, limit=4)
    next(measured)
    assert not torch.is_inference_mode_enabled()


def test_without_cross_attention_the_translation_is_another() -> None:
    model = load("en-ur")
    assert sample(model, "I am a robot") == "میں ایک روبوٹ ہوں"
    assert sample(edit_model(model, [part("cross-attention")]), "I am a robot") != "میں ایک روبوٹ ہوں"


def test_equal_weights_have_the_entropy_of_their_number() -> None:
    model = load("tiny-encoder")
    tokens = len(model.tokens_of("the film is good"))
    blind = edit_model(model, [], [_level()])
    values = attention_entropy(blind, "the film is good")
    assert list(values.values()) == pytest.approx([float(torch.tensor(tokens).log2())] * len(values), abs=1e-4)


def _level():
    return Zero("*.scores")


def test_only_models_trained_here_have_held_out_sentences() -> None:
    assert can_be_measured("en-ur")
    assert not can_be_measured("smollm2-135m")
