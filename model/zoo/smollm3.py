"""SmolLM3: a Llama of whose layers each fourth one has no positions.

Kazemnejad et al. (2023), arXiv:2305.19466, on layers without positions.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from model.errors import DamagedWeights
from model.zoo import llama
from model.zoo.values.common_values import DECODER, OF_PLACES, TURNED
from model.zoo.values.known_values import KnownValues
from model.zoo.values.windows import given_window

BASE = 2_000_000.0  # of its rotary positions


def own(values: dict[str, Any]) -> dict[str, Any]:
    """Which layers turn nothing, and which have a window.

    `no_rope_layers` has a 0 for each layer without positions. Where the file lacks it, each one whose number is divided
    by `no_rope_layer_interval` is one, from 1 on. A window is in these layers alone, unless `layer_types` says
    otherwise. Raises `DamagedWeights` for a list that is too short, and as `model.zoo.values.windows` does.
    """
    layers, turned = range(values["num_hidden_layers"]), values["no_rope_layers"]
    if turned is None:
        turned = [(layer + 1) % values["no_rope_layer_interval"] for layer in layers]
    if not isinstance(turned, list) or len(turned) < len(layers):
        raise DamagedWeights(f"no_rope_layers must say of each of the {len(layers)} layers whether it has positions.")
    unturned = tuple(layer for layer in layers if not turned[layer])
    width = values["sliding_window"] if values["use_sliding_window"] else None
    return {"unturned_layers": unturned, **given_window(values, width, unturned)}


def turns(values: dict[str, Any], head_width: int) -> dict[str, Any]:
    """How heads turn, with the usual base of this family."""
    return llama.rotary({"rope_theta": BASE, **values}, head_width)


DEFAULTS: dict[str, Any] = {key: value for key, value in llama.DEFAULTS.items() if key != "head_dim"} | {
    "vocab_size": 128256,
    "hidden_size": 2048,
    "num_hidden_layers": 36,
    "num_attention_heads": 16,
    "num_key_value_heads": 4,
    "max_position_embeddings": 32768,
    "pad_token_id": 128004,
    "bos_token_id": 128000,
    "eos_token_id": 128001,
    "tie_word_embeddings": True,
    "use_sliding_window": False,
    "sliding_window": None,
    "no_rope_layers": None,
    "no_rope_layer_interval": 4,
    "layer_types": None,
}
KNOWN = DECODER | KnownValues(
    read=(*DEFAULTS, *llama.ROPE, "head_dim"),
    without_effect=("max_window_layers",),
    refused={"rope_interleaved": TURNED, "use_mrope": OF_PLACES},
)
SMOLLM3 = replace(
    llama.LLAMA,
    name="SmolLM3",
    config_of=partial(llama.configure, own=own, turns=turns),
    known=KNOWN,
    defaults=DEFAULTS,
)
