"""What all parts of Predict have: the player above them, and the equations of the step at its playhead."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from model.generation.sampling import at_temperature, keep_min_p, keep_top_k, keep_top_p
from model.generation.steps import generate
from views.models.predict.continuation import KEEP, Playhead
from views.models.predict.formula import work_out_step
from views.models.predict.player import Player
from views.models.predict.two_predictions import TwoPredictions, subtract
from views.parts import PART_CHOICE
from views.run import Run
from views.view import Needs, View


@dataclass(frozen=True)
class Prediction(View):
    """A part of Predict, of a continuation at a step."""

    now: Playhead

    needs: ClassVar[Needs] = KEEP

    def about(self) -> Run:
        return self.now.written.run

    def on_scale_of(self, other: Prediction) -> Prediction:
        return replace(self, now=replace(self.now, is_whole=True))

    def minus(self, other: Prediction) -> TwoPredictions | None:
        return subtract(self.now, other.now)

    def told(self) -> Mapping[str, float | str]:
        return Player(self.now).told()

    def picture_parts(self) -> Sequence[Any]:
        return [Player(self.now), PART_CHOICE, *self.below_in_picture()]

    def number_parts(self) -> Sequence[Any]:
        return [Player(self.now), PART_CHOICE, *self.below_in_numbers()]

    def formula_parts(self) -> Sequence[Any]:
        return [PART_CHOICE, *self.formula()]

    def code_parts(self) -> Sequence[Any]:
        return [PART_CHOICE, *super().code_parts()]

    def below_in_picture(self) -> Sequence[Any]:
        """The parts below the player at the depth Picture."""
        return super().picture_parts()

    def below_in_numbers(self) -> Sequence[Any]:
        """The parts below the player at the depth Numbers."""
        return super().number_parts()

    def formula(self) -> Sequence[Any]:
        return work_out_step(self.now)

    def code(self) -> Sequence[Any]:
        return (generate, at_temperature, keep_top_k, keep_top_p, keep_min_p)
