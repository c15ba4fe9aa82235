"""ViT and DINOv2 beside `transformers`, from the same tiny checkpoints, and their pictures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from model.errors import DamagedWeights, ModelMismatch
from model.graph.explain import explain
from model.loading import load, read_checkpoint
from model.vision.model import load_vision
from model.zoo.opening import open_checkpoint
from tests.model.zoo import tiny_families
from tests.model.zoo.tiny_families import VISION

CLOSE = {"atol": 1e-4, "rtol": 1e-4}
RGB = np.random.default_rng(0).integers(0, 256, (48, 64, 3), dtype=np.uint8)


@pytest.mark.parametrize("head", ["Model", "ForImageClassification"])
@pytest.mark.parametrize("name", VISION)
def test_every_number_is_that_of_transformers(name: str, head: str, tmp_path: Path) -> None:
    theirs = tiny_families.make_vision(name, tmp_path, head)
    model = load_vision(str(tmp_path))
    pixels = model.preparation.prepare(RGB)
    trace = model.trace_image(pixels)
    with torch.inference_mode():
        expected = theirs(pixel_values=pixels[None], output_attentions=True, output_hidden_states=True)
    for layer in range(3):
        here = f"encoder.{layer}."
        torch.testing.assert_close(trace[here + "self_attn.weights"], expected.attentions[layer][0], **CLOSE)
        torch.testing.assert_close(trace[here + "resid_in"], expected.hidden_states[layer][0], **CLOSE)
    if head == "Model":
        torch.testing.assert_close(trace["final_norm"], expected.last_hidden_state[0], **CLOSE)
        assert model.config.image_labels == ()
    elif name.startswith(("dinov2", "registers")):
        assert model.config.image_labels == ()  # its classifier reads the patches too
    else:
        assert model.config.image_labels == tuple(tiny_families.LABELS.values())
        torch.testing.assert_close(trace["image_logits"], expected.logits[0], **CLOSE)


def test_both_heads_of_a_deit_are_those_of_transformers(tmp_path: Path) -> None:
    theirs = tiny_families.make_vision("deit", tmp_path, "ForImageClassificationWithTeacher")
    model = load_vision(str(tmp_path))
    pixels = model.preparation.prepare(RGB)
    trace = model.trace_image(pixels)
    with torch.inference_mode():
        expected = theirs(pixel_values=pixels[None], output_attentions=True, output_hidden_states=True)
    for layer in range(3):
        torch.testing.assert_close(trace[f"encoder.{layer}.self_attn.weights"], expected.attentions[layer][0], **CLOSE)
        torch.testing.assert_close(trace[f"encoder.{layer}.resid_in"], expected.hidden_states[layer][0], **CLOSE)
    torch.testing.assert_close(trace["class_logits"], expected.cls_logits[0], **CLOSE)
    torch.testing.assert_close(trace["distillation_logits"], expected.distillation_logits[0], **CLOSE)
    torch.testing.assert_close(trace["image_logits"], expected.logits[0], **CLOSE)
    assert not torch.allclose(expected.cls_logits, expected.distillation_logits, atol=1e-2)
    assert [token.text for token in trace.tokens[:3]] == ["[CLS]", "[DIST]", "r1 c1"]


def test_every_cell_behind_the_two_tokens_of_a_deit_is_explained(tmp_path: Path) -> None:
    tiny_families.make_vision("deit", tmp_path, "ForImageClassificationWithTeacher")
    model = load_vision(str(tmp_path))
    run = model.trace_picture(RGB)
    names = ("class_logits", "distillation_logits", "image_logits")
    for name, *index in (*((name, 3) for name in names), *(("embed.tokens", token, 5) for token in (0, 1, 2, 17))):
        made = explain(run, name, tuple(index))
        assert made.total == pytest.approx(float(run[name][tuple(index)]), abs=1e-4)
    assert run["embed.tokens"].shape == (18, 32)
    every = model.trace_image_on_demand(model.preparation.prepare(RGB))
    torch.testing.assert_close(every["image_logits"], run["image_logits"], **CLOSE)


@pytest.mark.parametrize("lost", ["deit.embeddings.distillation_token", "distillation_classifier.bias"])
def test_a_missing_part_of_a_deit_is_named(lost: str, tmp_path: Path) -> None:
    tiny_families.make_vision("deit", tmp_path, "ForImageClassificationWithTeacher")
    stored = load_file(tmp_path / "model.safetensors")
    ours = {"deit.embeddings.distillation_token": "distillation_token", "distillation_classifier.bias": "head.bias"}
    save_file({name: each for name, each in stored.items() if name != lost}, tmp_path / "model.safetensors")
    with pytest.raises(DamagedWeights, match=ours[lost]):
        load_vision(str(tmp_path))


def test_a_third_head_of_a_deit_is_left_over(tmp_path: Path) -> None:
    tiny_families.make_vision("deit", tmp_path, "ForImageClassificationWithTeacher")
    stored = load_file(tmp_path / "model.safetensors")
    again = {"classifier.weight": stored["cls_classifier.weight"].clone()}
    save_file(stored | again, tmp_path / "model.safetensors")
    with pytest.raises(DamagedWeights, match=r"classifier\.weight"):
        load_vision(str(tmp_path))


def test_a_deit_that_paints_hidden_patches_is_refused_by_the_name_of_its_decoder(tmp_path: Path) -> None:
    tiny_families.make_vision("deit", tmp_path, "ForMaskedImageModeling")
    with pytest.raises(DamagedWeights, match=r"does not know: decoder\.0"):
        load_vision(str(tmp_path))


def test_the_file_of_a_picture_model_has_a_card(tmp_path: Path) -> None:
    tiny_families.make_vision("vit", tmp_path / "vit")
    card = load_vision(str(tmp_path / "vit")).card
    assert (card.kind, card.heads, card.max_length, card.layers) == ("vision", 4, 17, "3")
    assert card.parameters == open_checkpoint(tmp_path / "vit").nbytes // 4


def test_a_model_of_another_kind_is_told_apart(tmp_path: Path) -> None:
    tiny_families.make_vision("vit", tmp_path / "vit")
    tiny_families.make("gpt2", tmp_path / "gpt2")
    with pytest.raises(ModelMismatch, match="reads pictures"):
        load(str(tmp_path / "vit"))
    with pytest.raises(ModelMismatch, match="reads text"):
        load_vision(str(tmp_path / "gpt2"))


def change(path: Path, **changes: Any) -> None:
    values = json.loads(path.read_text()) | changes
    path.write_text(json.dumps({name: value for name, value in values.items() if value is not None}))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"image_size": [32, 64]}, "Only square pictures"),
        ({"patch_size": 0}, "Only square pictures"),
        ({"patch_size": 5}, "does not divide"),
        ({"image_size": 2**20}, "max_length"),
        ({"image_size": 64}, "another shape"),
        ({"id2label": {"0": "a"}}, "another shape"),
        ({"id2label": {"1": "a"}}, "another shape than the configuration says"),
        ({"num_hidden_layers": 10**6}, "layers, but the file has"),
        ({"hidden_act": "mish"}, "is none of"),
    ],
)
def test_another_configuration_is_refused(changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    tiny_families.make_vision("vit", tmp_path)
    change(tmp_path / "config.json", **changes)
    with pytest.raises(DamagedWeights, match=message):
        load_vision(str(tmp_path))


def test_registers_are_tokens_between_the_class_token_and_the_patches(tmp_path: Path) -> None:
    tiny_families.make_vision("registers, gated", tmp_path, "Model")
    model = load_vision(str(tmp_path))
    assert (model.config.gated, model.config.activation, model.config.d_ff) == (True, "silu", 48)
    names = [token.text for token in model.tokens()[:6]]
    assert names == ["[CLS]", "[REGISTER 1]", "[REGISTER 2]", "[REGISTER 3]", "r1 c1", "r1 c2"]
    run = model.trace_picture(RGB)
    stored = load_file(tmp_path / "model.safetensors")["embeddings.register_tokens"]
    assert torch.equal(run["embed.out"][1:4], stored[0]), "a register has no position"
    for name, *index in (("embed.tokens", 2, 5), ("embed.out", 3, 1), ("encoder.1.ffn.up", 2, 7)):
        made = explain(run, name, tuple(index))
        assert made.total == pytest.approx(float(run[name][tuple(index)]), abs=1e-4)
    assert "register 2, which is learnt" in explain(run, "embed.tokens", (2, 5)).words


def test_a_dinov2_that_says_it_has_registers_is_refused(tmp_path: Path) -> None:
    tiny_families.make_vision("dinov2", tmp_path)
    change(tmp_path / "config.json", num_register_tokens=4)
    with pytest.raises(DamagedWeights, match="num_register_tokens"):
        load_vision(str(tmp_path))


def test_missing_and_left_over_tensors_are_named(tmp_path: Path) -> None:
    tiny_families.make_vision("vit", tmp_path)
    stored = load_file(tmp_path / "model.safetensors")
    save_file({**stored, "vit.extra": torch.ones(2)}, tmp_path / "model.safetensors")
    with pytest.raises(DamagedWeights, match="does not know: extra"):
        load_vision(str(tmp_path))
    del stored["classifier.weight"]
    save_file(stored, tmp_path / "model.safetensors")
    with pytest.raises(DamagedWeights, match=r"lacks .*image_head\.weight"):
        open_checkpoint(tmp_path)


def test_text_models_are_still_text(tmp_path: Path) -> None:
    tiny_families.make_encoder("bert", tmp_path)
    assert read_checkpoint(tmp_path).card.kind == "encoder"
