from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from model import GlassformerError, available, load
from model.edits.patches import blank_patches, shuffle_patches, without_positions
from model.errors import EditError, ModelMismatch, UnknownModel
from model.names import describe
from model.network.saliency_head import SaliencyHead
from model.vision.digits import held_out
from model.vision.model import (
    VisionModel,
    load_vision,
    random_order,
)
from model.zoo import cards
from tests.model.test_names import sizes

VISION = [card.name for card in available("vision")]


@pytest.fixture(scope="module")
def digits() -> VisionModel:
    return load_vision("digits-vit")


@pytest.fixture(scope="module")
def pixels(digits: VisionModel) -> torch.Tensor:
    return digits.preparation.prepare(picture(7))


def picture(digit: int) -> np.ndarray:
    pictures, labels = held_out()
    return np.repeat(pictures[labels == digit][0][..., None], 3, axis=-1)


def test_the_vision_models_are_a_list_of_their_own() -> None:
    assert VISION == ["dinov2-s", "digits-vit", "digits-vit-nopos"]
    assert not {*VISION} & {card.name for card in available()}
    assert {card.kind for card in available()} == {"encoder", "decoder", "encoder-decoder"}


@pytest.mark.parametrize("name", VISION)
def test_a_vision_model_is_not_opened_as_one_of_text(name: str) -> None:
    with pytest.raises(ModelMismatch, match=r"is a vision model, .* Choose one of: smollm2-135m"):
        load(name)


def test_nor_the_other_way() -> None:
    with pytest.raises(ModelMismatch, match=r"is a decoder model.*Choose one of: dinov2-s, digits-vit"):
        load_vision("tiny-lm")
    with pytest.raises(UnknownModel, match="Choose one of: dinov2-s, digits-vit"):
        load_vision("vit-huge")


@pytest.mark.parametrize("name", VISION)
def test_every_tensor_has_its_entry_and_its_axes(name: str) -> None:
    model = load_vision(name)
    trace = model.trace_picture(picture(3))
    for path, tensor in trace.tensors.items():
        assert list(tensor.shape) == [sizes(model.config, path)[axis] for axis in describe(path).axes], path
    assert ("embed.positions" in trace) == (model.config.positions == "learned")


@pytest.mark.parametrize("name", VISION)
def test_the_card_says_what_the_model_is(name: str) -> None:
    model = load_vision(name)
    card, config = model.card, model.config
    assert card.parameters == sum(weights.numel() for weights in model.network.parameters())
    assert (card.layers, card.heads) == (str(config.n_encoder_layers), config.n_heads)
    assert (card.positions, card.max_length) == (config.positions, 1 + config.n_patches)
    assert len(model.preparation.mean) == len(model.preparation.std) == config.channels
    assert card.licence
    assert card.source


def test_tokens_are_the_class_token_and_the_patches_row_by_row(digits: VisionModel) -> None:
    tokens = digits.tokens()
    assert [token.text for token in tokens[:9]] == ["[CLS]", *(f"r1 c{n}" for n in range(1, 8)), "r2 c1"]
    assert len(tokens) == 50
    assert [token.special for token in tokens] == [True] + [False] * 49


@pytest.mark.parametrize("digit", range(10))
def test_digits_are_named(digits: VisionModel, digit: int) -> None:
    chances = digits.probabilities(digits.trace_picture(picture(digit), keep="image_logits"))
    assert int(chances.argmax()) == digit
    assert float(chances.sum()) == pytest.approx(1, abs=1e-5)


def test_keep_decides_what_is_recorded(digits: VisionModel, pixels: torch.Tensor) -> None:
    trace = digits.trace_image(pixels, keep=("encoder.2.self_attn.weights", "image_logits"))
    assert set(trace.tensors) == {"encoder.2.self_attn.weights", "image_logits"}
    whole = digits.trace_image(pixels)
    torch.testing.assert_close(trace["image_logits"], whole["image_logits"], atol=1e-4, rtol=0)


def run(model: VisionModel, pixels: torch.Tensor, *edits: Any) -> Any:
    return model.trace_image(pixels, edits=edits)


