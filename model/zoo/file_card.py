"""The card of a checkpoint that has none: what its files say of it."""

from __future__ import annotations

from pathlib import Path

from model.config import TransformerConfig
from model.zoo.card_values import VISION_KIND
from model.zoo.cards import Card
from model.zoo.families import read_config, read_pixels, size_of

UNKNOWN = "not stated in its files"


def card_of_files(path: Path, parameters: int | None = None) -> Card:
    """The card of a folder or GGUF file, named after it. Raises `UnsupportedFamily`, `DamagedWeights`.

    Whoever has read the weights knows the number of `parameters`; else the headers of the files are read for it.
    """
    family, config = read_config(path)
    name = path.stem if path.is_file() else path.name
    pixels = read_pixels(path)
    return Card(
        name=name,
        title=name,
        family="families",
        kind=VISION_KIND if pixels else config.kind,
        layers=layers_in_words(config),
        heads=config.n_heads,
        positions=config.positions,
        parameters=size_of(path) // 4 if parameters is None else parameters,
        max_length=config.max_length,
        licence=UNKNOWN,
        source=f"the files of {name}",
        about=f"A model of the family {family.name}, from its own files.",
        size=sum(file.stat().st_size for file in ([path] if path.is_file() else path.glob("*.safetensors"))),
        get="Put its files back where they were.",
        details={"pixels": pixels} if pixels else {},
    )


def layers_in_words(config: TransformerConfig) -> str:
    """ "30", or "3 + 3" for encoder and decoder."""
    return " + ".join(str(config.n_layers(stack)) for stack in config.stacks)
