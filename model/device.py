"""The place where a model computes: the CPU or a GPU that torch can use, and the type of its numbers.

A model on a GPU takes token ids and pixels from the CPU. Its recorded tensors come back to the CPU in float32. So
nothing above `model/` has to know of devices.
"""

from __future__ import annotations

import copy
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import torch
from torch import Tensor, nn

from model.errors import DeviceFull, DeviceMissing

Network = TypeVar("Network", bound=nn.Module)

KINDS = ("cuda", "mps", "cpu")  # "auto" takes the first of these that this machine has
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}
WORST_ERRORS = {
    "float16": "2%",
    "bfloat16": "15%",
}  # norm of the error over the norm of the tensor, worst tensor of any model here
DEVICE_VARIABLE, DTYPE_VARIABLE = (
    "GLASSFORMER_DEVICE",
    "GLASSFORMER_DTYPE",
)  # environment variables that say what "auto" means


@dataclass(frozen=True)
class Placement:
    """A device, and the number type of a network there."""

    device: torch.device
    dtype: torch.dtype

    @classmethod
    def of(cls, network: nn.Module) -> Placement:
        """The device and the number type of a network's weights."""
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
        """A clause that says how inexact the numbers are. Empty for float32."""
        return (
            f"in {self.width}, where a tensor is off by up to {WORST_ERRORS[self.width]} of its size"
            if self.width in WORST_ERRORS
            else ""
        )

    def take(self, tensor: Tensor) -> Tensor:
        """The tensor at this place. Floating-point numbers also get this type; whole numbers keep theirs.

        A tensor that already fits is returned itself.
        """
        return tensor.to(self.device, self.dtype if tensor.is_floating_point() else tensor.dtype)

    def __str__(self) -> str:
        return f"{self.device} {self.width}"


PLAIN = Placement(torch.device("cpu"), torch.float32)  # where every trace is
PLAIN_COPIES: WeakKeyDictionary[nn.Module, Any] = WeakKeyDictionary()  # networks -> theirs of `plain_copy`


def present_kinds() -> tuple[str, ...]:
    """The kinds of device that torch can use on this machine, in the order in which "auto" takes them."""
    has = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    return tuple(kind for kind in KINDS if has[kind])


def choose(device: str = "auto", dtype: str | torch.dtype = "auto") -> Placement:
    """The place with this device and this number type.

    For "auto" the environment variables `GLASSFORMER_DEVICE` and `GLASSFORMER_DTYPE` decide. Without them, "auto" is
    the first GPU, or the CPU if there is none, in float32. On a GPU float32 is exact (`forbid_tf32`). Raises
    `DeviceMissing`, which names the choices, for an unknown device and for one that this machine lacks.
    """
    kind = os.environ.get(DEVICE_VARIABLE, "auto") if device == "auto" else device
    width = os.environ.get(DTYPE_VARIABLE, "auto") if dtype == "auto" else str(dtype).removeprefix("torch.")
    if kind not in ("auto", *KINDS):
        raise DeviceMissing(f"There is no kind of device called {kind!r}. Choose one of auto, {', '.join(KINDS)}.")
    if width not in ("auto", *DTYPES):
        raise DeviceMissing(f"Models do not compute in {width!r}. Choose one of {', '.join(DTYPES)}.")
    kinds = present_kinds()
    if kind not in ("auto", *kinds):
        raise DeviceMissing(
            f"torch finds no {kind} device on this machine; it has: {', '.join(kinds)}. Choose one of these, or auto, "
            f"by load(..., device=...) or by the environment variable {DEVICE_VARIABLE}. For cuda, install Nvidia's "
            "driver and a build of torch with CUDA."
        )
    chosen = kinds[0] if kind == "auto" else kind
    if chosen != "cpu":
        forbid_tf32()
    return Placement(torch.device(chosen), DTYPES["float32" if width == "auto" else width])


def forbid_tf32() -> None:
    """Makes GPUs multiply float32 numbers as float32. TF32 is faster, but has only 3 right digits."""
    torch.set_float32_matmul_precision("highest")
    torch.backends.cudnn.allow_tf32 = False


def copy_to(network: Network, place: Placement) -> Network:
    """A copy of the network at another place; the network itself if it is already there. Raises `DeviceFull`.

    The weights are copied one by one. So copying a network away from a full GPU needs no further memory there.
    """
    if Placement.of(network) == place:
        return network
    copies: dict[int, Tensor] = {}
    with within_memory():
        for weights in network.parameters():
            copies[id(weights)] = nn.Parameter(place.take(weights.detach()), weights.requires_grad)
        for buffer in network.buffers():
            copies[id(buffer)] = place.take(buffer)
    return copy.deepcopy(network, copies)


def plain_copy(network: Network) -> Network:
    """As `copy_to` the CPU in float32. It is made once, and stays as long as the network."""
    if network not in PLAIN_COPIES:
        PLAIN_COPIES[network] = copy_to(network, PLAIN)
    found: Network = PLAIN_COPIES[network]
    return found


def to_cpu(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors of a run on the CPU in float32. If all of them already are, nothing is copied.

    A run records hundreds of tensors. Copying them together waits for the GPU only once. A tensor with several names
    stays one tensor.
    """
    if all(tensor.device == PLAIN.device and tensor.dtype is PLAIN.dtype for tensor in tensors.values()):
        return dict(tensors)
    distinct = {id(tensor): tensor for tensor in tensors.values()}
    packed = torch.cat([tensor.flatten().to(PLAIN.dtype) for tensor in distinct.values()]).to(PLAIN.device)
    parts = packed.split([tensor.numel() for tensor in distinct.values()])
    copies = {key: part.view(distinct[key].shape) for key, part in zip(distinct, parts, strict=True)}
    return {name: copies[id(tensor)] for name, tensor in tensors.items()}


def finish(device: torch.device) -> None:
    """Waits until a device has finished its work. A GPU still computes while Python goes on."""
    torch.get_device_module(device).synchronize()


@contextmanager
def within_memory() -> Iterator[None]:
    """Raises `DeviceFull`, which says what to do, if the block needs more memory than a GPU has left."""
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
    """Whether a GPU is out of memory. CUDA raises its own class; Apple's GPUs only say so in the error's text."""
    return isinstance(error, torch.OutOfMemoryError) or "MPS backend out of memory" in str(error)
