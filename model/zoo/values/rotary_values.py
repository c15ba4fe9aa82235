"""Rotary positions in the values of a config.json, as the classes of the hub read them.

The values stand in `rope_scaling`, or else in `rope_parameters`, the newer name: where a file has both, the first
alone is read. A base beside them counts where they have none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import Tensor

from model.errors import DamagedWeights
from model.network import rotary_scaling
from model.network.positions import frequencies

USUAL_BASE = 10000.0  # of all these classes
Read = tuple[Tensor | list[float], float]  # what the speeds of the pairs are divided by, and the gain


def rotary(
    values: dict[str, Any],
    head_width: int,
    base: str = "rope_theta",
    share: str = "partial_rotary_factor",
    usual_share: float | None = None,
) -> dict[str, Any]:
    """The fields of a `TransformerConfig` that say how its heads turn, and its `max_length`.

    `base` and `share` are the names of the values that may stand outside. In a family without `usual_share`, the whole
    head turns. Raises `DamagedWeights` for a scaling that is not here, `KeyError` for a missing value.
    """
    scaling = dict(values.get("rope_scaling") or values.get("rope_parameters") or {})
    number = scaling.get("rope_theta", values.get(base, USUAL_BASE))
    turned = scaling.get("partial_rotary_factor", values.get(share, usual_share))
    kind, length = scaling.get("rope_type", scaling.get("type", "default")), values["max_position_embeddings"]
    turning = _width(turned, head_width, may_be_part=usual_share is not None, is_read=kind != "default")
    if kind not in READERS:
        raise DamagedWeights(
            f"Rotary scaling of the type {repr(kind)[:60]} is not supported, only of {', '.join(READERS)}."
        )
    first = values.get("original_max_position_embeddings", scaling.get("original_max_position_embeddings", length))
    divisors, gain = READERS[kind](scaling, turning // 2, float(number), first, length)
    return {
        "position_base": number,
        "rotary_width": None if turning == head_width else turning,
        "rotary_scaling": tuple(float(each) for each in divisors),
        "rotary_gain": float(gain),
        "max_length": min(length, first) if kind == "longrope" else length,
    }


def rotary_of_two_kinds(values: dict[str, Any], head_width: int, bases: tuple[float, float]) -> dict[str, Any]:
    """As `rotary`, where layers with a window turn at speeds of their own: `window_base` is the base of these.

    `rope_parameters` has the values of each kind of layer by its name. Older files have those of open layers outside,
    and `rope_local_base_freq` for the others. `bases` are the usual ones of open layers and of the others. Raises
    `DamagedWeights` for other parameters, and for a scaling in layers with a window.
    """
    kinds = values.get("rope_parameters") or {}
    unknown = set(kinds) - {"full_attention", "sliding_attention"}
    own = kinds.get("sliding_attention") or {}
    if unknown or own.get("rope_type", "default") != "default":
        raise DamagedWeights(
            "rope_parameters must have the values of full_attention and of sliding_attention, and the latter no "
            f"scaling: it has {repr(kinds)[:60]}."
        )
    full = {"rope_theta": values.get("rope_theta", bases[0])} | (kinds.get("full_attention") or {})
    full |= values.get("rope_scaling") or {}
    base = own.get("rope_theta", values.get("rope_local_base_freq", bases[1]))
    return rotary({**values, "rope_scaling": None, "rope_parameters": full}, head_width) | {"window_base": float(base)}


def _width(share: float | None, head_width: int, may_be_part: bool, is_read: bool) -> int:
    """How many features of a head turn.

    Where its family turns the whole head, the share has no effect on turns without scaling; with one, `transformers`
    cannot run the model. Raises `DamagedWeights` for that.
    """
    if not (share is None or (isinstance(share, int | float) and 0 < share <= 1)):
        raise DamagedWeights(f"The share of a head that turns is {repr(share)[:60]}; it must be above 0 and at most 1.")
    turning = head_width if share is None else int(head_width * share)
    if may_be_part or turning == head_width:
        return turning
    if is_read:
        raise DamagedWeights(
            f"partial_rotary_factor is {share}: a part of each head would turn. In this family the whole head does."
        )
    return head_width


def _default(scaling: dict[str, Any], pairs: int, base: float, first: int, length: int) -> Read:
    return [], 1.0


def _linear(scaling: dict[str, Any], pairs: int, base: float, first: int, length: int) -> Read:
    return rotary_scaling.interpolate(pairs, scaling["factor"]), 1.0


def _llama3(scaling: dict[str, Any], pairs: int, base: float, first: int, length: int) -> Read:
    low, high = scaling["low_freq_factor"], scaling["high_freq_factor"]
    if not low < high:
        raise DamagedWeights(f"low_freq_factor is {repr(low)[:60]}; it must be smaller than high_freq_factor.")
    return rotary_scaling.by_turns(frequencies(2 * pairs, base), scaling["factor"], low, high, first), 1.0


def _yarn(scaling: dict[str, Any], pairs: int, base: float, first: int, length: int) -> Read:
    """The gain is `attention_factor`, or what `mscale` and `mscale_all_dim` say, or that of the paper."""
    factor = scaling["factor"]
    factor = length / first if factor is None else factor
    fast, slow = scaling.get("beta_fast") or 32, scaling.get("beta_slow") or 1
    divisors = rotary_scaling.yarn(pairs, base, factor, first, fast, slow, scaling.get("truncate", True))
    gain, above, below = (scaling.get(name) for name in ("attention_factor", "mscale", "mscale_all_dim"))
    if gain is None and above and below:
        gain = rotary_scaling.yarn_gain(factor, above) / rotary_scaling.yarn_gain(factor, below)
    return divisors, rotary_scaling.yarn_gain(factor) if gain is None else gain


def _longrope(scaling: dict[str, Any], pairs: int, base: float, first: int, length: int) -> Read:
    """The divisors of texts of the first length, `short_factor`.

    A longer text has others, `long_factor`, for all its tokens: what a KV cache holds would be wrong from one token to
    the next. So no text is longer here than the first length.
    """
    divisors, factor, gain = scaling["short_factor"], scaling.get("factor"), scaling.get("attention_factor")
    factor = length / first if factor is None else factor
    return divisors, rotary_scaling.longrope_gain(factor, first) if gain is None else gain


READERS: dict[str, Callable[[dict[str, Any], int, float, int, int], Read]] = {
    "default": _default,
    "linear": _linear,
    "dynamic": _default,  # another base for texts longer than the model has positions for, which are not read here
    "yarn": _yarn,
    "longrope": _longrope,
    "llama3": _llama3,
}
