"""What a window at a place of the map shows, and which tiles it needs: for saved pages and for print.

What is drawn at which scale, and at which level, stands in the layout. The browser asks the same table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from viz.home.layout.layout import SCREEN_PX
from viz.home.layout.levels import level_at
from viz.home.layout.places import WHOLE, MapPlace, expand, keys_of
from viz.home.layout.sheet import cell_of, spans_of
from viz.shared.tiles import TILE_CELLS, count_halvings

MARGIN = 0.3  # of the window, on each side: another browser has a window of another shape
LEAST_COVERED = 0.1  # of the window, by a matrix that one looks at
READABLE_CELL_PX = (52, 26)  # width and height at least, of the cells around a number

Address = tuple[str, int, int, int, int]  # tensor, matrix, level, row, column


@dataclass(frozen=True)
class Window:
    """The part of the world that is seen, with its margin: its left upper corner and its size.

    `scale`: pixels of a unit.
    """

    x: float
    y: float
    w: float
    h: float
    scale: float

    @classmethod
    def around(cls, box: Sequence[float], margin: float = MARGIN) -> Window:
        """A window of the usual size that a box fills."""
        width = max(box[2], box[3] * SCREEN_PX[0] / SCREEN_PX[1])
        return cls.at(box[0] + box[2] / 2, box[1] + box[3] / 2, width, margin)

    @classmethod
    def at(cls, middle_x: float, middle_y: float, width: float, margin: float = MARGIN) -> Window:
        """A window of the usual shape, by its middle and its width. `margin`: a share of it on each side."""
        scale = SCREEN_PX[0] / width
        w, h = (px * (1 + 2 * margin) / scale for px in SCREEN_PX)
        return cls(middle_x - w / 2, middle_y - h / 2, w, h, scale)

    def to_pixels(self, x: float, y: float) -> tuple[float, float]:
        """A point of the world, in pixels from the left upper corner of the window."""
        return (x - self.x) * self.scale, (y - self.y) * self.scale


@dataclass(frozen=True)
class SeenMatrix:
    """A matrix that is drawn. `rows` and `columns` are those of the tensor that it has, `seen_...` those in sight.

    `level` is the best one for its size in the window. One that `is_far` stands for what is seen from nearer.
    """

    tensor: str
    matrix: int
    group: str
    kind: Mapping[str, Any]  # of the layout
    box: tuple[float, float, float, float]
    rows: tuple[int, int]
    columns: tuple[int, int]
    cell: tuple[float, float]  # width and height in world units
    seen_rows: tuple[int, int]
    seen_columns: tuple[int, int]
    level: int
    is_far: bool

    @property
    def shape(self) -> tuple[int, int]:
        """Of the whole matrix of the tensor."""
        return self.kind["shape"][0], self.kind["shape"][1]

    def tiles(self, level: int) -> Iterator[Address]:
        """The tiles of a level with the cells in sight."""
        sides = [TILE_CELLS << count_halvings(cells, level) for cells in self.shape]
        spans = zip((self.seen_rows, self.seen_columns), sides, strict=True)
        rows, columns = (range(first // side, -(-end // side)) for (first, end), side in spans)
        for row in rows:
            for column in columns:
                yield self.tensor, self.matrix, level, row, column


def find_window(layout: Mapping[str, Any], place: MapPlace | None) -> Window:
    """What is seen at a place, without a margin. Around a number the cells are so large that they can be read."""
    if place is not None and place.view:
        return Window.at(place.view[0], place.view[1], place.view[2], margin=0)
    found = _matrix_of(place, layout) if place is not None and place.is_number else None
    if place is None or found is None:
        return Window.around(_group_boxes(layout)[_group_of(place, layout)], margin=0)
    _, row, column = _matrix_cell(place)
    x, y, w, h = found["box"]
    shape = layout["kinds"][found["kind"]]["shape"]
    (rows, columns), (cell_w, cell_h) = spans_of(found, shape), cell_of(found, shape)
    scale = max(READABLE_CELL_PX[0] / cell_w, READABLE_CELL_PX[1] / cell_h)
    wide, high = (px / scale for px in SCREEN_PX)
    middle_x = _keep_inside(x + (column - columns[0] + 0.5) * cell_w, wide, x, w)
    middle_y = _keep_inside(y + (row - rows[0] + 0.5) * cell_h, high, y, h)
    return Window.at(middle_x, middle_y, wide, margin=0)


def _keep_inside(middle: float, length: float, start: float, whole: float) -> float:
    """The middle of a window of that length, moved so that it shows no more beside a matrix than it must."""
    if whole <= length:
        return start + whole / 2
    return min(max(middle, start + length / 2), start + whole - length / 2)


def find_matrices(layout: Mapping[str, Any], seen: Window) -> list[SeenMatrix]:
    """The matrices that are drawn in a window."""
    drawn = ((matrix, level_at(matrix, seen.scale)) for matrix in expand(layout, "matrices"))
    found = (_see(each, level, layout["kinds"][each["kind"]], seen) for each, level in drawn if level is not None)
    return [each for each in found if each is not None]


def find_tiles(layout: Mapping[str, Any], place: MapPlace | None) -> list[Address]:
    """The tiles of what is seen when a place fills the window, the coarsest first: they stand in where one is late.

    A number comes with the full tile that it is in.
    """
    if place is not None and place.view:
        seen = Window.at(*place.view)
    else:
        seen = Window.around(_group_boxes(layout)[_group_of(place, layout)])
    found: dict[Address, None] = {}
    for matrix in find_matrices(layout, seen):
        for level in range(matrix.level, 1 + max(matrix.kind["halvings"])):
            found |= dict.fromkeys(matrix.tiles(level))
    if place is not None and place.is_number:
        number, row, column = _matrix_cell(place)
        found[place.target, number, 0, row // TILE_CELLS, column // TILE_CELLS] = None
    return sorted(found, key=lambda address: -address[2])


def find_tensor(layout: Mapping[str, Any], place: MapPlace | None) -> str | None:
    """The tensor that one looks at: that of a chosen number, the attention weights of a head that fills the window,
    else that of the matrix that covers most of it. None where no matrix covers a tenth of it.
    """
    if place is not None and place.is_number:
        return place.target
    keys = keys_of(place) if place is not None and not place.view else {}
    if "head" in keys:
        stack, _, part = keys["attention"].partition(".")
        return f"{stack}.{keys['layer']}.{part}.weights"
    seen = find_window(layout, place)
    covers = [(_covered(matrix, seen), matrix.tensor) for matrix in find_matrices(layout, seen)]
    share, tensor = max(covers, key=lambda each: each[0], default=(0.0, ""))
    return tensor if share >= LEAST_COVERED else None


def _covered(matrix: SeenMatrix, seen: Window) -> float:
    """The share of the window that a matrix covers."""
    x, y, w, h = matrix.box
    wide = min(x + w, seen.x + seen.w) - max(x, seen.x)
    high = min(y + h, seen.y + seen.h) - max(y, seen.y)
    return max(0.0, wide) * max(0.0, high) / (seen.w * seen.h)


def _group_boxes(layout: Mapping[str, Any]) -> dict[str, list[float]]:
    return {group["id"]: group["box"] for group in expand(layout, "groups")}


def _group_of(place: MapPlace | None, layout: Mapping[str, Any]) -> str:
    """The group that fills the window: of a number the group of the matrix that has it."""
    if place is None:
        return WHOLE
    if not place.is_number:
        return place.target
    found = _matrix_of(place, layout)
    return WHOLE if found is None else str(found["group"])


def _matrix_of(place: MapPlace, layout: Mapping[str, Any]) -> dict[str, Any] | None:
    """The matrix of the layout that has a number, as it is seen from near; None where none has it."""
    number, row, column = _matrix_cell(place)
    having = []
    for matrix in expand(layout, "matrices"):
        if matrix["tensor"] == place.target and matrix.get("matrix", 0) == number:
            rows, columns = spans_of(matrix, layout["kinds"][matrix["kind"]]["shape"])
            if rows[0] <= row < rows[1] and columns[0] <= column < columns[1]:
                having.append(matrix)
    return min(having, key=lambda each: ("until" in each, -each["box"][2] * each["box"][3]), default=None)


def _matrix_cell(place: MapPlace) -> tuple[int, int, int]:
    """The number of the matrix, the row and the column of a number. A vector is a matrix of one row."""
    number, row, column = (0, 0, *place.index)[-3:]
    return number, row, column


def _see(matrix: Mapping[str, Any], level: int, kind: Mapping[str, Any], seen: Window) -> SeenMatrix | None:
    """A matrix with what is in sight of it at a level; None where nothing is."""
    x, y, w, h = matrix["box"]
    (rows, columns), (cell_w, cell_h) = spans_of(matrix, kind["shape"]), cell_of(matrix, kind["shape"])
    seen_rows = _in_sight(rows, (seen.y - y) / cell_h, (seen.y + seen.h - y) / cell_h)
    seen_columns = _in_sight(columns, (seen.x - x) / cell_w, (seen.x + seen.w - x) / cell_w)
    if seen_rows[0] >= seen_rows[1] or seen_columns[0] >= seen_columns[1]:
        return None
    return SeenMatrix(
        matrix["tensor"],
        matrix.get("matrix", 0),
        matrix["group"],
        kind,
        (x, y, w, h),
        (rows[0], rows[1]),
        (columns[0], columns[1]),
        (cell_w, cell_h),
        seen_rows,
        seen_columns,
        level,
        "until" in matrix,
    )


def _in_sight(span: Sequence[int], first: float, end: float) -> tuple[int, int]:
    """The part of the drawn rows or columns that lies between two places, counted from the first drawn one."""
    return max(span[0], span[0] + int(first // 1)), min(span[1], span[0] + int(-(-end // 1)))
