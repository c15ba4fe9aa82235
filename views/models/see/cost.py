"""The saving by patches: attention entries against resolution and patch size, and the same for single pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from model.cost.formulas import attention_costs, patch_entries
from model.numerals import file_size, fixed, large
from views.models.see import told
from views.models.see.sight import Sight
from views.parts import Chart, DataTable, Draw, Files
from views.shared import sums
from views.view import equation, grey, work_out
from viz.models.see import cost_figure
from viz.shared.style import markdown_text

PICTURE_SIDES = (28, 56, 112, 224, 448, 896, 1792)  # of a picture, in pixels
PATCH_SIDES = (1, 4, 7, 14, 28)  # sides of a patch, in pixels


@dataclass(frozen=True)
class CostOfPatches(Sight):
    """What the attention over the picture holds, in patches and in pixels."""

    @property
    def here(self) -> float:
        """The entries of one head."""
        config = self.seen.config
        return patch_entries(config.image_size, config.image_size, config.patch_size, config.n_special_tokens)

    @property
    def pixels(self) -> float:
        """The entries of one head with each pixel as a token."""
        return patch_entries(self.seen.config.image_size, self.seen.config.image_size, 1, self._special)

    @property
    def _special(self) -> int:
        return self.seen.config.n_special_tokens

    @property
    def maps(self) -> int:
        """The heads of all layers."""
        return self.seen.layers * self.seen.config.n_heads

    @property
    def lines(self) -> dict[str, list[float]]:
        """The entries by the side of a picture, for each size of a patch."""
        return {
            ("pixels as tokens" if size == 1 else f"patches of {size} x {size}"): [
                patch_entries(s, s, size, self._special) for s in PICTURE_SIDES
            ]
            for size in PATCH_SIDES
        }

    def told(self) -> Mapping[str, float | str]:
        return {told.PIXEL_BYTES: 4 * self.pixels * self.maps}

    def picture_parts(self) -> Sequence[Any]:
        return [self.picture(), *self._said()]

    def number_parts(self) -> Sequence[Any]:
        return [self.table(), *self._said()]

    def _said(self) -> list[Any]:
        return [*grey(self.caption()), *grey(self._say_growth()), self.files()]

    def picture(self) -> Chart:
        return Chart(self._draw(), "Attention entries of one head against the side of the picture")

    def _draw(self) -> Draw:
        return partial(cost_figure, PICTURE_SIDES, self.lines, (self.seen.config.image_size, self.here))

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
        lines = self.lines
        return [{"side": s, **{name: values[n] for name, values in lines.items()}} for n, s in enumerate(PICTURE_SIDES)]

    def files(self) -> Files:
        return Files("see-cost", self._draw(), self._draw(), self._rows)

    def caption(self) -> str:
        config, side = self.seen.config, self.seen.config.image_size
        return (
            f"Here {config.n_patches} patches and {self.seen.special_names}: {fixed(self.here, 0)} entries a head, "
            f"{self.maps} heads, **{file_size(4 * self.here * self.maps)}** of weights. With each of the "
            f"{side} x {side} pixels as a token it would be {large(self.pixels)} entries a head, "
            f"{large(self.pixels / self.here)} times as many: **{file_size(4 * self.pixels * self.maps)}**."
        )

    def _say_growth(self) -> str:
        own = patch_entries(self.seen.height, self.seen.width, 1, self._special)
        return (
            f"The picture as it came has {self.seen.width:,} x {self.seen.height:,} pixels: one head over them would "
            f"hold {large(own)} numbers, {file_size(4 * own)}. Twice the side is 4 times the tokens and 16 times the "
            "entries; that is why a picture is cut into patches (Palaskos (2022), section 4.2.1)."
        )

    def formula(self) -> Sequence[Any]:
        config, special, pixels = self.seen.config, self._special, self.seen.config.image_size**2
        size = config.patch_size
        entries = equation(
            rf"({special} + N)^2 = \left({special} + \frac{{HW}}{{P^2}}\right)^2 \approx \frac{{H^2 W^2}}{{P^4}}",
            "Entries of one head's attention. P = 1 is a token for each pixel. Palaskos (2022), section 4.2.1.",
            {"H, W": f"{config.image_size} here", "P": f"{size} here: {size**4:,} times fewer"},
        )
        worked = work_out(
            f"In {markdown_text(self.seen.model.card.title)}; and with a token for each pixel:",
            rf"\left({special} + \frac{{{sums.whole(pixels)}}}{{{size}^2}}\right)^2 = {config.max_length}^2 = "
            rf"{sums.whole(config.max_length**2)}, \qquad ({special} + {sums.whole(pixels)})^2 = "
            rf"{sums.whole((special + pixels) ** 2)}",
        )
        return [*entries, *worked]

    def code(self) -> Sequence[Any]:
        return (attention_costs, patch_entries)
