"""CLIP and SigLIP beside `transformers`, from the same tiny checkpoints: both towers, and how alike things are."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from PIL import Image
from safetensors.torch import load_file, save_file
from transformers import AutoImageProcessor, AutoTokenizer

from model.errors import DamagedWeights, ModelMismatch
from model.graph.explain import explain
from model.tape import Trace
from model.vision.model import VisionModel, load_vision
from model.zoo.file_card import facts_of
from tests.model.zoo.test_families import random_texts
from tests.model.zoo.test_vit import CLOSE, RGB
from tests.model.zoo.tiny_towers import CLIPS, SIGLIPS, make_clip, make_siglip

SENTENCES = ("a photo of a cat", "The quick brown fox.", "I am  a robot, 12!")


@torch.inference_mode()
def outputs(theirs: Any, folder: Path, model: VisionModel, **padding: Any) -> Any:
    tokens = AutoTokenizer.from_pretrained(folder)(list(SENTENCES), return_tensors="pt", **padding)
    pixels = model.preparation.prepare(RGB)[None]
    if model.config.channels == 3:  # the class of the library turns no colour into grey
        pixels = AutoImageProcessor.from_pretrained(folder)(images=Image.fromarray(RGB), return_tensors="pt")[
            "pixel_values"
        ]
    ids = {"input_ids": tokens["input_ids"]}  # SigLIP was trained without a mask, and CLIP sees nothing later
    return theirs(**ids, pixel_values=pixels, output_attentions=True, output_hidden_states=True)


def check_towers(model: VisionModel, expected: Any) -> Trace:
    """Every hidden state, every attention and every shared vector is that of `transformers`."""
    run = model.trace_picture(RGB)
    check_layers(run, expected.vision_model_output, 0)
    torch.testing.assert_close(run["shared"], expected.image_embeds, **CLOSE)
    for row, sentence in enumerate(SENTENCES):
        text = model.texts.trace(sentence)
        check_layers(text, expected.text_model_output, row)
        torch.testing.assert_close(text["shared"][0], expected.text_embeds[row], **CLOSE)
    torch.testing.assert_close(run["image_logits"], expected.logits_per_image[0], **CLOSE)
    every = model.trace_image_on_demand(model.preparation.prepare(RGB))
    torch.testing.assert_close(every["image_logits"], run["image_logits"], **CLOSE)
    return run


def check_layers(run: Trace, expected: Any, row: int) -> None:
    tokens = len(run.tokens)
    for layer, weights in enumerate(expected.attentions):
        here = f"encoder.{layer}."
        torch.testing.assert_close(run[here + "self_attn.weights"], weights[row, :, :tokens, :tokens], **CLOSE)
        torch.testing.assert_close(run[here + "resid_in"], expected.hidden_states[layer][row, :tokens], **CLOSE)


@pytest.mark.parametrize("name", CLIPS)
def test_every_number_of_a_clip_is_that_of_transformers(name: str, tmp_path: Path) -> None:
    theirs = make_clip(name, tmp_path)
    model = load_vision(str(tmp_path)).naming(SENTENCES)
    run = check_towers(model, expected := outputs(theirs, tmp_path, model, padding=True))
    torch.testing.assert_close(model.probabilities(run), expected.logits_per_image[0].softmax(-1), **CLOSE)


@pytest.mark.parametrize("name", SIGLIPS)
def test_every_number_of_a_siglip_is_that_of_transformers(name: str, tmp_path: Path) -> None:
    theirs = make_siglip(name, tmp_path)
    model = load_vision(str(tmp_path)).naming(SENTENCES)
    longest = model.texts.config.max_length
    expected = outputs(theirs, tmp_path, model, padding="max_length", max_length=longest)
    run = check_towers(model, expected)
    torch.testing.assert_close(model.probabilities(run), expected.logits_per_image[0].sigmoid(), **CLOSE)
    with torch.inference_mode():
        head, hidden = theirs.vision_model.head, run["final_norm"][None]
        probe, weights = head.attention(head.probe, hidden, hidden, average_attn_weights=False)
    torch.testing.assert_close(run["probe.cross_attn.weights"], weights[0], **CLOSE)
    torch.testing.assert_close(run["probe.cross_attn.out"], probe[0], **CLOSE)


@pytest.mark.parametrize(("name", "make"), [("clip", make_clip), ("siglip", make_siglip)])
def test_tokens_are_those_of_transformers(name: str, make: Any, tmp_path: Path) -> None:
    """Also of what `transformers` saves of the older files."""
    make(name, tmp_path / "older")
    theirs = AutoTokenizer.from_pretrained(tmp_path / "older")
    shutil.copytree(tmp_path / "older", tmp_path / "newer")
    for file in ("vocab.json", "merges.txt", "spiece.model"):
        (tmp_path / "newer" / file).unlink(missing_ok=True)
    theirs.save_pretrained(tmp_path / "newer")
    for folder in ("older", "newer"):
        ours = load_vision(str(tmp_path / folder)).texts.tokenizer
        for text in random_texts()[::5]:
            ids = [token.id for token in ours.encode(text)]
            expected = theirs(text)["input_ids"]
            assert ids[: len(expected)] == expected, text
            assert set(ids[len(expected) :]) <= {theirs.pad_token_id}


@pytest.mark.parametrize(("name", "make"), [("clip", make_clip), ("siglip", make_siglip)])
def test_every_number_of_the_answer_is_explained(name: str, make: Any, tmp_path: Path) -> None:
    make(name, tmp_path)
    model = load_vision(str(tmp_path)).naming(SENTENCES)
    run = model.trace_picture(RGB)
    for each in ("pooled", "projected", "shared", "probe.cross_attn.q", "probe.cross_attn.heads", "probe.ffn_norm"):
        if each not in run:
            continue
        index = tuple(length - 1 for length in run[each].shape)
        assert explain(run, each, index).total == pytest.approx(float(run[each][index]), abs=1e-4), each
    made = explain(run, "image_logits", (1,))
    assert made.total == pytest.approx(float(run["image_logits"][1]), abs=1e-4)
    assert "The cosine is" in made.words
    assert facts_of(model.card, load_vision(str(tmp_path)).config, model.place)[1][1].startswith("how well each")


def test_the_end_of_a_text_inside_of_it_is_refused(tmp_path: Path) -> None:
    make_clip("clip", tmp_path)
    with pytest.raises(ModelMismatch, match=r"would end at <\|endoftext\|> inside of"):
        load_vision(str(tmp_path)).naming(["a cat <|endoftext|> and more"])


def test_other_models_are_compared_with_no_sentence() -> None:
    with pytest.raises(ModelMismatch, match="no tower of texts"):
        load_vision("digits-vit").naming(["a cat"])


@pytest.mark.parametrize(
    ("make", "changes", "message"),
    [
        (make_clip, {"text_config": {"eos_token_id": 7}}, "eos_token_id = 7"),
        (make_clip, {"vision_config": {"new": 1}}, "new = 1"),
        (make_clip, {"vision_config": 3}, "not the values of a tower"),
        (make_clip, {"text_config_dict": {"hidden_size": 8}}, "vocab_size|another shape"),
        (make_siglip, {"vision_config": {"vision_use_head": False}}, "vision_use_head"),
        (make_siglip, {"text_config": {"hidden_act": "mish"}}, "mish"),
    ],
)
def test_another_configuration_is_refused(make: Any, changes: dict[str, Any], message: str, tmp_path: Path) -> None:
    make(make.__name__.removeprefix("make_"), tmp_path)
    values = json.loads((tmp_path / "config.json").read_text())
    for key, change in changes.items():
        values[key] = {**values.get(key, {}), **change} if isinstance(change, dict) else change
    (tmp_path / "config.json").write_text(json.dumps(values))
    with pytest.raises(DamagedWeights, match=message):
        load_vision(str(tmp_path))


@pytest.mark.parametrize("lost", ["text_projection.weight", "logit_scale", "vision_model.pre_layrnorm.bias"])
def test_a_missing_tensor_of_a_tower_is_named(lost: str, tmp_path: Path) -> None:
    make_clip("clip", tmp_path)
    stored = load_file(tmp_path / "model.safetensors")
    save_file({name: each for name, each in stored.items() if name != lost}, tmp_path / "model.safetensors")
    with pytest.raises(DamagedWeights, match=lost.replace(".", r"\.")):
        load_vision(str(tmp_path))
