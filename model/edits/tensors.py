"""Tensors that take the place of those of a run: one of another run, or a painted mask."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from math import inf

import torch
from torch import Tensor

from model.cached_property import cached_property
from model.edits.edit import Edit
from model.errors import EditError


class FrozenTensor:
    """A tensor that is never changed. It equals another one of the same type and shape with the same numbers."""

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor

    @cached_property
    def _digest(self) -> bytes:
        plain = self.tensor.detach().cpu().contiguous()
        digest = blake2b(f"{plain.dtype} {tuple(plain.shape)}".encode(), digest_size=16)
        digest.update(plain.reshape(-1).view(torch.uint8).numpy().tobytes())
        return digest.digest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FrozenTensor) and self._digest == other._digest

    def __hash__(self) -> int:
        return hash(self._digest)

    def __repr__(self) -> str:
        return f"{self.tensor.dtype} {'x'.join(map(str, self.tensor.shape))}"


@dataclass(frozen=True)
class Replace(Edit):
    """Puts a tensor in the place of those of this name. The run raises `EditError` where theirs has another shape."""

    name: str
    values: FrozenTensor

    @property
    def pattern(self) -> str:
        return self.name

    def apply(self, tensor: Tensor) -> Tensor:
        return _fit(self.name, self.values.tensor, tensor)


def replace(name: str, tensor: Tensor) -> Replace:
    """The edit that puts `tensor` in the place of the named one, of the same shape: activation patching, where it is
    one of another run. Meng et al. (2022), arXiv:2202.05262. The run raises `EditError` where the shape does not fit.

    >>> from glassformer import load, replace
    >>> model, name = load("tiny-lm"), "decoder.1.resid_in"  # (tokens, d_model)
    >>> cat = model.trace("the cat")
    >>> patched = model.trace("the dog", edits=[replace(name, cat[name])])
    >>> bool((patched.logits == cat.logits).all())  # all that comes after is that of the other sentence
    True
    """
    return Replace(name, FrozenTensor(tensor))


@dataclass(frozen=True)
class PaintMask(Edit):
    """Puts a mask in the place of an attention's own: `visible` (queries, keys) is true where a query may look.

    `path` names one attention, "decoder.3.self_attn", or several, "decoder.*.self_attn".
    """

    path: str
    visible: FrozenTensor

    @property
    def pattern(self) -> str:
        return f"{self.path}.mask"

    def apply(self, tensor: Tensor) -> Tensor:
        visible = self.visible.tensor.to(tensor.device)
        return _fit(self.pattern, tensor.new_zeros(visible.shape).masked_fill(~visible, -inf), tensor)


def paint_mask(path: str, visible: Tensor) -> PaintMask:
    """The edit that paints a mask, true where a query may look (queries, keys): `PaintMask`."""
    return PaintMask(path, FrozenTensor(visible))


@dataclass(frozen=True)
class HideRow(Edit):
    """Hides every key from one query, and leaves the rest of each layer's own mask as it is."""

    path: str
    row: int

    @property
    def pattern(self) -> str:
        return f"{self.path}.mask"

    def apply(self, tensor: Tensor) -> Tensor:
        return tensor.index_fill(-2, torch.tensor([self.row], device=tensor.device), -inf)


def _fit(name: str, new: Tensor, old: Tensor) -> Tensor:
    try:
        return new.to(old).expand_as(old)
    except RuntimeError:
        raise EditError(f"{name} is {tuple(old.shape)} in this run; {tuple(new.shape)} does not fit.") from None
