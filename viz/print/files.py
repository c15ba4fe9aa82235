"""What a download holds: a Matplotlib figure as a file, rows as CSV, arrays as NPZ.

Figures are made without pyplot, so that many sessions can export at once.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any

import numpy as np
from matplotlib import font_manager
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter
from matplotlib.transforms import Bbox

from viz.shared.fonts import URDU, Hand, families

WIDE, TALL = 1920, 1080  # pixels of a slide
MARGIN = 0.04  # of a slide's height, around its picture
KINDS = ("svg", "pdf", "png", "slide")


def file_of(figure: Figure, kind: str, hand: Hand = "naskh") -> bytes:
    """The figure as a file. `kind`: svg, pdf, png (as wide as a slide) or slide (a PNG of 1920 x 1080 pixels, the
    picture in its middle as large as it fits). ValueError for another. `hand`: that of its Urdu words."""
    if kind not in KINDS:
        raise ValueError(f"Pictures are saved as {', '.join(KINDS)}, not {kind}.")
    _make_printable(figure, hand)
    if figure.get_layout_engine() is not None:  # what is to be cut must be in its place first, and stay there
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
    out = io.BytesIO()
    if kind == "slide":
        frame = _slide(figure)
        figure.savefig(out, format="png", dpi=WIDE / frame.width, bbox_inches=frame)
    else:
        dated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[kind]
        dots = WIDE / figure.get_figwidth()
        figure.savefig(out, format=kind, dpi=dots, bbox_inches="tight", metadata=dated)
    return out.getvalue()


def printable(label: str) -> str:
    """A label as the fonts can write it: a character that none of them has is named by its code point, and one that
    only changes how its neighbours look is left out."""
    known = _known()
    if all(ord(letter) in known for letter in label):
        return label
    return "".join(letter if ord(letter) in known else _named(letter) for letter in label)


def _named(letter: str) -> str:
    return "" if unicodedata.category(letter) in ("Mn", "Me", "Cf") else f"⟨U+{ord(letter):04X}⟩"


@cache
def _known() -> frozenset[int]:
    """The code points that `families()` have, and the line break."""
    paths = [font_manager.findfont(name) for name in families()]
    return frozenset({ord("\n")}.union(*(font_manager.get_font(path).get_charmap() for path in paths)))


def _make_printable(figure: Figure, hand: Hand) -> None:
    """All words of a figure, in place. Those of ticks are written anew at each drawing, by their axis' formatter."""
    for text in figure.findobj(Text):
        text.set_text(printable(text.get_text()))
        if set(URDU.values()) <= set(text.get_fontfamily()):
            text.set_fontfamily(families(hand))
    for axis in figure.findobj(Axis):
        formatter = axis.get_major_formatter()
        if isinstance(formatter, FuncFormatter):
            formatter.func = partial(_printed_by, formatter.func)


def _printed_by(write: Callable[..., str], *place: Any) -> str:
    return printable(write(*place))


def set_fonts(figure: Figure) -> Figure:
    """The figure with all its words in `families()`, so that every script is written, and none read as mathematics."""
    for text in figure.findobj(Text):
        text.set(family=families(), parse_math=False)
    return figure


def _slide(figure: Figure) -> Bbox:
    """The part of the plane, in inches, that a slide shows: all that is drawn, and around it what makes it 16 : 9."""
    drawn = figure.get_tightbbox(FigureCanvasAgg(figure).get_renderer())
    height = max(drawn.height, drawn.width * TALL / WIDE) * (1 + 2 * MARGIN)
    width = height * WIDE / TALL
    x, y = (drawn.x0 + drawn.x1) / 2, (drawn.y0 + drawn.y1) / 2
    return Bbox.from_bounds(x - width / 2, y - height / 2, width, height)


def rows_csv(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Rows of the same keys as CSV, UTF-8 with its mark, so that spreadsheets see it. No cell can run as a formula.

    Every CSV file of the app is made here.
    """
    out = io.StringIO()
    table = csv.writer(out)  # with its own line ends, since it quotes a cell that holds one of them
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
    named: dict[str, Any] = {name: np.asarray(value) for name, value in arrays.items()}
    np.savez_compressed(out, **named)
    return out.getvalue()
