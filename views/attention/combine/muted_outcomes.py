"""What a run gives without some heads: next tokens, vectors or a translation, beside those of the whole model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import pandas as pd

from model import Edit
from model.analysis.change import likeliest_with_new, turn
from model.analysis.head_steps import final_name
from model.cached_property import cached_property
from views.head_of_run import tokens_of
from views.parts import Chart, DataTable, Draw, Files
from views.run import Run
from views.shared.quotes import quote
from views.shared.written_text import written
from views.view import View, grey
from viz.attention.combine import before_after_figure
from viz.attention.masks import change_figure
from viz.documents.page_parts import Group
from viz.shared.style import markdown_text, number, percent
from viz.shared.tokens import labels, words

if TYPE_CHECKING:
    from torch import Tensor

FOCUS = ("combine muted",)  # all pictures
LIKELIEST = 8  # next tokens of the whole model that are compared
NEW = 3  # likeliest next tokens of the muted model that are added to them
CHANGE = "the largest change"  # of a probability, or of the direction of a vector


@dataclass(frozen=True)
class OfBoth(View):
    """A tensor of the whole model's run and of the one under the `edit` that silences heads."""

    run: Run
    edit: Edit

    def both(self, tensor: str) -> tuple[Tensor, Tensor]:
        return self.run.again(tensor)[tensor], self.run.again(tensor, (self.edit,))[tensor]


@dataclass(frozen=True)
class Predictions(OfBoth):
    """The probabilities of the next token."""

    @cached_property
    def probabilities(self) -> tuple[Tensor, Tensor]:
        """Of the whole model and of the muted one: (vocabulary,) each."""
        whole, muted = (logits[-1].softmax(-1) for logits in self.both("logits"))
        return whole, muted

    def told(self) -> Mapping[str, float | str]:
        whole, muted = self.probabilities
        return {CHANGE: float((muted - whole).abs().max())}

    @cached_property
    def _rows(self) -> list[dict[str, Any]]:
        whole, muted = self.probabilities
        ids = likeliest_with_new(whole, muted, LIKELIEST, NEW)
        shares = zip(self._names(ids), whole[ids].tolist(), muted[ids].tolist(), strict=True)
        return [{"token": token, "whole": before, "muted": after} for token, before, after in shares]

    def _names(self, ids: Sequence[int]) -> list[str]:
        return labels(self.run.model.tokenizer.tokens(ids))

    def picture(self) -> Chart:
        return Chart(self._draw, "The next token's probabilities with all heads and with some muted")

    @property
    def _draw(self) -> Draw:
        names, before, after = ([row[name] for row in self._rows] for name in ("token", "whole", "muted"))
        return partial(before_after_figure, names, before, after)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows))

    def caption(self) -> str:
        tokenizer, (whole, muted) = self.run.model.tokenizer, self.probabilities
        expected, instead = words(tokenizer.tokens([int(each.argmax()) for each in (whole, muted)]))
        still = "still" if expected == instead else f"no longer “{markdown_text(expected)}” but"
        return f"The likeliest next token is {still} “{markdown_text(instead)}”, {percent(float(muted.max()))}."

    def files(self) -> Files:
        return Files(f"{self.run.name}-muted", self._draw, self._draw, lambda: self._rows, focus=FOCUS)


@dataclass(frozen=True)
class Turns(OfBoth):
    """How far the last hidden state of every token turns, in an encoder."""

    @cached_property
    def vectors(self) -> tuple[Tensor, Tensor]:
        """(tokens, d_model) each"""
        return self.both(final_name(self.run.config, "encoder"))

    @cached_property
    def turns(self) -> Tensor:
        """(tokens,)"""
        return turn(*self.vectors)

    @property
    def tokens(self) -> list[str]:
        return labels(tokens_of(self.run, "encoder"))

    def told(self) -> Mapping[str, float | str]:
        return {CHANGE: float(self.turns.max())}

    def picture(self) -> Chart:
        return Chart(self._draw, "How far each token's last hidden state turned")

    @property
    def _draw(self) -> Any:
        return partial(change_figure, self.tokens, self.turns.numpy(), "1 − cosine")

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
        turns = zip(self.tokens, self.turns.tolist(), strict=True)
        return [{"token": token, "1 − cosine": value} for token, value in turns]

    def caption(self) -> str:
        most = int(self.turns.argmax())
        return (
            f"How far each token's last hidden state turned. {quote(self.tokens[most], most)} moved most: "
            f"{number(float(self.turns[most]))}. An encoder has no next token to predict."
        )

    def files(self) -> Files:
        before, after = self.vectors
        arrays = lambda: {"before": before, "after": after}  # noqa: E731
        return Files(f"{self.run.name}-muted", self._draw, self._draw, self._rows, arrays, focus=FOCUS)


@dataclass(frozen=True)
class Translations(View):
    """What a translator writes with all heads, and without some."""

    whole: str
    muted: str

    def picture_parts(self) -> Sequence[Any]:
        texts = {"All heads": self.whole, "Muted": self.muted}
        columns = [Group(written(name, text), "column") for name, text in texts.items()]
        return [Group(columns, "row"), *grey(self.caption())]

    number_parts = picture_parts

    def caption(self) -> str:
        return "Both are greedy translations of the sentence in the bar."
