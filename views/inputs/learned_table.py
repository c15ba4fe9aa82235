"""A trained table of positions."""

from __future__ import annotations

from dataclasses import dataclass, field

from torch import Tensor

from model import Model
from views.call import Call


@dataclass(frozen=True)
class LearnedTable:
    """The trained vectors (positions, width), with the title of their model."""

    title: str
    rows: Tensor = field(compare=False)
    model: Model = field(compare=False, repr=False)

    @classmethod
    def of(cls, model: Model) -> LearnedTable:
        """The table of a model with learned positions."""
        embedding = getattr(model.on_cpu.network, model.config.stacks[0]).embed
        return cls(model.card.title, embedding.positions.weight.detach(), model)

    def made_by(self) -> Call:
        return Call(LearnedTable.of, (self.model,))


def name_of_learned(model: Model) -> str:
    """The name of the model whose table is shown: this one where its positions are learned, or else MiniLM."""
    return model.card.name if model.config.positions == "learned" else "minilm-l6"
