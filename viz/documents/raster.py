"""A picture of paper (SVG) as a PNG, for notebooks: Jupyter shows no SVG that is attached to a text."""

from __future__ import annotations

import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory

from viz.shared.style import COLOURS

TEMPLATE = Path(__file__).resolve().parents[2] / "assets" / "handout" / "picture.typ"
MAX_WIDTH_POINTS = 640.0  # of a picture; a notebook has about as much room
DOTS_PER_INCH = 110.0


def write_png(svg: bytes, framed: bool) -> bytes:
    """The picture in its own size, or smaller where it is wide. `framed`: with the frame of what a scene points at."""
    import typst

    width = min(read_size(svg)[0], MAX_WIDTH_POINTS)
    settings = {"width": width, "framed": framed, "colour": COLOURS["light"]["key_text"]}
    with TemporaryDirectory(prefix="picture") as folder:
        root = Path(folder)
        (root / "picture.typ").write_bytes(TEMPLATE.read_bytes())
        (root / "picture.svg").write_bytes(svg)
        (root / "picture.json").write_text(json.dumps(settings), encoding="utf-8")
        made: bytes = typst.compile(
            root / "picture.typ", root=root, format="png", ppi=DOTS_PER_INCH, ignore_system_fonts=True
        )
        return made


def read_size(svg: bytes) -> tuple[float, float]:
    """Width and height of a picture, in points. Matplotlib writes both."""
    size = re.search(rb'<svg[^>]* width="([\d.]+)pt" height="([\d.]+)pt"', svg)
    return (float(size[1]), float(size[2])) if size else (400.0, 300.0)
