"""The tape: every intermediate of a run passes through it once, under its name.

`tape(name, tensor)` gives the tensor back. When asked to, it keeps the tensor, or gives an edited one back instead.
So looking at a run and changing it (ablating a head, painting a mask) are one mechanism. A tape belongs to one run and
is passed as an argument; nothing is stored on the modules, so many threads can share one model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import translate
from types import MappingProxyType

import torch
from torch import Tensor

from model.errors import EditError
from model.tokens.tokenizer import Token


@dataclass(frozen=True)
class Edit:
    """Replaces every tensor whose name matches `pattern` (`decoder.3.self_attn.heads`, `*.mask`) by `change` of it.

    `change` gets a tensor of the model's device. It must return one of the same shape, which may be on any device, and
    leave its argument as it is.
    """

    pattern: str
    change: Callable[[Tensor], Tensor]

    def matches(self, name: str) -> bool:
        """Whether a tensor of this name is replaced."""
        return _compile((self.pattern,)).match(name) is not None


def _compile(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(translate(pattern) for pattern in patterns))


class Tape:
    """Records what `keep` names (shell patterns, `*` also crosses dots) and applies `edits`, in their order."""

    def __init__(self, keep: str | Iterable[str] = (), edits: Iterable[Edit] = ()) -> None:
        patterns = (keep,) if isinstance(keep, str) else tuple(keep)
        self._kept = _compile(patterns) if patterns else None
        self._edits = tuple((_compile((edit.pattern,)), edit) for edit in edits)
        self._found = dict.fromkeys((edit.pattern for _, edit in self._edits), False)  # which edits found a tensor
        self._prefix = ""
        self.records: dict[str, Tensor] = {}

    @property
    def idle(self) -> bool:
        """Nothing is to be kept or edited."""
        return self._kept is None and not self._edits

    def at(self, *path: str | int) -> Tape:
        """The same tape, one or more levels down: `tape.at("decoder", 3)("resid_in", x)`."""
        if self.idle:
            return self
        below = Tape.__new__(Tape)
        below._kept, below._edits, below._found, below.records = self._kept, self._edits, self._found, self.records
        below._prefix = self._prefix + "".join(f"{part}." for part in path)
        return below

    def behind(self, edits: Iterable[Edit]) -> Tape:
        """A tape into the same records that applies `edits` first, then its own. `check_edits` looks at all of them,
        here too; but nothing is told to `SILENT`, which all runs share."""
        behind = Tape(edits=edits)
        if self is SILENT:
            return behind
        for pattern in behind._found:
            self._found.setdefault(pattern, False)
        behind._edits, behind._found = behind._edits + self._edits, self._found
        behind._kept, behind._prefix, behind.records = self._kept, self._prefix, self.records
        return behind

    def keeping(self, keep: str | Iterable[str]) -> Tape:
        """A tape with the same edits for the next step of this run. It keeps what `keep` names, in its own records."""
        tape = Tape(keep)
        tape._edits, tape._found, tape._prefix = self._edits, self._found, self._prefix
        return tape

    def watches(self, *names: str) -> bool:
        """Whether any of these tensors is to be kept or edited here."""
        return not self.idle and any(self._watches(self._prefix + name) for name in names)

    def _watches(self, path: str) -> bool:
        kept = self._kept is not None and self._kept.match(path)
        return bool(kept) or any(pattern.match(path) for pattern, _ in self._edits)

    def __call__(self, name: str, tensor: Tensor) -> Tensor:
        if self.idle:
            return tensor
        path = self._prefix + name
        for pattern, edit in self._edits:
            if pattern.match(path):
                tensor = _checked(path, tensor, edit.change(tensor))
                self._found[edit.pattern] = True
        if self._kept is not None and self._kept.match(path):
            self.records[path] = tensor
        return tensor

    def check_edits(self) -> None:
        """After a run: raises `EditError` naming an edit that changed nothing, since no tensor has its name."""
        for pattern, found in self._found.items():
            if not found:
                raise EditError(f"No tensor of this run is called {pattern}, so there is nothing to edit.")


def _checked(path: str, before: Tensor, after: Tensor) -> Tensor:
    if after.shape != before.shape:
        raise EditError(f"The edit of {path} changed its shape from {tuple(before.shape)} to {tuple(after.shape)}.")
    return after.to(before)


SILENT = Tape()  # the tape of a run that nobody looks at: it has no state


@dataclass(frozen=True)
class Trace:
    """One finished run: its tokens and the tensors that were kept, by name. No tensor has a batch axis."""

    tokens: tuple[Token, ...]
    tensors: Mapping[str, Tensor]
    source_tokens: tuple[Token, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "tensors", MappingProxyType(dict(self.tensors)))

    def __getitem__(self, name: str) -> Tensor:
        if name in self.tensors:
            return self.tensors[name]
        near = get_close_matches(name, self.tensors, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise KeyError(f"{name} is not in this trace; keep= decides what is.{hint}")

    def __contains__(self, name: str) -> bool:
        return name in self.tensors

    @property
    def logits(self) -> Tensor:
        """The scores of every token of the vocabulary after each position, before the softmax: (T, V)."""
        return self["logits"]

    @property
    def nbytes(self) -> int:
        """Memory of the kept tensors. Tensors that share their storage count once."""
        storages = {tensor.untyped_storage().data_ptr(): tensor.untyped_storage() for tensor in self.tensors.values()}
        return sum(storage.nbytes() for storage in storages.values())


def ablate(path: str, head: int | Iterable[int]) -> Edit:
    """Removes one head, or several: their output is 0, so they add nothing to the residual stream.

    `path` names the attention, `decoder.3.self_attn`, or several, `decoder.*.self_attn`.
    """
    removed = [head] if isinstance(head, int) else list(head)

    def silence(heads: Tensor) -> Tensor:  # (heads, queries, d_head)
        for each in removed:
            if not 0 <= each < heads.shape[-3]:
                raise EditError(f"{path} has heads 0 to {heads.shape[-3] - 1}; there is no head {each}.")
        kept = torch.ones(heads.shape[-3], 1, 1, dtype=heads.dtype, device=heads.device)
        kept[removed] = 0
        return heads * kept

    return Edit(f"{path}.heads", silence)


def replace(name: str, tensor: Tensor) -> Edit:
    """Puts `tensor` in the place of the named one: a painted mask, or a patch from another run."""
    return Edit(name, lambda old: tensor.to(old).expand_as(old))
