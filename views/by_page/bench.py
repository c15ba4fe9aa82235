"""Break a part: switch parts of a model off, and measure what is lost."""

from __future__ import annotations

from typing import ClassVar

from traitlets import Enum, Int, Unicode

from model import GlassformerError
from model.experiments.broken_parts import can_be_measured
from model.experiments.surgery import parts_of
from views.by_page.of_run import LiveViewOfRun
from views.learning.bench.both_models import BothModels, Removal
from views.learning.bench.broken_parts import BrokenParts
from views.learning.bench.measures import measure
from views.learning.bench.silenced import places_of, silence
from views.shared import ablation_choice
from views.view import View


class Broken(LiveViewOfRun):
    """The model without some parts: what it writes, where it looks, and on held-out sentences what it gets right."""

    is_measured: ClassVar[bool] = True
    parts = Unicode("", help='the parts, with commas between them; by default "residuals"; "none" for none')
    heads = Enum(("none", "one", "all but one"), "none", help="the heads that are silent in every layer")
    place = Unicode("", help='their attention, as "decoder.*.self_attn"; by default the first')
    head = Int(0, min=0, help="the head")
    items = Enum(("20", "60", "200", "1000"), "60", help="held-out sentences of a measure")

    def view(self) -> View:
        model, removal = self.run.model, self._removal()
        measures = measure(model, removal, self.items) if can_be_measured(model.card.name) else None
        return BrokenParts(model, removal, BothModels(model, removal, self.run.text), measures)

    def _removal(self) -> Removal:
        config = self.run.config
        known = {part.name: part for part in parts_of(config)}
        names = ablation_choice.read_parts(self.parts, self.heads)
        for name in names:
            if name not in known:
                raise GlassformerError(f"{self.run.name} has no part {name}. It has {', '.join(known)}.")
        parts = tuple(known[name] for name in names)
        if self.heads == "none":
            return Removal(parts)
        places = tuple(places_of(config))
        place = self.chosen_name("place", places, places[0])
        return silence(config, parts, self.heads, place, self.chosen("head", config.n_heads, 0))
