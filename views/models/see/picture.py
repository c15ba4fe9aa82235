"""A vision model and the picture that it reads; the names of its patches and of its classes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from model import Edit, Trace
from model.analysis.picture_account import keep_for_picture
from model.cached_property import cached_property
from model.config import TransformerConfig
from model.graph.explain import Explanation, explain
from model.vision.features import as_digit
from model.vision.files import PictureFile, read_picture
from model.vision.model import VisionModel, load_vision
from views.call import Call
from views.models.see import examples

KEEP = ("*.weights", "*.q", "*.k", "final_norm", "image_logits", "shared", "embed.*")
MAX_SHOWN = 10  # classes in a figure
YOUR_FILE = "your-picture.png"  # in the code of a picture that no code can have
MODELS = ("dinov2-s", "digits-vit", "digits-vit-nopos")  # of which the first that is here is shown
MAX_SENTENCES = 20  # with which a picture is compared
Pixels = NDArray[np.uint8]


def run_edited(model: VisionModel, square: Pixels, edits: Iterable[Edit] = (), keep: Sequence[str] = KEEP) -> Trace:
    """A run over a picture of the model's size. `keep` names the recorded tensors."""
    pixels: Tensor = model.preparation.normalise(square)
    recorded = [name for name in keep if name != "image_logits"]
    if "image_logits" in keep:
        recorded += model.class_scores
    if keep == KEEP:
        recorded += keep_for_picture(model.config)
    return model.trace_image(pixels, keep=recorded, edits=tuple(edits))


@dataclass(frozen=True)
class SeenPicture:
    """A vision model, and the picture that it reads. Equal pixels are equal pictures.

    `name`: of an example; "" for the reader's own. `fit`: how one that is not square was read (`see_own`). `make_run`:
    makes the run; the app's own one keeps it.
    """

    model: VisionModel = field(compare=False)
    square: Pixels = field(compare=False)  # (size, size, 3): the pixels that the model reads
    width: int  # of the picture as it came
    height: int
    name: str
    note: str
    make_run: Callable[[SeenPicture], Trace] = field(
        default=lambda picture: run_edited(picture.model, picture.square), compare=False, repr=False
    )
    fit: str = field(default="", compare=False)
    # All that a run depends on: the model, the pixels that it reads, and what it tells apart.
    key: tuple[str, bytes, tuple[str, ...]] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "key", (self.model.card.name, self.square.tobytes(), self.config.image_labels))

    def made_by(self) -> Call:
        """The reader's own picture is in their file alone, so the code has the name of a file to fill in."""
        model = Call(load_vision, (self.model.card.name,))
        if self.model.texts is not None:
            model = Call(compare_with, (model, "\n".join(self.config.image_labels)))
        if self.name:
            return Call(see_example, (model, self.name))
        return Call(see_file, (model, YOUR_FILE), {"fit": self.fit} if self.fit else {})

    @property
    def config(self) -> TransformerConfig:
        return self.model.config

    @property
    def side(self) -> int:
        return self.config.patches_a_side

    @property
    def layers(self) -> int:
        return self.config.n_encoder_layers

    @cached_property
    def run(self) -> Trace:
        """The run over this picture."""
        return self.make_run(self)

    def explain(self, name: str, *index: int) -> Explanation:
        """Where a number of the run comes from, as the map tells it."""
        return explain(self.run.with_network(self.model.network), name, index)  # cached traces hold no model

    @property
    def patch_vectors(self) -> Tensor:
        """The vectors of the patches after the last layer: (N, D)."""
        return self.run["final_norm"][self.config.n_special_tokens :]

    @property
    def reader(self) -> str:
        """What gathers the answer from the patches."""
        return "the probe" if self.config.pooled == "probe" else "the class token"

    @property
    def class_noun(self) -> str:
        """What the model tells apart, in the singular."""
        return class_noun(self.model)

    def patch_name(self, patch: int) -> str:
        """A patch by its row and column from 1. -1 is the first learnt token, -2 the second, and so on."""
        if patch < 0:
            return self.config.special_tokens[-1 - patch]
        return f"r{patch // self.side + 1} c{patch % self.side + 1}"

    def token_of(self, patch: int) -> int:
        """The place among all tokens of a patch, or of a learnt token: 0 for -1, 1 for -2."""
        return -1 - patch if patch < 0 else patch + self.config.n_special_tokens

    def patch_of(self, token: int) -> int:
        """The patch whose token stands at a place; -1, -2 and so on for learnt tokens: the inverse of `token_of`."""
        special = self.config.n_special_tokens
        return -1 - token if token < special else token - special

    @property
    def special_names(self) -> str:
        """The learnt tokens of the model in words."""
        if not self.config.special_tokens:
            return "no learnt token"
        registers = self.config.n_registers
        one_by_one = self.config.special_tokens if registers < 2 else self.config.special_tokens[:-registers]
        *others, last = (*one_by_one, *([f"{registers} registers"] if registers > 1 else []))
        return f"{', '.join(others)} and {last}" if others else last


def compare_with(model: VisionModel, sentences: str) -> VisionModel:
    """A model that compares pictures with these sentences, one a line; any other model as it is.

    Raises `ModelMismatch`, `TextTooLong`.
    """
    if model.texts is None:
        return model
    lines = dict.fromkeys(line.strip() for line in sentences.splitlines() if line.strip())
    return model.naming(list(lines)[:MAX_SENTENCES])


def see_example(model: VisionModel, name: str) -> SeenPicture:
    """One of the examples, by its name. Raises `KeyError` for another name."""
    rgb = examples.pixels_of(name)
    square = model.preparation.square(rgb)
    return SeenPicture(model, square, rgb.shape[1], rgb.shape[0], name, examples.note_of(name))


def see_own(model: VisionModel, own: PictureFile, fit: str = "") -> SeenPicture:
    """A reader's own picture as the model reads it. The digits models read its ink, white on black.

    `fit`: how another model reads one that is not square (`model.vision.preparation`); "" for the model's own way.
    Raises `PictureError`.
    """
    note = "Your picture: in this session only; no link can hold it."
    if model.reads_digits:
        square = as_digit(own.rgb)
        note += " The model reads its ink, white on black and centred, as the digits that it learnt from."
    else:
        square = model.preparation.reading(fit).square(own.rgb)
    return SeenPicture(model, square, own.width, own.height, "", note, fit=fit)


def see_file(model: VisionModel, path: str | Path, fit: str = "") -> SeenPicture:
    """As `see_own`, of a file. Raises `OSError`, `PictureError`."""
    return see_own(model, read_picture(Path(path).read_bytes()), fit)


def class_noun(model: VisionModel) -> str:
    """What a model tells apart, in the singular."""
    if model.texts is not None:
        return "sentence"
    return "digit" if model.reads_digits else "class"


def shown_classes(probabilities: Sequence[float]) -> list[int]:
    """All classes in their order; of more than ten, the ten likeliest, the likeliest first."""
    if len(probabilities) <= MAX_SHOWN:
        return list(range(len(probabilities)))
    return np.argsort(probabilities)[::-1][:MAX_SHOWN].tolist()
