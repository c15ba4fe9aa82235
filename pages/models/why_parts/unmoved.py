"""A part that draws itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from model.config import TransformerConfig
from pages.models.why_parts import question
from pages.shared.elements.page import ABOVE, BESIDE_PARTS, Part
from pages.shared.session import state
from views.models.why.asked_view import AskedView
from views.models.why.question import Question, keep
from views.parts import Controls
from views.shared import control_words
from views.view import Depth


@dataclass(frozen=True)
class Unmoved(AskedView):
    def at(self, depth: Depth) -> list[Any]:
        return [Controls("whole"), *control_words.explain(self.asked.named_tokens)]


def part(
    title: str,
    show: Callable[[Question, str], None],
    kept: Callable[[TransformerConfig], tuple[str, ...]] = keep,
) -> Part:
    kind = type("Unmoved", (Unmoved,), {"needs": staticmethod(kept)})
    return Part(
        title,
        lambda: Unmoved(question.read(kind)),
        {
            BESIDE_PARTS: question.choose,
            ABOVE: question.say_refused,
            "whole": lambda view: show(view.asked, state.get("depth")),
        },
    )
