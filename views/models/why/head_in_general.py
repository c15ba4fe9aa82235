"""What a head looks for and what it writes, whatever the sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar

from model.analysis.circuits import composition, distance, looked_for, written
from model.config import TransformerConfig
from views.models.why.asked_view import AskedView
from views.models.why.general_head import GeneralHead, keep
from views.models.why.head_distance import HeadByDistance
from views.models.why.head_looks_for import HeadLooksFor
from views.models.why.head_reads import HeadReads
from views.models.why.head_writes import HeadWrites
from views.parts import Controls
from views.view import View, grey
from viz.documents.page_parts import Group
from viz.shared.style import upper_first

LEFT_OUT = "Left out: positions, and everything that lower layers write. A head of a high layer meets much of that."


@dataclass(frozen=True)
class HeadInGeneral(AskedView):
    """The circuits of one head. `shown`: the tokens of a long text that the picture of what it looks for has."""

    general: GeneralHead
    shown: slice = field(default_factory=partial(slice, None))

    needs: ClassVar[Callable[[TransformerConfig], tuple[str, ...]]] = staticmethod(keep)

    @property
    def reads(self) -> HeadReads:
        return HeadReads(self.general)

    def told(self) -> Mapping[str, float | str]:
        return self.reads.told()

    def picture_parts(self) -> Sequence[Any]:
        above = (
            f"{upper_first(self.general.place)}, read from its weights: each token stands alone, as its embedding. "
            f"{LEFT_OUT}"
        )
        rows = [
            Group([Group([left], "column"), Group([right], "column")], "row", gap="medium")
            for left, right in (self._circuits[:2], self._circuits[2:])
        ]
        return [Controls("attention"), *grey(above), *rows]

    number_parts = picture_parts

    @property
    def _circuits(self) -> tuple[View, View, View, View]:
        general = self.general
        return HeadLooksFor(general, self.shown), HeadWrites(general), HeadByDistance(general), self.reads

    def formula_parts(self) -> Sequence[Any]:
        looks_for, writes, by_distance, reads = self._circuits
        return [Controls("attention"), looks_for, writes, by_distance, reads]

    def code_parts(self) -> Sequence[Any]:
        return [Controls("attention"), *super().code_parts()]

    def code(self) -> Sequence[Any]:
        return [
            looked_for.looked_for, written.written, written.copying, distance.positional_scores, composition.compose,
        ]  # fmt: skip
