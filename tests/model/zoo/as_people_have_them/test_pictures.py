"""How pictures are prepared, beside the image processors of `transformers`, and what is refused by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image
from transformers import AutoImageProcessor

from model.errors import DamagedWeights, PictureError
from model.vision.model import VisionModel, load_vision
from model.vision.preparation import Preparation
from model.zoo.picture_files import KNOWN, PROCESSORS
from tests.model.zoo import tiny_families

SHAPES = ((32, 32), (48, 64), (301, 40), (7, 90), (33, 31), (500, 499))  # heights and widths
ENDS_AT_32 = {"do_center_crop": True, "crop_size": {"height": 32, "width": 32}}
# What a file says -> "{}" alone would take the defaults of its class, made for 224 pixels.
FILES: dict[str, dict[str, Any]] = {
    "nothing but a size": {"size": 32},
    "of old": {"feature_extractor_type": "ViTFeatureExtractor", "size": 32, "resample": 2, "do_normalize": True},
    "a list of sides": {"image_processor_type": "ViTImageProcessor", "size": [32, 32]},
    "fast": {"image_processor_type": "ViTImageProcessorFast", "size": {"height": 32, "width": 32}, "resample": 3},
    "other numbers": {"size": 32, "image_mean": [0.1, 0.2, 0.3], "image_std": [0.4, 0.5, 0.6]},
    "one number for all": {"size": 32, "image_mean": 0.3, "image_std": 0.2},
    "not rescaled": {"size": 32, "do_rescale": False, "image_mean": [127.5] * 3, "image_std": [127.5] * 3},
    "not normalised": {"size": 32, "do_normalize": False},
    "neither": {"size": 32, "do_normalize": False, "do_rescale": False},
    "rescaled to another range": {"size": 32, "rescale_factor": 1 / 127.5, "image_mean": 1.0, "image_std": 1.0},
    "nearest": {"size": 32, "resample": 0},
    "Lanczos": {"size": 32, "resample": 1},
    "box": {"size": 32, "resample": 4},
    "Hamming": {"size": 32, "resample": 5},
    "shorter side, cropped": {"size": {"shortest_edge": 40}, **ENDS_AT_32},
    "shorter and longer side, cropped": {"size": {"shortest_edge": 40, "longest_edge": 60}, **ENDS_AT_32},
    "cropped alone": {"do_resize": False, **ENDS_AT_32},
    "made smaller than its crop": {"size": {"shortest_edge": 17}, **ENDS_AT_32},
    "a number for the shorter side": {"size": 40, "default_to_square": False, **ENDS_AT_32},
    "DeiT": {"image_processor_type": "DeiTImageProcessor", "size": 37, "crop_size": 32},
    "DeiT of old": {"feature_extractor_type": "DeiTFeatureExtractor", "size": 40, "crop_size": 32, "resample": 3},
    "DeiT, not cropped": {"image_processor_type": "DeiTImageProcessor", "size": 32, "do_center_crop": False},
    "BiT": {"image_processor_type": "BitImageProcessor", "size": {"shortest_edge": 37}, "crop_size": 32},
    "BiT, one number": {"image_processor_type": "BitImageProcessor", "size": 37, "crop_size": [32, 32]},
    "CLIP": {"image_processor_type": "CLIPImageProcessor", "size": 33, "crop_size": 32, "do_convert_rgb": True},
    "SigLIP": {"image_processor_type": "SiglipImageProcessor", "size": {"height": 32, "width": 32}},
    "BEiT": {"image_processor_type": "BeitImageProcessor", "size": 32, "do_center_crop": False},
    "ConvNeXt": {"image_processor_type": "ConvNextImageProcessor", "size": {"shortest_edge": 32}},
    "ConvNeXt, cropped less": {"image_processor_type": "ConvNextImageProcessor", "size": 32, "crop_pct": 0.95},
    "not of its class": {"size": 32, "crop_pct": 0.5, "max_size": 40, "do_pad": None, "processor_class": None},
}


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("vit")
    tiny_families.make_vision("vit", folder)
    return folder


def opened(checkpoint: Path, folder: Path, said: dict[str, Any], name: str = "preprocessor_config.json") -> VisionModel:
    """The same weights beside another file."""
    for each in ("config.json", "model.safetensors"):
        if not (folder / each).exists():
            (folder / each).symlink_to(checkpoint / each)
    (folder / name).write_text(json.dumps(said))
    return load_vision(str(folder))


def picture(height: int, width: int) -> np.ndarray:
    return np.random.default_rng(height * width).integers(0, 256, (height, width, 3), dtype=np.uint8)


def is_as_theirs(model: VisionModel, folder: Path) -> None:
    theirs = AutoImageProcessor.from_pretrained(folder)
    for shape in SHAPES:
        expected = theirs(images=Image.fromarray(picture(*shape)), return_tensors="pt")["pixel_values"][0]
        torch.testing.assert_close(model.preparation.prepare(picture(*shape)), expected.float(), atol=2e-6, rtol=1e-6)


@pytest.mark.parametrize("name", FILES)
def test_pixels_are_those_of_transformers(name: str, checkpoint: Path, tmp_path: Path) -> None:
    is_as_theirs(opened(checkpoint, tmp_path, FILES[name]), tmp_path)


def test_a_preparation_inside_of_a_processor_comes_first(checkpoint: Path, tmp_path: Path) -> None:
    nested = {"image_processor": {"image_processor_type": "ViTImageProcessor", "size": 32, "resample": 0}}
    (tmp_path / "processor_config.json").write_text(json.dumps(nested | {"processor_class": "Processor"}))
    model = opened(checkpoint, tmp_path, {"size": 64})
    assert model.preparation.resampling == 0
    is_as_theirs(model, tmp_path)
    (tmp_path / "preprocessor_config.json").unlink()
    assert load_vision(str(tmp_path)).preparation == model.preparation


@pytest.mark.parametrize("name", ["vit", "deit", "dinov2"])
def test_a_file_that_says_nothing_takes_the_class_of_its_model(name: str, tmp_path: Path) -> None:
    changes = {"image_size": 224, "patch_size": 56}
    tiny_families.make_vision(name, tmp_path, "Model", changes)
    (tmp_path / "preprocessor_config.json").write_text("{}")
    model, theirs = load_vision(str(tmp_path)), AutoImageProcessor.from_pretrained(tmp_path)
    for shape in ((240, 320), (90, 500)):
        expected = theirs(images=Image.fromarray(picture(*shape)), return_tensors="pt")["pixel_values"][0]
        torch.testing.assert_close(model.preparation.prepare(picture(*shape)), expected, atol=2e-6, rtol=1e-6)


def test_the_defaults_of_each_class_are_those_of_transformers() -> None:
    import transformers

    for name, ours in PROCESSORS.items():
        theirs = getattr(transformers, f"{name}ImageProcessorPil")
        assert (theirs.size, theirs.resample) == (ours.size, ours.resample)
        assert [list(theirs.image_mean), list(theirs.image_std)] == [ours.mean, ours.std]
        assert bool(getattr(theirs, "do_center_crop", False)) == ours.crops
        assert theirs.default_to_square == ours.to_square
        assert getattr(theirs, "crop_pct", 0.0) == ours.crop_share
        assert set(theirs.valid_kwargs.__annotations__) <= KNOWN.keys, "a key without a list"


@pytest.mark.parametrize("said", [{"image_size": [32, 32], "patch_size": [8, 8]}, {"image_size": [32, 32]}])
def test_sides_may_be_lists(said: dict[str, Any], checkpoint: Path, tmp_path: Path) -> None:
    values = json.loads((checkpoint / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(values | said))
    assert opened(checkpoint, tmp_path, {"size": 32}).config.image_size == 32


@pytest.mark.parametrize("said", [{"image_size": [32, 64]}, {"patch_size": [8, 4]}, {"image_size": [32]}])
def test_other_sides_are_refused_by_name(said: dict[str, Any], checkpoint: Path, tmp_path: Path) -> None:
    values = json.loads((checkpoint / "config.json").read_text())
    (tmp_path / "config.json").write_text(json.dumps(values | said))
    with pytest.raises(DamagedWeights, match=rf"has {next(iter(said))} = \[.+Only square pictures in square patches"):
        opened(checkpoint, tmp_path, {"size": 32})


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"size": 64}, "makes pictures of 64 x 64 pixels, and the network reads 32 x 32"),
        ({}, "makes pictures of 224 x 224"),
        ({"size": {"height": 32, "width": 16}}, "makes pictures of 32 x 16"),
        ({"size": 64, **ENDS_AT_32, "crop_size": 48}, "makes pictures of 48 x 48"),
        ({"size": {"longest_edge": 32}}, "a size that is not read: it has longest_edge"),
        ({"size": {"max_height": 32, "max_width": 32}}, "a size that is not read: it has max_height"),
        ({"size": 0}, "a size that is not read"),
        ({"size": 10**9, **ENDS_AT_32}, "a size that is not read"),
        ({"size": 32, **ENDS_AT_32, "crop_size": {"shortest_edge": 32}}, "crops to a size without height"),
        ({"size": 32, "do_pad": True}, "do_pad = true. With it, black bars"),
        ({"size": 32, "sharpen": 2}, "has sharpen = 2"),
        (
            {"size": 32, "image_processor_type": "SwinOfSomebodyImageProcessor"},
            "SwinOfSomebodyImageProcessor, which is",
        ),
        ({"size": 32, "image_mean": [0.5]}, "does not say how to prepare"),
        ({"size": 32, "resample": 77}, "does not say how to prepare"),
        ({"size": 32, "rescale_factor": "much"}, "does not say how to prepare"),
    ],
)
def test_another_preparation_is_refused(said: dict[str, Any], message: str, checkpoint: Path, tmp_path: Path) -> None:
    with pytest.raises(DamagedWeights, match=message):
        assert opened(checkpoint, tmp_path, said).preparation is None


def test_a_missing_preparation_is_named(checkpoint: Path, tmp_path: Path) -> None:
    opened(checkpoint, tmp_path, {"size": 32})
    (tmp_path / "preprocessor_config.json").unlink()
    with pytest.raises(DamagedWeights, match=r"has no preprocessor_config\.json"):
        load_vision(str(tmp_path))


@pytest.mark.parametrize("said", [{"size": {"shortest_edge": 32}}, {"do_resize": False}])
def test_a_picture_that_the_files_make_no_square_of_is_refused(
    said: dict[str, Any], checkpoint: Path, tmp_path: Path
) -> None:
    """Of these, `transformers` makes pixels that its network refuses. A square of the right size is read."""
    preparation = opened(checkpoint, tmp_path, said).preparation
    assert preparation.prepare(picture(32, 32)).shape == (3, 32, 32)
    with pytest.raises(PictureError, match=r"makes \d+ x \d+ pixels of this picture, and it reads 32 x 32"):
        preparation.prepare(picture(48, 64))
    assert preparation.reading("crop").prepare(picture(48, 64)).shape == (3, 32, 32)


def test_a_long_and_narrow_picture_takes_no_memory() -> None:
    steps = (("shorten", 4096, 0), ("crop", 32, 32))
    with pytest.raises(PictureError, match="too long and narrow"):
        Preparation(32, (0.5,) * 3, (0.5,) * 3, "steps", 2, steps=steps).prepare(picture(1, 672))
