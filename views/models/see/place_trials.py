"""A picture before and after a change of its patches' places, read by a model with positions and by one without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from torch import Tensor

from model import Edit, Trace
from model.analysis.patch_attention import class_token_attention
from model.config import TransformerConfig
from model.edits.patches import blank_patches, shuffle_patches, without_positions
from model.vision.features import shift_picture
from model.vision.model import VisionModel, load_vision, random_order
from views.models.see.picture import Pixels, SeenPicture, run_edited

WITH_POSITIONS, WITHOUT_POSITIONS = "digits-vit", "digits-vit-nopos"


@dataclass(frozen=True)
class Change:
    """A change of a picture: "shuffle", "blank" (a `share` of the patches) or "shift" (in pixels)."""

    kind: str = "shuffle"
    seed: int = 0
    share: float = 0.3
    right: int = 2
    down: int = 0

    def order(self, count: int) -> list[int]:
        """Which of so many patches lies in each place afterwards."""
        return random_order(count, self.seed) if self.kind == "shuffle" else list(range(count))

    def blanked(self, count: int) -> list[int]:
        """The patches that are blank."""
        return random_order(count, self.seed)[: round(self.share * count)]

    def square(self, square: Pixels) -> Pixels:
        """The picture that is read: a shift changes it, the other changes are edits of the run."""
        return shift_picture(square, self.right, self.down) if self.kind == "shift" else square

    def edits(self, count: int) -> tuple[Edit, ...]:
        if self.kind == "shuffle":
            return (shuffle_patches(self.order(count)),)
        return (blank_patches(self.blanked(count)),) if self.kind == "blank" else ()

    def describe(self, count: int) -> str:
        """The change in words."""
        if self.kind == "shuffle":
            return "with its patches shuffled"
        if self.kind == "blank":
            return f"with {len(self.blanked(count))} of {count} patches blank"
        return f"moved {self.right} right and {self.down} down"


@dataclass(frozen=True)
class PlaceTrial:
    """A run of one model before a change, and one after it."""

    name: str
    model: VisionModel
    before: Trace
    after: Trace

    def gazes(self) -> tuple[Tensor, Tensor]:
        """The attention to the patches of what reads them, before and after: (N,) each. It is the class token in the
        last layer, or the probe after it."""
        name, special = gaze_of(self.model.config), self.model.config.n_special_tokens
        return class_token_attention(self.before[name], special), class_token_attention(self.after[name], special)


def gaze_of(config: TransformerConfig) -> str:
    """The weights by which the answer is gathered from the patches."""
    last = f"encoder.{config.n_encoder_layers - 1}.self_attn"
    return f"{'probe.cross_attn' if config.pooled == 'probe' else last}.weights"


class Trials:
    """Makes the runs anew. The app's own one keeps the last ones, and takes turns."""

    def of(self, seen: SeenPicture, change: Change) -> Sequence[PlaceTrial]:
        """Both digits models. Another model is compared with itself, with its position vectors set to 0."""
        if seen.model.reads_digits:
            return [
                self._compare(seen, change, "with positions", self.model(WITH_POSITIONS)),
                self._compare(seen, change, "without positions", self.model(WITHOUT_POSITIONS)),
            ]
        return [
            self._compare(seen, change, "with positions", seen.model),
            self._compare(seen, change, "positions set to 0", seen.model, without_positions()),
        ]

    def _compare(self, seen: SeenPicture, change: Change, name: str, model: VisionModel, *always: Edit) -> PlaceTrial:
        keep = (gaze_of(model.config), "image_logits", "embed.patches")
        edits = change.edits(seen.config.n_patches)
        before = self.run(model, seen.square, always, keep)
        return PlaceTrial(name, model, before, self.run(model, change.square(seen.square), (*always, *edits), keep))

    def model(self, name: str) -> VisionModel:
        return load_vision(name)

    def run(self, model: VisionModel, square: Pixels, edits: tuple[Edit, ...], keep: tuple[str, ...]) -> Trace:
        return run_edited(model, square, edits, keep)
