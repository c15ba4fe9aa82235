"""One part of an account opened: a head by the tokens that it reads, a feed-forward by its neurons."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pandas as pd
from torch import Tensor

from model.analysis.head_steps import Attention
from model.analysis.neuron_parts import NeuronParts, Written, neuron_parts, sublayer_of, written_tokens
from model.analysis.source_tokens import head_sources
from model.analysis.written_by_experts import written_at
from model.cached_property import cached_property
from views.models.why.question import Question
from views.parts import Action, Chart, Controls, DataTable, Draw, Files
from views.shared import quotes, sums
from views.view import View, existing, grey, work_out
from viz.documents.page_parts import Group, Text
from viz.home.layout.places import MapPlace, head_id
from viz.models.why import bars_figure, part_title, sources_figure
from viz.shared.style import markdown_text, number, upper_first
from viz.shared.tokens import words

LARGEST_ROUNDING = 1e-3  # of a sum, as a share of it where it is above 1
NEURONS, WRITTEN = 8, 5  # neurons that are shown, and tokens that each writes towards


def openable(name: str) -> bool:
    """Whether a part of an account has parts of its own."""
    return ".heads." in name or is_of_feed_forward(name)


def is_of_feed_forward(name: str) -> bool:
    """Whether a part is a feed-forward or an expert of one."""
    return name.endswith((".ffn", ".ffn.shared")) or ".ffn.experts." in name


@dataclass(frozen=True)
class OpenedPart(View):
    """A part of the account of a question, by its `name` there."""

    asked: Question
    name: str

    @property
    def title(self) -> str:
        return part_title(self.name)

    @abstractmethod
    def above(self) -> list[Any]:
        """What stands above its picture and its table."""

    def picture_parts(self) -> Sequence[Any]:
        return self._in_place(self.picture())

    def number_parts(self) -> Sequence[Any]:
        return self._in_place(self.table())

    def _in_place(self, shown: Any) -> list[Any]:
        return [Group([*self.above(), shown, *grey(self.caption()), *existing(self.files())], key="why opened")]

    def code_parts(self) -> Sequence[Any]:
        return []

    def _check(self, summed: float, what: str) -> str:
        """A sum and the part that it should be. An edit of what a part adds as a whole belongs to nothing inside it."""
        part = self.asked.account.parts[self.name]
        if abs(summed - part) < LARGEST_ROUNDING * max(1.0, abs(part)):
            return f"{number(summed)}, the {what}'s part ({number(part)})"
        return f"{number(summed)}; an edit of the run makes it {number(part)}"


@dataclass(frozen=True)
class OpenedHead(OpenedPart):
    """The part of a head by the tokens that it reads from. `shown`: those of a long text that the picture has."""

    shown: slice = field(default_factory=partial(slice, None))

    @property
    def attention(self) -> Attention:
        stack, layer, part, _, _ = self.name.split(".")
        return Attention(stack, int(layer), part)

    @property
    def head(self) -> int:
        return int(self.name.rpartition(".")[2])

    @cached_property
    def parts(self) -> Tensor:
        """What it gives from each token: (keys,)."""
        return head_sources(self.asked.run.model, self.asked.run.trace, self.asked.account, self.attention)[self.head]

    @cached_property
    def keys(self) -> list[str]:
        return words(self.asked.run.trace.source_tokens) if self.attention.is_cross else self.asked.read

    @property
    def best(self) -> int:
        """The token that gives most."""
        return int(self.parts.abs().argmax())

    def above(self) -> list[Any]:
        at = self.attention
        place = {"home_at": str(MapPlace(head_id(at.stack, at.layer, at.part, self.head))), "depth": "Picture"}
        general = {"why_part": "head", "attention": f"{at.stack}.{at.part}", "layer": at.layer, "head": self.head}
        row = [
            Text(f"**{upper_first(self.title)}**, by the tokens that it reads"),
            Action("On the map", place, "why on the map", ":material/map:", page="home"),
            Action("In general", general, "why in general", ":material/center_focus_strong:"),
        ]
        return [Group(row, "row"), Controls("window")]

    def picture(self) -> Chart:
        return Chart(self._draw(), f"What {self.title} gives from each token", key="why opened tokens")

    def _draw(self) -> Draw:
        parts, keys = self.parts[self.shown].numpy(), self.keys[self.shown]
        return partial(sources_figure, parts, keys, axis=self.asked.number.part)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()))

    def rows(self) -> list[dict[str, Any]]:
        return [{"token": key, "part": part} for key, part in zip(self.keys, self.parts.tolist(), strict=True)]

    def caption(self) -> str:
        best = self.best
        return (
            "Weight × value × $W_O$ × direction, token by token. Most comes from "
            f"{quotes.quote(self.keys[best], best)}, {number(float(self.parts[best]))}. All sum to "
            f"{self._check(float(self.parts.sum()), 'head')}."
        )

    def files(self) -> Files:
        name, draw = f"{self.asked.run.name}-why-head", self._draw()
        return Files(name, draw, draw, self.rows, lambda: {"parts": self.parts.numpy()}, focus=("why opened",))

    def formula(self) -> Sequence[Any]:
        return work_out(
            f"The part of {self.title} is a sum over the tokens that it reads, $A_{{qk}}\\, v_k W_O \\cdot r$:",
            sums.total(self.parts),
        )


@dataclass(frozen=True)
class OpenedFeedForward(OpenedPart):
    """The part of a feed-forward by its neurons, and what the largest of them write."""

    @cached_property
    def found(self) -> NeuronParts:
        return neuron_parts(self.asked.run.model, self.asked.run.trace, self.asked.account, self.name)

    @cached_property
    def written(self) -> Sequence[Written]:
        """What the largest neurons write."""
        neurons = self.found.largest(NEURONS)
        return written_tokens(self.asked.run.model, self.asked.account, self.found, neurons, WRITTEN)

    def above(self) -> list[Any]:
        return [Text(f"**{upper_first(self.title)}**, by its neurons")]

    def picture(self) -> Group:
        chart = Chart(self._draw(), f"What the neurons of {self.title} give", key="why opened neurons")
        lines = Text("\n".join(map(self._line, self.written)))
        return Group([Group([chart], "column", 2), Group([lines], "column", 3)], "row", gap="medium")

    def _draw(self) -> Draw:
        found = self.found
        bars = {f"neuron {each.neuron}": float(found.parts[each.neuron]) for each in self.written}
        others = found.total - found.bias - sum(bars.values())
        rest = {f"the {len(found.parts) - len(bars):,} others": others}
        rest |= {"bias": found.bias} if found.bias else {}
        return partial(bars_figure, bars | rest, self.asked.number.part, quiet=tuple(rest))

    def _line(self, written: Written) -> str:
        labels = map(self.asked.word, written.ids.tolist())
        named = ", ".join(
            f"**{markdown_text(label)}** :gray[{number(rise, 2)}]"
            for label, rise in zip(labels, written.rises.tolist(), strict=True)
        )
        return f"- neuron {written.neuron} writes {named}"

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()))

    def rows(self) -> list[Mapping[str, Any]]:
        return [
            {
                "neuron": each.neuron,
                "activation": float(self.found.activated[each.neuron]),
                "part": float(self.found.parts[each.neuron]),
                "writes towards": " ".join(map(self.asked.word, each.ids.tolist())),
            }
            for each in self.written
        ]

    def caption(self) -> str:
        found = self.found
        return (
            f"Neuron by neuron: activation × its column of $W_2$ × direction. All {len(found.parts):,} sum to "
            f"{self._check(found.total, 'feed-forward')}. Beside each stand the "
            f"{'classes' if self.asked.of_class else 'tokens'} whose logits it raises most here."
        )

    def files(self) -> Files:
        name, draw = f"{self.asked.run.name}-why-neurons", self._draw()
        return Files(name, draw, draw, self.rows, lambda: {"parts": self.found.parts.numpy()}, focus=("why opened",))

    def formula(self) -> Sequence[Any]:
        path, position, trace = sublayer_of(self.name), self.asked.position, self.asked.run.trace
        if path == self.name:
            out = trace[f"{path}.out"][position]  # (d_model,)
        else:
            out = written_at(self.asked.config, trace, path, position)[self.name]
        return work_out(
            f"The part of {self.title}, its $x_c \\cdot r$:", sums.product(out, self.asked.account.directions[path])
        )


def usual_opened(asked: Question) -> str:
    """The part that is opened at first: the largest one that opens."""
    parts = asked.account.parts
    return max(filter(openable, parts), key=lambda name: abs(parts[name]))


def open_part(asked: Question, name: str) -> OpenedPart:
    """The view of a part of an account."""
    return OpenedFeedForward(asked, name) if is_of_feed_forward(name) else OpenedHead(asked, name)
