import math
from collections.abc import Sequence

import pytest
import torch

from model import Model, replace
from model.analysis.head_steps import Attention, keep_for_one
from model.analysis.mask_effect import MaskEffect, mask_effect
from model.network.masks import hide

HEAD = 2


def test_the_effect_by_hand() -> None:
    visible = torch.tensor([[True, False], [False, False], [True, True]])
    scores = torch.tensor([[1.0, 3.0], [0.0, 0.0], [2.0, 5.0]])
    masked = torch.tensor([[1.0, -math.inf], [-math.inf, -math.inf], [2.0, 4.5]])
    without = torch.tensor([[0.25, 0.75], [0.5, 0.5], [0.5, 0.5]])
    effect = MaskEffect(visible, scores, masked, without, without * visible)
    assert effect.weight_on_hidden == pytest.approx((0.75 + 1 + 0) / 3)
    assert effect.hidden_rows == [1]
    assert effect.score_change == 0.5


def test_a_mask_that_hides_everything_changes_no_visible_score() -> None:
    zeros = torch.zeros(2, 2)
    effect = MaskEffect(zeros.bool(), zeros, zeros - math.inf, zeros + 0.5, zeros)
    assert effect.hidden_rows == [0, 1]
    assert effect.score_change == 0
    assert effect.weight_on_hidden == 1


def test_the_effect_has_the_tensors_of_both_runs(minilm: Model) -> None:
    at = Attention("encoder", 3, "self_attn")
    keep, length = f"{at.path}.*", len(minilm.tokens_of("I am a robot"))
    visible = torch.ones(length, length).tril().bool()
    without, with_mask = (
        minilm.trace("I am a robot", keep=keep, edits=[replace(f"{at.path}.mask", hide(mask))])
        for mask in (visible | True, visible)
    )
    effect = mask_effect(minilm.config, without, with_mask, at, HEAD, visible)
    torch.testing.assert_close(effect.masked, effect.scores + hide(visible))
    torch.testing.assert_close(effect.weights_without, effect.scores.softmax(-1))
    torch.testing.assert_close(effect.weights_with, effect.masked.softmax(-1))
    assert effect.score_change == 0, "the layers below ran alike"
    assert effect.weight_on_hidden > 0


def test_without_recorded_weights_they_are_made_of_the_scores(minilm: Model) -> None:
    """A row with nothing visible has weights 0 here too."""
    at, words = Attention("encoder", 3, "self_attn"), "I am a robot"
    length = len(minilm.tokens_of(words))
    visible = torch.ones(length, length).tril().bool()
    visible[2] = False

    def effect(keep: Sequence[str]) -> MaskEffect:
        edits = (replace(f"{at.path}.mask", hide(mask)) for mask in (visible | True, visible))
        without, with_mask = (minilm.trace(words, keep=keep, edits=[edit]) for edit in edits)
        return mask_effect(minilm.config, without, with_mask, at, HEAD, visible)

    names = keep_for_one(minilm.config, at)
    recorded, made = effect(names), effect([name for name in names if not name.endswith(".weights")])
    torch.testing.assert_close(made.weights_without, recorded.weights_without, atol=1e-6, rtol=0)
    torch.testing.assert_close(made.weights_with, recorded.weights_with, atol=1e-6, rtol=0)
    assert (made.weights_with[~visible] == 0).all()
