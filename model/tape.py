"""The tape: every intermediate tensor of a run passes through it once, under its name.

`tape(name, tensor)` returns the tensor. On request it also keeps the tensor, or returns an edited one instead. So one
mechanism serves both to look at a run and to change it (ablate a head, paint a mask). A tape belongs to one run and is
passed as an argument. The modules store nothing, so many threads can share one model.
"""

from __future__ import annotations

import copy
import dataclasses
import re
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from fnmatch import translate
from types import MappingProxyType
from typing import Any

from torch import Tensor, nn

from model import numerals, work_bound
from model.edits.edit import Edit
from model.errors import EditError, ModelMismatch
from model.notebook.trace_card import nbytes_of, trace_card
from model.tokens.tokenizer import Token


def _compile(patterns: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(translate(pattern) for pattern in patterns))


def matcher(keep: str | Iterable[str]) -> Callable[[str], bool]:
    """A function that tells whether `keep` names a tensor, as in a `Tape`."""
    patterns = (keep,) if isinstance(keep, str) else tuple(keep)
    kept = _compile(patterns) if patterns else None
    return lambda name: kept is not None and kept.match(name) is not None


Look = Callable[[str, Tensor], None]


class AllRecorded(Exception):
    """Ends a run whose tape has recorded all that is wanted (`Tape.ends_after`)."""


class Tape:
    """Records the tensors that `keep` names (shell patterns; `*` also crosses dots) and applies `edits`, in order.

    With `watches_all`, the network computes as if every tensor were kept: it takes no shortcut that would round
    otherwise. With `ends_after`, the tape raises `AllRecorded` when it has recorded so many tensors. `look` is called
    with the name of each tensor and the tensor, on the model's device. It must not keep the tensor, which may be
    overwritten (`may_overwrite`).
    """

    def __init__(
        self,
        keep: str | Iterable[str] = (),
        edits: Iterable[Edit] = (),
        *,
        watches_all: bool = False,
        ends_after: int | None = None,
        look: Look | None = None,
    ) -> None:
        patterns = (keep,) if isinstance(keep, str) else tuple(keep)
        self._kept = _compile(patterns) if patterns else None
        self._watches_all, self._ends_after, self._look = watches_all, ends_after, look
        self._edits = tuple((_compile((edit.pattern,)), edit) for edit in edits)
        self._found = dict.fromkeys((edit.pattern for _, edit in self._edits), False)  # which edits found a tensor
        self._prefix = ""
        self.records: dict[str, Tensor] = {}

    @property
    def idle(self) -> bool:
        """Whether there is nothing to keep, to edit or to look at."""
        return self._kept is None and not self._edits and not self._watches_all and self._look is None

    def at(self, *path: str | int) -> Tape:
        """The same tape, one or more levels down: `tape.at("decoder", 3)("resid_in", x)`.

        Raises `TooMuchWork` if the time of this work is over (`work_bound`).
        """
        work_bound.check()
        if self.idle:
            return self
        below = Tape.__new__(Tape)
        below._kept, below._edits, below._found, below.records = self._kept, self._edits, self._found, self.records
        below._prefix = self._prefix + "".join(f"{part}." for part in path)
        below._watches_all, below._ends_after, below._look = self._watches_all, self._ends_after, self._look
        return below

    def with_edits(self, edits: Iterable[Edit]) -> Tape:
        """A tape that applies `edits` first and the edits of this tape after them. Both tapes write the same records.

        `check_edits` of either tape checks all edits, except that of `SILENT`: all runs share it, so it does not
        learn of the new edits.
        """
        tape = Tape(edits=edits)
        if self is SILENT:
            return tape
        for pattern in tape._found:
            self._found.setdefault(pattern, False)
        tape._edits, tape._found = tape._edits + self._edits, self._found
        tape._kept, tape._prefix, tape.records = self._kept, self._prefix, self.records
        tape._watches_all, tape._ends_after, tape._look = self._watches_all, self._ends_after, self._look
        return tape

    def for_next_step(self, keep: str | Iterable[str]) -> Tape:
        """A tape for the next step of this run. It has the same edits, and its own records of the tensors in `keep`."""
        tape = Tape(keep)
        tape._edits, tape._found, tape._prefix = self._edits, self._found, self._prefix
        return tape

    def watches(self, *names: str) -> bool:
        """Whether this tape keeps or edits any of these tensors, or watches all."""
        if self._watches_all or self.idle:
            return self._watches_all
        return any(self._watches(self._prefix + name) for name in names)

    def may_overwrite(self, name: str) -> bool:
        """Whether a tensor may be overwritten once this tape has seen it: the tape neither keeps nor edits it."""
        return not self._watches(self._prefix + name)

    def _watches(self, path: str) -> bool:
        is_kept = self._kept is not None and self._kept.match(path)
        return bool(is_kept) or any(pattern.match(path) for pattern, _ in self._edits)

    def __call__(self, name: str, tensor: Tensor) -> Tensor:
        if self.idle:
            return tensor
        path = self._prefix + name
        for pattern, edit in self._edits:
            if pattern.match(path):
                tensor = _check_shape(path, tensor, edit.apply(tensor))
                self._found[edit.pattern] = True
        if self._look is not None:
            self._look(path, tensor)
        if self._kept is not None and self._kept.match(path):
            work_bound.keep(tensor.nbytes)
            self.records[path] = tensor
            if len(self.records) == self._ends_after:
                raise AllRecorded
        return tensor

    def check_edits(self) -> None:
        """After a run: raises `EditError` for an edit that matched no tensor, and names it."""
        for pattern, found in self._found.items():
            if not found:
                raise EditError(f"No tensor of this run is called {pattern}, so there is nothing to edit.")


