"""The story of one attention weight: every number between a query, a key and the weight, and code that repeats it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from torch import Tensor

from model.tape import Trace

LARGE = 12.0  # exp of a larger score is no number to look at


def scores_of(trace: Trace, path: str, head: int, scaled: bool = True) -> Tensor:
    """The scores of one head before the mask, Q K^T / sqrt(d_k): (queries, keys).

    `path` names the attention, `decoder.3.self_attn`; the trace must have kept its `q` and `k`. `scaled` is the model's
    `config.scale_scores`: without it nothing divides.
    """
    q = trace[f"{path}.q"]  # (heads, queries, d_head)
    return q[head] @ key_of(trace, path, head).mT / divisor(q.shape[-1], scaled)


def divisor(d_head: int, scaled: bool) -> float:
    """What a score is divided by: sqrt(d_k), or 1 in a model that does not scale."""
    return math.sqrt(d_head) if scaled else 1.0


def key_of(trace: Trace, path: str, head: int) -> Tensor:
    """The keys that a query head reads, (keys, d_head): with grouped queries several heads share one."""
    return trace[f"{path}.k"][key_head(trace, path, head)]


def key_head(trace: Trace, path: str, head: int) -> int:
    """The number of the key head that a query head reads. The trace must have kept `q` and `k` of this attention."""
    group = trace[f"{path}.q"].shape[0] // trace[f"{path}.k"].shape[0]
    return head // group


@dataclass(frozen=True)
class Story:
    """Where the weight of one cell comes from. Tensors (d_head,); the rest are numbers of that cell.

    `weight` = exp(`masked` - `shift`) / `total`, with `total` the row's sum of exp(masked - shift). `shift` is 0 where
    exp stays in range, else the row's largest masked score: subtracting it everywhere changes no weight.
    """

    path: str
    head: int
    query: int
    key: int
    q: Tensor
    k: Tensor
    raw_score: float
    score: float
    mask: float
    shift: float
    total: float
    weight: float
    rank: int  # 1: the query's strongest key
    scaled: bool = True  # whether the raw score was divided by sqrt(d_k)

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


def tell(trace: Trace, path: str, head: int, query: int, key: int, scaled: bool = True) -> Story:
    """The story of weights[head, query, key] of the attention `path`; `scaled` as for `scores_of`.

    The trace must have kept `q`, `k`, `mask` and `weights` there. Raises KeyError where it has not, IndexError for a
    place outside the matrix.
    """
    q, k = trace[f"{path}.q"][head, query], key_of(trace, path, head)  # (d_head,), (keys, d_head)
    mask, row = trace[f"{path}.mask"][query], trace[f"{path}.weights"][head, query]  # (keys,), (keys,)
    raw = k @ q  # (keys,)
    scores = raw / divisor(q.shape[-1], scaled)
    masked = scores + mask
    peak = float(masked.max())
    shift = peak if math.isfinite(peak) and abs(peak) > LARGE else 0.0
    return Story(
        path=path,
        head=head,
        query=query,
        key=key,
        q=q,
        k=k[key],
        raw_score=float(raw[key]),
        score=float(scores[key]),
        mask=float(mask[key]),
        shift=shift,
        total=float((masked - shift).exp().sum()),
        weight=float(row[key]),
        rank=1 + int((row > row[key]).sum()),
        scaled=scaled,
    )


def snippet(story: Story, trace: Trace, name: str, text: str, target: str | None = None) -> str:
    """Python that recomputes this weight from this sentence with the library, and asserts it."""
    given = repr(text) if target is None else f"{text!r}, target={target!r}"
    read = key_head(trace, story.path, story.head)
    note = "" if read == story.head else f"; head {story.head} reads key head {read}"
    scaled = f" / math.sqrt({story.d_head})" if story.scaled else ""
    return f"""\
import math
from model import load

here = "{story.path}."
trace = load({name!r}).trace(
    {given},
    keep=here + "*",
)
q = trace[here + "q"][{story.head}, {story.query}]  # ({story.d_head},)
k = trace[here + "k"][{read}]  # (keys, {story.d_head}){note}
mask = trace[here + "mask"][{story.query}]
scores = k @ q{scaled} + mask
weight = scores.softmax(-1)[{story.key}].item()

assert abs(weight - {story.weight:.6f}) < 1e-4
print(weight)
"""
