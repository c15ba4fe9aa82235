"""What all parts of See have: above them the choice of the picture, and what the model reads it as."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from model.vision.model import VisionModel
from views.models.see.picture import SeenPicture
from views.parts import PART_CHOICE, Controls
from views.view import Depth, View, grey
from viz.documents.page_parts import Group
from viz.shared.style import markdown_text, write_score


@dataclass(frozen=True)
class Sight(View):
    """A part of See. `seen`: the model and its picture."""

    seen: SeenPicture

    def at(self, depth: Depth) -> Sequence[Any]:
        above = Group([Controls("source"), *grey(self.say_class())], "row")
        return [above, Controls("own"), *write_sentences(self.seen.model), PART_CHOICE, *super().at(depth)]

    def say_class(self) -> str:
        """The class of the picture in a line; "" of a model without classes, and where the part itself shows it."""
        labels, kind = self.seen.config.image_labels, self.seen.config.label_scores
        if not labels:
            return ""
        probabilities = self.seen.model.probabilities(self.seen.run).tolist()
        best = int(np.argmax(probabilities))
        verb = "It reads" if self.seen.model.texts is None else "It is most like"
        return f"{verb} **{markdown_text(labels[best])}**, {write_score(probabilities[best], kind)}."


@dataclass(frozen=True)
class NoPicture(View):
    """In the place of a part where there is no picture. The reader may choose another model, or picture of `model`."""

    model: VisionModel | None = None

    def at(self, depth: Depth) -> Sequence[Any]:
        above = Group([Controls("source")], "row")
        return [above, Controls("own"), *write_sentences(self.model), PART_CHOICE]


def write_sentences(model: VisionModel | None) -> list[Controls]:
    """The field of the sentences with which a picture is compared, for models that do so."""
    return [Controls("sentences")] if model is not None and model.texts is not None else []
