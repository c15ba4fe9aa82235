"""The answer to a question that an encoder finds in a passage: where it starts and where it ends."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
from torch import Tensor

from model.analysis.answer_span import Span, find_answer, passage_of
from model.analysis.head_steps import final_name
from model.cached_property import cached_property
from model.graph.explain import explain
from views.parts import Chart, DataTable, Files
from views.plotted import Plotted
from views.run import Run
from views.shared import quotes, sums
from views.view import equation, work_out
from viz.documents.page_parts import Heading
from viz.models.classify import token_classes_figure
from viz.shared.style import markdown_text, number, percent
from viz.shared.tokens import words


@dataclass(frozen=True)
class FoundAnswer:
    """The answer of a run, whose model must find answers."""

    run: Run

    @cached_property
    def span(self) -> Span:
        return find_answer(self.run.model, self.run.trace)

    @property
    def logits(self) -> Tensor:
        """The start and the end at each token: (tokens, 2)"""
        return self.run.trace["token_logits"]

    @property
    def shares(self) -> Tensor:
        """Of all tokens, how likely the answer starts or ends at this one: (tokens, 2)"""
        return self.logits.softmax(0)

    @property
    def text(self) -> str:
        """The words of the answer."""
        tokens = self.run.trace.tokens[self.span.start : self.span.end + 1]
        return self.run.model.tokenizer.decode([token.id for token in tokens]).strip()

    @property
    def named(self) -> str:
        """The answer in Markdown, on one line."""
        return f"“{markdown_text(self.text)}”"

    def parts(self) -> list[Any]:
        """The answer, and the two shares of each token."""
        run, tokens = self.run, words(self.run.trace.tokens)
        draw = partial(token_classes_figure, self.shares.numpy(), tokens, run.config.token_labels)
        shown = Plotted(
            Chart(draw, "How likely the answer starts and ends at each token"),
            DataTable(self._table),
            self._sentence(),
            Files(f"{run.name}-answer", draw, draw, lambda: self._table().to_dict("records")),
        )
        return [Heading("The answer", 3), shown]

    def _sentence(self) -> str:
        """The answer and how it was chosen, in Markdown."""
        span, tokens, shares = self.span, words(self.run.trace.tokens), self.shares
        ends = (("starts", span.start, 0), ("ends", span.end, 1))
        told = " and ".join(
            f"{verb} at {quotes.quote(tokens[place], place)} with {percent(float(shares[place, column]))}"
            for verb, place, column in ends
        )
        said = (
            f"**{markdown_text(self.text)}** {told}, each a share of all tokens. Of all spans of the passage it has "
            f"the largest sum of both logits, {number(span.score)}.{self._say_none()}"
        )
        end = self.run.model.tokenizer.end
        if end is not None and not self._has_question:
            border = self.run.model.tokenizer.token(end).text
            said += f" To ask a question, write it before the passage, with `{border}` between them."
        return f"{said} {self.run.model.card.details.get('limits', '')}".rstrip()

    @property
    def _has_question(self) -> bool:
        """Whether words stand before the passage."""
        tokens = self.run.trace.tokens
        return any(not token.special for token in tokens[: passage_of(tokens, self.run.model.tokenizer.end)[0]])

    def _say_none(self) -> str:
        """A sentence where the first token scores higher than the answer, as where the passage has none."""
        first = float(self.logits[0].sum())
        if first <= self.span.score:
            return ""
        name = quotes.quote(words(self.run.trace.tokens)[0], 0)
        return (
            f" The first token, {name}, has a larger sum, {number(first)}: a model that was trained with questions "
            "without an answer says so that there is none."
        )

    def _table(self) -> pd.DataFrame:
        """One row for each token."""
        columns = {"token": words(self.run.trace.tokens)}
        for column, name in enumerate(self.run.config.token_labels):
            columns[f"{name}, logit"] = self.logits[:, column].double().tolist()
            columns[f"{name}, share"] = self.shares[:, column].double().tolist()
        return pd.DataFrame(columns)

    def formula(self) -> list[Any]:
        """The equation, and both ends of the answer worked out."""
        parts = equation(
            r"p^{start}_t = \frac{e^{s \cdot h_t + b_s}}{\sum_j e^{s \cdot h_j + b_s}}, \qquad "
            r"(i, j) = \mathrm{argmax}_{i \le j}\,(s \cdot h_i + b_s + e \cdot h_j + b_e)",
            "Where the answer starts: a softmax over all tokens, and not over classes. The end has its own vector. "
            "Devlin et al. (2019), arXiv:1810.04805, section 4.2.",
            {"h_t": "the last hidden state of token t", "s, e": "the rows of the output layer: start and end"}
            | {"i, j": "the first and the last token of the answer, in the passage"},
        )
        run = self.run
        keep = (final_name(run.config, "encoder"), "token_logits")
        trace = run.again(keep).with_network(run.model.network)  # cached traces hold no model
        tokens = words(run.trace.tokens)
        for column, place in enumerate((self.span.start, self.span.end)):
            parts += work_out(
                f"{quotes.quote(tokens[place], place)}, **{run.config.token_labels[column]}**: its logit, and what the "
                f"softmax over {len(tokens):,} tokens makes of it:",
                f"u = {sums.explained(explain(trace, 'token_logits', (place, column)))}",
                f"p = {sums.softmax(self.logits[:, column], place)}",
            )
        return parts
