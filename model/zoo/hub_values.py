"""Values of a hub's `config.json` that several families share: activations, rotary positions, windows."""

from __future__ import annotations

from typing import Any

from model.config import Activation
from model.errors import DamagedWeights

# The name on the hub -> ours. The hub has several names for the same formula.
ACTIVATIONS: dict[str, Activation] = {
    "relu": "relu",
    "gelu": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_fast": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "silu": "silu",
    "swish": "silu",
    "tanh": "tanh",
    "gelu_python": "gelu",
    "gelu_python_tanh": "gelu_tanh",
    "gelu_accurate": "gelu_tanh",
}
USUAL_CLASSES = 2


def ends_as(values: dict[str, Any], *ends: str) -> bool:
    """Whether the name of an architecture ends so."""
    return any(str(name).endswith(ends) for name in values.get("architectures") or ())


def labels_of(values: dict[str, Any]) -> tuple[str, ...]:
    """The labels of the classes: as many as `num_labels` says, or as `id2label` has, or two.

    A class without a label is named by its number, such as the first one where labels are counted from 1. All are where
    the two disagree.
    """
    given, classes = values.get("id2label"), values.get("num_labels")
    named = {int(number): label for number, label in (given or {}).items()}
    if classes is None:
        classes = USUAL_CLASSES if given is None else len(named)
    if classes != len(named):
        named = {}
    return tuple(str(named.get(number, f"LABEL_{number}"))[:80] for number in range(classes))


def activation(name: Any) -> Activation:
    """Our name of an activation. Raises `DamagedWeights` for one that is not here."""
    if not isinstance(name, str) or name not in ACTIVATIONS:
        raise DamagedWeights(f"The activation {repr(name)[:60]} is none of {', '.join(ACTIVATIONS)}.")
    return ACTIVATIONS[name]


def rotary(values: dict[str, Any], base: str = "rope_theta", share: str = "partial_rotary_factor") -> dict[str, Any]:
    """`position_base` and `rotary_scaling`, and the `share` of a head's features that turn.

    `base` and `share` are the names of the values in older files. Raises `DamagedWeights` for a scaling that is not
    here.
    """
    rope = values.get("rope_parameters") or {}
    scaling = rope or values.get("rope_scaling") or {}
    kind = scaling.get("rope_type", scaling.get("type", "default"))
    if kind not in ("default", "llama3"):
        raise DamagedWeights(f"Rotary scaling of the type {repr(kind)[:60]} is not supported, only that of Llama 3.")
    names = ("factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings")
    return {
        "position_base": rope.get("rope_theta", values.get(base, 10000.0)),
        "rotary_scaling": tuple(scaling[name] for name in names) if kind == "llama3" else (),
        "share": rope.get("partial_rotary_factor", values.get(share, 1.0)),
    }
