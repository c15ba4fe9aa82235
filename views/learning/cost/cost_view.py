"""What all views of the cost of a run have: the shape of the model, the formulas with its numbers, and their code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from model import Model
from model.cached_property import cached_property
from model.config import TransformerConfig
from model.cost import timing
from model.cost.formulas import (
    active_features,
    attention_costs,
    class_costs,
    count_multiplications,
    crossing_length,
    feed_forward_cost,
    layer_costs,
    output_cost,
    parameter_counts,
    router_rows,
    transform_cost,
)
from model.cost.shape import reshape
from model.errors import ConfigError
from views.chart_view import ChartView
from views.parts import Controls
from views.shared import sums
from views.shared.quotes import tex
from views.shared.shared_layers import say_shared_layers
from views.view import equation, grey, work_out
from viz.documents.page_parts import Text
from viz.shared.style import count_noun, markdown_text, percent

CROSSING = "the crossing, over that of the model itself,"
LENGTHS = tuple(2**n for n in range(15))  # 1 .. 16,384 tokens


@dataclass(frozen=True)
class Shape:
    """The shape of a model, or another one that the reader has asked for: `width`, `heads` and `layers`.

    `title`: of the model. `tokens`: of the text that it reads.
    """

    title: str
    model: Model = field(compare=False, repr=False)
    tokens: int
    width: int
    heads: int
    layers: int

    @property
    def own(self) -> TransformerConfig:
        """The shape of the model itself."""
        return self.model.config

    @cached_property
    def _asked(self) -> TransformerConfig | ConfigError:
        try:
            return reshape(self.own, self.width, self.heads, self.layers)
        except ConfigError as error:
            return error

    @property
    def chosen(self) -> TransformerConfig | None:
        """The shape that is asked for; None where there can be no such model, and `fault` says why."""
        return None if isinstance(self._asked, ConfigError) else self._asked

    @property
    def fault(self) -> str:
        return str(self._asked) if isinstance(self._asked, ConfigError) else ""

    @property
    def config(self) -> TransformerConfig:
        """The shape that is asked for. It must be one that can be."""
        assert self.chosen is not None
        return self.chosen

    def parts(self) -> list[Any]:
        """The place of its controls, and what is to be said of it."""
        said: list[Any] = [Text(markdown_text(self.fault), "error", ":material/error:")] if self.fault else []
        sizes = (self._say_other(), self._say_experts(), self._say_shared())
        return [Controls("shape"), *said, *(line for text in sizes for line in grey(text))]

    def _say_other(self) -> str:
        """What the shape is, where it is not the model's own."""
        if self.chosen is None or self.chosen == self.own:
            return ""
        return (
            f"Not {markdown_text(self.title)}, but its like with {count_noun(self.chosen.n_heads, 'head')} of "
            f"{self.chosen.head_width} features and {self.chosen.d_ff:,} hidden features."
        )

    def _say_shared(self) -> str:
        """That layers have the same weights, where they do, and how many there are."""
        if self.chosen is None or not self.chosen.shared_layers:
            return ""
        every, _ = parameter_counts(self.chosen)
        return f"{say_shared_layers(self.chosen)} They are counted once, among {every:,} parameters."

    def _say_experts(self) -> str:
        """How many weights there are, and how many of them a token makes use of, where these differ."""
        if self.chosen is None or not self.chosen.n_experts:
            return ""
        every, active = parameter_counts(self.chosen)
        return (
            f"A token takes {self.chosen.n_taken} of {self.chosen.n_experts} experts in each layer: of {every:,} "
            f"parameters it makes use of {active:,} ({percent(active / every)}). The memory holds them all; the "
            "multiplications are those of the experts that are taken."
        )


