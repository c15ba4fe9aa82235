"""A model and the same model without some parts, over one sentence."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from model import Edit, Model, Trace
from model.analysis.head_steps import kinds
from model.cached_property import cached_property
from model.errors import NumbersNotFinite
from model.experiments.broken_parts import attention_entropy, sample
from model.experiments.surgery import PARTS, RemovablePart, edit_model
from views.call import Call

Value = TypeVar("Value")


class Keeper(Protocol):
    """Makes what takes long, and may keep it. `key`: all that it depends on."""

    def __call__(self, what: str, key: Hashable, make: Callable[[], Value], /) -> Value: ...


def keep_nothing(what: str, key: Hashable, make: Callable[[], Value], /) -> Value:
    return make()


@dataclass(frozen=True)
class Removal:
    """What is taken away of a model: parts, and by `edits` the heads that are `silenced`, in words."""

    parts: tuple[RemovablePart, ...]
    edits: tuple[Edit, ...] = ()
    silenced: tuple[str, ...] = ()

    def made_by(self) -> Call:
        named = {"edits": self.edits, "silenced": self.silenced} if self.edits else {}
        return Call(take_away, ([part.name for part in self.parts],), named)

    @property
    def names(self) -> tuple[str, ...]:
        """What is taken away, in words; () for nothing."""
        return (*(part.name for part in self.parts), *self.silenced)

    def of(self, model: Model) -> Model:
        """The model without it."""
        return edit_model(model, self.parts, self.edits)


def take_away(names: Sequence[str], edits: tuple[Edit, ...] = (), silenced: tuple[str, ...] = ()) -> Removal:
    """The removal of the parts with these names (`model.experiments.surgery.PARTS`), and of heads."""
    known = {part.name: part for part in PARTS}
    return Removal(tuple(known[name] for name in names), edits, silenced)


@dataclass(frozen=True)
class BothModels:
    """The whole model and the one without some parts. Each property has two values: of the whole one, of the other.

    `keep` makes and keeps what takes long.
    """

    model: Model
    removal: Removal
    text: str
    keep: Keeper = field(default=keep_nothing, compare=False, repr=False)

    @cached_property
    def outputs(self) -> tuple[str, str]:
        """What both make of the sentence."""
        return self._keep("outputs", lambda: (_sample(self.model, self.text), _sample(self.without, self.text)))

    @cached_property
    def entropies(self) -> tuple[dict[str, float], dict[str, float]]:
        """The mean entropy of each attention, in bits."""
        target = self._target()
        return self._keep(
            "entropies",
            lambda: (
                attention_entropy(self.model, self.text, target),
                attention_entropy(self.without, self.text, target),
            ),
        )

    @cached_property
    def traces(self) -> tuple[Trace, Trace]:
        """The runs over the sentence, with the last attention."""
        target = self._target()
        keep = ("logits", *(f"{self.last_attention}.{name}" for name in ("raw_scores", "masked", "weights")))
        return self._keep(
            "traces",
            lambda: (
                self.model.trace(self.text, keep=keep, target=target),
                self.without.trace(self.text, keep=keep, target=target),
            ),
        )

    @property
    def last_attention(self) -> str:
        """The attention in the last layer of the stack that gives the output."""
        config = self.model.config
        stack, part = kinds(config)[-1]
        return f"{stack}.{config.n_layers(stack) - 1}.{part}"

    @cached_property
    def without(self) -> Model:
        return self.removal.of(self.model)

    def _target(self) -> str | None:
        """A translator reads what the whole model writes, in both."""
        return self.outputs[0] if self.model.config.kind == "encoder-decoder" else None

    def _keep(self, what: str, make: Callable[[], Value]) -> Value:
        model = self.model
        return self.keep(what, (model.card.name, model.state, self.text, *self.removal.names), make)


def _sample(model: Model, text: str) -> str:
    """What a model makes of a text; of one without a norm, whose numbers may leave float32, why it makes nothing."""
    try:
        return sample(model, text)
    except NumbersNotFinite as error:
        return f"Nothing. {error}"
