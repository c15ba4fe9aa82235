"""Boxes of the map, and how a matrix and a list of matrices fill one. World units, y down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

TALLEST_CELL = 5.0  # height by width of a cell at most
WIDEST_CELL = 8.0  # width by height: a printed number is wide
THINNEST = 0.05  # of the longer side of its slot: a long matrix of few rows must still be seen
MAX_COLUMNS = 6  # of matrices beside each other in one box
LABELS_SHARE = 0.12  # of the width of a slot: labels of rows stand there
TITLE_SHARE = 0.3  # of the height of a slot at most
VECTOR_TITLE_SHARE = 0.45
MOST_TITLE_SHARE = 0.1  # of the width of a slot

Size = tuple[int, int]  # rows and columns of a matrix


@dataclass(frozen=True)
class Box:
    """A rectangle: its left upper corner, width and height."""

    x: float
    y: float
    w: float
    h: float

    def rounded(self) -> list[float]:
        """For JSON. A thousandth of a unit is less than a hundredth of a cell."""
        return [round(side, 3) for side in (self.x, self.y, self.w, self.h)]

    def inset(self, x: float, y: float) -> Box:
        """Without a margin of so much on each side."""
        return Box(self.x + x, self.y + y, self.w - 2 * x, self.h - 2 * y)

    def grid(self, columns: int, rows: int, gap: float = 0.0) -> list[Box]:
        """Equal cells of a grid, row after row."""
        w, h = (self.w + gap) / columns - gap, (self.h + gap) / rows - gap
        return [
            Box(self.x + column * (w + gap), self.y + row * (h + gap), w, h)
            for row in range(rows)
            for column in range(columns)
        ]

    def split(self, share: float) -> tuple[Box, Box]:
        """The upper part, of so much of the height, and the rest below it."""
        return Box(self.x, self.y, self.w, self.h * share), Box(
            self.x, self.y + self.h * share, self.w, self.h - self.h * share
        )

    def cover(self, other: Box) -> Box:
        """The smallest box that holds both."""
        x, y = min(self.x, other.x), min(self.y, other.y)
        return Box(x, y, max(self.x + self.w, other.x + other.w) - x, max(self.y + self.h, other.y + other.h) - y)


def fit(slot: Box, size: Size) -> Box:
    """Where a matrix lies in its slot: below its title, beside its labels, with cells that are not too long."""
    rows, columns = size
    above = slot.h * (VECTOR_TITLE_SHARE if rows == 1 else TITLE_SHARE)
    above, beside = min(above, slot.w * MOST_TITLE_SHARE), slot.w * LABELS_SHARE
    w, h = slot.w - beside, slot.h - above
    cell_w, cell_h = w / columns, h / rows
    if cell_h > TALLEST_CELL * cell_w:
        h = min(h, max(TALLEST_CELL * cell_w * rows, THINNEST * w))
    elif cell_w > WIDEST_CELL * cell_h:
        w = min(w, max(WIDEST_CELL * cell_h * columns, THINNEST * h))
    return Box(slot.x + beside, slot.y + above, w, h)


def flow(box: Box, sizes: Sequence[Size]) -> list[Box]:
    """The boxes of matrices in reading order: down the first column, then the next one.

    There are as many columns as make the matrices largest. None gets more height than it can fill, so that large
    matrices have room beside flat ones.
    """
    if not sizes:
        return []
    tries = [_flow_in(box, sizes, columns) for columns in range(1, min(MAX_COLUMNS, len(sizes)) + 1)]
    return max(tries, key=lambda boxes: sum((each.w * each.h) ** 0.5 for each in boxes))


def _flow_in(box: Box, sizes: Sequence[Size], columns: int) -> list[Box]:
    wanted = [min(_wanted_height(box.w / columns, size), box.h) for size in sizes]
    cuts = list(_cuts(wanted, columns))
    found: list[Box] = []
    for place, (first, end) in zip(box.grid(len(cuts), 1), cuts, strict=True):
        y = place.y
        for size, height in zip(sizes[first:end], _share(place.h, wanted[first:end]), strict=True):
            found.append(fit(Box(place.x, y, place.w, height), size))
            y += height
    return found


def _wanted_height(width: float, size: Size) -> float:
    """The height of a slot of that width which a matrix can fill, with its title."""
    rows, columns = size
    inside = width * (1 - LABELS_SHARE)
    content = max(TALLEST_CELL * inside / columns * rows, THINNEST * inside)
    share = VECTOR_TITLE_SHARE if rows == 1 else TITLE_SHARE
    return min(content / (1 - share), content + MOST_TITLE_SHARE * width)


def _share(height: float, wanted: Sequence[float]) -> list[float]:
    """A height shared out equally, but nobody gets more than they want while others want more."""
    given, left = [0.0] * len(wanted), height
    for count, place in enumerate(sorted(range(len(wanted)), key=wanted.__getitem__)):
        given[place] = min(wanted[place], left / (len(wanted) - count))
        left -= given[place]
    return [each + left / len(wanted) for each in given]


def _cuts(heights: Sequence[float], columns: int) -> Iterator[tuple[int, int]]:
    """The list cut into at most so many runs of about the same height."""
    total, sum_so_far, ends = sum(heights), 0.0, [0]
    for place, height in enumerate(heights, 1):
        sum_so_far += height
        if sum_so_far >= total * len(ends) / columns - 1e-9:
            ends.append(place)
    if ends[-1] != len(heights):
        ends.append(len(heights))
    yield from pairwise(ends)
