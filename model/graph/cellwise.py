"""Operations on each cell by itself: scales, gains, masks, rotations and activations."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import torch
from torch import Tensor

from model.config import TransformerConfig
from model.config_values import ACTIVATIONS as SPELLINGS
from model.graph.nodes import ALL, Cells, Index, Input, Node
from model.graph.operation import Formula, Operation, Places, Term, product
from model.graph.run_numbers import RunNumbers
from model.network.feed_forward import ACTIVATIONS
from model.network.masks import HIDDEN
from model.network.positions import rotary_gains, rotary_speeds
from model.numerals import as_printed, number


class Cellwise(Operation):
    """A cell is made of the same cell of each input with the role x."""

    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        """The same cell of each input."""
        return [Cells(read.name, index) for read in node.inputs]

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """The same cell."""
        return [index]


class Scale(Cellwise):
    """A score divided by sqrt(d_k), so that its variance does not grow with the width of the head."""

    def factor(self, node: Node, run: RunNumbers) -> float:
        """1 / sqrt(d_k), or 1 in a model that does not scale."""
        return 1 / config_of(node, run).score_divisor

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The score with its factor."""
        x = node.one("x")
        return [Term(x, index, run.cell(x, index), Term("scale", (), self.factor(node, run)))]

    def printed_total(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> float | None:
        """The printed score with the exact root."""
        return as_printed(terms[0].value) * self.factor(node, run)

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """The division."""
        config, raw = config_of(node, run), number(terms[0].value)
        if not config.scale_scores:
            return f"It is {raw} as it is: this model does not scale its scores."
        if config.score_width is not None:
            whose = "layer" if run.config.scores_by_layer else "model"
            return f"It is {raw} ÷ √{number(config.score_width)}, a root that this {whose} fixes."
        return f"It is {raw} ÷ √{config.head_width}, the root of the width of a head."

    def make(self, node: Node, run: RunNumbers, lead: Index) -> Tensor:
        """The scaled scores."""
        return run.read(node.one("x"), lead) * self.factor(node, run)


class Cap(Cellwise):
    """c tanh(s / c): a score between -c and c. Gemma Team (2024), section 2."""

    prints_all = True

    def cap(self, run: RunNumbers) -> float:
        """c."""
        assert run.config.score_cap is not None, "only a model with a cap has this operation"
        return run.config.score_cap

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The score and the cap."""
        x = node.one("x")
        return [Term(x, index, run.cell(x, index)), Term("cap", (), self.cap(run))]

    def total(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> float:
        """The formula."""
        score, cap = (term.value for term in terms)
        return cap * math.tanh(score / cap)

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """The formula with its numbers."""
        score, cap = (number(term.value) for term in terms)
        return f"It is {cap} × tanh({score} ÷ {cap}): no score leaves the range from −{cap} to {cap}."

    def make(self, node: Node, run: RunNumbers, lead: Index) -> Tensor:
        """The capped scores."""
        cap = self.cap(run)
        return cap * torch.tanh(run.read(node.one("x"), lead) / cap)


class ResidualScale(Cellwise):
    """What a sublayer gives, times the number that the configuration has for all layers, as in Granite."""

    prints_all = True

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The number with its factor."""
        x = node.one("x")
        return [Term(x, index, run.cell(x, index), Term("scale", (), run.config.residual_scale))]

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """The product."""
        return f"It is the sublayer's output times the number that this model has for all layers: {product(terms[0])}."


class Mean(Cellwise):
    """The mean of the same cell of each input: the logits of two heads, Touvron et al. (2020), section 4."""

    prints_all = True

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The cells, each with its share."""
        share = 1 / len(node.inputs)
        return [Term(name, index, run.cell(name, index), Term("share", (), share)) for name in node.named("x")]

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """The numbers."""
        said = " and ".join(f"{number(term.value)} ({term.name})" for term in terms)
        return f"It is the mean of {said}."


class Gain(Operation):
    """Every feature times a learnt gain: LayerScale, Touvron et al. (2021), eq. 4."""

    prints_all = True

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The number with its gain."""
        x, gain = node.one("x"), node.one("gain")
        return [Term(x, index, run.cell(x, index), Term(gain, index[-1:], run.cell(gain, index[-1:])))]

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """The product."""
        return f"It is the sublayer's output times the learnt gain of feature {index[-1]}: {product(terms[0])}."

    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        """The number and its gain."""
        return [Cells(node.one("x"), index), Cells(node.one("gain"), index[-1:])]

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """The same cell; of a gain, its feature of every token."""
        return [index] if read.role == "x" else [(ALL, *index)]


class Mask(Formula):
    """0 where a query may look, minus infinity elsewhere. It depends only on the positions.

    A causal mask hides the keys after the query. With `has_window`, it also hides those as far from the query
    as the configuration's window is wide.
    """

    def __init__(self, is_causal: bool, has_window: bool = False) -> None:
        self.is_causal, self.has_window = is_causal, has_window

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The places of the query and of the key."""
        return [Term("query", (), index[0]), Term("key", (), index[1])]

    def total(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> float:
        """Minus infinity for a key after the query, and for one before its window."""
        return HIDDEN if self._is_later(*index) or self._is_outside(run, *index) else 0.0

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """Why the key is hidden or seen."""
        query, key = index
        if not (self.is_causal or self.has_window):
            return "It is 0: every query may look at every key."
        if self._is_later(query, key):
            return f"It is −∞: key {key} comes after query {query}, which may not look at it."
        if self._is_outside(run, query, key):
            reach = (run.config.window or 0) - 1
            ends = "" if self.is_causal else f" and ends at key {query + reach}"
            window = f"the window of query {query}, which begins at key {query - reach}{ends}"
            return f"It is −∞: key {key} is outside {window}."
        if not self.is_causal:
            return f"It is 0: key {key} is inside the window of query {query}."
        inside = " and is inside its window" if self.has_window else ""
        return f"It is 0: query {query} may look at key {key}, which does not come after it{inside}."

    def _is_later(self, query: int, key: int) -> bool:
        return self.is_causal and key > query

    def _is_outside(self, run: RunNumbers, query: int, key: int) -> bool:
        return self.has_window and run.config.window is not None and abs(key - query) >= run.config.window


def config_of(node: Node, run: RunNumbers) -> TransformerConfig:
    """The configuration as the layer of a tensor has it, "decoder.3.self_attn.q". The probe of a tower stands in no
    layer."""
    layer = node.name.split(".")[1]
    return run.config.of_layer(node.stack, int(layer)) if layer.isdigit() else run.config


class Rotate(Operation):
    """Each pair of features turned by the angle w_k t: rotary positions, Su et al. (2021), eq. 34."""

    prints_all = True

    def pair(self, index: Index) -> tuple[Index, Index]:
        """The two cells of the pair that a cell belongs to."""
        first = index[-1] - index[-1] % 2
        return (*index[:-1], first), (*index[:-1], first + 1)

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """Both features of the pair, with the cosine and the sine of the angle."""
        pair, config = index[-1] // 2, config_of(node, run)
        angle, gain = index[-2] * float(rotary_speeds(config)[pair]), float(rotary_gains(config)[pair])
        gained = "" if config.rotary_gain == 1 else "gain × "
        cos, sin = Term(f"{gained}cos", (), gain * math.cos(angle)), Term(f"{gained}sin", (), gain * math.sin(angle))
        back = Term(f"−{gained}sin", (), -gain * math.sin(angle))
        x, (first, second) = node.one("x"), self.pair(index)
        factors = (sin, cos) if index[-1] % 2 else (cos, back)
        return [Term(x, at, run.cell(x, at), factor) for at, factor in zip((first, second), factors, strict=True)]

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """The turn."""
        pair = index[-1] // 2
        said = " + ".join(f"{number(term.value)} × {number(term.factor.value)}" for term in terms if term.factor)
        gain = float(rotary_gains(config_of(node, run))[pair])
        longer = "" if gain == 1 else f", and multiplied by {number(gain)}"
        return f"Pair {pair} of the features is turned by the angle of position {index[-2]}{longer}: {said}."

    def sources(self, node: Node, run: RunNumbers, index: Index) -> list[Cells]:
        """The pair."""
        return [Cells(node.one("x"), at) for at in self.pair(index)]

    def targets(self, node: Node, run: RunNumbers, read: Input, index: Index) -> list[Places]:
        """The turned pair."""
        return list(self.pair(index))


class Activate(Cellwise):
    """act(x) of a hidden feature, in a gated network times the feature `up`.

    `which` value of the configuration names the function.
    """

    prints_all = True

    def __init__(self, which: Literal["activation", "transform"] = "activation") -> None:
        self.which = which

    def terms(self, node: Node, run: RunNumbers, index: Index) -> list[Term]:
        """The hidden feature, and what the gate multiplies."""
        return [Term(read.name, index, run.cell(read.name, index)) for read in node.inputs]

    def total(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> float:
        """The activated feature, times `up`."""
        hidden, *up = terms
        return self._activate(run, hidden.value) * math.prod(term.value for term in up)

    def words(self, node: Node, run: RunNumbers, index: Index, terms: Sequence[Term]) -> str:
        """The function and its numbers."""
        hidden, *up = terms
        curve = SPELLINGS[getattr(run.config, self.which)]
        said = f"It is {curve}({number(hidden.value)})"
        if not up:
            return f"{said}."
        return f"{said} = {number(self._activate(run, hidden.value))}, times {number(up[0].value)} of {up[0].name}."

    def _activate(self, run: RunNumbers, value: float) -> float:
        # In float32, as the network: far from 0, GELU rounds to 0 there, where float64 still has digits.
        return float(ACTIVATIONS[getattr(run.config, self.which)](torch.tensor(value, dtype=torch.float32)))
