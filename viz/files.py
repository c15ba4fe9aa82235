"""What a download holds: a Matplotlib figure as a file, rows as CSV, arrays as NPZ; and the fonts that all share.

Figures are made without pyplot, so that many sessions can export at once.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import font_manager
from matplotlib.figure import Figure

FONTS = ("DejaVu Sans", "Noto Naskh Arabic", "Noto Sans", "Noto Sans CJK SC", "Noto Emoji", "Noto Sans Symbols2")
SLIDE = 1920  # pixels: the width of a PNG


def file_of(figure: Figure, kind: str) -> bytes:
    """The figure as a file. `kind`: svg, pdf or png (as wide as a slide). ValueError for another."""
    if kind not in ("svg", "pdf", "png"):
        raise ValueError(f"Pictures are saved as svg, pdf or png, not {kind}.")
    out = io.BytesIO()
    dated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}[kind]
    dots = SLIDE / figure.get_figwidth()
    figure.savefig(out, format=kind, dpi=dots, bbox_inches="tight", metadata=dated)
    return out.getvalue()


def rows_csv(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Rows of the same keys as CSV, UTF-8 with its mark, so that spreadsheets see it. No cell can run as a formula."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    names = list(dict.fromkeys(name for row in rows for name in row))
    table.writerow(names)
    for row in rows:
        table.writerow([safe_cell(value) if isinstance(value, str) else value for value in map(row.get, names)])
    return out.getvalue().encode("utf-8-sig")


def safe_cell(label: str) -> str:
    """A spreadsheet must not run a token as a formula."""
    return "'" + label if label[:1] in "=+-@" and label else label


def npz(**arrays: Any) -> bytes:
    """Arrays (and lists of labels, as text) in one NumPy archive that loads without pickle."""
    out = io.BytesIO()
    named: dict[str, Any] = {name: np.asarray(value) for name, value in arrays.items()}
    np.savez_compressed(out, **named)
    return out.getvalue()


def fonts() -> list[str]:
    """Those of `FONTS` that are installed: one of them has each script that a sentence may be in."""
    installed = set(font_manager.get_font_names())
    return [font for font in FONTS if font in installed]