def test_shuffling_moves_patches_but_not_positions(digits: VisionModel, pixels: torch.Tensor) -> None:
    order = torch.randperm(49, generator=torch.Generator().manual_seed(1)).tolist()
    plain, mixed = run(digits, pixels), run(digits, pixels, shuffle_patches(order))
    assert torch.equal(mixed["embed.patches"], plain["embed.patches"][order])
    assert torch.equal(mixed["embed.positions"], plain["embed.positions"])
    assert not torch.allclose(mixed["image_logits"], plain["image_logits"], atol=0.1)


def test_without_positions_a_shuffled_picture_is_the_same_to_the_model(pixels: torch.Tensor) -> None:
    order = torch.randperm(49, generator=torch.Generator().manual_seed(1)).tolist()
    places = [0, *(1 + place for place in order)]
    for name, edits in (("digits-vit", [without_positions()]), ("digits-vit-nopos", [])):
        model = load_vision(name)
        plain, mixed = run(model, pixels, *edits), run(model, pixels, *edits, shuffle_patches(order))
        torch.testing.assert_close(mixed["image_logits"], plain["image_logits"], atol=1e-5, rtol=1e-5)
        torch.testing.assert_close(mixed["final_norm"], plain["final_norm"][places], atol=1e-5, rtol=1e-5)


def test_blank_patches_hold_one_value(digits: VisionModel, pixels: torch.Tensor) -> None:
    plain, blank = run(digits, pixels), run(digits, pixels, blank_patches([24, 3], -0.5))
    changed = (blank["embed.patches"] != plain["embed.patches"]).any(-1).nonzero()[:, 0].tolist()
    assert changed == [3, 24]
    assert (blank["embed.patches"][[3, 24]] == -0.5).all()


def test_an_edit_leaves_the_pixels_as_they_are(digits: VisionModel, pixels: torch.Tensor) -> None:
    before = pixels.clone()
    run(digits, pixels, blank_patches(range(49)))
    assert torch.equal(pixels, before)


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (shuffle_patches([0] * 49), "names each of the 49 patches once"),
        (shuffle_patches(range(48)), "names each of the 49 patches once"),
        (blank_patches([49]), "patches 0 to 48"),
        (blank_patches([-1]), "patches 0 to 48"),
    ],
)
def test_edits_that_cannot_be_are_refused(digits: VisionModel, pixels: torch.Tensor, edit: Any, message: str) -> None:
    with pytest.raises(EditError, match=message):
        run(digits, pixels, edit)


def test_a_model_without_positions_has_none_to_take_away(pixels: torch.Tensor) -> None:
    bare = load_vision("digits-vit-nopos")
    assert bare.position_table is None
    with pytest.raises(EditError, match=r"No tensor of this run is called embed\.positions"):
        run(bare, pixels, without_positions())


def test_the_projection_as_pictures(digits: VisionModel) -> None:
    assert digits.patches.filters.shape == (64, 1, 4, 4)
    assert digits.position_table is not None
    assert digits.position_table.shape == (50, 64)


def test_a_damaged_file_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    values = replace(cards.card("digits-vit", "vision"), sha256="0" * 64)
    monkeypatch.setattr(cards, "card", lambda *_: values)
    with pytest.raises(GlassformerError, match="damaged or is another file"):
        load_vision("digits-vit")


def test_the_saliency_head_doubles_the_grid_at_each_step() -> None:
    head = SaliencyHead(widths=(6, 4, 2), size=40).eval()
    drawn = head(torch.randn(25, 6, generator=torch.Generator().manual_seed(0)))
    assert drawn.shape == (40, 40)
    assert 0 <= float(drawn.min()) <= float(drawn.max()) <= 1
    step = head.steps[0](torch.zeros(1, 6, 5, 5))
    assert step.shape == (1, 4, 10, 10)


def test_a_random_order_is_a_permutation_of_its_seed() -> None:
    assert sorted(random_order(49, 3)) == list(range(49))
    assert random_order(49, 3) == random_order(49, 3) != random_order(49, 4)
