"""The measures of `model.analysis.head_measures` for every text of a batch at once, and induction on the texts."""

from __future__ import annotations

import torch
from torch import Tensor

from model.analysis.scores import entropy
from model.surveys.sight import Sight

MEASURES = {
    "previous": "share of attention on the token before",
    "first": "share of attention on the first token, where heads park what they do not use",
    "self": "share of attention on the token itself",
    "same": "share of attention on other places of the same token, where it has any",
    "induction": "share of attention on tokens that followed the same token earlier, where there are any",
    "strongest": "mean of each query's largest weight",
    "spread": "entropy over its maximum: 0 on one key, 1 even over all visible keys",
    "distance": "mean number of tokens between a query and what it looks at",
}
CROSS_MEASURES = {name: MEASURES[name] for name in ("first", "strongest", "spread")}


def measure(weights: Tensor, sight: Sight) -> dict[str, Tensor]:
    """Each measure of weights (texts, heads, queries, keys), of every text by itself: (texts, heads).

    Not a number where a text has no query that could be asked.
    """
    asked = sight.after_first
    found = {
        "first": _mean(weights[..., 0], asked),
        "strongest": _mean(weights.amax(-1), sight.seen.any(-1)),
        "spread": _spread(weights, sight.seen.any(-1)),
    }
    if sight.is_cross:
        return found
    before = torch.nn.functional.pad(weights.diagonal(-1, dim1=-2, dim2=-1), (1, 0))
    return found | {
        "previous": _mean(before, asked),
        "self": _mean(weights.diagonal(dim1=-2, dim2=-1), asked),
        "same": _among(weights, sight.same, asked),
        "induction": _among(weights, sight.after_same, asked),
        "distance": _mean((weights * sight.distances).sum(-1), asked),
    }


def _mean(values: Tensor, asked: Tensor) -> Tensor:
    """The mean of values (texts, heads, queries) over the queries that are asked, (texts, queries): (texts, heads)."""
    return (values * asked[:, None]).sum(-1) / asked.sum(-1)[:, None]


def _among(weights: Tensor, chosen: Tensor, asked: Tensor) -> Tensor:
    """The share on chosen keys (texts, queries, keys), over the queries that have such keys."""
    return _mean((weights * chosen[:, None]).sum(-1), asked & chosen.any(-1))


def _spread(weights: Tensor, real: Tensor) -> Tensor:
    """`real`: which queries are no padding, (texts, queries)."""
    visible = (weights.amax(1) > 0).sum(-1)  # as `model.analysis.head_measures.visible_keys`: (texts, queries)
    return _mean(entropy(weights) / visible.clamp_min(2).log2()[:, None], real & (visible > 1))
