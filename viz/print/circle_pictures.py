"""Positions as hands of clocks and as circles round words, for print (Matplotlib)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from viz.inputs.position_bytes import spread_evenly
from viz.print.files import set_fonts
from viz.shared.style import COLOURS, Theme, number

Array = NDArray[Any]
ACROSS = 6  # clocks in a row
CLOCK = 1.2  # inches


def clocks_picture(
    frequencies: Array, labels: Sequence[str], phi: float, token: int, *, theme: Theme = "light"
) -> Figure:
    """One clock a pair: dots where the tokens stand, grey hands where a shift by `phi` puts them, and the chosen
    token's hand before (blue) and after (orange)."""
    ink, shown = COLOURS[theme], spread_evenly(len(frequencies))
    across = min(ACROSS, len(shown))
    down = -(-len(shown) // across)
    figure = Figure(figsize=(CLOCK * across, (CLOCK + 0.35) * down + 0.3), facecolor=ink["background"])
    grid: list[Any] = list(figure.subplots(down, across, squeeze=False).flat)
    for axes in grid:
        axes.set_axis_off()
    times = np.arange(len(labels))
    for axes, k in zip(grid, shown, strict=False):
        axes.set_aspect("equal")
        axes.set(xlim=(-1.15, 1.15), ylim=(-1.15, 1.15))
        whole = np.linspace(0, 2 * np.pi, 90)
        axes.plot(np.sin(whole), np.cos(whole), color=ink["border"], linewidth=1)
        before, after = frequencies[k] * times, frequencies[k] * (times + phi)
        for turn in after:
            axes.plot([0, np.sin(turn)], [0, np.cos(turn)], color=ink["masked"], linewidth=0.7)
        axes.plot(np.sin(before), np.cos(before), ".", color=ink["masked_text"], markersize=3)
        for turn, tone in ((before[token], "query"), (after[token], "key")):
            axes.plot([0, np.sin(turn)], [0, np.cos(turn)], color=ink[tone], linewidth=2)
            axes.plot(np.sin(turn), np.cos(turn), "o", color=ink[tone], markersize=4)
        speed = number(float(frequencies[k]), 5 if frequencies[k] < 0.01 else 3)
        turned = number(float(np.degrees(frequencies[k] * phi)), 1)
        axes.text(
            0, -1.3, f"pair {k} · ω {speed}\nωφ = {turned}°", ha="center", va="top", fontsize=7, color=ink["muted"]
        )
    before, after = f"{labels[token]} at t = {token}", f"at t + φ = {number(token + phi, 2)}"
    figure.text(0.12, 0.0, f"Blue: {before}", color=ink["query"], fontsize=9)
    figure.text(0.5, 0.0, f"Orange: {after}", color=ink["key_text"], fontsize=9)
    return set_fonts(figure)


def plane_picture(
    frequencies: Array,
    labels: Sequence[str],
    phi: float,
    token: int,
    points: Array,
    pair: int,
    *,
    theme: Theme = "light",
) -> Figure:
    """Embeddings in the plane of one pair, points (tokens, 2), each with the circle on which its position turns: grey
    dots where a shift by `phi` puts them, the chosen token before (blue) and after it (orange)."""
    ink = COLOURS[theme]
    figure = Figure(figsize=(6.4, 4.6), facecolor=ink["background"])
    axes = figure.add_subplot(facecolor="none")
    whole, speed = np.linspace(0, 2 * np.pi, 90), frequencies[pair]
    for t, (label, (x, y)) in enumerate(zip(labels, points, strict=True)):
        axes.plot(x + np.sin(whole), y + np.cos(whole), color=ink["query" if t == token else "border"], linewidth=1)
        axes.plot(x, y, ".", color=ink["masked_text"], markersize=3)
        if t != token:
            axes.plot(x + np.sin(speed * (t + phi)), y + np.cos(speed * (t + phi)), ".", color=ink["masked_text"])
        axes.annotate(label, (x, y), (0, -11), textcoords="offset points", ha="center", fontsize=9, color=ink["text"])
    x, y = points[token]
    axes.plot([0, x], [0, y], color=ink["residual"], linewidth=1.5)
    for turn, tone in ((speed * token, "query"), (speed * (token + phi), "key")):
        axes.plot([x, x + np.sin(turn)], [y, y + np.cos(turn)], color=ink[tone], linewidth=2)
        axes.plot(x + np.sin(turn), y + np.cos(turn), "o", color=ink[tone], markersize=5)
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel(f"feature {2 * pair}", color=ink["muted"])
    axes.set_ylabel(f"feature {2 * pair + 1}", color=ink["muted"])
    axes.tick_params(colors=ink["text"], length=0)
    axes.spines[:].set_color(ink["border"])
    return set_fonts(figure)


def space_picture(
    frequencies: Array, labels: Sequence[str], phi: float, token: int, points: Array, hands: Sequence[int],
    *, theme: Theme = "light",
) -> Figure:  # fmt: skip
    """Embeddings in three features, points (tokens, 3); round the chosen one, the circles and hands of some pairs."""
    ink = COLOURS[theme]
    figure = Figure(figsize=(6, 5), facecolor=ink["background"])
    axes: Any = figure.add_subplot(projection="3d", facecolor="none")
    axes.scatter(*points.T, color=ink["masked_text"], s=12)
    for label, (x, y, z) in zip(labels, points, strict=True):
        axes.text(x, y, z, label, fontsize=9, color=ink["text"])
    whole, centre = np.linspace(0, 2 * np.pi, 90), points[token]
    axes.plot(centre[0] + np.sin(whole), centre[1] + np.cos(whole), centre[2], color=ink["text"], linewidth=1)
    for k in hands:
        for turn, tone in ((frequencies[k] * token, "query"), (frequencies[k] * (token + phi), "key")):
            end = centre + np.array([np.sin(turn), np.cos(turn), 0])
            axes.plot(*np.stack([centre, end], 1), color=ink[tone], linewidth=2)
    axes.tick_params(colors=ink["muted"], labelsize=7)
    return set_fonts(figure)
