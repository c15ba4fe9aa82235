"""GloVe, trained on the small world: the map of its words, the loss after each step, and one pair of words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from model import work_bound
from model.arrays import Array
from model.cached_property import cached_property
from model.errors import GlassformerError
from model.vectors import counts, glove
from model.vectors.glove import Vectors
from views.call import Call
from views.inputs.small_world import NEW_WORLD, SmallWorld
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.shared import quotes, sums
from views.view import View, grey, work_out
from viz.documents.page_parts import Group, Text
from viz.inputs.ladder import loss_figure, map_figure, weight_figure
from viz.shared.style import markdown_text, number

TRAINING_STEPS = 400
MAX_NEAR = 10  # words that stand near either of the two


@dataclass(frozen=True)
class GloveRun:
    """A training: its window, the vectors, and the loss after each step so far."""

    window: int
    vectors: Vectors = field(compare=False)
    losses: list[float]

    def made_by(self) -> Call:
        done = self.vectors.step
        return Call(train_glove, (self.window,), {} if done == TRAINING_STEPS else {"steps": done})


def train_glove(window: int, world: SmallWorld = NEW_WORLD, steps: int = TRAINING_STEPS) -> GloveRun:
    """Train GloVe on the small world. Raises `GlassformerError` for a window of nothing."""
    losses = []
    for vectors in glove.fit(world.cooccurrence(window), steps=steps):
        work_bound.check()
        losses.append(vectors.loss)
    return GloveRun(window, vectors, losses)


@dataclass(frozen=True)
class TrainedWords(View):
    """The words of the small world as GloVe places them. `trained` is None before any training.

    `pair`: the indices of the two words. `window`: the words to each side that count as near.
    """

    pair: tuple[int, int]
    window: int
    trained: GloveRun | None
    world: SmallWorld = field(default=NEW_WORLD, compare=False, repr=False)

    def why_not(self) -> Text | None:
        """Why nothing can be counted in the window; None where it can be."""
        try:
            self.world.cooccurrence(self.window)
        except GlassformerError as error:
            return Text(markdown_text(str(error)), "warning", ":material/info:")
        return None

    def picture_parts(self) -> Sequence[Any]:
        return self._parts(self._map_chart, self._loss_chart)

    def number_parts(self) -> Sequence[Any]:
        return self._parts(partial(_list, self._map_rows), partial(_list, self._loss_rows))

    def _parts(self, show_map: Any, show_loss: Any) -> list[Any]:
        if (why_not := self.why_not()) is not None:
            return [Controls("training"), why_not]
        if self.trained is None:
            return [Controls("training")]
        files = self._map_files(), self._loss_files()
        shown = [show_map(), files[0], show_loss(), *grey(self.caption()), files[1]]
        return [Controls("training"), *shown, PairWeight(self.pair, self.window, self.world)]

    @property
    def vectors(self) -> Vectors:
        assert self.trained is not None
        return self.trained.vectors

    @property
    def losses(self) -> list[float]:
        assert self.trained is not None
        return self.trained.losses

    @cached_property
    def places(self) -> Array:
        """The place of each word on the map: (words, 2)."""
        return counts.flat_map(self.vectors.words)

    def _map_chart(self) -> Chart:
        return Chart(self._draw_map(), "The words in the plane in which their vectors differ most")

    def _draw_map(self) -> Draw:
        return partial(map_figure, self.places, self.world.words, self.pair)

    def _map_rows(self) -> list[dict[str, Any]]:
        places = zip(self.world.words, self.places.tolist(), strict=True)
        return [{"word": word, "x": x, "y": y} for word, (x, y) in places]

    def _map_files(self) -> Files:
        arrays = {"vectors": self.vectors.words, "losses": np.array(self.losses)}
        return Files("tokens-glove", self._draw_map(), self._draw_map(), self._map_rows, lambda: arrays)

    def _loss_chart(self) -> Chart:
        return Chart(self._draw_loss(), "GloVe's loss after each step")

    def _draw_loss(self) -> Draw:
        return partial(loss_figure, self.losses, "step")

    def _loss_rows(self) -> list[dict[str, Any]]:
        return [{"step": i, "loss": loss} for i, loss in enumerate(self.losses)]

    def _loss_files(self) -> Files:
        return Files("tokens-glove-loss", self._draw_loss(), self._draw_loss(), self._loss_rows)

    def caption(self) -> str:
        vectors, losses = self.vectors, self.losses
        stop = f" Stopped after {vectors.step} of {TRAINING_STEPS} steps." if vectors.step < TRAINING_STEPS else ""
        return (
            f"{len(self.world.words)} words, {vectors.centre.shape[1]} numbers each: the loss falls from "
            f"{number(losses[0])} to {number(losses[-1])} in {vectors.step} steps.{stop} The vectors are w + u."
        )

    def formula(self) -> Sequence[Any]:
        """The two words' term of the loss, with the trained vectors, or those before any training."""
        window = max(self.window, 1)
        table = self.world.cooccurrence(window)
        step = "before training" if self.trained is None else "after training"
        vectors = next(glove.fit(table, steps=0)) if self.trained is None else self.vectors
        x, f = float(table[self.pair]), float(glove.weight(table[self.pair]))
        terms = glove.error_terms(vectors, x, *self.pair)
        first, second = (quotes.quote(self.world.words[i]) for i in self.pair)
        together, weight, error = quotes.tex(x), quotes.tex(f), sum(terms)
        return work_out(
            f"{first} and {second}, {step}, with a window of {window}:",
            rf"f({together}) = \min\left(1, \left(\frac{{{together}}}{{100}}\right)^{{0.75}}\right) = {weight}",
            rf"w_i \cdot u_j + b_i + c_j - \log(1 + x_{{ij}}) = {sums.total(terms)}",
            rf"{weight} \cdot {quotes.tex(error)}^2 = {quotes.tex(f * error**2)}",
        )


