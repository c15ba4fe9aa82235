"""The story of one attention weight: every number between a query, a key and the weight, and code that repeats it.

The numbers are those of `model.graph`: the story of a weight is its explanation, and those of the scores behind it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from torch import Tensor

from model.config import TransformerConfig
from model.graph.explain import explain
from model.graph.recording import Recording
from model.tape import Trace


def scores_of(config: TransformerConfig, trace: Trace, path: str, head: int) -> Tensor:
    """The scores of one head before the mask, Q K^T / sqrt(d_k), with the bias of relative positions: (queries, keys).

    `path` names the attention, `decoder.3.self_attn`. The trace must have kept its `q` and `k`, and `position_bias`
    where there is one.
    """
    return Recording.of(trace, config).read(f"{path}.scores", (head,))


@dataclass(frozen=True)
class Story:
    """Where the weight of one cell comes from. Tensors (d_head,); the rest are numbers of that cell.

    `weight` = exp(`masked` - `shift`) / `total`, with `total` the row's sum of exp(masked - shift). `shift` is 0 where
    exp stays in range, else the row's largest masked score: subtracting it everywhere changes no weight.
    """

    path: str
    head: int
    kv_head: int  # the key head that this query head reads
    query: int
    key: int
    q: Tensor
    k: Tensor
    raw_score: float
    unbiased: float  # the raw score, scaled
    bias: float | None  # of relative positions; None where the scores have none
    cap: float | None  # c, where the score is c tanh(s / c) of the sum s
    score: float
    mask: float
    shift: float
    total: float
    weight: float
    rank: int  # 1: the query's strongest key
    root: float  # the raw score was divided by the root of this number: d_k, another one, or 1

    @property
    def scaled(self) -> bool:
        """Whether the raw score was divided by anything."""
        return self.root != 1

    @property
    def d_head(self) -> int:
        """d_k, the features of the query and of the key."""
        return self.q.shape[-1]

    @property
    def products(self) -> Tensor:
        """The elementwise products that sum to the raw score: (d_head,)."""
        return self.q * self.k

    @property
    def masked(self) -> float:
        """The score with the mask added; minus infinity for a hidden key."""
        return self.score + self.mask

    @property
    def exponential(self) -> float:
        """exp(masked - shift); 0 for a hidden key."""
        return math.exp(self.masked - self.shift)


def tell(config: TransformerConfig, trace: Trace, path: str, head: int, query: int, key: int) -> Story:
    """The story of weights[head, query, key] of the attention `path`.

    The trace must have kept `q`, `k`, `mask` and `weights` there, and `position_bias` where there is one. Raises
    KeyError where it has not, IndexError for a place outside the matrix.
    """
    cell, kv_head = (head, query, key), config.kv_head_of(head)
    stack, layer, _ = path.split(".")
    of_layer = config.of_layer(stack, int(layer))
    row = trace[f"{path}.weights"][head, query]  # (keys,)
    weight, masked, score = (explain(trace, f"{path}.{name}", cell, config) for name in ("weights", "masked", "scores"))
    uncapped = score if config.score_cap is None else explain(trace, f"{path}.scores_uncapped", cell, config)
    is_biased = uncapped.operation == "add"
    unbiased = explain(trace, f"{path}.scores_unbiased", cell, config) if is_biased else uncapped
    constants = {term.name: term.value for term in weight.terms if not term.index}
    return Story(
        path=path,
        head=head,
        kv_head=kv_head,
        query=query,
        key=key,
        q=trace[f"{path}.q"][head, query],  # (d_head,)
        k=trace[f"{path}.k"][kv_head, key],
        raw_score=unbiased.terms[0].value,
        unbiased=unbiased.value,
        bias=uncapped.terms[1].value if is_biased else None,
        cap=config.score_cap,
        score=masked.terms[0].value,
        mask=masked.terms[1].value,
        shift=constants["shift"],
        total=constants["sum"],
        weight=weight.value,
        rank=1 + int((row > row[key]).sum()),
        root=(of_layer.score_width or of_layer.head_width) if of_layer.scale_scores else 1,
    )


def snippet(story: Story, name: str, text: str, target: str | None = None) -> str:
    """Python that recomputes this weight from this sentence with the library, and asserts it."""
    given = repr(text) if target is None else f"{text!r}, target={target!r}"
    note = "" if story.kv_head == story.head else f"; head {story.head} reads key head {story.kv_head}"
    scaled = f" / math.sqrt({story.root:g})" if story.scaled else ""
    biased = "" if story.bias is None else f' + trace[here + "position_bias"][{story.head}, {story.query}]'

    def capped(scores: str) -> str:
        return scores if story.cap is None else f"{story.cap:g} * (({scores}) / {story.cap:g}).tanh()"

    return f"""\
import math
from glassformer import load

here = "{story.path}."
trace = load({name!r}).trace(
    {given},
    keep=here + "*",
)
q = trace[here + "q"][{story.head}, {story.query}]  # ({story.d_head},)
k = trace[here + "k"][{story.kv_head}]  # (keys, {story.d_head}){note}
mask = trace[here + "mask"][{story.query}]
scores = {capped(f"k @ q{scaled}{biased}")} + mask
weight = scores.softmax(-1)[{story.key}].item()

assert abs(weight - {story.weight:.6f}) < 1e-4
print(weight)
"""
