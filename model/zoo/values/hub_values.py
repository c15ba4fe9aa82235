"""Values of a hub's `config.json` that several families share: activations, labels."""

from __future__ import annotations

from typing import Any

from model.config_values import Activation, LabelScores
from model.errors import DamagedWeights

# The name on the hub -> ours. The hub has several names for the same formula.
ACTIVATIONS: dict[str, Activation] = {
    "relu": "relu",
    "gelu": "gelu",
    "gelu_new": "gelu_tanh",
    "gelu_fast": "gelu_tanh",
    "gelu_pytorch_tanh": "gelu_tanh",
    "quick_gelu": "gelu_quick",
    "silu": "silu",
    "swish": "silu",
    "tanh": "tanh",
    "gelu_python": "gelu",
    "gelu_python_tanh": "gelu_tanh",
    "gelu_accurate": "gelu_tanh",
}
MAX_CLASSES = 100_000  # ImageNet-22k has 21,843
USUAL_CLASSES = 2


def ends_as(values: dict[str, Any], *ends: str) -> bool:
    """Whether the name of an architecture ends so."""
    return any(str(name).endswith(ends) for name in values.get("architectures") or ())


def labels_of(values: dict[str, Any]) -> tuple[str, ...]:
    """The labels of the classes: as many as `num_labels` says, or as `id2label` has, or two.

    A class without a label is named by its number, such as the first one where labels are counted from 1. All are where
    the two disagree. Raises `ValueError` for more than any model has: a file may claim any number.
    """
    given, classes = values.get("id2label"), values.get("num_labels")
    named = {int(number): label for number, label in (given or {}).items()}
    if classes is None:
        classes = USUAL_CLASSES if given is None else len(named)
    if classes > MAX_CLASSES:
        raise ValueError(f"num_labels is {classes:,}. At most {MAX_CLASSES:,} are read")
    if classes != len(named):
        named = {}
    return tuple(str(named.get(number, f"LABEL_{number}"))[:80] for number in range(classes))


def label_scores(values: dict[str, Any], labels: tuple[str, ...]) -> LabelScores:
    """What the logits of the labels are shown as: `model.network.answer_scores`.

    Decided as by the pipelines of `transformers` for texts and pictures: a `problem_type` that they do not know counts
    as none. Raises `DamagedWeights` for one class of one, which `transformers` refuses too.
    """
    problem = values.get("problem_type")
    if not labels:
        return "softmax"
    if problem == "single_label_classification" and len(labels) == 1:
        raise DamagedWeights(
            "problem_type is single_label_classification, which chooses one of several labels, but the model has one. "
            "Take problem_type out of config.json for a yes or no, or write regression for a number."
        )
    if problem == "regression":
        return "none"
    return "sigmoid" if problem == "multi_label_classification" or len(labels) == 1 else "softmax"


def activation(name: Any) -> Activation:
    """Our name of an activation. Raises `DamagedWeights` for one that is not here."""
    if not isinstance(name, str) or name not in ACTIVATIONS:
        raise DamagedWeights(f"The activation {repr(name)[:60]} is none of {', '.join(ACTIVATIONS)}.")
    return ACTIVATIONS[name]
