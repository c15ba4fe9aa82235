"""What all views of Why this word have: the question, and below them the control tokens that it names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from model.config import TransformerConfig
from views.models.why.question import Question, keep
from views.run import Run
from views.shared import control_words
from views.view import Depth, View


@dataclass(frozen=True)
class AskedView(View):
    """What is said of one question."""

    asked: Question

    needs: ClassVar[Callable[[TransformerConfig], tuple[str, ...]]] = staticmethod(keep)

    def about(self) -> Run:
        return self.asked.run

    def settled(self) -> Mapping[str, Any]:
        return {"why_answer": self.asked.token, "why_against": -1 if self.asked.against is None else self.asked.against}

    def at(self, depth: Depth) -> Sequence[Any]:
        return [*super().at(depth), *control_words.explain(self.asked.named_tokens)]
