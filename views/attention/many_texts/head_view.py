"""What every view of one head over many texts has: the choice among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from views.attention.many_texts.reading_view import ReadingView
from views.parts import Controls
from views.view import Depth
from viz.shared.style import upper_first


@dataclass(frozen=True)
class ViewOfOneHead(ReadingView):
    """A view of what the chosen head does on the texts."""

    def at(self, depth: Depth) -> Sequence[Any]:
        return [Controls("about"), *super().at(depth)]

    def none_found(self) -> str:
        """The caption of a head that has no weight where places are compared."""
        return f"{self.name_of_head} has no weight beyond the first token and the query itself on these texts."

    @property
    def name_of_head(self) -> str:
        """ "Layer 9, head 2", to begin a sentence with."""
        return upper_first(self.head.place)
