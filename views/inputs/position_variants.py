"""The same small language model, trained five times with five kinds of positions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from model import Card
from views.parts import Chart, DataTable, Draw, Files
from views.view import View, grey
from viz.documents.page_parts import Code, Heading, Text
from viz.inputs.positions import variants_figure
from viz.shared.style import markdown_text, number, percent

VARIANTS = {
    "tiny-lm": "sinusoidal",
    "tiny-lm-concat": "concatenated",
    "tiny-lm-learned": "learned",
    "tiny-lm-rotary": "rotary",
    "tiny-lm-none": "none",
}
Skills = dict[str, tuple[list[float], list[float]]]  # shares of right answers: words in order, and shuffled
SHUFFLED = "_shuffled"  # the end of a skill's name when the words of its text are shuffled


@dataclass(frozen=True)
class PositionVariants(View):
    """The measured skills of the models that are here, by the `cards` of all models that can be read. Their numbers are
    from the end of training. Commands train those that are missing."""

    cards: tuple[Card, ...]

    @property
    def here(self) -> dict[str, Card]:
        """The cards by kind of positions."""
        ready = {card.name: card for card in self.cards}
        return {way: ready[name] for name, way in VARIANTS.items() if name in ready}

    @property
    def metrics(self) -> dict[str, Mapping[str, Any]]:
        """What was measured of each, by kind of positions."""
        return {way: card.details["metrics"] for way, card in self.here.items()}

    @property
    def skills(self) -> Skills:
        metrics = self.metrics
        first = next(iter(metrics.values()))
        names = [name for name in first if all({name, name + SHUFFLED} <= each.keys() for each in metrics.values())]
        return {
            name: (
                [float(each[name]) for each in metrics.values()],
                [float(each[name + SHUFFLED]) for each in metrics.values()],
            )
            for name in names
        }

    def picture_parts(self) -> Sequence[Any]:
        names = {card.name for card in self.cards}
        missing = [name for name in VARIANTS if name not in names]
        shown: list[Any] = [Heading("Five models, five ways", 3, has_line=True)]
        if self.here:
            shown += [self.picture(), *grey(self.caption()), self.table(), self.files()]
        if missing:
            commands = "\n".join(f"python -m model.train {name}" for name in missing)
            said = f"{len(missing)} of the five are not here. These commands train them:"
            shown += [Text(said, "info"), Code(commands, "bash")]
        return shown

    def picture(self) -> Chart:
        alt = "Skills of the position variants, with the words in order and shuffled, as shares of questions."
        return Chart(self._draw(), alt, "positions variants")

    def _draw(self) -> Draw:
        return partial(variants_figure, list(self.here), self.skills)

    def table(self) -> DataTable:
        return DataTable(self._table)

    def _table(self) -> pd.DataFrame:
        here = self.here
        limit = next(iter(here.values())).details.get("training_length", "the training length in")
        return pd.DataFrame(
            {
                "positions": list(here),
                "parameters": [card.parameters for card in here.values()],
                f"loss up to {limit} tokens": self._losses("loss"),
                f"loss past {limit} tokens": self._losses("loss_beyond"),
            }
        )

    def _losses(self, key: str) -> list[float]:
        return [float(each.get(key, math.nan)) for each in self.metrics.values()]

    def files(self) -> Files:
        focus = ("positions variants", "positions order")  # The second picture of the part on order.
        return Files("position-variants", self._draw(), self._draw(), self._rows, focus=focus)

    def _rows(self) -> list[dict[str, Any]]:
        """One row for each model: its losses, and its share of right answers in each skill."""
        shares = {
            f"{name}, {how}": values[place]
            for name, values in self.skills.items()
            for place, how in enumerate(("in order", "shuffled"))
        }
        return [dict(row) for row in self._table().assign(**shares).to_dict("records")]

    def caption(self) -> str:
        skills, ways = self.skills, list(self.here)
        drops = {name: max(ordered) - min(shuffled) for name, (ordered, shuffled) in skills.items()}
        hardest = max(drops, key=lambda name: drops[name])
        ordered, shuffled = skills[hardest]
        text = (
            f"Same corpus, same recipe. Shuffle the words, and “{markdown_text(hardest)}” falls from "
            f"{percent(max(ordered))} to {percent(min(shuffled))}: order matters to the answer. "
        )
        return text if len(ways) < 2 else text + self._compare(ways, skills)

    def _compare(self, ways: list[str], skills: Skills) -> str:
        """Which kind of positions does best, and which worst."""
        means = {way: sum(values[0][i] for values in skills.values()) / len(skills) for i, way in enumerate(ways)}
        beyond = dict(zip(ways, self._losses("loss_beyond"), strict=True))
        best, worst = max(means, key=lambda way: means[way]), min(means, key=lambda way: means[way])
        far = min(beyond, key=lambda way: beyond[way])
        text = (
            f"In order, {best} positions do best ({percent(means[best])} of all questions), {worst} worst "
            f"({percent(means[worst])}); past the training length, the loss is lowest with {far} "
            f"({number(beyond[far], 2)} nats)."
        )
        if "none" in means:
            text += (
                f" Without positions the model still answers {percent(means['none'])}: the causal mask alone lets a "
                "decoder tell early from late. An encoder has no such help."
            )
        return text
