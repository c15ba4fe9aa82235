"""The tensors of a run as one array and a table. A run keeps dozens of tensors, and each array costs time to send."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.device import PLAIN


@dataclass(frozen=True)
class PackedTensors:
    """Tensors in float32, one after another: `table` says where each begins, and its shape."""

    numbers: NDArray[np.float32]
    table: Mapping[str, tuple[int, tuple[int, ...]]]

    def unpack(self) -> dict[str, Tensor]:
        """The tensors. They share the memory of `numbers`."""
        numbers = torch.from_numpy(self.numbers)
        return {
            name: numbers[start : start + math.prod(shape)].view(shape) for name, (start, shape) in self.table.items()
        }

    def copy(self) -> PackedTensors:
        """A copy that shares no memory with this one."""
        return PackedTensors(self.numbers.copy(), self.table)


def pack(tensors: Mapping[str, Tensor]) -> PackedTensors:
    """Copies tensors of the CPU into one array. A tensor with several names is there once."""
    starts: dict[tuple[object, ...], int] = {}
    table, parts, length = {}, [], 0
    for name, tensor in tensors.items():
        place = tensor.data_ptr(), tensor.shape, tensor.stride()
        if place not in starts:
            starts[place] = length
            parts.append(tensor)
            length += tensor.numel()
        table[name] = starts[place], tuple(tensor.shape)
    numbers = torch.empty(length, dtype=PLAIN.dtype)
    for start, tensor in zip(starts.values(), parts, strict=True):
        numbers[start : start + tensor.numel()].view(tensor.shape).copy_(tensor)
    return PackedTensors(numbers.numpy(), table)
