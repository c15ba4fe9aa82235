"""The colours of one theme and their counterparts in the other, for a page that is read in another theme than drawn.

assets/saved_page/recolour.js exchanges them in a figure. All colours of a figure come from `viz.shared.style`, so the
exchange gives the figure as it is drawn for the other theme (tests/viz/documents/test_counterparts.py compares both).
"""

from __future__ import annotations

from functools import cache
from typing import Any

from viz.shared.style import COLOURS, SEQUENTIAL, SERIES, SIGNED, Theme, plotly_scale

SCALES = (SEQUENTIAL, SIGNED)


def other_theme(theme: Theme) -> Theme:
    return "light" if theme == "dark" else "dark"


@cache
def counterparts(drawn: Theme) -> dict[str, Any]:
    """`colours`: each of a theme, and its counterpart. `scales`: each of the theme, and that of the other one.

    A scale is exchanged as a whole, since two of them share an end.
    """
    theme = other_theme(drawn)
    pairs = dict(zip(SERIES[drawn], SERIES[theme], strict=True))
    for scale in SCALES:
        pairs |= {old[1]: new[1] for old, new in zip(scale[drawn], scale[theme], strict=True)}
    pairs |= {tone: COLOURS[theme][role] for role, tone in COLOURS[drawn].items()}
    return {"colours": pairs, "scales": [[plotly_scale(scale, each) for each in (drawn, theme)] for scale in SCALES]}
