"""Positions as hands of clocks and as circles around words, for print (Matplotlib)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from model.arrays import Array
from viz.inputs.position_bytes import spread_evenly
from viz.print.files import set_fonts
from viz.shared.style import COLOURS, Theme, number

CLOCKS_ACROSS = 6  # in a row
CLOCK_INCHES = 1.2


def clocks_picture(
    frequencies: Array, labels: Sequence[str], phi: float, token: int, *, theme: Theme = "light"
) -> Figure:
    """One clock for each pair of features, with a dot for each token and a grey hand for each token after the shift.

    The shift is by `phi`. The chosen token has a blue hand before the shift and an orange hand after it.
    """
    ink, pairs = COLOURS[theme], spread_evenly(len(frequencies))
    across = min(CLOCKS_ACROSS, len(pairs))
    down = -(-len(pairs) // across)
    figure = Figure(figsize=(CLOCK_INCHES * across, (CLOCK_INCHES + 0.35) * down + 0.3), facecolor=ink["background"])
    clocks: list[Any] = list(figure.subplots(down, across, squeeze=False).flat)
    for axes in clocks:
        axes.set_axis_off()
    places = np.arange(len(labels))
    for axes, k in zip(clocks, pairs, strict=False):
        axes.set_aspect("equal")
        axes.set(xlim=(-1.15, 1.15), ylim=(-1.15, 1.15))
        circle = np.linspace(0, 2 * np.pi, 90)
        axes.plot(np.sin(circle), np.cos(circle), color=ink["border"], linewidth=1)
        before, after = frequencies[k] * places, frequencies[k] * (places + phi)
        for angle in after:
            axes.plot([0, np.sin(angle)], [0, np.cos(angle)], color=ink["masked"], linewidth=0.7)
        axes.plot(np.sin(before), np.cos(before), ".", color=ink["masked_text"], markersize=3)
        for angle, tone in ((before[token], "query"), (after[token], "key")):
            axes.plot([0, np.sin(angle)], [0, np.cos(angle)], color=ink[tone], linewidth=2)
            axes.plot(np.sin(angle), np.cos(angle), "o", color=ink[tone], markersize=4)
        speed = number(float(frequencies[k]), 5 if frequencies[k] < 0.01 else 3)
        degrees = number(float(np.degrees(frequencies[k] * phi)), 1)
        axes.text(
            0, -1.3, f"pair {k} · ω {speed}\nωφ = {degrees}°", ha="center", va="top", fontsize=7, color=ink["muted"]
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
    """Embeddings in the plane of one pair, points (tokens, 2), each with the circle on which its position turns.

    Grey dots are the positions after a shift by `phi`. The chosen token is blue before the shift and orange after it.
    """
    ink = COLOURS[theme]
    figure = Figure(figsize=(6.4, 4.6), facecolor=ink["background"])
    axes = figure.add_subplot(facecolor="none")
    circle, speed = np.linspace(0, 2 * np.pi, 90), frequencies[pair]
    for t, (label, (x, y)) in enumerate(zip(labels, points, strict=True)):
        axes.plot(x + np.sin(circle), y + np.cos(circle), color=ink["query" if t == token else "border"], linewidth=1)
        axes.plot(x, y, ".", color=ink["masked_text"], markersize=3)
        if t != token:
            axes.plot(x + np.sin(speed * (t + phi)), y + np.cos(speed * (t + phi)), ".", color=ink["masked_text"])
        axes.annotate(label, (x, y), (0, -11), textcoords="offset points", ha="center", fontsize=9, color=ink["text"])
    x, y = points[token]
    axes.plot([0, x], [0, y], color=ink["residual"], linewidth=1.5)
    for angle, tone in ((speed * token, "query"), (speed * (token + phi), "key")):
        axes.plot([x, x + np.sin(angle)], [y, y + np.cos(angle)], color=ink[tone], linewidth=2)
        axes.plot(x + np.sin(angle), y + np.cos(angle), "o", color=ink[tone], markersize=5)
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
    """Embeddings in three features, points (tokens, 3). The chosen one has a circle and the hands of some pairs."""
    ink = COLOURS[theme]
    figure = Figure(figsize=(6, 5), facecolor=ink["background"])
    axes: Any = figure.add_subplot(projection="3d", facecolor="none")
    axes.scatter(*points.T, color=ink["masked_text"], s=12)
    for label, (x, y, z) in zip(labels, points, strict=True):
        axes.text(x, y, z, label, fontsize=9, color=ink["text"])
    circle, centre = np.linspace(0, 2 * np.pi, 90), points[token]
    axes.plot(centre[0] + np.sin(circle), centre[1] + np.cos(circle), centre[2], color=ink["text"], linewidth=1)
    for k in hands:
        for angle, tone in ((frequencies[k] * token, "query"), (frequencies[k] * (token + phi), "key")):
            end = centre + np.array([np.sin(angle), np.cos(angle), 0])
            axes.plot(*np.stack([centre, end], 1), color=ink[tone], linewidth=2)
    axes.tick_params(colors=ink["muted"], labelsize=7)
    return set_fonts(figure)
