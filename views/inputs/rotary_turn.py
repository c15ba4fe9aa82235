"""Rotary positions on a real head: one pair of q and k before and after rotation, and the score by distance."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from model.analysis.rotary_pairs import RotaryPairs
from model.cached_property import cached_property
from model.network import positions
from model.network.attention import MultiHeadAttention
from views.inputs.rotary_charts import Contributions, DistanceCurve, TurnedPair
from views.parts import Controls, Source
from views.run import Run
from views.shared import quotes, sums
from views.view import View, equation, work_out
from viz.documents.page_parts import Group, Text
from viz.shared.style import markdown_text
from viz.shared.tokens import words

TURN = "the turn of this pair a word, in degrees,"
PEAK = "the distance at which the score peaks"


OTHER_MODELS = {  # that are shown where the reader's is not rotary, with the head that they begin with
    "smollm2-135m": {"layer": 16, "head": 0},  # it looks one token back by its rotation alone
    "tiny-lm-rotary": {"layer": 1, "head": 0},
}


def other_model(ready: Container[str]) -> str:
    """The rotary model that is shown in the place of another one: the first that is here."""
    return next((name for name in OTHER_MODELS if name in ready), next(iter(OTHER_MODELS)))


def say_unturned(run: Run, layer: int) -> str:
    """Why a layer shows no turn; "" where it has rotary positions."""
    config = run.model.config
    if config.of_layer(config.stacks[0], layer).positions == "rotary":
        return ""
    return f"Layer {layer} of {run.model.card.title} has no positions: it turns no queries and keys. Choose another."


@dataclass(frozen=True)
class RotaryHead:
    """A head of a rotary model, and a query and a key of it: the places `t` and `s`.

    `shown_for`: the title of the reader's model, where it is not rotary and this is another one.
    """

    run: Run
    layer: int
    head: int
    t: int
    s: int
    shown_for: str = ""

    @property
    def stack(self) -> str:
        return self.run.model.config.stacks[0]

    @cached_property
    def labels(self) -> list[str]:
        return words(self.run.trace.tokens)

    @cached_property
    def pairs(self) -> RotaryPairs:
        """The query and the key before and after the turn."""
        config = self.run.model.config.of_layer(self.stack, self.layer)
        trace, path = self.run.trace, f"{self.stack}.{self.layer}.self_attn"
        head, kv_head, t, s = self.head, self.run.model.config.kv_head_of(self.head), self.t, self.s
        return RotaryPairs(
            t=t,
            s=s,
            q=trace[f"{path}.q_unrotated"][head, t],
            k=trace[f"{path}.k_unrotated"][kv_head, s],
            turned_q=trace[f"{path}.q"][head, t],
            turned_k=trace[f"{path}.k"][kv_head, s],
            score=float(trace[f"{path}.scores"][head, t, s]),
            speeds=positions.rotary_speeds(config),
            gains=positions.rotary_gains(config),
            scale=1 / config.score_divisor,
        )


@dataclass(frozen=True)
class RotaryTurn(View):
    """What the turn does in a head, with one `pair` of its features singled out; or why there is no such head."""

    head: RotaryHead | Text
    pair: int = 0

    def told(self) -> Mapping[str, float | str]:
        if isinstance(self.head, Text):
            return {}
        turned, curve = TurnedPair(self.head.pairs, self.head.labels, self.pair), DistanceCurve(self.head.pairs)
        return {TURN: math.degrees(turned.speed), PEAK: curve.peak}

    def picture_parts(self) -> Sequence[Any]:
        if isinstance(self.head, Text):
            return [self.head]
        pairs, added = self.head.pairs, Contributions(self.head.pairs, self.pair)
        turned = TurnedPair(pairs, self.head.labels, self.pair)
        columns = [Group([turned], "column", 3), Group([added], "column", 2)]
        return [*self._controls(), Group(columns, "row"), DistanceCurve(pairs)]

    def number_parts(self) -> Sequence[Any]:
        if isinstance(self.head, Text):
            return [self.head]
        return [*self._controls(), Contributions(self.head.pairs, self.pair)]

    def _controls(self) -> list[Any]:
        assert not isinstance(self.head, Text)
        if not self.head.shown_for:
            return [Controls("pair")]
        present, other = (markdown_text(each) for each in (self.head.shown_for, self.head.run.model.card.title))
        return [
            Text(f"{present} is not rotary, so the head is that of {other}.", "caption"),
            Controls("head"),
            Controls("pair"),
        ]

    def formula_parts(self) -> Sequence[Any]:
        worked = [self.head] if isinstance(self.head, Text) else [*self._controls(), *self._work_out()]
        return [*self.formula(), *worked]

    def formula(self) -> Sequence[Any]:
        return [
            *equation(
                r"q_t = R_t\,q, \quad k_s = R_s\,k, \qquad R_t = \mathrm{diag}\begin{bmatrix} "
                r"\cos\omega_k t & -\sin\omega_k t \\ \sin\omega_k t & \cos\omega_k t \end{bmatrix}",
                "Su et al. (2021), arXiv:2104.09864, eq. 34",
                {
                    "q, k": "a query and a key before rotation",
                    r"\omega_k": "the speed of pair k, over the head's features",
                },
            ),
            *equation(
                r"\frac{q_t \cdot k_s}{\sqrt{d_k}} = \frac{1}{\sqrt{d_k}} \sum_k |q^{(k)}|\,|k^{(k)}| "
                r"\cos\big(\alpha_k + \omega_k (t - s)\big)",
                "The same, pair by pair.",
                {
                    r"\alpha_k": "the angle from the key's pair to the query's before rotation",
                    "t - s": "the distance, the only trace of the positions",
                    r"|q^{(k)}|, |k^{(k)}|": "the lengths of the pairs after rotation, which only YaRN changes",
                },
            ),
        ]

    def _work_out(self) -> list[Any]:
        """The score from the turned vectors, and pair by pair from the vectors before the turn."""
        assert not isinstance(self.head, Text)
        pairs = self.head.pairs
        t, s, width, parts = pairs.t, pairs.s, len(pairs.q), pairs.products()  # (pairs,)
        return work_out(
            f"The query at t = {t} and the key at s = {s}: feature by feature after the turn, pair by pair before it, "
            f"and the score, over the root of {width}:",
            f"q_t \\cdot k_s = {sums.product(pairs.turned_q, pairs.turned_k)}",
            rf"\sum_k |q^{{(k)}}|\,|k^{{(k)}}| \cos\big(\alpha_k + \omega_k ({t} - {s})\big) = {sums.total(parts)}",
            rf"\frac{{{quotes.tex(float(parts.sum()))}}}{{\sqrt{{{width}}}}} = {quotes.tex(pairs.score)}",
        )

    def code_parts(self) -> Sequence[Any]:
        above = [self.head] if isinstance(self.head, Text) else self._controls()
        ran = (positions.rotate, positions.score_by_distance, MultiHeadAttention.forward)
        return [*above, *map(Source, ran)]
