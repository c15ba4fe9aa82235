"""The vectors of pictures and texts, and how alike they are: by hand, and what no tower can be."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from model.errors import ConfigError
from model.network.shared_space import Similarity
from model.tape import Tape
from tests.model.networks import CLIP_PICTURE, CLIP_TEXT, SIGLIP_PICTURE, config, ids, network, pixels

pytestmark = pytest.mark.usefixtures("inference")


def test_a_logit_is_the_cosine_times_the_scale_plus_the_bias() -> None:
    shape = config(
        "encoder", **{**SIGLIP_PICTURE, "image_labels": ("a", "b"), "d_model": 2, "n_heads": 1, "shared_width": 2}
    )
    similarity = Similarity(shape)
    similarity.sentences.copy_(torch.tensor([[0.6, 0.8], [1.0, 0.0]]))
    similarity.log_scale.copy_(torch.tensor([10.0]).log())
    similarity.bias.copy_(torch.tensor([-1.0]))
    torch.testing.assert_close(similarity(torch.tensor([[0.0, 1.0]])), torch.tensor([7.0, -1.0]))


@pytest.mark.parametrize("values", [CLIP_PICTURE, SIGLIP_PICTURE])
def test_the_vector_of_a_picture_has_length_1_and_gives_the_logits(values: dict[str, Any]) -> None:
    made, tape = network("encoder", **values), Tape("*")
    made(pixels(made), tape=tape)
    shared, own = tape.records["shared"], made.similarity
    assert float(shared.norm()) == pytest.approx(1, abs=1e-6)
    bias = 0 if own.bias is None else own.bias
    expected = own.log_scale.exp() * (own.sentences @ shared[0]) + bias
    torch.testing.assert_close(tape.records["image_logits"], expected)


def test_a_text_is_read_at_its_last_token_whatever_fills_up_a_batch() -> None:
    made, alone, together = network("encoder", **CLIP_TEXT), Tape("*"), Tape("*")
    text = ids(5)
    made(text, tape=alone)
    batch = torch.stack((torch.cat((text, ids(2, seed=1))), ids(7, seed=2)))
    is_real = torch.tensor([[True] * 5 + [False] * 2, [True] * 7])
    made(batch, tape=together, ids_are_real=is_real)
    torch.testing.assert_close(alone.records["pooled"], alone.records["final_norm"][-1:])
    torch.testing.assert_close(together.records["shared"][0], alone.records["shared"], atol=1e-5, rtol=1e-5)


def test_a_token_of_a_causal_tower_sees_those_before_it_alone() -> None:
    made, tape = network("encoder", **CLIP_TEXT), Tape("*.weights")
    made(ids(6), tape=tape)
    weights = tape.records["encoder.1.self_attn.weights"]
    assert (weights.triu(1) == 0).all()
    assert (weights.tril() > 0).sum() == 4 * 21


@pytest.mark.parametrize(
    ("kind", "changes", "message"),
    [
        ("decoder", {"causal": True}, "encoder-only models"),
        ("decoder", {"shared_width": 6}, "encoder-only models"),
        ("encoder", {"shared_width": -1}, "shared_width is -1"),
        ("encoder", {**SIGLIP_PICTURE, "shared_width": 6}, "shared_width is d_model"),
        ("encoder", {"pooled": "mean"}, "must be one of first, last, probe"),
        ("encoder", {"label_scores": "sigmoid"}, "image_labels or shared vectors"),
        ("encoder", {"n_registers": 2}, "are for models that read pictures"),
    ],
)
def test_what_no_tower_can_be_is_named(kind: str, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        config(kind, **changes)