@dataclass(frozen=True)
class CostView(ChartView):
    """A chart of the cost of a run by a model of a shape."""

    shape: Shape

    def told(self) -> Mapping[str, float | str]:
        shape = self.shape
        return {} if shape.fault else {CROSSING: crossing_length(shape.config) / crossing_length(shape.own)}

    def picture_parts(self) -> Sequence[Any]:
        return [*self.shape.parts(), *([] if self.shape.fault else super().picture_parts())]

    def number_parts(self) -> Sequence[Any]:
        return [*self.shape.parts(), *([] if self.shape.fault else super().number_parts())]

    def formula_parts(self) -> Sequence[Any]:
        worked = [] if self.shape.fault else _work_out_terms(self.shape.config, self.shape.tokens)
        return [*self.formula(), *self.shape.parts(), *worked]

    def code_parts(self) -> Sequence[Any]:
        return [*self.shape.parts(), *super().code_parts()]

    def formula(self) -> Sequence[Any]:
        return [
            *equation(
                r"\underbrace{4\,T D^2}_{Q,K,V,W_O} + \underbrace{2\,T^2 D}_{\text{scores, mix}}"
                r" + \underbrace{2\,T D\,d_{ff}}_{\text{feed-forward}}",
                "Multiplications of one layer. Bishop, ch. 12 slides, “Computational complexity”.",
                {"T": "tokens", "D": "the width $d_{model}$", "d_{ff}": "hidden features of the feed-forward network"},
            ),
            *equation(
                r"2\,T^2 D = 4\,T D^2 + 2\,T D\,d_{ff} \iff T = 2D + d_{ff}",
                "Where the two meet, for as many key heads as query heads. With $d_{ff} = 4D$ that is $T = 6D$.",
            ),
        ]

    def code(self) -> Sequence[Any]:
        return [
            attention_costs,
            feed_forward_cost,
            transform_cost,
            output_cost,
            class_costs,
            crossing_length,
            count_multiplications,
            timing.measure,
        ]


def source_tokens(config: TransformerConfig, tokens: int) -> int:
    """How many source tokens are counted beside `tokens`: as many in a translator, none elsewhere."""
    return tokens if config.kind == "encoder-decoder" else 0


def _work_out_terms(config: TransformerConfig, tokens: int) -> list[Any]:
    """The three terms with the shape's own numbers. Fewer key heads or a gate change the first and the last."""
    t, d, hidden = (sums.whole(count) for count in (tokens, config.d_model, active_features(config)))
    query_features, key_features = (
        sums.whole(heads * config.head_width) for heads in (config.n_heads, config.kv_heads)
    )
    features = rf"{3 if config.gated else 2} \cdot {hidden}"
    if config.n_experts:
        features = f"({features} + {router_rows(config)})"
    costs = {cost.part: cost.multiplications for cost in layer_costs(config, tokens)}
    pairs = costs["scores"] + costs["weighted mean of values"]
    projections = costs["queries, keys, values"] + costs["output projection"]
    three = work_out(
        f"With T = {tokens:,}, D = {config.d_model:,} and h = {config.n_heads} heads of {config.head_width}"
        + (f", {config.kv_heads} of them for keys and values" if config.kv_heads != config.n_heads else "")
        + ("; gated, so three matrices feed forward:" if config.gated else ":"),
        rf"\underbrace{{{t} \cdot {d} \cdot (2 \cdot {query_features} + 2 \cdot {key_features})}}_{{Q,K,V,W_O}} = "
        f"{sums.whole(projections)}",
        rf"\underbrace{{2 \cdot {config.n_heads} \cdot {t}^2 \cdot {config.head_width}}}_{{\text{{scores, mix}}}} = "
        f"{sums.whole(pairs)}",
        rf"\underbrace{{{t} \cdot {d} \cdot {features}}}_{{\text{{feed-forward}}}} = "
        f"{sums.whole(costs['feed-forward'])}",
    )
    together = work_out(
        "All three together, and the T at which the middle one is as large as the other two:",
        f"{sums.whole(projections)} + {sums.whole(pairs)} + {sums.whole(costs['feed-forward'])} = "
        f"{sums.whole(sum(costs.values()))}",
        rf"T = \frac{{{d} \cdot (2 \cdot {query_features} + 2 \cdot {key_features})"
        rf" + {d} \cdot {features}}}{{2 \cdot {config.n_heads} \cdot {config.head_width}}} = "
        f"{tex(crossing_length(config), 2)}",
    )
    return [*three, *together]