def _check_shape(path: str, before: Tensor, after: Tensor) -> Tensor:
    if after.shape != before.shape:
        raise EditError(f"The edit of {path} changed its shape from {tuple(before.shape)} to {tuple(after.shape)}.")
    return after.to(before)


SILENT = Tape()  # keeps and edits nothing; it has no state, so all runs share it


class LazyTensors(Mapping[str, Tensor]):
    """Tensors of a run that are made when they are looked at (`model.graph.on_demand`)."""

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """Bytes of the tensors that are in memory now."""

    @property
    @abstractmethod
    def most_bytes(self) -> int:
        """Bytes of the tensors that may be in memory at once."""

    @property
    @abstractmethod
    def held(self) -> Mapping[str, Tensor]:
        """Those of the run that need not be made: the stream before each layer, and what came with it."""

    @abstractmethod
    def keeping(self, keep: str | Iterable[str]) -> LazyTensors:
        """Those of the tensors that `keep` names, in the same memory. Only what is named here is made."""

    @abstractmethod
    def logits_at(self, places: int | slice) -> Tensor:
        """`logits[places]`. The logits of the other positions are not made."""

    @abstractmethod
    def computed_by(self, network: nn.Module | None) -> LazyTensors:
        """The same tensors, in the same memory, which `network` computes. With None, they cannot be computed."""


@dataclass(frozen=True)
class Origin:
    """Where a trace comes from: the network, all edits of the run, and the pixels (C, H, W) that a vision model read.

    `network` is a `Transformer` or a recurrent network, with its configuration in `config`. `model` is the
    `model.run.Model` or the `model.vision.model.VisionModel` that ran it, where one did; this module stands below them.
    `version` says which of its weights those were: they change in a model in memory. `text` and `target` are what it
    was asked to read; None where a run had tokens alone. `keep` names the tensors that it was asked for. A step of
    writing (`is_step`) has rows for the tokens alone that were new to it, and the logits of the last one.
    """

    network: nn.Module = field(repr=False)
    edits: tuple[Edit, ...] = ()
    pixels: Tensor | None = field(default=None, repr=False)
    model: Any = None
    text: str | None = None
    target: str | None = None
    keep: tuple[str, ...] = ("*",)
    version: int = 0
    is_step: bool = False

    def check_weights(self) -> None:
        """Raises `ModelMismatch` if the model has other weights by now than those of the run."""
        if self.model is not None and self.model.version != self.version:
            raise ModelMismatch(
                f"The weights of {self.model.card.title} have changed since this run was made. Trace the text again. "
                "To keep the weights of a moment, trace with model.freeze()."
            )


