"""Granite 3: Llamas whose embeddings, scores, sublayers and logits are each multiplied by a number of the file.

The numbers are those of a training that keeps its settings at any width: Yang et al. (2022), arXiv:2203.03466.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from model.zoo import llama
from model.zoo.values.common_values import ALL_SEEN, DECODER, TURNED
from model.zoo.values.known_values import KnownValues


def scales(values: dict[str, Any]) -> dict[str, Any]:
    """The four numbers. Scores times m are scores divided by the root of 1 / m^2."""
    return {
        "token_scale": float(values["embedding_multiplier"]),
        "score_width": values["attention_multiplier"] ** -2,
        "residual_scale": float(values["residual_multiplier"]),
        "logit_scale": 1 / values["logits_scaling"],
    }


DEFAULTS: dict[str, Any] = {key: value for key, value in llama.DEFAULTS.items() if key != "head_dim"} | {
    "embedding_multiplier": 1.0,
    "logits_scaling": 1.0,
    "residual_multiplier": 1.0,
    "attention_multiplier": 1.0,
}
KNOWN = DECODER | KnownValues(
    read=(*DEFAULTS, *llama.ROPE, "head_dim"),
    refused={"sliding_window": ALL_SEEN, "layer_types": ALL_SEEN, "rope_interleaved": TURNED},
)
GRANITE = replace(
    llama.LLAMA,
    name="Granite",
    config_of=partial(llama.configure, own=scales),
    known=KNOWN,
    defaults=DEFAULTS,
)
