"""Cost: the multiplications, time and memory of a run, and the growth of each with the length of the text."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from traitlets import Int

from model import Model
from model.cost.shape import layers_of
from model.errors import GlassformerError
from views.by_page.live_view import LiveView
from views.learning.cost import growth, parts, times
from views.learning.cost.cost_view import Shape
from views.view import View


class LiveViewOfCost(LiveView):
    """A view of the cost of a model: `views.cost.Parts(load("tiny-lm"), tokens=1000)`. It takes no run."""

    takes: ClassVar[Literal["", "run", "model", "picture"]] = "model"
    tokens = Int(64, min=1, max=1_000_000, help="the tokens of the text")
    width = Int(0, min=0, max=65_536, help="the width of the model; 0 for its own")
    heads = Int(0, min=0, max=1024, help="the heads of an attention; 0 for its own")
    layers = Int(0, min=0, max=512, help="the layers; 0 for its own")

    def __init__(self, model: Model, **choices: Any) -> None:
        """Raises `GlassformerError` for what is no model, and the errors of `LiveView`."""
        super().__init__(**choices)
        if not isinstance(model, Model):
            raise GlassformerError(f'views.cost.{type(self).__name__} takes a model: load("tiny-lm").')
        self.model = model

    def shape(self) -> Shape:
        """The shape whose cost is counted."""
        model, config = self.model, self.model.config
        own = config.d_model, config.n_heads, layers_of(config)
        asked = self.width, self.heads, self.layers
        sides = (each or its_own for each, its_own in zip(asked, own, strict=True))
        return Shape(model.card.title, model, self.tokens, *sides)


class Parts(LiveViewOfCost):
    """What each part of the model costs."""

    part: ClassVar[tuple[str, ...]] = ("Parts",)

    def view(self) -> View:
        return parts.CostParts(self.shape())


class Growth(LiveViewOfCost):
    """How the cost grows with the text."""

    part: ClassVar[tuple[str, ...]] = ("Growth",)

    def view(self) -> View:
        return growth.Growth(self.shape())


class Time(LiveViewOfCost):
    """The time of a pass on this machine, by the length of the text."""

    part: ClassVar[tuple[str, ...]] = ("Time",)
    is_measured: ClassVar[bool] = True

    def view(self) -> View:
        lengths = times.lengths_for(self.model.config.max_length)
        return times.Times(self.shape(), times.time_passes(self.model, lengths, 1), len(lengths), is_quick=True)


class Memory(LiveViewOfCost):
    """The memory of the attention and of the cache, by the length of the text."""

    part: ClassVar[tuple[str, ...]] = ("Memory",)

    def view(self) -> View:
        return growth.Memory(self.shape())
