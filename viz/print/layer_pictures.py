"""One layer as a column of steps for print (Matplotlib), as the component block_flow draws it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from model.arrays import Array
from viz.block.layer import thin
from viz.print.files import set_fonts
from viz.shared.payload import signed_codes
from viz.shared.plotly_values import colormap
from viz.shared.style import COLOURS, SIGNED, Theme

WIDTH_INCHES = 7.2
STEP_INCHES = 0.62  # from one step to the next
PICTURE_PLACE = (0.44, 0.38)  # start and width of a step's picture, as shares of the width
INSET_SHARE = 0.035  # of the width, for steps beside the stream
ROLES = {"stream": "residual", "attention": "query", "feed-forward": "value", "norm": "masked"}


def flow_picture(
    steps: Sequence[Mapping[str, str]], tensors: Sequence[Array], chosen: int, title: str, *, theme: Theme = "light"
) -> Figure:
    """The steps (title, does, role) from top to bottom along the residual stream, with a frame around the `chosen` one.

    Each step has a small picture of its tensor (tokens, features).
    """
    ink = COLOURS[theme]
    count = len(steps)
    figure = Figure(figsize=(WIDTH_INCHES, STEP_INCHES * count + 0.4), facecolor=ink["background"])
    shades = colormap(SIGNED[theme])
    page: Any = figure.add_axes((0, 0, 1, 1), facecolor="none")
    page.set(xlim=(0, 1), ylim=(count + 0.4 / STEP_INCHES, 0))
    page.set_axis_off()
    page.text(0.01, 0.15, title, fontsize=10, color=ink["muted"], va="top")
    first = 0.4 / STEP_INCHES
    page.add_patch(Rectangle((0.012, first + 0.1), 0.008, count - 0.2, color=ink["residual"], linewidth=0))
    for place, (step, tensor) in enumerate(zip(steps, tensors, strict=True)):
        top, left = first + place, 0.04 + (0 if step["role"] == "stream" else INSET_SHARE)
        is_chosen = place == chosen
        tone, width = (ink["key"], 2.0) if is_chosen else (ink["border"], 0.8)
        page.add_patch(
            Rectangle((left, top + 0.08), 0.95 - left, 0.84, facecolor="none", edgecolor=tone, linewidth=width)
        )
        page.add_patch(Rectangle((left, top + 0.08), 0.006, 0.84, color=ink[ROLES[step["role"]]], linewidth=0))
        page.text(left + 0.02, top + 0.36, step["does"], fontsize=9, color=ink["text"], va="center")
        page.text(left + 0.02, top + 0.68, step["title"], fontsize=8, color=ink["muted"], va="center")
        page.text(
            0.94, top + 0.5, f"{tensor.shape[0]} × {tensor.shape[1]:,}", fontsize=8, color=ink["muted"], va="center",
            ha="right",
        )  # fmt: skip
        bottom = 1 - (top + 0.84) / (count + first)
        thumbnail: Any = figure.add_axes((PICTURE_PLACE[0], bottom, PICTURE_PLACE[1], 0.68 / (count + first)))
        thumbnail.imshow(
            signed_codes(thin(tensor)), cmap=shades, vmin=0, vmax=254, aspect="auto", interpolation="nearest"
        )
        thumbnail.set_axis_off()
    return set_fonts(figure)


def flow_rows(steps: Sequence[Mapping[str, str]], tensors: Sequence[Array]) -> list[dict[str, Any]]:
    """One row for each step: its action, and its tensor in numbers."""
    return [
        {
            "step": step["title"],
            "name": step["name"],
            "does": step["does"],
            "tokens": tensor.shape[0],
            "features": tensor.shape[1],
        }
        | {"mean": float(tensor.mean()), "deviation": float(tensor.std())}
        | {"least": float(tensor.min()), "greatest": float(tensor.max())}
        for step, tensor in zip(steps, tensors, strict=True)
    ]
