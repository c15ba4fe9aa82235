"""The pictures of a plain scene for paper, as SVG: one that was uploaded, and an equation."""

from __future__ import annotations

import base64
import io
from html import escape

from matplotlib.figure import Figure
from PIL import Image

from viz.print.files import file_of
from viz.shared.style import COLOURS

POINTS_PER_PIXEL = 0.75
EQUATION_POINTS = 16  # the size of an equation's type


def wrap_picture(picture: bytes, alt: str) -> bytes:
    """A PNG, JPEG or WebP inside an SVG of its size."""
    image = Image.open(io.BytesIO(picture)).convert("RGBA")
    file = io.BytesIO()
    image.save(file, "PNG")
    data = base64.b64encode(file.getvalue()).decode()
    (width, height), points = image.size, [POINTS_PER_PIXEL * side for side in image.size]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{points[0]:g}pt" height="{points[1]:g}pt" '
        f'viewBox="0 0 {width} {height}"><title>{escape(alt)}</title>'
        f'<image width="{width}" height="{height}" href="data:image/png;base64,{data}"/></svg>'
    ).encode()


def equation_picture(latex: str) -> bytes | None:
    """An equation in one line of LaTeX; None where Matplotlib cannot set it."""
    figure = Figure(figsize=(1, 1))
    figure.text(0, 0, f"${latex}$", fontsize=EQUATION_POINTS, color=COLOURS["light"]["text"])
    try:
        return file_of(figure, "svg")
    except (ValueError, RecursionError):  # the latter: braces within braces
        return None
