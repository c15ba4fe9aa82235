"""A device that stands in for a GPU on machines that have none: `torch.device("standin")`.

It computes on the CPU, but torch takes its tensors for those of another device. As with a GPU, an operation that meets
one of its tensors and a tensor of the CPU is refused. So a tensor that was made without `device=`, or that was never
brought back, is an error here as it is there. Like Apple's GPUs it has no float64.

A machine with a GPU has no stand-in: torch knows one kind of accelerator, and with the stand-in as that kind it refuses
every gradient on the GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.utils.backend_registration import _DummyBackendModule, _setup_privateuseone_for_python_backend

from model.device import present_kinds

KIND = "standin"
BETWEEN_DEVICES = {"aten::_to_copy", "aten::copy_"}
BY_INDICES = {"aten::index", "aten::index_put", "aten::index_put_"}  # a GPU takes the indices from the CPU too


class Backend(_DummyBackendModule):
    """What `torch.cuda` is to CUDA. `limit`: the size of the largest tensor that the device takes, in bytes, as if its
    memory were full. `waits`: how often somebody waited for it."""

    limit = float("inf")
    waits = 0

    def is_available(self) -> bool:
        return False  # for libraries that look for an accelerator: this one is only for who asks for it by name

    def synchronize(self, device: Any = None) -> None:
        self.waits += 1


BACKEND = Backend()


class StandinTensor(Tensor):
    """What torch takes for a tensor of the device. `inner` holds its numbers, on the CPU."""

    @staticmethod
    def __new__(cls, inner: Tensor) -> StandinTensor:
        return torch.Tensor._make_wrapper_subclass(
            cls,
            inner.shape,
            strides=inner.stride(),
            storage_offset=inner.storage_offset(),
            dtype=inner.dtype,
            device=torch.device(KIND, 0),
        )

    def __init__(self, inner: Tensor) -> None:
        self.inner = inner

    __torch_function__ = torch._C._disabled_torch_function_impl

    @classmethod
    def __torch_dispatch__(cls, operation: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return compute(operation, args, kwargs or {})

    def tolist(self) -> Any:
        return self.inner.tolist()

    def __repr__(self) -> str:
        return f"StandinTensor({self.inner})"


def compute(operation: Any, args: Any, kwargs: Any) -> Any:
    """One operation of torch. Its result is a tensor of the device, unless it asks for another device itself."""
    flat = [*leaves_of((*args, *kwargs.values()))]
    name = operation._schema.name
    if name not in BETWEEN_DEVICES:
        indices = [*leaves_of(args[1])] if name in BY_INDICES else []
        refuse_mixture(name, [each for each in flat if all(each is not index for index in indices)])
    leaves = any(isinstance(each, torch.device) and each.type == "cpu" for each in flat)
    known = {id(each.inner): each for each in flat if isinstance(each, StandinTensor)}
    made = operation(*change(inside, args), **{key: change(inside, value) for key, value in kwargs.items()})
    if name == "aten::copy_":
        return args[0]

    def outside(result: Any) -> Any:
        if not isinstance(result, Tensor) or leaves:
            return result
        if id(result) in known:
            return known[id(result)]
        # torch keeps a conjugate as a mark on the tensor, which the wrapper does not have.
        result = result.resolve_conj().resolve_neg()
        if result.dtype is torch.float64:
            raise TypeError(f"The device has no float64, which {name} makes.")
        if result.nbytes > BACKEND.limit and not operation.is_view:
            raise torch.OutOfMemoryError(f"{name} asks for {result.nbytes} bytes.")
        # A view of a tensor that autograd follows is followed too, also in inference mode.
        with torch.inference_mode(args[0].is_inference() if operation.is_view else torch.is_inference_mode_enabled()):
            return StandinTensor(result)

    return change(outside, made)


def leaves_of(values: Any) -> Iterator[Any]:
    """What stands in a list of lists."""
    if not isinstance(values, (list, tuple)):
        yield values
        return
    for value in values:
        yield from leaves_of(value)


def change(how: Callable[[Any], Any], values: Any) -> Any:
    """The same lists with other leaves."""
    return type(values)([change(how, each) for each in values]) if isinstance(values, (list, tuple)) else how(values)


def inside(value: Any) -> Any:
    """The numbers of a tensor of the device; the CPU in the place of the device."""
    if isinstance(value, StandinTensor):
        return value.inner
    return torch.device("cpu") if isinstance(value, torch.device) and value.type == KIND else value


def refuse_mixture(name: str, values: list[Any]) -> None:
    """As CUDA does: only single numbers of the CPU may meet tensors of the device."""
    if any(isinstance(each, Tensor) and not isinstance(each, StandinTensor) and each.dim() for each in values):
        raise RuntimeError(f"{name} meets a tensor of the CPU and one of the device.")


IS_HERE = present_kinds() == ("cpu",)
if IS_HERE:
    _setup_privateuseone_for_python_backend(KIND, BACKEND)
# An operation that makes tensors gets none, by whose device torch could choose. So torch asks the backend. The same
# holds for an operation that makes an index of a list.
_all, _copies = torch.library.Library("_", "IMPL"), torch.library.Library("aten", "IMPL")
_all.fallback(lambda operation, *args, **kwargs: compute(operation, args, kwargs), "PrivateUse1")
_copies.impl(
    "_copy_from", lambda source, to, *_: compute(torch.ops.aten.copy_.default, (to, source), {}), "PrivateUse1"
)
