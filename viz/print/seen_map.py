"""The map of a model for print (Matplotlib): what is seen at one place of it, with titles, tokens and printed values.

The browser draws the same picture from the same layout and tiles (`scene.js` of assets/components/home/model_map).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle
from numpy.typing import NDArray

from model.arrays import Array
from model.numerals import fixed
from viz.home.answers import Outcome
from viz.home.layout.layout import SCREEN_PX
from viz.home.layout.places import WHOLE, MapPlace, expand
from viz.home.layout.sight import Address, SeenMatrix, Window, find_matrices, find_window
from viz.print.files import set_fonts
from viz.print.map_headers import Paper, place_headers
from viz.shared.fonts import families
from viz.shared.plotly_values import colormap
from viz.shared.style import COLOURS, SEQUENTIAL, SIGNED, Theme, number, write_score
from viz.shared.tiles import LAST_CODE, MASKED_CODE, NAN_CODE, TILE_CELLS, Scale, count_halvings, scale_codes
from viz.shared.tokens import shorten

PX_PER_INCH = 110
POINTS_PER_PX = 72 / PX_PER_INCH
TITLE_PX = 30  # above the picture
TYPE_PX = 12
LINE_PX = 15
GAP_PX = 4
LETTER = 0.56  # of the type's size, the width of a letter, about
LEAST_TITLED_PX = 26  # of the width of a matrix with a title
LEAST_OUTLINED_PX = 220  # of the width of a group with an outline
LEAST_TOKEN_PX = 9  # of the height of a row, or the width of a column, with its token
LEAST_VALUE_PX = (34, 14)  # of a cell with its value
LETTERS = (16, 6, 4)  # of a token at most: the first with room for all tokens of an axis
MASKED_SHARE = 0.5  # of the grey of masked cells over the background

Read = Callable[[Address], tuple[Array, Scale]]
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class SeenMap:
    """What is printed: a place of a layout, with `read` for its tiles. `outcome` is drawn where it is in sight."""

    layout: Mapping[str, Any]
    place: MapPlace | None
    title: str
    read: Read
    outcome: Outcome


def seen_map_picture(drawn: SeenMap, *, theme: Theme = "light") -> Figure:
    """What the window shows at the place, under a line with the title."""
    ink = COLOURS[theme]
    wide, high = SCREEN_PX[0], SCREEN_PX[1] + TITLE_PX
    figure = Figure(figsize=(wide / PX_PER_INCH, high / PX_PER_INCH), facecolor=ink["background"])
    figure.text(0.01, 1 - TITLE_PX / 2 / high, shorten(drawn.title, 150), fontsize=10, color=ink["muted"], va="center")
    axes = figure.add_axes((0, 0, 1, SCREEN_PX[1] / high))
    axes.set(xlim=(0, wide), ylim=(SCREEN_PX[1], 0))
    axes.set_axis_off()
    _Sheet(axes, theme, drawn).draw()
    return set_fonts(figure)


class _Sheet:
    """Pixels of the window as Matplotlib draws them. Words stand where no others do."""

    def __init__(self, axes: Axes, theme: Theme, drawn: SeenMap) -> None:
        self.axes, self.theme, self.ink, self.map = axes, theme, COLOURS[theme], drawn
        self.seen: Window = find_window(drawn.layout, drawn.place)
        self.matrices = find_matrices(drawn.layout, self.seen)
        self.palettes = {"sequential": _palette(SEQUENTIAL[theme], theme), "diverging": _palette(SIGNED[theme], theme)}
        self.taken = [self.pixels(matrix.box) for matrix in self.matrices]

    def draw(self) -> None:
        self.draw_links()
        self.draw_groups()
        for matrix in self.matrices:
            self.draw_cells(matrix)
        self.draw_headers()
        self.title_groups()
        self.draw_outcome()
        for matrix in sorted(self.matrices, key=lambda each: -each.box[2]):
            self.draw_words(matrix)
        self.draw_chosen()

    def pixels(self, box: Sequence[float]) -> Box:
        x, y = self.seen.to_pixels(box[0], box[1])
        return x, y, box[2] * self.seen.scale, box[3] * self.seen.scale

    def frame(self, box: Box, role: str, width: float, **look: Any) -> None:
        look = {"facecolor": "none"} | look
        self.axes.add_patch(Rectangle(box[:2], *box[2:], edgecolor=self.ink[role], linewidth=width, **look))

    def write(self, text: str, x: float, y: float, **look: Any) -> None:
        usual: dict[str, Any] = {"fontsize": TYPE_PX * POINTS_PER_PX, "color": self.ink["text"], "va": "center"}
        self.axes.text(x, y, text, clip_on=True, family=families(), parse_math=False, **(usual | look))

    def is_free(self, box: Box) -> bool:
        """Whether a box is inside the window and free of words and pictures."""
        x, y, w, h = box
        inside = x >= 0 and y >= 0 and x + w <= SCREEN_PX[0] and y + h <= SCREEN_PX[1]
        return inside and not any(x < a + c and a < x + w and y < b + d and b < y + h for a, b, c, d in self.taken)

    def take(self, box: Box) -> bool:
        """Whether a box is free. Then it is taken."""
        is_free = self.is_free(box)
        if is_free:
            self.taken.append(box)
        return is_free

    def draw_links(self) -> None:
        for link in expand_links(self.map.layout):
            points = [self.seen.to_pixels(x, y) for x, y in link["points"]]
            role = "border" if link["kind"] == "reads" else "residual"
            width = 1.4 if link["kind"] == "residual" else 0.7
            self.axes.plot(*zip(*points, strict=True), color=self.ink[role], linewidth=width, alpha=0.7)

    def draw_groups(self) -> None:
        for group in expand(self.map.layout, "groups"):
            box = self.pixels(group["box"])
            x, y, w, h = box
            if x > SCREEN_PX[0] or y > SCREEN_PX[1] or x + w < 0 or y + h < 0 or group["id"] == WHOLE:
                continue
            if w >= LEAST_OUTLINED_PX and group["kind"] != "stack":
                self.frame(box, "border", 0.7)

    def draw_headers(self) -> None:
        """The names of layers and rows, on strips where they are at the edge."""
        paper = Paper(self.pixels, SCREEN_PX, LINE_PX, _width, self.is_free)
        placed = place_headers(self.map.layout, paper)
        for strip in placed.strips:
            self.frame(strip, "border", 0.5, facecolor=self.ink["background"])
        for name in placed.names:
            role = "text" if name.is_layer else "muted"
            ground = {
                "facecolor": self.ink["background"],
                "edgecolor": "none",
                "pad": 1,
            }  # lines of the flow pass below
            self.write(name.text, name.x, name.y + LINE_PX / 2, color=self.ink[role], bbox=ground)
            self.taken.append((name.x, name.y, name.width, LINE_PX))
        self.taken += placed.strips

    def title_groups(self) -> None:
        """The titles of the groups that no header names."""
        rows = [row for template in self.map.layout["templates"].values() for row in template["rows"]]
        alone = {row["groups"][0].removeprefix("{id}") for row in rows if len(row["groups"]) == 1}
        for group in expand(self.map.layout, "groups"):
            _, slash, inside = group["id"].partition("/")
            is_of_row = bool(slash) and (group["kind"] == "part" or slash + inside in alone)
            if group["kind"] not in ("layer", "model") and not is_of_row:
                self.title_group(group, self.pixels(group["box"]))

    def title_group(self, group: Mapping[str, Any], box: Box) -> None:
        x, y, w, _ = box
        short = group["title"].rpartition(" ")[2]
        for title in [group["title"], *([short] if group["kind"] == "head" else [])]:
            wide = _width(title)
            if wide <= w <= 0.9 * SCREEN_PX[0] and self.take((x, y - LINE_PX - 2, wide, LINE_PX)):
                self.write(title, x, y - LINE_PX / 2 - 2)
                return

    def draw_cells(self, matrix: SeenMatrix) -> None:
        """The cells in sight at the best level, as one image that is cut at the edges of the matrix."""
        sides = [1 << count_halvings(cells, matrix.level) for cells in matrix.shape]
        cells, scale, origin = self.read_cells(matrix)
        codes = cells if matrix.level else scale_codes(cells, scale)
        x, y, w, h = self.pixels(matrix.box)
        wide, high = (side * self.seen.scale for side in matrix.cell)
        left = x + (origin[1] * sides[1] - matrix.columns[0]) * wide
        top = y + (origin[0] * sides[0] - matrix.rows[0]) * high
        right, bottom = left + cells.shape[1] * sides[1] * wide, top + cells.shape[0] * sides[0] * high
        image = AxesImage(self.axes, extent=(left, right, bottom, top), origin="upper", interpolation="none")
        image.set_data(self.palettes[scale.kind][codes])
        inside = max(x, 0.0), max(y, 0.0), min(x + w, SCREEN_PX[0]), min(y + h, SCREEN_PX[1])
        corner, size = inside[:2], (inside[2] - inside[0], inside[3] - inside[1])
        image.set_clip_path(Rectangle(corner, *size, transform=self.axes.transData))
        self.axes.add_image(image)
        if w >= 60:
            self.frame((x, y, w, h), "border", 0.5)
        if not matrix.level and wide >= LEAST_VALUE_PX[0] and high >= LEAST_VALUE_PX[1]:
            self.print_values(matrix, cells, codes, scale)

    def read_cells(self, matrix: SeenMatrix) -> tuple[Array, Scale, tuple[int, int]]:
        """The tiles in sight side by side, their scale, and the row and column of the first cell."""
        tiles = {address[3:]: self.map.read(address) for address in matrix.tiles(matrix.level)}
        rows = sorted({row for row, _ in tiles})
        columns = sorted({column for _, column in tiles})
        cells = np.block([[tiles[row, column][0] for column in columns] for row in rows])
        (_, scale), *_ = tiles.values()
        return cells, scale, (rows[0] * TILE_CELLS, columns[0] * TILE_CELLS)

    def print_values(self, matrix: SeenMatrix, cells: Array, codes: Array, scale: Scale) -> None:
        first = [span[0] // TILE_CELLS * TILE_CELLS for span in (matrix.seen_rows, matrix.seen_columns)]
        wide, high = (side * self.seen.scale for side in matrix.cell)
        x, y, _, _ = self.pixels(matrix.box)
        for row in range(*matrix.seen_rows):
            for column in range(*matrix.seen_columns):
                at = row - first[0], column - first[1]
                text = _fit_value(float(cells[at]), wide)
                if not text:
                    continue
                is_bright = self.palettes[scale.kind][codes[at]] @ (299, 587, 114) > 140_000
                role = "text" if is_bright == (self.theme == "light") else "background"
                middle = x + (column - matrix.columns[0] + 0.5) * wide, y + (row - matrix.rows[0] + 0.5) * high
                self.write(text, *middle, ha="center", color=self.ink[role])

    def draw_words(self, matrix: SeenMatrix) -> None:
        x, y, w, _ = self.pixels(matrix.box)
        kind, (rows, columns) = matrix.kind, (matrix.rows, matrix.columns)
        shape = f"{rows[1] - rows[0]:,} × {columns[1] - columns[0]:,}"
        forms = (f"{kind['title']}  {shape} · {kind['meaning']}", f"{kind['title']}  {shape}", kind["title"])
        title = next((form for form in forms if _width(form) <= w and not matrix.is_far), "")
        left = max(x, GAP_PX)
        if title and w >= LEAST_TITLED_PX and self.take((left, y - LINE_PX - 1, _width(title), LINE_PX)):
            self.write(title, left, y - LINE_PX / 2 - 1)
        self.name_rows(matrix)
        self.name_columns(matrix)

    def labels(self, matrix: SeenMatrix, axis: str) -> Sequence[str] | None:
        tokens = matrix.kind[f"{axis}_tokens"]
        return self.map.layout["tokens"][tokens] if tokens else None

    def name_rows(self, matrix: SeenMatrix) -> None:
        """Writes the tokens to the left of a matrix, where its cells are high enough for all of them."""
        labels, high = self.labels(matrix, "row"), matrix.cell[1] * self.seen.scale
        x, y, _, _ = self.pixels(matrix.box)
        if labels is None or high < LEAST_TOKEN_PX:
            return
        type_px = min(TYPE_PX - 1, high)
        for letters in LETTERS:
            words = [shorten(labels[row], letters) for row in range(*matrix.seen_rows)]
            widths = [_width(word, type_px) for word in words]
            middles = [y + (row - matrix.rows[0] + 0.5) * high for row in range(*matrix.seen_rows)]
            places = zip(widths, middles, strict=True)
            boxes = [(x - wide - GAP_PX, middle - type_px / 2, wide, type_px - 0.5) for wide, middle in places]
            if all(map(self.is_free, boxes)):
                self.taken += boxes
                for word, middle in zip(words, middles, strict=True):
                    self.write(word, x - GAP_PX, middle, ha="right", fontsize=type_px * POINTS_PER_PX)
                return

    def name_columns(self, matrix: SeenMatrix) -> None:
        """Writes the tokens below a matrix, upright, where its cells are wide enough for all of them."""
        labels, wide = self.labels(matrix, "column"), matrix.cell[0] * self.seen.scale
        x, y, _, h = self.pixels(matrix.box)
        if labels is None or wide < LEAST_TOKEN_PX:
            return
        type_px, top = min(TYPE_PX - 1, wide), y + h + GAP_PX
        look = {"rotation": 90, "ha": "center", "va": "top", "fontsize": type_px * POINTS_PER_PX}
        for letters in LETTERS:
            words = [shorten(labels[column], letters) for column in range(*matrix.seen_columns)]
            lengths = [_width(word, type_px) for word in words]
            middles = [x + (column - matrix.columns[0] + 0.5) * wide for column in range(*matrix.seen_columns)]
            places = zip(lengths, middles, strict=True)
            boxes = [(middle - type_px / 2, top, type_px - 0.5, length) for length, middle in places]
            if all(map(self.is_free, boxes)):
                self.taken += boxes
                for word, middle in zip(words, middles, strict=True):
                    self.write(word, middle, top, **look)
                return

    def draw_outcome(self) -> None:
        outcome, (x, y, w, h) = self.map.outcome, self.pixels(self.map.layout["outcome"]["box"])
        line = min(h / (len(outcome.labels) + 1), 34)
        if not outcome.labels or w < 60 or line < LEAST_TOKEN_PX or not self.take((x, y, w, h)):
            return
        look = {"fontsize": max(9, min(13, 0.7 * line)) * POINTS_PER_PX}
        self.write(outcome.title, x, y + line / 2, **look | {"color": self.ink["muted"]})
        longest = max(map(abs, outcome.shares)) or 1.0
        for place, (label, share) in enumerate(zip(outcome.labels, outcome.shares, strict=True), start=1):
            bar = x, y + place * line + 1, max(1.0, 0.6 * w * abs(share) / longest), line - 2
            self.frame(bar, "key", 0, facecolor=self.ink["key"], alpha=0.4)
            self.write(shorten(label, LETTERS[0]), x + 3, y + (place + 0.5) * line, **look)
            muted = {"color": self.ink["muted"], "ha": "right"}
            self.write(write_score(share, outcome.kind), x + w, y + (place + 0.5) * line, **look | muted)

    def draw_chosen(self) -> None:
        """A frame around the chosen number."""
        place = self.map.place
        if place is None or not place.is_number:
            return
        number_of, row, column = (0, 0, *place.index)[-3:]
        for matrix in self.matrices:
            rows, columns = range(*matrix.seen_rows), range(*matrix.seen_columns)
            if (matrix.tensor, matrix.matrix) == (place.target, number_of) and row in rows and column in columns:
                x, y, _, _ = self.pixels(matrix.box)
                wide, high = (side * self.seen.scale for side in matrix.cell)
                corner = x + (column - matrix.columns[0]) * wide, y + (row - matrix.rows[0]) * high
                self.frame((*corner, max(wide, 3), max(high, 3)), "text", 1.8)


def expand_links(layout: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The lines of the flow: those of the templates at each of their places too."""
    links = list(layout["links"])
    for placed in layout["placed"]:
        x, y, _, _ = placed["box"]
        for link in layout["templates"][placed["template"]]["links"]:
            links.append(link | {"points": [[left + x, top + y] for left, top in link["points"]]})
    return links


def _fit_value(value: float, room_px: float) -> str:
    """A value with two decimals, or as a power of ten where there is room; "" where there is none."""
    if np.isneginf(value):
        return "−∞"
    forms = (number(value, 2), fixed(value, 2))
    return next((form for form in forms if _width(form) <= room_px), "")


def _width(text: str, type_px: float = TYPE_PX) -> float:
    """About how many pixels a text is wide."""
    return len(text) * LETTER * type_px


def _palette(scale: Sequence[tuple[float, str]], theme: Theme) -> NDArray[np.uint8]:
    """(256, 3): the colours of the codes of tiles."""
    ink = COLOURS[theme]
    colours = np.zeros((256, 3))
    colours[: LAST_CODE + 1] = colormap(scale, LAST_CODE + 1)(np.arange(LAST_CODE + 1))[:, :3]
    below = np.array(to_rgb(ink["background"]))
    colours[MASKED_CODE] = MASKED_SHARE * np.array(to_rgb(ink["masked"])) + (1 - MASKED_SHARE) * below
    colours[NAN_CODE] = to_rgb(ink["warn"])
    return np.rint(255 * colours).astype(np.uint8)
