"""plotly.js inside a page: the part of it that draws figures in a plane, unless the page has one in space.

The part is a third of the whole: 0.5 MB instead of 1.9, compressed and written as text.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from viz.documents.page_parts import PagePart, Plot

CARTESIAN = Path(__file__).resolve().parents[2] / "assets" / "vendor" / "plotly-cartesian" / "plotly-cartesian.min.js"
PLANE, SPACE = "plotly of the plane", "plotly"  # names of the scripts
IN_PLANE = {"bar", "heatmap", "image", "scatter"}  # types of traces


def script_for(parts: Iterable[PagePart]) -> str:
    """The name of the script that the figures among these parts need; "" for none."""
    plots = [part for part in parts if isinstance(part, Plot)]
    types = {trace.get("type", "scatter") for plot in plots for trace in _traces(plot)}
    return (PLANE if types <= IN_PLANE else SPACE) if plots else ""


def _traces(plot: Plot) -> list[dict[str, str]]:
    traces: list[dict[str, str]] = json.loads(plot.figure).get("data", [])
    return traces


@cache
def read_script(name: str) -> tuple[str, str]:
    """A script by its name, and its compressed form for a page."""
    if name == PLANE:
        source = CARTESIAN.read_text(encoding="utf-8")
    else:
        from plotly.offline import get_plotlyjs  # It is slow, and few pages need it.

        source = get_plotlyjs()
    return source, base64.b64encode(gzip.compress(source.encode(), 9, mtime=0)).decode()
