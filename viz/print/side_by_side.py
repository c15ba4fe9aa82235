"""Two pictures for print on one sheet (Matplotlib), each under its title: beside each other where the sheet is not too
wide for that, or else one below the other.

No artist of Matplotlib's changes its figure. So the sheet has each picture whole, as an artist that moves it to its
place before it is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox, TransformedBbox

from viz.shared.fonts import families
from viz.shared.printable import printable
from viz.shared.style import COLOURS, Theme

GAP_INCHES = 0.3
TITLE_INCHES = 0.4
MOST_WIDE = 2.2  # times the height, of pictures beside each other


def put_side_by_side(pictures: Sequence[Figure], titles: Sequence[str], theme: Theme = "light") -> Figure:
    """A sheet with these pictures, from the left to the right or from above, each under its title."""
    placed = [_Placed(each) for each in pictures]
    wide = sum(each.box.width for each in placed) + GAP_INCHES * (len(placed) - 1)
    high = max(each.box.height for each in placed) + TITLE_INCHES
    is_row = wide <= MOST_WIDE * high
    if not is_row:
        wide, high = max(each.box.width for each in placed), sum(each.box.height + TITLE_INCHES for each in placed)
    sheet = Figure(figsize=(wide, high), facecolor=COLOURS[theme]["background"])
    left, top = 0.0, high
    for each, title in zip(placed, titles, strict=True):
        sheet.text(
            left / wide, top / high, f" {printable(title)}", va="top", fontsize=11, parse_math=False,
            family=families(), color=COLOURS[theme]["text"],
        )  # fmt: skip
        each.left, each.low = left, top - TITLE_INCHES - each.box.height
        sheet.add_artist(each)
        if is_row:
            left += each.box.width + GAP_INCHES
        else:
            top -= each.box.height + TITLE_INCHES
    return sheet


class _Placed(Artist):
    """A picture at a place of a sheet: inches from its left and lower edge. `box`: all that it draws, when alone."""

    def __init__(self, picture: Figure) -> None:
        super().__init__()
        if picture.get_layout_engine() is not None:  # it places everything in the picture as it is alone
            picture.draw_without_rendering()
            picture.set_layout_engine("none")
        picture.patch.set_visible(False)  # the margins of one would cover the other
        self.left = self.low = 0.0
        self.box = picture.get_tightbbox()
        self._picture, self._size = picture, picture.get_size_inches()

    def draw(self, renderer: Any) -> None:
        self._move()
        self._picture.draw(renderer)

    def get_tightbbox(self, renderer: Any = None) -> Any:
        self._move()
        inches = self._picture.get_tightbbox(renderer)
        return TransformedBbox(inches, self._picture.dpi_scale_trans)

    get_window_extent = get_tightbbox

    def get_children(self) -> list[Artist]:
        return [self._picture]

    def _move(self) -> None:
        """Move the picture to where the sheet lies now: a file is cut to what the sheet shows."""
        sheet = self.get_figure(root=True)
        assert sheet is not None, "it is on a sheet"
        self._picture.set_dpi(sheet.dpi)
        left, low = sheet.transSubfigure.transform((0, 0)) / sheet.dpi
        width, height = self._size
        place = Bbox.from_bounds(left + self.left - self.box.x0, low + self.low - self.box.y0, width, height)
        self._picture.bbox_inches.set_points(place.get_points())