@dataclass(frozen=True, repr=False)
class Trace:
    """One finished run: its tokens and its kept tensors, by name (`model.names`). No tensor has a batch axis.

    With its `origin`, a trace keeps the network alive. `model.explain` reads the weights there. `milliseconds` is how
    long the run took when it was made; None where nobody has measured it.
    Raises `KeyError` for a tensor that was not kept, with the nearest name.

    >>> from glassformer import load
    >>> trace = load("tiny-lm").trace("the dog sees the cat")
    >>> [token.text for token in trace.tokens]
    ['t', 'he', ' dog', ' sees', ' the', ' cat']
    >>> trace.logits.shape  # (tokens, vocabulary)
    torch.Size([6, 1127])
    >>> trace["decoder.1.self_attn.weights"].sum(-1).round(decimals=4).unique()  # each query's weights sum to 1
    tensor([1.])
    """

    tokens: tuple[Token, ...]
    tensors: Mapping[str, Tensor]
    source_tokens: tuple[Token, ...] = ()
    origin: Origin | None = field(default=None, repr=False, compare=False)
    milliseconds: float | None = field(default=None, repr=False, compare=False)
    not_finite: str = field(default="", compare=False)  # the first tensor that is not, where somebody has looked

    def __post_init__(self) -> None:
        if not isinstance(self.tensors, LazyTensors):
            object.__setattr__(self, "tensors", MappingProxyType(dict(self.tensors)))

    @property
    def title(self) -> str:
        """The title of its model; "" where it does not know it."""
        return "" if self.origin is None or self.origin.model is None else str(self.origin.model.card.title)

    def __repr__(self) -> str:
        of = f" of {self.title}" if self.title else ""
        return f"<Trace{of}: {len(self.tokens)} tokens, {len(self.tensors):,} tensors>"

    def _repr_html_(self) -> str:
        """For notebooks. It makes no tensor that is made on demand."""
        held: Mapping[str, Tensor | None] = self.tensors
        if isinstance(self.tensors, LazyTensors):
            held = {name: self.tensors.held.get(name) for name in self.tensors}
        edits = len(self.origin.edits) if self.origin is not None else 0
        facts = (
            f"{len(self.tokens):,} tokens",
            f"{len(self.tensors):,} tensors, {nbytes_of(held)}" + (" held, the rest on demand" if self.is_lazy else ""),
            "" if self.milliseconds is None else numerals.milliseconds(self.milliseconds / 1000),
            "" if not edits else f"{edits} edits" if edits > 1 else "1 edit",
        )
        gated = self.origin is not None and bool(getattr(self.origin.network.config, "gated", False))
        title = f"Run of {self.title}" if self.title else "Run"
        return trace_card(title, self.tokens, self.source_tokens, held, facts, gated)

    def __getitem__(self, name: str) -> Tensor:
        if name in self.tensors:
            return self.tensors[name]
        near = get_close_matches(name, self.tensors, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise KeyError(f"{name} is not in this trace; keep= decides what is.{hint}")

    def __contains__(self, name: str) -> bool:
        return name in self.tensors

    def __copy__(self) -> Trace:
        return self  # it never changes

    def __deepcopy__(self, memo: dict[int, Any]) -> Trace:
        """Another trace with tensors of its own, of the same network."""
        return dataclasses.replace(self, tensors=copy.deepcopy(dict(self.tensors), memo))

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle: tokens and tensors, those that are lazy too. The network stays where it is (`with_network`)."""
        return Trace, (self.tokens, dict(self.tensors), self.source_tokens, None, self.milliseconds, self.not_finite)

    def of_text(self, text: str, target: str | None = None) -> Trace:
        """The same run, whose origin says the text and the target that were cut into its tokens."""
        assert self.origin is not None, "a run of a text has an origin"
        return dataclasses.replace(self, origin=dataclasses.replace(self.origin, text=text, target=target))

    def whole(self) -> Trace:
        """The run with a row for each of its tokens: itself, or the tokens of a step of writing, run again."""
        if self.origin is None or not self.origin.is_step:
            return self
        made: Trace = self.origin.model.trace_tokens_on_demand(self.tokens, self.source_tokens)
        return made

    def with_network(self, network: nn.Module) -> Trace:
        """The same run with `network` as its origin. Its lazy tensors are computed by `network`, too."""
        return dataclasses.replace(self.computed_by(network), origin=Origin(network))

    def computed_by(self, network: nn.Module | None) -> Trace:
        """The same run, whose lazy tensors `network` computes. With None, they keep no network alive."""
        if not isinstance(self.tensors, LazyTensors):
            return self
        return dataclasses.replace(self, tensors=self.tensors.computed_by(network))

    @property
    def is_lazy(self) -> bool:
        """Whether its tensors are computed when somebody reads them."""
        return isinstance(self.tensors, LazyTensors)

    def keeping(self, keep: str | Iterable[str]) -> Trace:
        """The same run, with those of its lazy tensors that `keep` names."""
        assert isinstance(self.tensors, LazyTensors), "only a trace of lazy tensors can be narrowed"
        return dataclasses.replace(self, tensors=self.tensors.keeping(keep))

    @property
    def logits(self) -> Tensor:
        """The scores of every token of the vocabulary after each position, before the softmax: (T, V)."""
        return self["logits"]

    def logits_at(self, places: int | slice) -> Tensor:
        """`logits[places]`. Those of a long text are many, so a run that makes its tensors makes only these."""
        return self.tensors.logits_at(places) if isinstance(self.tensors, LazyTensors) else self.logits[places]

    @property
    def nbytes(self) -> int:
        """Bytes of the tensors in memory, without the network. Tensors that share their storage count once."""
        pixels = self.origin.pixels if self.origin is not None else None
        picture = 0 if pixels is None else pixels.nbytes
        if isinstance(self.tensors, LazyTensors):
            return self.tensors.nbytes + picture
        return storage_bytes(self.tensors.values()) + picture

    @property
    def most_bytes(self) -> int:
        """As `nbytes`, when so many of the tensors on demand are made as are kept at once."""
        made = self.tensors
        return self.nbytes + (made.most_bytes - made.nbytes if isinstance(made, LazyTensors) else 0)


def storage_bytes(tensors: Iterable[Tensor]) -> int:
    """Bytes of tensors. Those that share their storage count once."""
    storages = {tensor.untyped_storage().data_ptr(): tensor.untyped_storage() for tensor in tensors}
    return sum(storage.nbytes() for storage in storages.values())
