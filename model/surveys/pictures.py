"""Heads of a model of pictures over many pictures: where its patches look."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.config import TransformerConfig
from model.edits.edit import Edit
from model.errors import ModelMismatch, PictureError
from model.regular_file import read_regular
from model.surveys import kept_readings
from model.surveys.batch_run import BatchRun, Prepared
from model.surveys.made_of import MadeOf
from model.surveys.measures import MEASURES
from model.surveys.pairs import find_frequent
from model.surveys.reading import Reading
from model.surveys.rows import TextRow, batches
from model.surveys.runs import batches_to_run
from model.surveys.sight import Sight
from model.surveys.survey import never, read_batches
from model.surveys.tally import Tally
from model.surveys.tokens_read import TokensRead
from model.tape import Tape
from model.texts.collection import Collection, Text
from model.vision.digits import held_out
from model.vision.files import MAX_BYTES, read_picture
from model.vision.model import VisionModel
from model.zoo.files import Progress, no_progress

RGB = NDArray[np.uint8]
ATTENTION = "encoder.self_attn"
PICTURE_MEASURES = ("first", "self", "strongest", "spread", "distance")  # the others compare words
MOST_PICTURES = 1000


@dataclass(frozen=True, eq=False)
class Pictures(Collection):
    """Pictures in an order that stays. Their `texts` have their names and kinds. `rgb`: (H, W, 3) each, 0..255."""

    rgb: tuple[RGB, ...] = field(default=(), repr=False)

    @cached_property
    def digest(self) -> str:
        """A SHA-256 of the pixels, names and kinds."""
        digest = hashlib.sha256(super().digest.encode())
        for picture in self.rgb:
            digest.update(f"{picture.shape}".encode() + np.ascontiguousarray(picture).tobytes())
        return digest.hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pictures) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)


def digit_pictures(count: int = 500) -> Pictures:
    """Handwritten digits that no model here was trained on, `count` of them. The digit is the kind of its picture."""
    pictures, labels = held_out()
    step = max(1, len(pictures) // count)
    shown = range(0, len(pictures), step)
    texts = tuple(Text(f"digit {labels[at]}, {at}", place, str(labels[at])) for place, at in enumerate(shown, 1))
    return Pictures("handwritten digits", texts, rgb=tuple(np.repeat(pictures[at, :, :, None], 3, 2) for at in shown))


def read_pictures(files: Iterable[Path]) -> tuple[Pictures, tuple[tuple[Path, str], ...]]:
    """The pictures of PNG, JPEG and WebP files, and which files give none, with the reason.

    The kind of a picture is the name of its folder. At most `MOST_PICTURES` are read.
    """
    texts, rgb, faults = list[Text](), list[RGB](), list[tuple[Path, str]]()
    for place, file in enumerate(files, start=1):
        if place > MOST_PICTURES:
            faults.append((file, f"at most {MOST_PICTURES:,} pictures are read"))
            break
        try:
            picture = read_picture(read_regular(file, MAX_BYTES)).rgb
        except (OSError, ValueError, PictureError) as error:
            faults.append((file, str(error)))
            continue
        texts.append(Text(file.name, place, file.parent.name))
        rgb.append(picture)
    return Pictures("pictures", tuple(texts), rgb=tuple(rgb)), tuple(faults)


def survey_pictures(
    model: VisionModel,
    pictures: Pictures,
    *,
    edits: Iterable[Edit] = (),
    begun: Reading | None = None,
    progress: Progress = no_progress,
    stop: Callable[[], bool] = never,
    keep: bool = True,
) -> Reading:
    """What every head of a model of pictures does on many of them, as `model.survey` does of texts.

    The tokens of a picture are its class token and its patches: "r3 c12". A distance is that between two patches, in
    patches, and the class token is near to all. Rules speak of words, so none is tested. Raises `ModelMismatch` for a
    reading to go on from that is of something else, `PictureError`, `EditError` and `DeviceFull`.

    >>> from glassformer.model.surveys.pictures import digit_pictures, survey_pictures
    >>> from glassformer.model.vision.model import load_vision
    >>> reading = survey_pictures(load_vision("digits-vit"), digit_pictures(20), keep=False)
    >>> reading.measure("distance").shape  # (layers, heads, pictures)
    (4, 4, 20)
    """
    edits = tuple(edits)
    made_of = MadeOf.of(model, edits, pictures)
    if begun is not None and begun.made_of != made_of:
        raise ModelMismatch("The reading to go on from is of another model, other pictures or other edits.")
    path = kept_readings.path_of(model, edits, pictures, ()) if keep else None
    found = None if path is None else kept_readings.read(path, made_of, pictures, ())
    if found is not None:
        return found
    if begun is None:
        reading = _begin(model, pictures, made_of)
    else:
        reading = replace(begun, tallies=copy.deepcopy(begun.tallies), read=begun.read.copy())
    rows = [TextRow(number, model.tokens()) for number in np.flatnonzero(~reading.read).tolist()]
    run = PictureRun(model, edits, reading.tallies[ATTENTION], pictures)
    reading = read_batches(run, batches_to_run(model.network, edits, rows), reading, progress, stop)
    if path is not None and reading.is_whole:
        kept_readings.write(path, reading)
    return reading


def _begin(model: VisionModel, pictures: Pictures, made_of: MadeOf) -> Reading:
    """A reading of no picture yet."""
    config, many, tokens = model.config, len(pictures.texts), model.tokens()
    rows = [TextRow(number, tokens) for number in range(many)]
    heads = config.n_encoder_layers * config.n_heads
    frequent = find_frequent((_sight(config, batch) for batch in batches(rows)), heads)
    tally = Tally.none(config.n_encoder_layers, config.n_heads, many, frequent, 0, is_cross=False)
    tally = replace(tally, measures={name: tally.measures[name] for name in MEASURES if name in PICTURE_MEASURES})
    read = TokensRead.of(dict.fromkeys(range(many), tokens), many)
    return Reading(made_of, pictures, (), {"encoder": read}, {ATTENTION: tally}, np.zeros(many, bool))


@dataclass(frozen=True, eq=False)
class PictureSight(Sight):
    """What patches see: all others. `side`: patches along a side. `special`: the learnt tokens before them."""

    side: int = 1
    special: int = 1

    @cached_property
    def distances(self) -> Tensor:
        """How far two patches are from each other, in patches; a learnt token is 0 from all: (queries, keys)."""
        places = torch.arange(self.side**2)
        rows, columns = (places // self.side).float(), (places % self.side).float()
        apart = torch.hypot(rows[:, None] - rows, columns[:, None] - columns)
        return torch.nn.functional.pad(apart, (self.special, 0, self.special, 0))

    @cached_property
    def steps(self) -> Tensor:
        """The distance of each place of `compared`, in whole patches: (places,)."""
        queries, keys = self.seen.shape[1:]
        return self.distances.flatten()[self.compared % (queries * keys)].round().long()


def _sight(config: TransformerConfig, rows: Sequence[TextRow]) -> PictureSight:
    tokens = tuple(row.tokens for row in rows)
    numbers = tuple(row.number for row in rows)
    return PictureSight(numbers, tokens, tokens, side=config.patches_a_side, special=config.n_special_tokens)


class PictureRun(BatchRun):
    """Runs pictures through a network, and adds what its heads do to a tally."""

    def __init__(self, model: VisionModel, edits: tuple[Edit, ...], tally: Tally, pictures: Pictures) -> None:
        super().__init__(model.network, edits, (), {ATTENTION: tally})
        self._prepare_pixels, self._rgb = model.preparation.prepare, pictures.rgb

    def _run_network(self, rows: Sequence[TextRow], tape: Tape) -> None:
        pixels = torch.stack([self._prepare_pixels(self._rgb[row.number]) for row in rows])
        self._network(pixels[0] if self._edits else pixels, tape=tape)

    def _prepare(self, rows: Sequence[TextRow], stack: str, attention: str, window: int | None) -> Prepared:
        sight = _sight(self._config, rows)
        return Prepared(sight, torch.from_numpy(self._tallies[ATTENTION].frequent.find(sight.pairs)), None)
