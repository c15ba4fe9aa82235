"""Matrices side by side for print (Matplotlib): panels of queries and keys, and a step of attention, a b = c."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.colors import Normalize, to_rgba
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from model.arrays import Array
from viz.attention.head_steps import StepData
from viz.print.files import set_fonts
from viz.shared.panels import Panel, Scale
from viz.shared.plotly_values import colormap
from viz.shared.style import COLOURS, SEQUENTIAL, SIGNED, Theme

CELL_INCHES = 0.2
MIN_WIDTH_INCHES, MAX_WIDTH_INCHES = 1.7, 2.6  # of a matrix
MIN_HEIGHT_INCHES, MAX_HEIGHT_INCHES = 0.5, 3.0
MAX_LABELS = 24  # on one side
GAP_INCHES = 0.4  # between matrices, with room for a sign
TITLE_INCHES = 0.55  # below a matrix
MAX_VECTOR_CELLS = 64 * 64  # a matrix of more cells is one image in the file
FRAME_POINTS = 1.6
Cell = tuple[int, int]  # row and column; below 0: none is chosen


@dataclass(frozen=True)
class Frame:
    """A frame around the cells of a matrix from `cell` on, in the colour of a role."""

    cell: Cell
    role: str = "text"
    tall: int = 1
    wide: int = 1


@dataclass(frozen=True)
class Sheet:
    """One matrix (rows, columns) in a row of matrices.

    The labels of `rows` and `columns` are tokens; features have none. `sign` stands before the matrix. `reach` is the
    largest size on its signed scale, and 1 on the scale of weights.
    """

    title: str
    note: str
    values: Array
    rows: Sequence[str] = ()
    columns: Sequence[str] = ()
    scale: Scale = "signed"
    reach: float = 1.0
    sign: str = ""
    role: str = "text"
    frames: Sequence[Frame] = ()
    chosen: Cell = (-1, -1)  # The labels of this row and column are marked.
    row_role: str = "query"  # the colour of the row's mark


def panels_picture(
    panels: Sequence[Panel],
    queries: Sequence[str],
    keys: Sequence[str],
    title: str,
    *,
    across: int = 3,
    selected: Cell = (-1, -1),
    theme: Theme = "light",
) -> Figure:
    """Panels of one size, `across` in a row, as in the component matrix_panels. `selected`: the framed cell."""
    reach = _largest_size([panel.values for panel in panels if panel.scale == "signed"])
    frames = [Frame(selected)] if min(selected) >= 0 else []
    sheets = [
        Sheet(p.title, p.note, p.values, queries, keys, scale=p.scale, reach=reach, frames=frames, chosen=selected)
        for p in panels
    ]
    return _draw_sheets([sheets[i : i + across] for i in range(0, len(sheets), across)], title, theme)


def matrices_picture(
    picture: StepData,
    queries: Sequence[str],
    keys: Sequence[str],
    title: str,
    *,
    selected: Cell = (-1, -1),
    head: int = 0,
    theme: Theme = "light",
) -> Figure:
    """A step of attention as in the component matrix_steps: its matrices in a row, with signs between them.

    `selected` is the query and the key whose cell of the result is framed, with what it is made of. `head`: the head,
    whose features are framed where heads stand side by side.
    """
    labels = {"query": queries, "key": keys, "feature": ()}
    shared_reach = _largest_size([matrix.values for matrix in picture.matrices.values() if matrix.together])
    result_sign = "=" if "b" in picture.matrices else picture.sign
    signs = {"a": "", "b": picture.sign or "×", "c": result_sign, "d": "part of"}
    frames = _frames_of_step(picture, selected, head) if min(selected) >= 0 else {}
    places = {"query": selected[0], "key": selected[1], "feature": -1}
    sheets = [
        Sheet(
            matrix.symbol, f"{matrix.values.shape[0]} × {matrix.values.shape[1]}", matrix.values, labels[matrix.row],
            labels[matrix.column], matrix.scale,
            shared_reach if matrix.together else _largest_size([matrix.values]), signs[name],
            matrix.role, frames.get(name, ()), (places[matrix.row], places[matrix.column]),
            "key_text" if matrix.row == "key" else "query",
        )
        for name, matrix in picture.matrices.items()
    ]  # fmt: skip
    return _draw_sheets([sheets], title, theme)


def _frames_of_step(picture: StepData, selected: Cell, head: int) -> dict[str, list[Frame]]:
    """The frames of each matrix: the cell of the result, and what it is made of, as assets/components/attention/
    matrix_steps/drawing.js draws them. With features as columns it is the largest cell of its row."""
    matrices, kind = picture.matrices, picture.kind
    a, c = matrices["a"], matrices["c"]
    width = a.values.shape[1]
    row = selected[1] if c.row == "key" else selected[0]
    largest = head * width if kind == "concat" else int(np.abs(c.values[row]).argmax())
    column = selected[1] if c.column == "key" else largest
    frames = {name: [Frame((row, column))] for name in matrices if name in "cd"}
    if kind == "product":
        b = matrices["b"]
        frames["a"] = [Frame((row, 0), a.role, wide=width)]
        frames["b"] = [Frame((0, column), b.role, tall=b.values.shape[0])]
        return frames
    first = column - column % 2 if kind == "rotate" else column - head * width if kind == "concat" else column
    frames |= {name: [Frame((row, column))] for name in matrices if name == "b"}
    frames["a"] = [Frame((row, first), wide=2 if kind == "rotate" else 1)]
    if kind in ("softmax", "norm"):
        frames["a"].insert(0, Frame((row, 0), "query", wide=width))
    if kind == "concat":
        frames["c"].insert(0, Frame((0, head * width), "value", tall=c.values.shape[0], wide=width))
    return frames


def _largest_size(matrices: Sequence[Array]) -> float:
    sizes = [np.abs(values[np.isfinite(values)]).max(initial=0) for values in matrices]
    return float(max(sizes, default=0)) or 1.0


def _draw_sheets(rows: Sequence[Sequence[Sheet]], title: str, theme: Theme) -> Figure:
    """Rows of matrices on one figure. The cells of a matrix decide its size."""
    words = max((_label_inches(sheet.rows) for row in rows for sheet in row), default=0)
    above = max((_label_inches(sheet.columns) for row in rows for sheet in row), default=0)
    widths = [sum(_sheet_inches(sheet)[0] + _left_inches(sheet, words) for sheet in row) for row in rows]
    heights = [max(_sheet_inches(sheet)[1] for sheet in row) + TITLE_INCHES + above + GAP_INCHES for row in rows]
    width, height = max(widths), sum(heights) + 0.3
    figure = Figure(figsize=(width, height), facecolor=COLOURS[theme]["background"])
    figure.text(0, 1, title, va="top", fontsize=10, color=COLOURS[theme]["muted"])
    top = height - 0.3
    for row, tall in zip(rows, heights, strict=True):
        x = 0.0
        for sheet in row:
            wide, high = _sheet_inches(sheet)
            x += _left_inches(sheet, words)
            bottom = top - above - high
            axes = figure.add_axes((x / width, bottom / height, wide / width, high / height))
            _draw_matrix(axes, sheet, theme)
            if sheet.sign:
                left = (x - (words if sheet.rows else 0.1) - (GAP_INCHES + 0.08 * len(sheet.sign)) / 2) / width
                middle = (bottom + high / 2) / height
                figure.text(left, middle, sheet.sign, ha="center", fontsize=13, color=COLOURS[theme]["muted"])
            x += wide
        top -= tall
    return set_fonts(figure)


def _draw_matrix(axes: Any, sheet: Sheet, theme: Theme) -> None:
    ink = COLOURS[theme]
    stops, bounds = (SIGNED, (-sheet.reach, sheet.reach)) if sheet.scale == "signed" else (SEQUENTIAL, (0, 1))
    values = np.asarray(sheet.values, float)
    finite = np.where(np.isfinite(values), values, 0)
    cells = colormap(stops[theme])(Normalize(*bounds)(finite))
    cells[np.isneginf(values)] = to_rgba(ink["masked"])
    cells[np.isnan(values)] = to_rgba(ink["warn"])
    axes.pcolormesh(
        cells, rasterized=values.size > MAX_VECTOR_CELLS, linewidth=0.3,
        edgecolors=ink["background"] if max(values.shape) <= MAX_LABELS else "none",
    )  # fmt: skip
    axes.set_facecolor("none")
    axes.invert_yaxis()
    axes.xaxis.tick_top()
    _set_labels(axes.yaxis, sheet.rows, ink["text"], {})
    _set_labels(axes.xaxis, sheet.columns, ink["text"], {"rotation": 60, "ha": "left", "rotation_mode": "anchor"})
    for axis, place, role in ((axes.yaxis, sheet.chosen[0], sheet.row_role), (axes.xaxis, sheet.chosen[1], "key_text")):
        _mark_labels(axis, place, ink[role])
    for frame in sheet.frames:
        _draw_frame(axes, frame, ink[frame.role])
    axes.tick_params(length=0, pad=2)
    axes.spines[:].set_visible(False)
    axes.set_xlabel(f"{sheet.title}\n{sheet.note}", color=ink[sheet.role], fontsize=9, labelpad=5)
    axes.xaxis.set_label_position("bottom")


def _draw_frame(axes: Any, frame: Frame, tone: str) -> None:
    """A frame as the picture on the page has it: `frameCells` of assets/components/attention/matrix.js."""
    row, column = frame.cell
    look: dict[str, Any] = {"fill": False, "edgecolor": tone, "linewidth": FRAME_POINTS, "clip_on": False, "zorder": 3}
    axes.add_patch(Rectangle((column, row), frame.wide, frame.tall, **look))


def _mark_labels(axis: Any, place: int, tone: str) -> None:
    """Gives the label of the chosen row or column its own colour. A long axis has not all labels."""
    for tick in axis.get_major_ticks():
        if tick.get_loc() == place + 0.5:
            for text in (tick.label1, tick.label2):
                text.set_color(tone)


def _set_labels(axis: Any, labels: Sequence[str], tone: str, style: dict[str, Any]) -> None:
    every = -(-len(labels) // MAX_LABELS) or 1
    places = range(0, len(labels), every)
    axis.set_ticks([place + 0.5 for place in places], [labels[place] for place in places])
    for text in axis.get_ticklabels():
        text.set(fontsize=7, color=tone, **style)


def _sheet_inches(sheet: Sheet) -> tuple[float, float]:
    """Width and height in inches."""
    rows, columns = sheet.values.shape
    wide, tall = (
        min(max(CELL_INCHES * columns, MIN_WIDTH_INCHES), MAX_WIDTH_INCHES),
        min(max(CELL_INCHES * rows, MIN_HEIGHT_INCHES), MAX_HEIGHT_INCHES),
    )
    return (wide, wide) if rows == columns else (wide, tall)


def _label_inches(labels: Sequence[str]) -> float:
    """The length of the longest label, about, in inches."""
    return 0.075 * min(max(map(len, labels), default=0), 14) + (0.1 if labels else 0)


def _left_inches(sheet: Sheet, words: float) -> float:
    return GAP_INCHES + 0.08 * len(sheet.sign) + (words if sheet.rows else 0.1)
