"""Two readings compared: heads are matched by place, or by the nearest profile, and what changed most comes first."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from model import load, survey
from model.edits.parts import Zero
from model.errors import ModelMismatch
from model.surveys.comparison import compare
from model.surveys.reading import Reading
from tests.model.networks import small_model
from tests.model.surveys.test_survey import SENTENCES


@cache
def read(name: str) -> Reading:
    return survey(small_model(name), SENTENCES, keep=False)


def test_a_reading_and_itself_do_not_differ() -> None:
    found = compare(read("Llama"), read("Llama"))
    assert found.by_place
    assert found.texts == len(SENTENCES)
    assert len(found.matches) == 8
    for match in found.matches:
        assert (match.other_layer, match.other_head, match.change) == (match.layer, match.head, 0.0)


def test_a_head_that_looks_elsewhere_changed_most() -> None:
    """The second model does not see where tokens stand in layer 1, so its heads look evenly there."""
    whole = read("Llama")
    edited = survey(small_model("Llama"), SENTENCES, edits=[Zero("decoder.1.self_attn.q")], keep=False)
    found = compare(whole, edited)
    assert {match.layer for match in found.matches[:4]} == {1}
    assert [match.change for match in found.matches[4:]] == pytest.approx([0.0] * 4, abs=1e-5)
    for match in found.matches[:4]:
        for reading, value in ((whole, match.before), (edited, match.after)):
            means = np.nanmean(reading.measure(match.measure)[match.layer, match.head])
            assert value == pytest.approx(float(means), abs=1e-6)
    assert found.of_head(1, 2) in found.matches[:4]
    assert str(found.of_head(1, 2)).startswith("1.2 → 1.2: ")


def test_models_of_other_shapes_are_matched_by_profile() -> None:
    """A model without its second layer has the four heads of the first one, each as it was."""
    whole = read("Llama")
    tally = whole.tally()
    half = {name: values[:1] for name, values in tally.measures.items()}
    lower = replace(whole, tallies={"decoder.self_attn": replace(tally, measures=half)})
    found = compare(lower, whole)
    assert not found.by_place
    assert sorted((match.head, match.other_layer, match.other_head) for match in found.matches) == [
        (head, 0, head) for head in range(4)
    ]
    assert max(match.change for match in found.matches) == 0.0


@pytest.mark.slow
def test_a_decoder_and_an_encoder_are_compared_by_what_both_have() -> None:
    found = compare(read("one vocabulary"), read("Llama"), "decoder.cross_attn")
    assert found.measures == ("first", "strongest", "spread")
    assert (found.attention, found.other_attention) == ("decoder.cross_attn", "decoder.self_attn")
    assert len(found.matches) == 12


def test_other_texts_are_refused() -> None:
    model = small_model("Llama")
    with pytest.raises(ModelMismatch, match="different texts"):
        compare(read("Llama"), survey(model, SENTENCES[:3], keep=False))
    unread = survey(model, SENTENCES, keep=False, stop=lambda: True)
    with pytest.raises(ModelMismatch, match="no text that both"):
        compare(read("Llama"), unread)


def test_two_moments_of_a_training_are_two_models() -> None:
    first, last = (survey(load("tiny-lm", snapshot=moment), SENTENCES, keep=False) for moment in (0, 10))
    assert first != last
    assert compare(first, last).matches[0].change > 0.1
