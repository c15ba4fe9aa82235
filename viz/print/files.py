"""The contents of a download: a Matplotlib figure as a file, rows as CSV, arrays as NPZ.

Figures are made without pyplot, so that many sessions can export at once.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter
from matplotlib.transforms import Bbox
from PIL import Image

from viz.shared.fonts import URDU, Hand, families
from viz.shared.ink import ink_on
from viz.shared.printable import printable

SLIDE_WIDTH_PIXELS, SLIDE_HEIGHT_PIXELS = 1920, 1080
POINTS_PER_INCH = 72
SCREEN_PIXELS_PER_INCH = 96
PREVIEW_COLOURS = 64
MARGIN_SHARE = 0.04  # of a slide's height, around its picture
TITLE_SHARE = 0.055  # of a slide's height: the type of its title
TITLE_BAND_SHARE = 0.09  # of a slide's height, above its picture
KINDS = ("svg", "pdf", "png", "slide")


def file_of(figure: Figure, kind: str, hand: Hand = "naskh", title: str = "") -> bytes:
    """The figure as a file.

    `kind` is svg, pdf, png (as wide as a slide) or slide (a PNG of 1920 x 1080 pixels, with the picture in its middle,
    as large as it fits, below the `title`). `hand` is the style of its Urdu words. Raises ValueError for another kind.
    """
    if kind not in KINDS:
        raise ValueError(f"Pictures are saved as {', '.join(KINDS)}, not {kind}.")
    _make_printable(figure, hand)
    if figure.get_layout_engine() is not None:  # place everything before the cut, and keep it there
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
    file = io.BytesIO()
    if kind == "slide":
        frame = _slide_frame(figure, has_title=bool(title))
        _write_title(figure, printable(title), frame)
        figure.savefig(file, format="png", dpi=SLIDE_WIDTH_PIXELS / frame.width, bbox_inches=frame)
    else:
        metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[kind]
        dpi = SLIDE_WIDTH_PIXELS / figure.get_figwidth()
        figure.savefig(file, format=kind, dpi=dpi, bbox_inches="tight", metadata=metadata)
    return file.getvalue()


def preview_of(figure: Figure, most_pixels: int) -> bytes:
    """The figure as a small PNG of few colours, with so many pixels at most."""
    _make_printable(figure, "naskh")
    width, height = figure.get_size_inches()
    drawn = io.BytesIO()
    dpi = min(SCREEN_PIXELS_PER_INCH, (most_pixels / (width * height)) ** 0.5)
    figure.savefig(drawn, format="png", dpi=dpi, bbox_inches="tight", pil_kwargs={"compress_level": 1})
    image = Image.open(drawn).convert("RGB")
    file = io.BytesIO()
    image.quantize(PREVIEW_COLOURS, Image.Quantize.FASTOCTREE).save(file, "PNG")
    return file.getvalue()


def _make_printable(figure: Figure, hand: Hand) -> None:
    """Makes all words of a figure printable, in place.

    Each drawing writes the words of ticks again, so their formatters are changed.
    """
    for text in figure.findobj(Text):
        text.set_text(printable(text.get_text()))
        if set(URDU.values()) <= set(text.get_fontfamily()):
            text.set_fontfamily(families(hand))
    for axis in figure.findobj(Axis):
        formatter = axis.get_major_formatter()
        if isinstance(formatter, FuncFormatter):
            formatter.func = partial(_format_printable, formatter.func)


def _format_printable(write: Callable[..., str], *place: Any) -> str:
    return printable(write(*place))


def set_fonts(figure: Figure) -> Figure:
    """The figure with all its words in `families()`, which have every script. No word is read as mathematics."""
    for text in figure.findobj(Text):
        text.set(family=families(), parse_math=False)
    return figure


def _slide_frame(figure: Figure, has_title: bool) -> Bbox:
    """The part of the plane on a slide, in inches: the whole drawing, with margins that make it 16 : 9, and a band for
    the title above it."""
    box = figure.get_tightbbox(FigureCanvasAgg(figure).get_renderer())
    band = TITLE_BAND_SHARE if has_title else 0.0
    wide_as = box.width * SLIDE_HEIGHT_PIXELS / SLIDE_WIDTH_PIXELS / (1 - 2 * MARGIN_SHARE)
    height = max(box.height / (1 - 2 * MARGIN_SHARE - band), wide_as)
    width = height * SLIDE_WIDTH_PIXELS / SLIDE_HEIGHT_PIXELS
    x, y = (box.x0 + box.x1) / 2, (box.y0 + box.y1 + band * height) / 2
    return Bbox.from_bounds(x - width / 2, y - height / 2, width, height)


def _write_title(figure: Figure, title: str, frame: Bbox) -> None:
    """The title at the upper left of a slide's `frame`, in inches, as large as it fits into a line."""
    left, top = frame.x0 + MARGIN_SHARE * frame.width, frame.y1 - MARGIN_SHARE * frame.height
    points = POINTS_PER_INCH * TITLE_SHARE * frame.height
    text = figure.text(
        left / figure.get_figwidth(), top / figure.get_figheight(), title, va="top", family=families(),
        fontsize=points, color=ink_on(to_hex(figure.get_facecolor())),
        parse_math=False,
    )  # fmt: skip
    width = text.get_window_extent(FigureCanvasAgg(figure).get_renderer()).width / figure.dpi
    text.set_fontsize(points * min(1, (1 - 2 * MARGIN_SHARE) * frame.width / max(width, 1e-9)))


def rows_csv(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Rows as CSV in UTF-8, with its mark for spreadsheets. No cell can run as a formula.

    Every CSV file of the app is made here.
    """
    out = io.StringIO()
    table = csv.writer(out)  # keeps its own line ends, since it quotes a cell with one of them
    names = list(dict.fromkeys(name for row in rows for name in row))
    table.writerow([safe_cell(name) for name in names])
    for row in rows:
        table.writerow([safe_cell(value) if isinstance(value, str) else value for value in map(row.get, names)])
    return out.getvalue().encode("utf-8-sig")


FORMULA_STARTS = tuple("=+-@\t\r\n")  # OWASP, "CSV Injection"; their full-width forms count, too


def safe_cell(label: str) -> str:
    """A spreadsheet must not run a token as a formula."""
    return f"'{label}" if unicodedata.normalize("NFKC", label[:1]).startswith(FORMULA_STARTS) else label


def npz(**arrays: Any) -> bytes:
    """Arrays (and lists of labels, as text) in one NumPy archive that loads without pickle."""
    out = io.BytesIO()
    as_arrays: dict[str, Any] = {name: np.asarray(value) for name, value in arrays.items()}
    np.savez_compressed(out, **as_arrays)
    return out.getvalue()
