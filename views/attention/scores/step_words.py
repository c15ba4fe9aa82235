"""What a step of one head does to the singled-out pair, in words. Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from model.arrays import Array
from model.graph.distances import say_distance
from model.network.positions import rotary_speeds
from views.head_of_run import HeadOfRun
from views.shared.quotes import quote
from viz.shared.style import count_noun, number, percent

NOUNS = {"q": ("query", "queries"), "k": ("key", "keys"), "v": ("value", "values")}
MUTED = {  # what the mute of the head does to a step
    "mix": "**This head is muted**: after this step, 0 takes the place of all these numbers.",
    "concat": "**This head is muted**: its columns are 0.",
    "output": "**This head is muted**: it adds 0, and the sum is that of the other heads.",
}


def describe_step(head: HeadOfRun, arrays: Mapping[str, Any], name: str, of: str) -> str:
    """The effect of a step. `arrays`: the matrices of the head by their names. `of`: "q", "k" or "v"."""
    i, j = head.query, head.key
    query, key = quote(head.queries[i], i), quote(head.keys[j], j)
    d_k = head.config.head_width
    row: Array = arrays["weights"][i]
    best = int(row.argmax())
    strongest = quote(head.keys[best], best)
    others = float(np.linalg.norm(arrays["out"][i] - arrays["part"][i]))
    return {
        "project": f"{count_noun(len(arrays['x']), 'token')} of {arrays['x'].shape[1]} features: now "
        f"{count_noun(arrays[of].shape[0], *NOUNS[of])} of {d_k} features, in {head.place}.",
        "normalise": f"Each of the {NOUNS[of][1]} has a root mean square of 1 before the learned gains: no "
        "length of its own makes its scores large.",
        "rotate": _describe_turn(head, i),
        "scores": f"{query} and {key}: {d_k} products sum to {number(arrays['raw_scores'][i, j])}.",
        "scale": f"{query} and {key}: {number(arrays['raw_scores'][i, j])} becomes "
        f"{number(arrays['scores_unbiased'][i, j])}. "
        + (
            "The picture keeps its shape; the numbers get smaller."
            if head.config.scale_scores
            else "This model does not divide its scores: training made its queries small enough."
        ),
        "bias": _describe_bias(head, arrays),
        "cap": f"{query} and {key}: the score becomes {number(arrays['scores'][i, j])}. No score is larger than "
        f"{number(head.config.score_cap or 0)}.",
        "mask": f"{int(np.isneginf(arrays['mask']).sum())} of {arrays['mask'].size} scores are hidden; the others stay "
        "as they are.",
        "softmax": f"{query} gives {percent(float(row[j]))} of its attention to {key}"
        + (
            ", more than to any other key."
            if best == j
            else f", and most, {percent(float(row.max()))}, to {strongest}."
        ),
        "mix": f"The result of {query} is {percent(float(row[j]))} of the value of {key}, and so on along its row.",
        "concat": f"{head.config.n_heads} heads of {d_k} features make {arrays['concat'].shape[1]}; framed: head "
        f"{head.head}.",
        "output": f"For {query}, this head adds a vector of length {number(float(np.linalg.norm(arrays['part'][i])))}; "
        f"the others together one of length {number(others)}.",
    }[name]


def _describe_turn(head: HeadOfRun, position: int) -> str:
    """The angle of the fastest pair, and the lengths after the turn."""
    config = head.config.of_layer(head.at.stack, head.at.layer)
    angle, gain = position * float(rotary_speeds(config)[0]), config.rotary_gain
    lengths = "stay the same" if gain == 1 else f"are multiplied by {number(gain)}"
    return (
        f"Position {position} turns the fastest pair by {number(angle)} radians and the slowest hardly at all; "
        f"lengths {lengths}."
    )


def _describe_bias(head: HeadOfRun, arrays: Mapping[str, Any]) -> str:
    """The bias of the pair; "" where the head has none."""
    bias = arrays["position_bias"]
    if bias is None:
        return ""
    i, j = head.query, head.key
    query, key = quote(head.queries[i], i), quote(head.keys[j], j)
    return (
        f"{key} stands {say_distance(j - i)} {query}: {number(float(bias[i, j]))} is added. All pairs of this distance "
        "get the same, whatever their words."
    )
