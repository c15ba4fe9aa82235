"""The harm that is done by removing each head alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd
import torch

from model import Model, Trace
from model.analysis.head_steps import Attention, kinds
from model.arrays import Array
from model.experiments.head_ablation import AblationSweep, Harm, mean_sweep
from model.run import ids_of
from views.attention.head_view import HeadView
from views.attention.next_words import beside_outcome
from views.call import Call
from views.head_of_run import HeadOfRun, attention_title, layer_place
from views.parts import Chart, Controls, DataTable, Draw, Files, Source
from views.view import equation, grey
from viz.attention.head_work import harm_figure
from viz.documents.page_parts import Text
from viz.shared.style import number

MEASURED_ON = YOUR_SENTENCE, THE_EXAMPLES = ("your sentence", "the examples")
NOT_BEGUN = (
    "Each head is taken away in a run of its own from its layer on. Over so long a text that takes minutes, so "
    "it waits until you ask for it. A stop keeps the layers that are done."
)


@dataclass(frozen=True)
class Sweep(HeadView):
    """What is lost without each head. `harms`: of the attentions that were measured `on` "your sentence" or "the
    examples". `why_not`: why nothing can be measured. `texts`: the examples."""

    harms: tuple[Harm, ...]
    on: str
    why_not: Text | None = None
    texts: tuple[str, ...] = ()

    def made_by(self) -> Call:
        if self.why_not is not None:
            return Call(Sweep, (self.head, (), self.on, self.why_not, self.texts))
        named: dict[str, Any] = {"texts": self.texts} if self.texts else {}
        if len(self.harms) < count_attentions(self.head):
            named["most"] = len(self.harms)
        return Call(sweep_heads, (self.head,), named)

    def formula_parts(self) -> Sequence[Any]:
        return equation(
            r"\Delta_{l,h} = \mathrm{loss}(H_{l,h} := 0) - \mathrm{loss}",
            "Michel et al. (2019), arXiv:1905.10650, section 3. For an encoder: 1 - cosine of the sentence's vector.",
        )

    def code_parts(self) -> Sequence[Any]:
        return [Source(AblationSweep)]

    def picture_parts(self) -> Sequence[Any]:
        return self._above_words(self.picture)

    def number_parts(self) -> Sequence[Any]:
        return self._above_words(self.table)

    def _above_words(self, make: Any) -> list[Any]:
        if self.why_not is not None:
            parts: list[Any] = [self.why_not]
        elif self.harms:
            parts = [make(), *grey(self._say_partial()), *grey(self.caption()), self.files()]
        else:
            parts = grey(NOT_BEGUN)
        return [*beside_outcome(self.head, [Controls("sweep"), *parts])]

    @property
    def measure(self) -> str:
        is_encoder = self.head.config.kind == "encoder"
        return "change of the sentence's vector, 1 − cosine" if is_encoder else "rise of the loss, in nats"

    @property
    def rises(self) -> torch.Tensor:
        """(attentions, heads)"""
        return torch.stack([harm.rise for harm in self.harms])

    def picture(self) -> Chart:
        return Chart(self._draw(), f"Each head removed: {self.measure}")

    def _draw(self) -> Draw:
        return partial(harm_figure, self._maps())

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
        return [
            {"attention": place_of(self.head, harm.path), "head": head, self.measure: rise, "name": harm.path}
            for harm in self.harms
            for head, rise in enumerate(harm.rise.tolist())
        ]

    def _say_partial(self) -> str:
        done, count = len(self.harms), count_attentions(self.head)
        if done == count:
            return ""
        return f"**Partial**: {done} of {count} attentions are measured, the others are grey. “Go on” measures them."

    def caption(self) -> str:
        rises = self.rises
        place, head = divmod(int(rises.argmax()), rises.shape[1])
        caption = (
            f"Colour: {self.measure}, on {self.on}, with one head removed. Most is lost without head {head} of "
            f"{place_of(self.head, self.harms[place].path)}: {number(float(rises.max()))}."
        )
        if self.head.config.kind != "encoder":
            harmful = int((rises < 0).sum())
            caption += f" {harmful} of {rises.numel()} heads even did harm here: without them the loss falls."
        return caption + " Michel et al. (2019), arXiv:1905.10650."

    def files(self) -> Files:
        name = f"{self.head.run.name}-sweep"
        return Files(name, self._draw(), self._draw(), self._rows, lambda: {"rises": self.rises.numpy()})

    def _maps(self) -> dict[str, Array]:
        """A map (layers, heads) for every attention of the model, NaN where nothing has been measured."""
        config = self.head.config
        measured = {harm.path: harm.rise.numpy() for harm in self.harms}
        missing = np.full(config.n_heads, np.nan, np.float32)
        return {
            attention_title(config, stack, part): np.stack(
                [measured.get(f"{stack}.{layer}.{part}", missing) for layer in range(config.n_layers(stack))]
            )
            for stack, part in kinds(config)
        }


def sweep_heads(head: HeadOfRun, texts: tuple[str, ...] = (), most: int | None = None) -> Sweep:
    """Takes each head of the model away, on the sentence of the run or on some `texts`.

    `most`: the attentions whose heads are taken away, by default all. Raises `TooShort`.
    """
    model = head.run.model
    runs = [model.trace(text, keep="*.resid_in") for text in texts] or [head.run.trace]
    harms = tuple(islice(mean_sweep(sweeps_over(model, runs)), most))
    return Sweep(head, harms, THE_EXAMPLES if texts else YOUR_SENTENCE, texts=texts)


def sweeps_over(
    model: Model, runs: Sequence[Trace], take_turn: Callable[[], AbstractContextManager[None]] = nullcontext
) -> list[AblationSweep]:
    """A sweep over each run. `take_turn` waits for a turn at the processor. Raises `TooShort`."""
    return [
        AblationSweep(
            model.network,
            ids_of(each.tokens),
            ids_of(each.source_tokens) if each.source_tokens else None,
            take_turn,
        )
        for each in runs
    ]


def count_attentions(head: HeadOfRun) -> int:
    """How many attentions the model of a head has."""
    return sum(head.config.n_layers(stack) for stack, _ in kinds(head.config))


def place_of(head: HeadOfRun, path: str) -> str:
    """An attention in words: "layer 2"."""
    stack, layer, part = path.split(".")
    return layer_place(head.config, Attention(stack, int(layer), part))
