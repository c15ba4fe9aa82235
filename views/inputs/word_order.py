"""Does order matter? Shuffle the words: without positions an encoder's outputs only move, with them they change."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from torch import Tensor

from model import Model
from model.experiments import word_order
from model.experiments.word_order import Effect
from model.run import ids_of
from views.call import Call
from views.inputs.position_variants import PositionVariants
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.view import View, equation
from viz.documents.page_parts import Text
from viz.inputs.positions import order_figure
from viz.shared.style import markdown_text, number
from viz.shared.tokens import words

WITHOUT = "the largest change without positions"
WITH = "the largest change with positions"
PICTURE = "positions order"  # the key of the chart


ENCODERS = ("minilm-l6", "tiny-encoder", "en-ur")  # that are measured where the model is no encoder


def encoder_for(model: Model, ready: Container[str]) -> str:
    """The name of the encoder that is measured: that of a model if it is one with position vectors, else the first such
    model that is here."""
    removable = model.config.has_position_vectors or model.config.has_position_bias
    if model.network.encoder is not None and removable:
        return model.card.name
    return next((name for name in ENCODERS if name in ready), ENCODERS[0])


def say_other(model: Model, measured: Model) -> str:
    """Why another model is measured than the chosen one, as Markdown; "" where it is that one."""
    if measured.card.name == model.card.name:
        return ""
    return (
        f"{markdown_text(model.card.title)} is a decoder: its causal mask sees order by itself. Measured on "
        f"{markdown_text(measured.card.title)}, an encoder."
    )


@dataclass(frozen=True)
class Shuffled:
    """The words of a sentence and their `places` in another order, with the measured effects on an encoder.

    `labels`: a label for each token. `without` and `with_positions`: the effects of the order that `seed` draws.
    """

    model: Model = field(compare=False, repr=False)
    text: str
    seed: int
    labels: tuple[str, ...]
    places: tuple[int, ...]
    without: Effect = field(compare=False)
    with_positions: Effect = field(compare=False)

    def made_by(self) -> Call:
        return Call(shuffle, (self.model, self.text, self.seed))

    @property
    def words(self) -> list[str]:
        """The labels in the other order."""
        return [self.labels[place] for place in self.places]


def measure_effects(model: Model, ids: Tensor, places: Tensor) -> tuple[Effect, Effect]:
    """What another order of ids (T,) changes in an encoder: without positions, and with them."""
    without = word_order.effect_of_order(model.network, ids, places, positions=False)
    return without, word_order.effect_of_order(model.network, ids, places)


def shuffle(
    model: Model,
    text: str,
    seed: int,
    measure: Callable[[Model, Tensor, Tensor], tuple[Effect, Effect]] = measure_effects,
) -> Shuffled | Text:
    """A sentence in the order that a seed draws, and what that changes; or why it has no other order.

    Raises `GlassformerError` for a text that the model cannot read.
    """
    tokens = model.tokens_of(text)
    movable = [place for place, token in enumerate(tokens) if not token.special]
    if len(movable) < 2:
        return Text("One token cannot be shuffled: type at least two words in the bar.", "info")
    places = word_order.shuffle_places(movable, len(tokens), seed)
    effects = measure(model, ids_of(tokens), places)
    return Shuffled(model, text, seed, tuple(words(tokens)), tuple(places.tolist()), *effects)


@dataclass(frozen=True)
class WordOrder(View):
    """What another order of the words changes, or why nothing can be shown; and models with five kinds of positions.

    `note`: which model was measured.
    """

    shuffled: Shuffled | Text
    variants: PositionVariants
    note: str = ""

    def told(self) -> Mapping[str, float | str]:
        if isinstance(self.shuffled, Text):
            return {}
        without, changed = self._changes()
        return {WITHOUT: float(without.max()), WITH: float(changed.max())}

    def picture_parts(self) -> Sequence[Any]:
        return [*self._parts(self.picture), self.variants]

    def number_parts(self) -> Sequence[Any]:
        return self._parts(self.table)

    def _parts(self, show: Any) -> list[Any]:
        note = [Text(self.note, "caption")] if self.note else []
        if isinstance(self.shuffled, Text):
            return [*note, self.shuffled]
        before, after = (" · ".join(map(markdown_text, each)) for each in (self.shuffled.labels, self.shuffled.words))
        orders = Text(f"{before}  \n:material/south: shuffled  \n{after}")
        return [*note, Controls("shuffle"), orders, show(), Text(f":gray[{self.caption()}]"), self.files()]

    @property
    def _measured(self) -> Shuffled:
        assert not isinstance(self.shuffled, Text)
        return self.shuffled

    def _changes(self) -> tuple[Tensor, Tensor]:
        """How far each token's output moved without positions and with them: (tokens,) each."""
        return self._measured.without.changes, self._measured.with_positions.changes

    def picture(self) -> Chart:
        without, changed = (number(float(each.max())) for each in self._changes())
        alt = f"How far each token's output moved: at most {without} without positions, up to {changed} with them."
        return Chart(self._draw(), alt, PICTURE)

    def _draw(self) -> Draw:
        without, changed = map(np.asarray, self._changes())
        return partial(order_figure, self._measured.words, without, changed)

    def table(self) -> DataTable:
        powers = dict.fromkeys(("without positions", "with positions"), "%.3e")
        return DataTable(self._table, has_index=True, formats=powers)

    def _table(self) -> pd.DataFrame:
        without, changed = self._changes()
        return pd.DataFrame(
            {
                "token": self._measured.words,
                "was at": self._measured.places,
                "without positions": without.numpy(),
                "with positions": changed.numpy(),
            }
        )

    def caption(self) -> str:
        (without, changed), measured = self._changes(), self._measured
        return (
            f"Without positions no output changes by more than {number(float(without.max()), 2)} of its size, the "
            "rounding of float32: the words only change places. With them, outputs change by "
            f"{number(float(changed.min()), 2)} to {number(float(changed.max()), 2)}. The mean of all outputs is "
            f"a vector for the sentence. It keeps a cosine of {number(measured.without.likeness, 4)} without positions "
            f"and {number(measured.with_positions.likeness, 4)} with them."
        )

    def files(self) -> Files:
        draw = self._draw()
        return Files("positions-order", draw, draw, lambda: self._table().to_dict("records"), focus=(PICTURE,))

    def formula(self) -> Sequence[Any]:
        return equation(
            r"f(PX) = P\,f(X)",
            "Permutation equivariance (Bishop, ch. 12): attention without positions and mask.",
            {
                "X": "the tokens' vectors, one a row",
                "P": "a permutation matrix: it reorders the rows",
                "f": "the encoder",
            },
        )

    def code(self) -> Sequence[Any]:
        return [word_order.encode_ids, word_order.effect_of_order, Effect]
