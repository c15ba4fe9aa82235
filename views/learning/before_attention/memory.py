"""The gradient of the last output by each earlier token, in an RNN, an LSTM and a transformer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import plotly.graph_objects as go

from model import Model, load
from model.arrays import Array
from model.experiments.gradient_by_distance import gradient_by_distance, make_untrained
from model.recurrent.cells import LSTMCell, RNNCell
from model.train.samples import held_out_line
from model.train.tiny_lm import TinyLM
from model.zoo import cards
from model.zoo.card_values import RECURRENT_KIND, TEXT_KINDS
from views.call import Call, call_of
from views.chart_view import ChartView
from views.learning.before_attention import told
from views.parts import Controls
from views.shared.quotes import tex
from views.shared.ratios import ratio
from views.view import equation, grey, work_out
from viz.learning.before_attention import reach_figure
from viz.shared.style import Theme, number, percent

MODELS = {"tiny-lm-rnn": "RNN", "tiny-lm-lstm": "LSTM", "tiny-lm": "Transformer"}
N_TEXTS, TEXT_TOKENS = 8, 64  # that the gradients are measured on
FAR = TEXT_TOKENS // 2  # tokens back


@dataclass(frozen=True)
class Reach(ChartView):
    """The size of each gradient against the distance of its token.

    `gradients`: by the title of a model, those of the trained network and of a fresh one, (distances,) each.
    `networks`: "trained", "fresh", or both. `is_relative`: to the gradient of the last token itself.
    """

    gradients: Mapping[str, tuple[Array, Array]] = field(compare=False)
    networks: str
    is_relative: bool

    def made_by(self) -> Call:
        return call_of(self, gradients=Call(measure_reach))

    def told(self) -> Mapping[str, float | str]:
        values, _ = self.gradients["RNN"]
        return {told.RNN_LEFT: ratio(values[FAR], values[0])}

    @property
    def curves(self) -> dict[str, tuple[Array, bool]]:
        """The gradients that are shown, and whether their network is trained."""
        return {
            f"{title}, {kind}": (values / values[0] if self.is_relative else values, kind == "trained")
            for title, pair in self.gradients.items()
            for kind, values in zip(("trained", "fresh"), pair, strict=True)
            if kind in self.networks
        }

    def draw(self, theme: Theme = "light") -> go.Figure:
        return reach_figure(self.curves, theme)

    def alt(self) -> str:
        return "Gradient of the last output with respect to each earlier token, by distance, on a log axis"

    def rows(self) -> list[dict[str, Any]]:
        curves = self.curves
        return [
            {"tokens back": place} | {name: float(values[place]) for name, (values, _) in curves.items()}
            for place in range(len(next(iter(curves.values()))[0]))
        ]

    def arrays(self) -> Mapping[str, Array]:
        return {name.replace(", ", "_"): values for name, (values, _) in self.curves.items()}

    def file_name(self) -> str:
        return "memory"

    def picture_parts(self) -> Sequence[Any]:
        return self._above_words(self.picture())

    def number_parts(self) -> Sequence[Any]:
        return self._above_words(self.table())

    def _above_words(self, shown: Any) -> list[Any]:
        how = (
            f"Language models of the same small world: on {N_TEXTS} held-out texts of {TEXT_TOKENS} tokens, the size "
            "of the derivative of the last hidden state by the embedding of each token before it."
        )
        words = [*grey(self.caption()), *grey(how), *grey(_what_it_costs())]
        return [Controls("networks"), shown, *words, self.files()]

    def caption(self) -> str:
        shares = [f"{name} {number(float(values[FAR] / values[0]), 4)}" for name, (values, _) in self.curves.items()]
        return f"At {FAR} tokens back, as a share of what the last token itself has: " + "; ".join(shares) + "."

    def formula(self) -> Sequence[Any]:
        worked = [part for title, (values, _) in self.gradients.items() for part in _work_out(title, values)]
        return [*_equations(), *worked]

    def code(self) -> Sequence[Any]:
        return [gradient_by_distance, RNNCell, LSTMCell]


def _what_it_costs() -> str:
    """The cards' measures that need memory: a name that returns, and a pronoun for a person named before."""
    kinds = (*TEXT_KINDS, RECURRENT_KIND)
    metrics = {title: cards.card(name, *kinds).details["metrics"] for name, title in MODELS.items()}
    names, pronouns = (
        ", ".join(f"{title} {percent(measures[skill])}" for title, measures in metrics.items())
        for skill in ("repetition", "pronoun")
    )
    return (
        f"What it costs: on held-out lines a name that returns is written rightly by {names}; the right pronoun for "
        f"someone named before by {pronouns}."
    )


def _work_out(title: str, values: Array) -> list[Any]:
    """The gradient far back over the last one. In a recurrent network also as a power of one factor for each token."""
    gradient = rf"\left\lVert \frac{{\partial h_T}}{{\partial x_{{T-{FAR}}}}} \right\rVert"
    far, last = float(values[FAR]), float(values[0])
    is_recurrent = title != "Transformer"
    factor = f" = {tex((far / last) ** (1 / FAR))}^{{{FAR}}}" if is_recurrent else ""
    return work_out(
        f"**{title}**, trained: the gradient {FAR} tokens back over that of the last token itself"
        + (", and what each token between would multiply it by if all did the same:" if is_recurrent else ":"),
        rf"\frac{{{gradient}}}{{{gradient.replace(f'-{FAR}', '')}}} = \frac{{{tex(far)}}}{{{tex(last)}}} = "
        f"{tex(far / last)}{factor}",
    )


def _equations() -> list[Any]:
    return [
        *equation(
            r"\frac{\partial h_T}{\partial x_{T-k}} = "
            r"\left(\prod_{t=T-k+1}^{T} \frac{\partial h_t}{\partial h_{t-1}}\right)"
            r"\frac{\partial h_{T-k}}{\partial x_{T-k}}",
            "Palaskos (2022), sections 2.1 and 3.1; Bengio, Simard and Frasconi (1994). A product of k matrices: it "
            "vanishes or explodes with k.",
            {"h_t": "the state after token $t$", "x_t": "the embedding of token $t$", "k": "the distance"},
        ),
        *equation(
            r"c_t = f_t \odot c_{t-1} + i_t \odot \tilde c_t \quad\Rightarrow\quad "
            r"\frac{\partial c_t}{\partial c_{t-1}} \ni f_t",
            "An LSTM adds: where the forget gate is open, f near 1, the gradient passes. Hochreiter and Schmidhuber "
            "(1997)",
        ),
        *equation(
            r"h_T = \sum_t A_{T,t}\, v_t \quad\Rightarrow\quad \frac{\partial h_T}{\partial v_{T-k}} = A_{T,T-k}",
            "Attention: one step from every token to the last, whatever the distance. Vaswani et al. (2017), section 4",
        ),
    ]


def measure_reach() -> dict[str, tuple[Array, Array]]:
    """The gradients of all networks, by the title of the model."""
    return {title: measure_gradients(load(name)) for name, title in MODELS.items()}


def measure_gradients(trained: Model) -> tuple[Array, Array]:
    """The gradient by distance of a trained model and of an untrained one of its shape: (TEXT_TOKENS,) each."""
    ids = TinyLM("tiny-lm").rows(Random("memory"), N_TEXTS, TEXT_TOKENS, held_out_line)
    networks = trained.network, make_untrained(trained.config)
    values, fresh = (gradient_by_distance(network, ids).numpy() for network in networks)
    return values, fresh
