"""A part counts more, less or the other way round, or a difference of two sentences is added: what becomes likelier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pandas as pd
from torch import Tensor

from model import Model
from model.analysis.answers import answers
from model.cached_property import cached_property
from model.edits.activations import Add
from model.edits.parts import Scale
from views.call import Call
from views.models.why.asked_view import AskedView
from views.models.why.question import Question, likeliest
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.shared import quotes
from views.view import cite, equation, grey, work_out
from viz.documents.page_parts import Group, Text
from viz.models.patching import next_tokens_figure
from viz.shared.style import isolate, markdown_text, number, upper_first

LIKELIEST = 5  # tokens of each run
WRITTEN_TOKENS = 16  # of a text that a model goes on with
LIKELIEST_NOW = "the edited model's likeliest answer"
WRITTEN = "what the edited model writes"
HOW_TO_SCALE = "Move “Times”: the part’s output is multiplied by it at every token."
HOW_TO_ADD = "Move “Times”: the difference is added so many times to the stream."


@dataclass(frozen=True)
class Steered(AskedView):
    """The answers of the whole model and of the edited one, whose run is that of the question.

    `edit`: what the reader may change next. `whole` (answers,) are the logits of the whole model. `writes` and
    `edited_writes`: the text as both go on with it; None where there is none.
    """

    edit: Scale | Add
    whole: Tensor = field(compare=False)
    writes: str | None = None
    edited_writes: str | None = None

    def made_by(self) -> Call:
        return Call(steer, (self.asked, self.edit))

    @property
    def edited(self) -> Tensor:
        """The logits of the edited model; those of the whole one where nothing is edited."""
        return self.asked.logits if self.asked.run.edits else self.whole

    @cached_property
    def ids(self) -> list[int]:
        """The likeliest answers of both, by turns, after those of the question."""
        return likeliest((self.edited, self.whole), LIKELIEST, self.asked.tokens)[: LIKELIEST + 2]

    @cached_property
    def shares(self) -> dict[str, Any]:
        """The scores of `ids` in each run; one run where nothing is edited."""
        runs = {"the whole model": self.whole} | ({"edited": self.edited} if self.asked.run.edits else {})
        return {name: self.asked.scores(logits)[self.ids].numpy() for name, logits in runs.items()}

    def told(self) -> Mapping[str, float | str]:
        told = {LIKELIEST_NOW: self.asked.word(int(self.edited.argmax()))}
        return told if self.edited_writes is None else told | {WRITTEN: self.edited_writes}

    def picture_parts(self) -> Sequence[Any]:
        return self._beside_texts(self.picture())

    def number_parts(self) -> Sequence[Any]:
        return self._beside_texts(self.table())

    def _beside_texts(self, shown: Any) -> list[Any]:
        works = (
            "To scale what a head writes: Merullo et al. (2024), arXiv:2310.08744. To add a difference: Turner et al. "
            "(2023), arXiv:2308.10248; Rimsky et al. (2024), arXiv:2312.06681."
        )
        columns = [Group([Group([shown], key="why steer")], "column", 3), Group(self._texts(), "column", 2)]
        row = Group(columns, "row", gap="medium")
        return [Controls("edit"), row, *grey(self.caption()), cite(works), self.files()]

    def _texts(self) -> list[Text]:
        """What both models write, greedily."""
        titled = {"**The whole model writes**": self.writes, "**The edited one writes**": self.edited_writes}
        return [
            part
            for title, text in titled.items()
            if text is not None
            for part in (Text(title), Text(isolate(markdown_text(text))))
        ]

    def picture(self) -> Chart:
        return Chart(self._draw(), f"The {self.asked.answers} of the whole and edited model")

    def _draw(self) -> Draw:
        names = [self.asked.word(id) for id in self.ids]
        return partial(next_tokens_figure, self.shares, names, kind=self.asked.config.label_scores)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()))

    def rows(self) -> list[dict[str, Any]]:
        return [
            {"token": self.asked.word(id)} | {run: float(each[place]) for run, each in self.shares.items()}
            for place, id in enumerate(self.ids)
        ]

    def caption(self) -> str:
        asked = self.asked
        before, after = (asked.chances(each) for each in (self.whole, self.edited))
        if not asked.run.edits:
            how = HOW_TO_SCALE if isinstance(self.edit, Scale) else HOW_TO_ADD
            stated = f"{upper_first(asked.number.statement)} {number(asked.read_off(self.whole))} ({before})"
            return f"Nothing is edited yet. {stated}. {how} All other pages then show the edited run, too."
        rise = asked.read_off(self.edited) - asked.read_off(self.whole)
        return (
            f"With the edits that the run bar lists, {asked.number.name} changes by {number(rise)}, "
            f"and the {asked.chances_noun} from {before} to {after}. All other pages show the edited run, too."
        )

    def files(self) -> Files:
        name, draw = f"{self.asked.run.name}-steer", self._draw()
        return Files(name, draw, draw, self.rows, lambda: self.shares, focus=("why steer",))

    def formula_parts(self) -> Sequence[Any]:
        return [Controls("edit"), *self.formula()]

    def formula(self) -> Sequence[Any]:
        asks = self.asked.number
        before, after = self.asked.read_off(self.whole), self.asked.read_off(self.edited)
        minus = f"- {quotes.tex(before)}" if before >= 0 else f"+ {quotes.tex(-before)}"
        worked = work_out(
            f"{upper_first(asks.name)} in the edited run, minus that of the whole model:",
            rf"\Delta = {quotes.tex(after)} {minus} = {quotes.tex(after - before)}",
        )
        return [*(self._scaling() if isinstance(self.edit, Scale) else self._adding()), *worked]

    def _scaling(self) -> list[Any]:
        asks = self.asked.number
        return equation(
            rf"x' = x + \alpha\, f(x), \qquad \Delta = {asks.symbol}(x') - {asks.symbol}(x)",
            "Merullo et al. (2024), arXiv:2310.08744, section 5, multiply what a head adds to the residual stream.",
            {
                r"\alpha": "the factor: 1 as it is, 0 muted",
                "f": "a head, a feed-forward, or one neuron of it",
            }
            | asks.symbols,
        )

    def _adding(self) -> list[Any]:
        asks = self.asked.number
        return equation(
            r"x_i' = x_i + \alpha\,\big(h^{+} - h^{-}\big), \qquad "
            rf"\Delta = {asks.symbol}(x') - {asks.symbol}(x)",
            "Turner et al. (2023), arXiv:2308.10248, section 3: the streams of two sentences, lined up from their "
            "first tokens. Rimsky et al. (2024), arXiv:2312.06681, add that of the last tokens everywhere.",
            {
                "x_i": "the residual stream before the layer, at token i",
                r"\alpha": "how often it is added: 0 as it is, below 0 the other way round",
                "h^{+}, h^{-}": "the streams of both sentences before the same layer: of their last tokens, or one by "
                "one",
            }
            | asks.symbols,
        )

    def code(self) -> Sequence[Any]:
        return [type(self.edit)]


def steer(asked: Question, edit: Scale | Add) -> Steered:
    """The answers of the whole model and of the edited one, and what both write where they write words."""
    run, whole = asked.run, whole_logits(asked)
    if asked.of_encoder:
        return Steered(asked, edit, whole)
    writes = write_on(run.maker.whole(run.model), run.text)
    return Steered(asked, edit, whole, writes, write_on(run.model, run.text) if run.edits else None)


def write_on(model: Model, text: str, limit: int | None = None) -> str:
    """The text as a decoder goes on with it, or a translator's translation.

    `limit`: the tokens that a text may have; by default those that the model can read.
    """
    room = (model.config.max_length if limit is None else limit) - len(model.tokens_of(text))
    steps = model.generate(text, max_new_tokens=max(0, min(WRITTEN_TOKENS, room)))
    ids = [step.chosen for step in steps if step.chosen not in model.output_tokenizer.ends]
    written = model.output_tokenizer.decode(ids)
    return written if model.config.kind == "encoder-decoder" else text + written


def whole_logits(asked: Question) -> Tensor:
    """The logits of the answers by the model without the reader's edits, over the same tokens: (answers,)."""
    if not asked.run.edits:
        return asked.logits
    whole = asked.run.maker.whole(asked.run.model)
    trace = asked.run.by_whole_model(asked.config.answer_tensor)
    return answers(whole, trace, asked.position)
