"""Where a model computes: on the CPU, or on a GPU that torch can use; and in numbers of which width.

A model on a GPU takes token ids and pixels from the CPU, and what it recorded comes back to the CPU in float32. So
nothing above `model/` has to know of devices.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar

import torch
from torch import Tensor, nn

from model.errors import DeviceFull, DeviceMissing

Network = TypeVar("Network", bound=nn.Module)

KINDS = ("cuda", "mps", "cpu")  # "auto" takes the first that is here
WIDTHS = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
OFF = {"float16": "2%", "bfloat16": "15%"}  # against float32: the worst tensor of any model here, by its norm
DEVICE, DTYPE = "GLASSFORMER_DEVICE", "GLASSFORMER_DTYPE"  # environment variables: what "auto" is to mean


@dataclass(frozen=True)
class Place:
    """A device, and the type of the numbers that a network has there."""

    device: torch.device
    dtype: torch.dtype

    @classmethod
    def of(cls, network: nn.Module) -> Place:
        """Where a network's weights are."""
        weights = next(network.parameters())
        return cls(weights.device, weights.dtype)

    @property
    def width(self) -> str:
        """The type of the numbers in a word: "float32"."""
        return str(self.dtype).removeprefix("torch.")

    @property
    def title(self) -> str:
        """The device in words: "CPU", "NVIDIA H200 (cuda)"."""
        if self.device.type == "cuda":
            return f"{torch.cuda.get_device_name(self.device)} (cuda)"
        return {"cpu": "CPU", "mps": "Apple GPU (mps)"}.get(self.device.type, self.device.type)

    @property
    def note(self) -> str:
        """How exact its numbers are, where they are less so than float32: an empty text, or a clause."""
        return (
            f"in {self.width}, where a tensor is off by up to {OFF[self.width]} of its size"
            if self.width in OFF
            else ""
        )

    def take(self, tensor: Tensor) -> Tensor:
        """The tensor here, and in this type unless it holds whole numbers. The same tensor where nothing changes."""
        return tensor.to(self.device, self.dtype if tensor.is_floating_point() else tensor.dtype)

    def __str__(self) -> str:
        return f"{self.device} {self.width}"


PLAIN = Place(torch.device("cpu"), torch.float32)  # where traces are


def present() -> tuple[str, ...]:
    """The kinds of device that torch can use on this machine, in the order in which "auto" takes them."""
    here = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    return tuple(kind for kind in KINDS if here[kind])


def choose(device: str = "auto", dtype: str | torch.dtype = "auto") -> Place:
    """The place that is asked for. On "auto" the environment variables `GLASSFORMER_DEVICE` and `GLASSFORMER_DTYPE`
    decide; without them it is the first GPU, else the CPU, in float32.

    On a GPU float32 is exact (`exact`). Raises `DeviceMissing`, which names the choices, for a device that is not here
    and for an unknown one.
    """
    kind = os.environ.get(DEVICE, "auto") if device == "auto" else device
    width = os.environ.get(DTYPE, "auto") if dtype == "auto" else str(dtype).removeprefix("torch.")
    if kind not in ("auto", *KINDS):
        raise DeviceMissing(f"There is no kind of device called {kind!r}. Choose one of auto, {', '.join(KINDS)}.")
    if width not in ("auto", *WIDTHS):
        raise DeviceMissing(f"Models do not compute in {width!r}. Choose one of {', '.join(WIDTHS)}.")
    here = present()
    if kind not in ("auto", *here):
        raise DeviceMissing(
            f"torch finds no {kind} device on this machine; it has: {', '.join(here)}. Choose one of these, or auto, "
            f"by load(..., device=...) or by the environment variable {DEVICE}. For cuda, install Nvidia's driver and "
            "a build of torch with CUDA."
        )
    found = here[0] if kind == "auto" else kind
    if found != "cpu":
        exact()
    return Place(torch.device(found), WIDTHS["float32" if width == "auto" else width])


def exact() -> None:
    """Makes GPUs multiply float32 numbers as float32. TF32 is faster, and right to 3 digits only."""
    torch.set_float32_matmul_precision("highest")
    torch.backends.cudnn.allow_tf32 = False


def copied(network: Network, place: Place) -> Network:
    """The same network at another place; itself where it is there already. Raises `DeviceFull`.

    It is copied weight by weight, so that a copy of a network on a full GPU needs no further memory there.
    """
    if Place.of(network) == place:
        return network
    there: dict[int, Tensor] = {}
    with within_memory():
        for weights in network.parameters():
            there[id(weights)] = nn.Parameter(place.take(weights.detach()), weights.requires_grad)
        for buffer in network.buffers():
            there[id(buffer)] = place.take(buffer)
    return copy.deepcopy(network, there)


def to_cpu(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors of a run on the CPU in float32; those that are so already are not copied.

    All others travel together, in one copy that is waited for once: a run records hundreds. A tensor that has several
    names stays one tensor.
    """
    if all(tensor.device == PLAIN.device and tensor.dtype is PLAIN.dtype for tensor in tensors.values()):
        return dict(tensors)
    different = {id(tensor): tensor for tensor in tensors.values()}
    packed = torch.cat([tensor.flatten().to(PLAIN.dtype) for tensor in different.values()]).to(PLAIN.device)
    parts = packed.split([tensor.numel() for tensor in different.values()])
    copies = {key: part.view(different[key].shape) for key, part in zip(different, parts, strict=True)}
    return {name: copies[id(tensor)] for name, tensor in tensors.items()}


def finish(device: torch.device) -> None:
    """Waits until a device has computed all that it was asked for: a GPU computes while Python goes on."""
    torch.get_device_module(device).synchronize()


@contextmanager
def within_memory() -> Iterator[None]:
    """Raises `DeviceFull`, which says what to do, where what runs inside needs more memory than a GPU has left."""
    try:
        yield
    except RuntimeError as error:
        if not _is_full(error):
            raise
        raise DeviceFull(
            "The memory of the GPU is full. Shorten the text, record fewer tensors (keep=...), close other programs "
            'that use the GPU, or load the model with device="cpu".'
        ) from error


def _is_full(error: RuntimeError) -> bool:
    """CUDA has a class of its own for it; Apple's GPUs only have a text."""
    return isinstance(error, torch.OutOfMemoryError) or "MPS backend out of memory" in str(error)