@dataclass(frozen=True)
class PairWeight(View):
    """How often two words stand together, and what that weighs in the loss."""

    pair: tuple[int, int]
    window: int
    world: SmallWorld = field(default=NEW_WORLD, compare=False, repr=False)

    @property
    def together(self) -> Array:
        """How often two words stand together, counted less at a distance: (words, words)."""
        return self.world.cooccurrence(self.window)

    @property
    def weight(self) -> float:
        return float(glove.weight(self.together[self.pair]))

    def picture_parts(self) -> Sequence[Any]:
        details = [self.table(), self.picture(), self.files()]
        return [Text(self.caption()), Group(details, "fold", title="Co-occurrence of the two words, and f(x)")]

    number_parts = picture_parts

    def caption(self) -> str:
        first, second = (self.world.words[i] for i in self.pair)
        return (
            f"“{first}” and “{second}” stand together {number(float(self.together[self.pair]))} times, counted 1, 1/2, "
            f"1/3, ... by distance. The weight of the pair in the loss is f(x) = {number(self.weight)}."
        )

    def table(self) -> DataTable:
        return _list(self._rows)

    def _rows(self) -> list[dict[str, Any]]:
        """One row for each of the words that stand most often near either of the two."""
        words, table, (first, second) = self.world.words, self.together, self.pair
        order = np.argsort(-table[[first, second]].sum(axis=0), kind="stable")[:MAX_NEAR]
        return [
            {"near": words[i], "first word": float(table[first, i]), "second word": float(table[second, i])}
            for i in order.tolist()
        ]

    def picture(self) -> Chart:
        x = number(float(self.together[self.pair]))
        return Chart(self._draw(), f"The weight of a pair by its co-occurrence, with this pair at {x}")

    def _draw(self) -> Draw:
        return partial(weight_figure, *self._curve(), (float(self.together[self.pair]), self.weight))

    def _curve(self) -> tuple[Array, Array]:
        """The weights f(x) of many x."""
        xs = np.linspace(0, max(150.0, float(self.together[self.pair])), 200)
        return xs, glove.weight(xs)

    def files(self) -> Files:
        xs, weights = self._curve()
        draw = self._draw()
        return Files("tokens-glove-weight", draw, draw, self._rows, lambda: {"x": xs, "weight": weights})


def _list(rows: Any) -> DataTable:
    return DataTable(lambda: pd.DataFrame(rows()))
