"""The sliding windows of decoders, as the classes of the hub read the values of a config.json."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from model.errors import DamagedWeights

USUAL_WIDTH = 4096  # of all these classes
USUAL_OPEN_LAYERS = 28  # of Qwen's classes: those before have no window
FULL, SLIDING = ("full_attention", "attention"), "sliding_attention"  # types of layers; the second is an older name


def no_window(values: dict[str, Any]) -> dict[str, Any]:
    """What a Llama has: every query sees all tokens before it."""
    return {}


def mistral_window(values: dict[str, Any]) -> dict[str, Any]:
    """`window` of a Mistral: of 4,096 keys where the file does not say how many. Null means none.

    All layers have it, or those that `layer_types` names. Jiang et al. (2023), arXiv:2310.06825. Raises
    `DamagedWeights` as `given_window` does.
    """
    return given_window(values, values.get("sliding_window", USUAL_WIDTH), range(values["num_hidden_layers"]))


def qwen_window(values: dict[str, Any]) -> dict[str, Any]:
    """`window` and `window_layers` of a Qwen2 or Qwen3, which has a window where `use_sliding_window` is true.

    The layers that have it are those that `layer_types` names, or those from `max_window_layers` on. Raises
    `DamagedWeights` as `given_window` does.
    """
    width = values.get("sliding_window", USUAL_WIDTH) if values.get("use_sliding_window", False) else None
    first = values.get("max_window_layers", USUAL_OPEN_LAYERS)
    return given_window(values, width, range(first, values["num_hidden_layers"]))


def window_in_turn(values: dict[str, Any], every: int) -> dict[str, Any]:
    """`window` and `window_layers` of a model in which each layer of a number divided by `every` is open, from 1 on.

    `layer_types` may say otherwise. Raises `DamagedWeights` as `given_window` does.
    """
    return given_window(
        values, values["sliding_window"], [n for n in range(values["num_hidden_layers"]) if (n + 1) % every]
    )


def given_window(values: dict[str, Any], width: Any, usual: Iterable[int]) -> dict[str, Any]:
    """`window` and `window_layers`. `usual` are the layers that have a window where `layer_types` does not say.

    Raises `DamagedWeights` for layers of another type, and for layers with a window whose width is nowhere.
    """
    types, count = values.get("layer_types"), values["num_hidden_layers"]
    if types is None:
        layers = [] if width is None else list(usual)
    else:
        layers = _layers_of(types, count)
        if layers and width is None:
            raise DamagedWeights(
                f"layer_types names {SLIDING}, but no window is given: sliding_window is null, or use_sliding_window "
                "is not true."
            )
    if not layers:
        return {}
    return {"window": width, "window_layers": () if len(layers) == count else tuple(layers)}


def _layers_of(types: Any, count: int) -> list[int]:
    """The layers with a window, of the type of each layer. Raises `DamagedWeights`."""
    if not isinstance(types, list) or len(types) != count:
        raise DamagedWeights(f"layer_types must have the type of each of the {count} layers.")
    unknown = [each for each in types if each not in (*FULL, SLIDING)]
    if unknown:
        raise DamagedWeights(
            f"layer_types names the type {repr(unknown[0])[:60]}. Only {FULL[0]} and {SLIDING} are read."
        )
    return [layer for layer, each in enumerate(types) if each == SLIDING]
