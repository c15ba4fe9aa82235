"""Two pictures on one sheet: each whole, apart from the other, in every kind of file."""

from __future__ import annotations

import io
from itertools import groupby

import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text
from PIL import Image

from viz.print.files import file_of
from viz.print.side_by_side import put_side_by_side

RED, BLUE = (255, 0, 0), (0, 0, 255)


def picture(tone: tuple[int, int, int], width: float = 4.0) -> Figure:
    """A picture in one colour inside of wide margins, with words above it that lie outside of its figure."""
    figure = Figure(figsize=(width, 2))
    figure.add_axes((0.3, 0.3, 0.4, 0.4), facecolor=np.array(tone) / 255)
    figure.text(0.5, 1.2, "above", parse_math=False)
    return figure


def bands(pixels: np.ndarray, axis: int) -> list[tuple[int, int, int]]:
    """The colours of the pictures along an axis, without what lies between them."""
    lines = [
        next((tone for tone in (RED, BLUE) if (line == tone).all(-1).any()), None) for line in np.rollaxis(pixels, axis)
    ]
    return [tone for tone, _ in groupby(lines) if tone is not None]


@pytest.mark.parametrize(("width", "axis"), [(2.0, 1), (9.0, 0)])
@pytest.mark.parametrize("kind", ["png", "slide"])
def test_both_are_whole_beside_or_below_each_other(width: float, axis: int, kind: str) -> None:
    sheet = put_side_by_side([picture(RED, width), picture(BLUE, width)], ("One", "Another $x$"))
    drawn = np.asarray(Image.open(io.BytesIO(file_of(sheet, kind))).convert("RGB")).astype(int)
    assert bands(drawn, axis) == [RED, BLUE]
    counts = [int((drawn == tone).all(-1).sum()) for tone in (RED, BLUE)]
    assert counts[0] == pytest.approx(counts[1], rel=0.01), "nothing covers one of them, and none is cut"


@pytest.mark.parametrize("kind", ["svg", "pdf"])
def test_words_and_lines_stay_what_they_are(kind: str) -> None:
    sheet = put_side_by_side([picture(RED), picture(BLUE)], ("One", "Another"))
    words = [each.get_text().strip() for each in sheet.findobj(Text)]
    assert {"Another", "One"} < set(words)
    assert words.count("above") == 2, "so fonts and marks reach all of them"
    assert b"<image" not in file_of(sheet, kind)
