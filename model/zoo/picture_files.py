"""How a checkpoint of the hub prepares its pictures: `preprocessor_config.json`, as the image processors read it.

Each class of image processor of `transformers` has its own defaults, and sizes in its own way. Here a class is a value,
and what it does with a picture becomes a list of steps (`model.vision.preparation`), with the rule of
`model.zoo.values.known_values` for each key. The steps give the pixels of the classes that compute with PIL. Those that
compute with torchvision, the "Fast" ones of old, round a resized pixel to the next value of 0..255 at most.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.config import TransformerConfig
from model.errors import DamagedWeights
from model.zoo.files import build_from, read_object
from model.zoo.values.known_values import KnownValues, Only, check_values

PREPARATION, NESTED = "preprocessor_config.json", "processor_config.json"
LARGEST_SIDE = 4096  # pixels, of a step
BILINEAR, BICUBIC = 2, 3  # PIL's numbers
HALF = [0.5, 0.5, 0.5]
OF_CLIP = [0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711]  # mean and standard deviation
WARPED_FROM = 384  # pixels: a ConvNeXt is stretched from this size on, and cropped below
PreparationStep = tuple[str, int, int]  # what is done (`model.vision.preparation.STEPS`), height and width in pixels

KNOWN = KnownValues(
    read=(
        *("image_processor_type", "feature_extractor_type", "do_resize", "size", "default_to_square", "resample"),
        *("do_center_crop", "crop_size", "do_rescale", "rescale_factor", "do_normalize", "image_mean", "image_std"),
        "crop_pct",
    ),
    # A picture is red, green and blue here before all else. A model of one channel reads it in grey.
    without_effect=(
        *("do_convert_rgb", "processor_class", "auto_map", "return_tensors", "device", "disable_grouping"),
        *("data_format", "input_data_format", "pad_size", "image_seq_length", "max_size", "model_input_names"),
        *("_valid_processor_keys", "do_reduce_labels", "reduce_labels", "use_fast", "transformers_version"),
    ),
    refused={
        "do_pad": Only((False, None), "black bars make a picture larger at its right and below"),
        "use_square_size": Only((False, None), "the size has another meaning"),
    },
)


def refused(path: Path, why: str) -> DamagedWeights:
    """The error for a file that says something that is not here."""
    return DamagedWeights(f"{path.parent.name}/{path.name} {why}.")


@dataclass(frozen=True)
class Processor:
    """A class of image processor: the values that a file may leave out."""

    size: Mapping[str, int]
    resample: int
    mean: list[float]
    std: list[float]
    crops: bool = False
    to_square: bool = True  # what a size of one number means: both sides, or the shorter one
    crop_share: float = 0.0  # of a ConvNeXt: what a crop leaves of the shorter side


CROPPED = Processor({"shortest_edge": 224}, BICUBIC, *OF_CLIP, crops=True, to_square=False)
PROCESSORS = {
    "ViT": Processor({"height": 224, "width": 224}, BILINEAR, HALF, HALF),
    "DeiT": Processor({"height": 256, "width": 256}, BICUBIC, HALF, HALF, crops=True),
    "Bit": CROPPED,
    "CLIP": CROPPED,
    "Siglip": Processor({"height": 224, "width": 224}, BICUBIC, HALF, HALF, to_square=False),
    "Beit": Processor({"height": 224, "width": 224}, BICUBIC, HALF, HALF),
    "ConvNext": Processor({"shortest_edge": 384}, BICUBIC, HALF, HALF, to_square=False, crop_share=224 / 256),
}
OF_MODELS = {
    "vit": "ViT",
    "deit": "DeiT",
    "dinov2": "Bit",
    "dinov2_with_registers": "Bit",
    "clip": "CLIP",
    "siglip": "Siglip",
}  # by `model_type`, where the file names no class
ENDS = ("ImageProcessorFast", "ImageProcessorPil", "ImageProcessor", "FeatureExtractor")


def read_preparation(folder: Path, config: TransformerConfig, model_type: str, spare: int = 0) -> dict[str, Any]:
    """How pictures are prepared, as a card has it under `pixels`, from the files of a folder.

    `spare` pixels at the right and below are prepared with the rest, and fill no patch: the network does not read them.
    Raises `DamagedWeights` where they are missing or say something that is not here.
    """
    path, values = _find(folder)
    check_values(path, values, KNOWN)
    return build_from(path, lambda said: _preparation(path, said, config, model_type, spare), values)


def _find(folder: Path) -> tuple[Path, dict[str, Any]]:
    """The file and its values. Those inside of `processor_config.json` come first, as in `transformers`."""
    nested = folder / NESTED
    if nested.is_file() and isinstance(inside := read_object(nested).get("image_processor"), dict):
        return nested, inside
    path = folder / PREPARATION
    if not path.is_file():
        raise DamagedWeights(f"{folder.name} has no {PREPARATION}, which says how its pictures are prepared.")
    return path, read_object(path)


def _preparation(
    path: Path, values: dict[str, Any], config: TransformerConfig, model_type: str, spare: int
) -> dict[str, Any]:
    processor = _processor(path, values, model_type)

    def said(key: str, default: Any) -> Any:
        found = values.get(key)
        return default if found is None else found

    steps = _steps(path, said, processor)
    _check_size(path, steps, config.image_size + spare)
    if steps and spare:
        steps.append(("corner", config.image_size, config.image_size))
    mean, std = [0.0] * config.channels, [1.0] * config.channels
    if said("do_normalize", True):
        mean, std = (_of_channels(said(*each), config.channels) for each in
                     (("image_mean", processor.mean), ("image_std", processor.std)))  # fmt: skip
    scale = said("rescale_factor", 1 / 255) if said("do_rescale", True) else 1.0
    resampling = said("resample", processor.resample)
    return {"mean": mean, "std": std, "fit": "steps", "scale": scale, "steps": steps, "resampling": resampling}


def _processor(path: Path, values: dict[str, Any], model_type: str) -> Processor:
    """The class that a file names, or else the one of its model."""
    named = values.get("image_processor_type") or values.get("feature_extractor_type") or OF_MODELS[model_type]
    name = str(named)
    for end in ENDS:
        name = name.removesuffix(end)
    if name not in PROCESSORS:
        known = ", ".join(f"{each}ImageProcessor" for each in PROCESSORS)
        raise refused(path, f"names the class {str(named)[:60]}, which is none of {known}")
    return PROCESSORS[name]


def _of_channels(value: Any, channels: int) -> Any:
    """One number stands for all channels."""
    return [value] * channels if isinstance(value, int | float) else value


def _steps(path: Path, said: Any, processor: Processor) -> list[PreparationStep]:
    """What is done with a picture, one after another."""
    steps: list[PreparationStep] = []
    if said("do_resize", True):
        square = said("default_to_square", processor.to_square)
        size = _size(path, said("size", processor.size), square)
        steps += _resized(path, size, said("crop_pct", processor.crop_share) if processor.crop_share else 0.0)
    if said("do_center_crop", processor.crops):
        cropped = _size(path, said("crop_size", {"height": 224, "width": 224}), True)
        steps.append(("crop", *_sides(path, cropped)))
    return steps


def _size(path: Path, size: Any, square: bool) -> dict[str, int]:
    """A size of any form as `{"height", "width"}` or `{"shortest_edge"}` with or without `"longest_edge"`."""
    if isinstance(size, list | tuple) and len(size) == 2:
        size = {"height": size[0], "width": size[1]}
    elif not isinstance(size, dict):
        size = {"height": size, "width": size} if square else {"shortest_edge": size}
    if set(size) not in ({"height", "width"}, {"shortest_edge"}, {"shortest_edge", "longest_edge"}):
        raise refused(path, f"has a size that is not read: it has {', '.join(map(str, size))[:60]}")
    if not all(type(side) is int and 0 < side <= LARGEST_SIDE for side in size.values()):
        raise refused(path, f"has a size that is not read: {str(size)[:60]}. Sides have 1 to {LARGEST_SIDE:,} pixels")
    return size


def _sides(path: Path, size: dict[str, int]) -> tuple[int, int]:
    if "height" not in size:
        raise refused(path, "crops to a size without height and width")
    return size["height"], size["width"]


def _resized(path: Path, size: dict[str, int], crop_share: float) -> list[PreparationStep]:
    """The steps that make a picture of a size, those of a ConvNeXt with its `crop_share`."""
    if "height" in size:
        if crop_share:
            raise refused(path, "has a size that is not read: this class needs shortest_edge")
        return [("stretch", size["height"], size["width"])]
    side = size["shortest_edge"]
    if not crop_share:
        return [("shorten", side, size.get("longest_edge", 0))]
    if side >= WARPED_FROM:
        return [("stretch", side, side)]
    return [("shorten", int(side / crop_share), 0), ("crop", side, side)]


def _check_size(path: Path, steps: list[PreparationStep], side: int) -> None:
    """Raises `DamagedWeights` unless these steps make pictures of the network's size, of square ones at least."""
    if not steps:
        return  # a picture has the size already, or it is refused
    kind, height, width = steps[-1]
    if kind == "shorten":  # of a square picture, whose sides are the shorter and the longer one
        height = width = min(height, width or height)
    if (height, width) != (side, side):
        raise refused(
            path,
            f"makes pictures of {height} x {width} pixels, and the network reads {side} x {side}. transformers refuses "
            "them too, unless it is told to resize the positions",
        )
