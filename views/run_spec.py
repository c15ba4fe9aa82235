"""All that the numbers of a run depend on, as a value. Caches have it as their key."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from model.edits.activations import ActivationEdit

if TYPE_CHECKING:
    from model import Edit, Model
    from model.tokens.tokenizer import Token


@dataclass(frozen=True)
class ModelSpec:
    """A model by its name, with the edits that it has in every run.

    `state` is that of `Model`: where the network is, and how it begins texts. The weights of a model in memory
    (`model/adopted.py`) change, and its state with them.
    """

    name: str
    state: str
    edits: tuple[Edit, ...] = ()

    @classmethod
    def of(cls, model: Model) -> ModelSpec:
        """The spec of a model with the configuration of its card: all its parts are there, though edits change them.

        An edit that takes activations of another sentence is there without them: the sentence says which they are.
        """
        from model.experiments.surgery import edits_of  # it needs torch, which is not loaded before a run is made

        edits = edits_of(model.network)
        named = (each.with_values(None) if isinstance(each, ActivationEdit) else each for each in edits)
        return cls(model.card.name, model.state, tuple(named))


@dataclass(frozen=True)
class RunSpec:
    """One run: the same spec has the same numbers, on any page and in any process.

    The last stack of the model reads `tokens`, an encoder before it `source_tokens`. `edits` are those of this run
    alone, after those of the model.
    """

    model: ModelSpec
    tokens: tuple[Token, ...]
    source_tokens: tuple[Token, ...] = ()
    edits: tuple[Edit, ...] = ()

    @classmethod
    def of(
        cls, model: Model, tokens: Iterable[Token], source_tokens: Iterable[Token] = (), edits: Iterable[Edit] = ()
    ) -> RunSpec:
        """The spec of a run of a model over tokens, which need not come from a text."""
        return cls(ModelSpec.of(model), tuple(tokens), tuple(source_tokens), tuple(edits))
