"""Where the numbers of a run stop being finite.

float32 ends at 3.4 × 10³⁸. A number beyond it is infinite, and the difference of two infinite ones is not a number.
From the first such number on, a run has more with each layer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from model.device import within_memory
from model.edits.edit import Edit
from model.tape import Tape

MASKED = (".mask", ".masked")  # ends of names of tensors where minus infinity hides a key


@dataclass(frozen=True)
class Origin:
    """The first tensor of a run with a number that is not finite. `weight`: the first such weight of the network, or ""
    where all weights are finite."""

    tensor: str
    weight: str = ""


class _Found(Exception):
    """Ends a run at the tensor that was looked for."""


def is_finite(name: str, tensor: Tensor) -> bool:
    """Whether a recorded tensor has only finite numbers; where a mask hides keys, also minus infinity."""
    if not tensor.is_floating_point() or not tensor.numel():
        return True
    # One quick pass: a sum is not finite if a number is not. Only then is it asked whether the sum alone is too large.
    if math.isfinite(float(tensor.sum())):
        return True
    least, greatest = map(float, tensor.aminmax())  # both are NaN if a number is
    return math.isfinite(greatest) and (math.isfinite(least) or name.endswith(MASKED))


def first_not_finite(tensors: Mapping[str, Tensor]) -> str:
    """The name of the first of these tensors with a number that is not finite; "" if there is none."""
    return next((name for name, tensor in tensors.items() if not is_finite(name, tensor)), "")


@torch.inference_mode()
def find_origin(
    network: nn.Module, ids: Iterable[int], source: Iterable[int] = (), edits: Iterable[Edit] = ()
) -> Origin | None:
    """Where a run over ids begins to have numbers that are not finite; None where it never does.

    It runs the network up to there, and keeps nothing. `source` are the ids that an encoder reads.
    """
    found: list[str] = []

    def look(name: str, tensor: Tensor) -> None:
        if not is_finite(name, tensor):
            found.append(name)
            raise _Found

    source = tuple(source)
    tape = Tape(edits=edits, watches_all=True, look=look)
    with suppress(_Found), within_memory():
        network(torch.tensor(tuple(ids)), torch.tensor(source) if source else None, tape)
    if not found:
        return None
    weights = (name for name, weight in network.named_parameters() if not is_finite("", weight))
    return Origin(found[0], next(weights, ""))
