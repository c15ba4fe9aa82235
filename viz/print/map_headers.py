"""The names of the layers and of the rows on a printed map, once each, as the browser places them (`headers.js`).

They stand above the layers and to the left of the rows. Where these places are out of sight, they stay at the edge, on
a strip.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from viz.shared.labels import shown_places

GAP_PX = 4
STRIP_SHARE = 0.16  # of the picture's width, that names of rows may cover
LEAST_SEEN = 0.8  # of a line: less of a row is not named

Box = tuple[float, float, float, float]  # left, top, width and height in pixels
Pixels = Callable[[Sequence[float]], Box]


@dataclass(frozen=True)
class Header:
    """A name with its left upper corner and its width, in pixels."""

    text: str
    x: float
    y: float
    width: float
    is_layer: bool = False


@dataclass
class Headers:
    """The names, and the strips that they cover. `left` and `top`: what the strips take of the picture."""

    names: list[Header] = field(default_factory=list)
    strips: list[Box] = field(default_factory=list)
    left: float = 0.0
    top: float = 0.0


@dataclass(frozen=True)
class Paper:
    """What headers are placed on: the picture's size and a line's height in pixels, and how wide words are.

    `pixels` gives a box of the layout in pixels, `is_free` whether a box has no picture.
    """

    pixels: Pixels
    size: tuple[int, int]
    line: float
    measure: Callable[[str], float]
    is_free: Callable[[Box], bool]


@dataclass(frozen=True)
class _Row:
    """A row in sight: its names, the longest first, and from where to where it is seen."""

    names: Sequence[str]
    top: float
    end: float
    is_heads: bool
    heads: Sequence[Mapping[str, Any]]  # of a row with several: title and box


def place_headers(layout: Mapping[str, Any], paper: Paper) -> Headers:
    """The headers of all stacks in sight."""
    placed = Headers()
    stacks: dict[str, list[Mapping[str, Any]]] = {}
    for each in layout["placed"]:
        stacks.setdefault(each["id"].partition(".")[0], []).append(each)
    for layers in stacks.values():
        rows = layout["templates"][layers[0]["template"]]["rows"]
        stack = _Stack(_stack_title(layout, layers[0]), layers, rows, paper)
        if stack.is_seen:
            stack.place(placed)
    return placed


def _stack_title(layout: Mapping[str, Any], layer: Mapping[str, Any]) -> str:
    parent = next(group for group in layout["groups"] if group["id"] == layer["parent"])
    return str(parent["title"]) if parent["kind"] == "stack" else ""


class _Stack:
    """The layers of one stack on the paper."""

    def __init__(
        self, title: str, layers: Sequence[Mapping[str, Any]], rows: Sequence[Mapping[str, Any]], paper: Paper
    ) -> None:
        self.title, self.layers, self.rows, self.paper = title, layers, rows, paper
        self.x, self.y, _, high = paper.pixels(layers[0]["box"])
        last = paper.pixels(layers[-1]["box"])
        self.right, self.bottom = last[0] + last[2], self.y + high
        self.is_sticky = self.y - paper.line - 2 < 0
        self.top = paper.line + 2 * GAP_PX if self.is_sticky else max(self.y, 0.0)

    @property
    def is_seen(self) -> bool:
        wide, high = self.paper.size
        across = self.right > GAP_PX and self.x < wide - GAP_PX
        return across and self.y < high and self.bottom >= (2 * self.top if self.is_sticky else 0)

    def place(self, placed: Headers) -> None:
        corner = self._name_rows(placed)
        self._name_layers(placed, corner)

    def _rows_in_sight(self) -> list[_Row]:
        left, top, _, _ = self.layers[0]["box"]
        seen, tops = [], []
        for row in self.rows:
            x, y, w, h = row["box"]
            _, start, _, high = self.paper.pixels((left + x, top + y, w, h))
            found = _Row(
                row["names"],
                max(start, self.top),
                min(start + high, self.paper.size[1]),
                row["is_heads"],
                row.get("heads", ()),
            )
            least = self.paper.line * LEAST_SEEN
            if found.end - found.top >= (min(least, high - 0.5) if found.is_heads else least):
                seen.append(found)
                tops.append(start)
        heads = [place for place, row in enumerate(seen) if row.is_heads]
        pitch = tops[heads[1]] - tops[heads[0]] if len(heads) > 1 else self.paper.size[1]
        kept = {heads[place] for place in shown_places(len(heads), pitch, self.paper.line)}
        return [row for place, row in enumerate(seen) if place in kept or not row.is_heads]

    def _name_rows(self, placed: Headers) -> str:
        """Names the rows. Returns the name of one that fills the picture alone, which stands beside the layers."""
        rows, measure = self._rows_in_sight(), self.paper.measure
        if not rows:
            return ""
        if self.x >= max(measure(row.names[-1]) for row in rows) + 3 * GAP_PX:
            self._name_beside(placed, rows)
            return ""
        if len(rows) == 1:
            return self._nearest_name(rows[0])
        room = STRIP_SHARE * self.paper.size[0] - 3 * GAP_PX
        named = [(row, next((name for name in row.names if measure(name) <= room), "")) for row in rows]
        left = max(measure(name) for _, name in named) + 3 * GAP_PX
        top = max(self.y, 0.0)
        placed.strips.append((0.0, top, left, min(self.bottom, self.paper.size[1]) - top))
        placed.left = max(placed.left, left)
        placed.names += [self._header(row, name, GAP_PX) for row, name in named if name]
        return ""

    def _nearest_name(self, row: _Row) -> str:
        """The name of a row; where one of its heads is seen alone, without the title above it, the name of that."""
        seen = []
        for layer, head in product(self.layers, row.heads):
            left, top, _, _ = layer["box"]
            x, y, w, h = head["box"]
            start, above, wide, _ = self.paper.pixels((left + x, top + y, w, h))
            if start < self.paper.size[0] and start + wide > 0:
                seen.append((str(head["title"]), above))
        return seen[0][0] if len(seen) == 1 and seen[0][1] < 0 else str(row.names[0])

    def _name_beside(self, placed: Headers, rows: Sequence[_Row]) -> None:
        """The longest names for which there is room: of heads all in one form, of other rows each in its own."""

        def make(row: _Row, form: int) -> Header:
            name = row.names[form]
            return self._header(row, name, self.x - self.paper.measure(name) - 2 * GAP_PX)

        heads = [row for row in rows if row.is_heads]
        forms = [[make(row, form) for row in heads] for form in (0, -1)]
        free = [names for names in forms if all(map(self._is_free, names))]
        placed.names += free[0] if free else filter(self._is_free, forms[1])
        for row in rows:
            if not row.is_heads:
                placed.names += [name for name in (make(row, 0), make(row, -1)) if self._is_free(name)][:1]

    def _is_free(self, name: Header) -> bool:
        return self.paper.is_free((name.x, name.y, name.width, self.paper.line))

    def _header(self, row: _Row, name: str, x: float) -> Header:
        line, high = self.paper.line, self.paper.size[1]
        y = min(max((row.top + row.end - line) / 2, self.top - line / 4), high - line)
        return Header(name, x, y, self.paper.measure(name))

    def _name_layers(self, placed: Headers, corner: str) -> None:
        """One line: all "Layer 9", or numbers after one "Layer". Every n-th where layers are narrow."""
        measure, line, wide = self.paper.measure, self.paper.line, self.paper.size[0]
        y, start, names = (GAP_PX if self.is_sticky else self.y - line - 2), placed.left, []
        words = " · ".join(filter(None, [self.title if self.is_sticky or corner else "", corner]))
        if words:
            names.append(Header(words, GAP_PX, y, measure(words), is_layer=True))
            start = max(start, measure(words) + 3 * GAP_PX)
        boxes = [self.paper.pixels(layer["box"]) for layer in self.layers]
        pitch = boxes[1][0] - boxes[0][0] if len(boxes) > 1 else wide
        titles = [str(layer["title"]) for layer in self.layers]
        is_long = max(map(measure, titles)) + 2 * GAP_PX <= pitch
        if not is_long:
            titles = [re.sub(r"^\D+", "", title) for title in titles]
        spans = [(max(x, start), min(x + w, wide), w) for x, _, w, _ in boxes]
        seen = [place for place, (first, end, _) in enumerate(spans) if end > first]
        kept = [seen[each] for each in shown_places(len(seen), pitch, max(map(measure, titles)) + 2 * GAP_PX)]
        for place in kept:
            (first, end, whole), width = spans[place], measure(titles[place])
            if end - first >= min(width, whole - 0.5):
                x = min(max((first + end - width) / 2, start), wide - width)
                names.append(Header(titles[place], x, y, width, is_layer=True))
        if len(names) == bool(words) and seen:  # the part that is seen is too narrow
            names.append(Header(titles[seen[0]], start, y, measure(titles[seen[0]]), is_layer=True))
        if names and not is_long and not words:
            noun = re.sub(r"\s*\d+$", "", str(self.layers[0]["title"]))
            x = names[0].x - measure(noun) - GAP_PX
            names += [Header(noun, x, y, measure(noun), is_layer=True)] if x >= min(start, GAP_PX) else []
        placed.names += names
        if self.is_sticky and names:
            placed.strips += self._strips_below(names, names[0] if words else None)
            placed.top = max(placed.top, self.top)

    def _strips_below(self, names: Sequence[Header], words: Header | None) -> list[Box]:
        """Below the names of layers, and below the words before them: what stands beside the layers stays in sight."""
        strips = [] if words is None else [(0.0, 0.0, words.width + 2 * GAP_PX, self.top)]
        layers = [name.x for name in names if name is not words]
        if layers:
            left = max(0.0, min(self.x, min(layers) - GAP_PX))
            strips.append((left, 0.0, min(self.right, self.paper.size[0]) - left, self.top))
        return strips
