"""What a model loses without some of its parts: on the reader's sentence, and on held-out ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from model import Model
from model.analysis.scores import entropy
from model.experiments import broken_parts, surgery
from model.generation.surprise import surprise
from views.learning.bench.both_models import BothModels, Removal
from views.learning.bench.entropies import Entropies
from views.learning.bench.measures import Measures
from views.parts import Controls
from views.shared import sums
from views.shared.quotes import tex
from views.shared.written_text import written
from views.view import View, equation, existing, grey, work_out
from viz.documents.page_parts import Group, Text
from viz.shared.style import markdown_text
from viz.shared.tensor_titles import path_title

TITLES = ("Whole", "Without")


@dataclass(frozen=True)
class BrokenParts(View):
    """A model without what is taken away. `both`: the models over the sentence; None where they cannot read it, and
    `why_not` says so. `measures`: None for a model that was trained elsewhere."""

    model: Model
    removal: Removal
    both: BothModels | None
    measures: Measures | None
    why_not: Text | None = None

    def picture_parts(self) -> Sequence[Any]:
        removal = self.removal
        if not removal.names:
            return [Controls("removal"), Text("Choose what to take away.", "info")]
        names, meanings = markdown_text(", ".join(removal.names)), "; ".join(part.meaning for part in removal.parts)
        title = markdown_text(self.model.card.title)
        elsewhere = Text(f"Held-out measures are for the bundled models; {title} was trained elsewhere.", "info")
        return [
            Controls("removal"),
            Text(f"**Without {names}**: {meanings}"),
            *grey(self._say_nothing_left()),
            *existing(self.why_not),
            *([*_outputs(self.both), Entropies(self.both)] if self.both else []),
            self.measures or elsewhere,
        ]

    number_parts = picture_parts

    def _say_nothing_left(self) -> str:
        if {"self-attention", "feed-forward"} <= set(self.removal.names):
            return "With both sublayers gone every token stays its own embedding."
        return ""

    def formula_parts(self) -> Sequence[Any]:
        worked = _work_out(self.both) if self.both else existing(self.why_not)
        return [*self.formula(), Controls("removal"), *worked]

    def formula(self) -> Sequence[Any]:
        return [
            *equation(
                r"\text{loss} = -\frac{1}{T} \sum_t \log p(x_t \mid x_{<t})",
                "Mean surprise of the true next token on sentences that the model was not trained on.",
            ),
            *equation(r"H(A_i) = -\sum_j A_{ij} \log_2 A_{ij}", "Entropy of a row of attention, in bits."),
        ]

    def code_parts(self) -> Sequence[Any]:
        return [Controls("removal"), *super().code_parts()]

    def code(self) -> Sequence[Any]:
        return [surgery.without, surgery.EditedTransformer, broken_parts.compare]


def _outputs(both: BothModels) -> list[Any]:
    """What both models make of the sentence, side by side; nothing of an encoder without an answer."""
    if not any(both.outputs):
        return []
    columns = [
        Group(written(f"{title}: what it makes of your sentence", output), "column")
        for title, output in zip(TITLES, both.outputs, strict=True)
    ]
    return [Group(columns, "row")]


def _work_out(both: BothModels) -> list[Any]:
    """The losses of the sentence's tokens and one row of weights, with all parts and without some."""
    path, config = both.last_attention, both.model.config
    best = int(both.traces[0][f"{path}.weights"][0, -1].argmax())
    parts: list[Any] = []
    for title, trace in zip(TITLES, both.traces, strict=True):
        raw, score, weights = (
            trace[f"{path}.{name}"][0, -1] for name in ("raw_scores", "masked", "weights")
        )  # (keys,)
        terms = [weight for weight in weights.tolist() if weight > 0]
        sum_of_row = sums.plus(terms, lambda weight: rf"{tex(weight)} \log_2 {tex(weight)}")
        lines = [
            rf"q_i \cdot k_{{{best}}} = {tex(float(raw[best]))}, \qquad "
            rf"S_{{i,{best}}} + M_{{i,{best}}} = {tex(float(score[best]))}, \qquad "
            rf"A_{{i,{best}}} = {tex(float(weights[best]))}",
            rf"H(A_i) = -({sum_of_row}) = {tex(float(entropy(weights)))}",
        ]
        if config.kind != "encoder" and len(trace.tokens) > 1:
            losses = surprise(trace.logits[:-1], [token.id for token in trace.tokens[1:]]).loss
            mean = tex(float(losses.mean()))
            lines.insert(0, rf"\text{{loss}} = \frac{{{sums.plus(losses.tolist(), tex)}}}{{{len(losses)}}} = {mean}")
        parts += work_out(
            f"**{title}**: {'your sentence, then ' if len(lines) > 2 else ''}the last row of head 0 in the last layer, "
            f"{path_title(path, len(config.stacks) > 1)}:",
            *lines,
        )
    return parts
