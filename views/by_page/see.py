"""See: a transformer reads a picture, patch by patch."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from traitlets import Enum, Float, Int, Unicode

from model import GlassformerError, available
from model.vision.files import PictureFile
from views.by_page.live_view import LiveView
from views.by_page.loaded import loaded_vision
from views.models.see import answer, cost, every_number, kinds
from views.models.see.attention import LooksOfPatch, asking_patch
from views.models.see.examples import names_for
from views.models.see.patches import PatchesOfPicture, framed_patch
from views.models.see.picture import MODELS, SeenPicture, compare_with, see_example, see_file, see_own
from views.models.see.place import Place as PlaceView
from views.models.see.place_trials import Change
from views.view import View

Pixels = NDArray[np.uint8]


class LiveViewOfPicture(LiveView):
    """A view of a picture: `views.see.Attention("dog.jpg", layer=3)`, an array (H, W, 3) of 0 to 255, or an example."""

    takes: ClassVar[Literal["", "run", "model", "picture"]] = "picture"
    model = Unicode("", help='the vision model: "dinov2-s", "digits-vit", ...; by default the first that is here')
    example = Unicode("", help='an example: "flower", "pagoda", "shapes", or "digit 3" of the digits models')
    sentences = Unicode(
        "a photo of a flower\na photo of a pagoda\na drawing of coloured shapes",
        help="the sentences with which the picture is compared, one a line, by a model that does so",
    )
    fit = Enum(("", "crop", "pad", "stretch", "steps"), "", help="how a picture that is not square is read")

    def __init__(self, picture: str | Path | Pixels | None = None, **choices: Any) -> None:
        """`picture`: the path of a PNG, JPEG or WebP file, or its pixels; by default an example. Raises the errors of
        `LiveView`."""
        super().__init__(**choices)
        self.picture = picture
        self._seen: dict[tuple[str, ...], SeenPicture] = {}  # the last one, by what was chosen of it

    def seen(self) -> SeenPicture:
        """The picture as the model reads it. Raises `GlassformerError`, `OSError`."""
        here = {card.name for card in available("vision") if card.ready}
        name = self.model or next((each for each in MODELS if each in here), MODELS[0])
        key = (name, self.example, self.fit, self.sentences)
        if key not in self._seen:
            self._seen = {key: self._see(name)}
        return self._seen[key]

    def _see(self, name: str) -> SeenPicture:
        model, picture = compare_with(loaded_vision(name), self.sentences), self.picture
        if isinstance(picture, str | Path):
            return see_file(model, picture, self.fit)
        if picture is not None:
            height, width = picture.shape[:2]
            return see_own(model, PictureFile(picture, width, height, ()), self.fit)
        names, usual = names_for(model.reads_digits)
        if self.example and self.example not in names:
            raise GlassformerError(f"There is no example {self.example}. There are {', '.join(names)}.")
        return see_example(model, self.example or usual)


def choose(name: str, value: int, count: int, usual: int) -> int:
    """A number, or the usual one where it is below 0. Raises `GlassformerError` for one of `count` and more."""
    if value >= count:
        raise GlassformerError(f"There is no {name} {value}: there are {count}, from 0 to {count - 1}.")
    return usual if value < 0 else value


class LiveViewOfPatch(LiveViewOfPicture):
    """A view in which one patch is chosen."""

    patch = Int(-1, min=-64, help="the patch; -1 for the class token, -2 and so on for the learnt tokens after it")

    def patch_of(self, seen: SeenPicture) -> int:
        """The patch. Raises `GlassformerError` for one that is not there."""
        if self.patch < -max(seen.config.n_special_tokens, 1):
            raise GlassformerError(f"{seen.model.card.title} has no token {self.patch} beside its patches.")
        return choose("patch", self.patch, seen.config.n_patches, self.patch)


class Patches(LiveViewOfPatch):
    """The picture cut into patches, each of which is a word."""

    part: ClassVar[tuple[str, ...]] = ("patches",)

    def view(self) -> View:
        seen = self.seen()
        return PatchesOfPicture(seen, framed_patch(seen, self.patch_of(seen)))


class Attention(LiveViewOfPatch):
    """Where a patch looks, in one head."""

    part: ClassVar[tuple[str, ...]] = ("attention",)
    layer = Int(-1, min=-1, help="the layer, from 0; by default the last")
    head = Int(-1, min=-1, help="the head, from 0")

    def view(self) -> View:
        seen = self.seen()
        layer = choose("layer", self.layer, seen.layers, seen.layers - 1)
        head = choose("head", self.head, seen.config.n_heads, 0)
        return LooksOfPatch(seen, layer, head, asking_patch(seen, self.patch_of(seen)))


class Answer(LiveViewOfPatch):
    """What comes out: the classes, or the colours of the patches."""

    part: ClassVar[tuple[str, ...]] = ("answer",)
    source = Enum(
        ("example", "upload", "paste", "camera", "draw"), "example", help="where the app's reader has the picture from"
    )

    def view(self) -> View:
        seen = self.seen()
        return answer.WhatComesOut(seen, self.source, self.patch_of(seen))


class Map(LiveViewOfPicture):
    """The map of the run over an example: every number of it."""

    part: ClassVar[tuple[str, ...]] = ("map",)
    layer = Int(-1, min=-1, help="the layer whose tensors are listed, from 0; by default the last")
    place = Unicode("", help='where the map looks; "" for the whole').tag(key="see_at")

    def view(self) -> View:
        seen = self.seen()
        layer = choose("layer", self.layer, seen.layers, seen.layers - 1)
        return every_number.EveryNumber(seen, layer, every_number.map_picture(seen, self.place))


class Place(LiveViewOfPicture):
    """The picture with its patches in another order, with some blank, or moved: does place matter?"""

    part: ClassVar[tuple[str, ...]] = ("place",)
    change = Enum(("shuffle", "blank", "shift"), "shuffle", help="what is done to the picture")
    seed = Int(0, min=0, max=9999, help="of the order, or of the patches that are blank")
    share = Float(0.3, min=0.0, max=1.0, help="the share of the patches that are blank")
    right = Int(2, min=-100, max=100, help="pixels to the right")
    down = Int(0, min=-100, max=100, help="pixels down")

    def view(self) -> View:
        seen = self.seen()
        if self.change != "shift":
            return PlaceView(seen, Change(self.change, self.seed, self.share))
        reach = seen.config.patch_size
        if max(abs(self.right), abs(self.down)) > reach:
            raise GlassformerError(f"A shift can be {-reach} to {reach} pixels.")
        return PlaceView(seen, Change("shift", right=self.right, down=self.down))


class Cost(LiveViewOfPicture):
    """What the attention over the picture holds, in patches and in pixels."""

    part: ClassVar[tuple[str, ...]] = ("cost",)

    def view(self) -> View:
        return cost.CostOfPatches(self.seen())


class Kinds(LiveViewOfPicture):
    """The kinds of vision transformers."""

    part: ClassVar[tuple[str, ...]] = ("kinds",)

    def view(self) -> View:
        return kinds.KindsOfVit(self.seen())
