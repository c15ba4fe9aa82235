"""The view of one head over many texts, of the page Heads."""

from __future__ import annotations

from typing import ClassVar

from traitlets import Enum

from model import GlassformerError
from model.surveys.measures import MEASURES
from views.attention.many_texts import one_head
from views.by_page.many_texts import LiveViewOfTexts
from views.view import View


class HeadOverTexts(LiveViewOfTexts):
    """What one head does over many texts: its strongest places and others drawn by lot, in their texts; its measures by
    kind of text; the pairs of tokens and the distances that have its weight."""

    part: ClassVar[tuple[str, ...]] = ("Many texts", "This head")
    about = Enum(one_head.ABOUT, one_head.STRONGEST, help="what is shown of the head")
    measure = Enum(tuple(MEASURES), one_head.USUAL_MEASURE, help="the measure that is shown by kind")

    def view(self) -> View:
        head, reading = self.head_of_run(), self.reading_of_texts()
        possible = one_head.possible_abouts(head, reading)
        if self.about not in possible:
            raise GlassformerError(f"There is no “{self.about}” of this head. There is: {', '.join(possible)}.")
        if self.measure not in reading.tally(f"{head.at.stack}.{head.at.part}").measures:
            raise GlassformerError(f"Cross-attention has no measure “{self.measure}” on texts.")
        return one_head.view_of_head(head, reading, self.about, self.measure)
