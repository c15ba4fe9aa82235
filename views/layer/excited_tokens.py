"""The tokens of example sentences that a neuron reacts to most, by the sign that it has at the singled-out token.

Of a mixture of experts, those that take an expert with the largest weight.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pandas as pd

from model import Model
from model.analysis.neurons import excited_by
from model.cached_property import cached_property
from model.config import TransformerConfig
from model.errors import TextTooLong
from model.tape import Trace
from views.call import Call
from views.layer.layer_of_run import LayerOfRun
from views.parts import Controls, DataTable, Files
from views.run import trace_text
from views.shared import quotes
from views.view import View
from viz.block.layer import excited_figure
from viz.documents.page_parts import Text
from viz.shared.style import number
from viz.shared.tokens import words

MAX_ROWS = 12


@dataclass(frozen=True)
class Units:
    """What a feed-forward is made of: a noun, how many there are, and the tensor with a number for each at a token."""

    noun: str
    count: int
    tensor: str


def units_of(config: TransformerConfig) -> Units:
    """The neurons of a feed-forward, or its experts."""
    if config.n_experts:
        return Units("expert", config.n_experts, "ffn.gates")
    return Units("neuron", config.d_ff, "ffn.activated")


@dataclass(frozen=True)
class ExcitedTokens(View):
    """One neuron or expert of a layer over example sentences (`texts`), of which `examples` are the runs."""

    place: LayerOfRun
    neuron: int
    texts: tuple[str, ...]
    examples: Sequence[Trace] = field(compare=False)

    def made_by(self) -> Call:
        return Call(excite, (self.place, self.neuron, self.texts))

    @property
    def units(self) -> Units:
        return units_of(self.place.config)

    @property
    def value(self) -> float:
        """The neuron at the singled-out token."""
        return float(self.place.tensor(self.units.tensor)[self.place.token, self.neuron])

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """One row for each token, with the words around it."""
        rows, name = [], self.place.full_name(self.units.tensor)
        for each in excited_by(self.examples, name, self.neuron, MAX_ROWS, negative=self.value < 0):
            trace = self.examples[each.sentence]
            tokens = words((self.place.stack == "encoder" and trace.source_tokens) or trace.tokens)
            before, after = " ".join(tokens[: each.place]), " ".join(tokens[each.place + 1 :])
            row = {"activation": each.activation, "before": before, "token": tokens[each.place], "after": after}
            rows.append(row)
        return rows

    def picture_parts(self) -> Sequence[Any]:
        missing = Text("This model's longest text is shorter than every example sentence of the bar.", "info")
        return [Controls("neuron"), *(super().number_parts() if self.examples else [missing])]

    number_parts = picture_parts

    def table(self) -> DataTable:
        named = {"activation": "weight"} if self.units.noun == "expert" else {}
        return DataTable(lambda: pd.DataFrame(self.rows).rename(columns=named))

    def caption(self) -> str:
        value, first, place = self.value, self.rows[0], self.place
        if self.units.noun == "expert":
            return (
                f"At {quotes.quote(place.tokens[place.token], place.token)} expert {self.neuron} has the weight "
                f"{number(value)}. Over the {len(self.examples)} example sentences of the bar, its weight is largest "
                f"at {quotes.quote(first['token'])} ({number(first['activation'])})."
            )
        return (
            f"At {quotes.quote(place.tokens[place.token], place.token)} neuron {self.neuron} is {number(value)}. Over "
            f"the {len(self.examples)} example sentences of the bar, it is most "
            f"{'negative' if value < 0 else 'positive'} at {quotes.quote(first['token'])} "
            f"({number(first['activation'])})."
        )

    def files(self) -> Files:
        draw = partial(excited_figure, self.rows)
        return Files(f"{self.place.run.name}-{self.units.noun}-{self.neuron}", draw, draw, lambda: self.rows)


def excite(
    place: LayerOfRun,
    neuron: int,
    texts: Sequence[str],
    trace: Callable[[Model, str, str], Trace] = trace_text,
) -> ExcitedTokens:
    """One neuron over example sentences, without those that are too long for the model.

    `trace` runs the model over one of them, with the tensor of this name.
    """
    examples, name = {}, place.full_name(units_of(place.config).tensor)
    for text in texts:
        with suppress(TextTooLong):
            examples[text] = trace(place.run.model, text, name)
    return ExcitedTokens(place, neuron, tuple(examples), tuple(examples.values()))
