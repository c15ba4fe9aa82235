"""Figures in space, from Plotly to Matplotlib: lines, names, and solids.

`paper` is the unfinished figure of `viz.print.from_plotly`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

from viz.shared.plotly_values import plain_words, rgba


def _space(paper: Any) -> Any:
    """The axes of a figure in space."""
    axes: Any = paper.place("x", "y", space=True)
    for letter in "xyz":
        axis, source = getattr(axes, f"{letter}axis"), paper.layout.scene[f"{letter}axis"]
        axis.set_pane_color((0, 0, 0, 0))
        axis.line.set_color(paper.grid)
        axis.set_tick_params(colors=paper.ink, labelsize=8)
        axis._axinfo["grid"]["color"] = paper.grid  # Matplotlib has no other way
        if source.showticklabels is False:
            axis.set_ticklabels([])
        if source.title.text:
            axis.set_label_text(plain_words(source.title.text), color=paper.ink, fontsize=9)
    return axes


def draw_faces(paper: Any, trace: Any) -> None:
    """Draws the triangles of a Mesh3d, with a colour each."""
    axes = _space(paper)
    corners = np.stack((trace.x, trace.y, trace.z), axis=-1)  # (corners, 3)
    faces = np.stack((trace.i, trace.j, trace.k), axis=-1)  # (faces, 3)
    colours = [rgba(each) for each in trace.facecolor]
    axes.add_collection3d(Poly3DCollection(corners[faces], facecolors=colours, edgecolors="none"))
    axes.auto_scale_xyz(*corners.T)
    axes.plot([], [], [], "o", color=rgba(trace.color), label=plain_words(trace.name))  # for the legend


def draw_points(paper: Any, trace: Any) -> None:
    """Draws the lines and the names of a Scatter3d."""
    axes = _space(paper)
    mode, legend = trace.mode or "", {"label": plain_words(trace.name)} if trace.name else {}
    tone = trace.line.color if isinstance(trace.line.color, str) else None
    if "lines" in mode:
        axes.plot(trace.x, trace.y, trace.z, color=rgba(tone or paper.colour()), **legend)
    for place, label in enumerate(trace.text if trace.text is not None and "text" in mode else ()):
        ink = rgba(trace.textfont.color or paper.ink)
        axes.text(trace.x[place], trace.y[place], trace.z[place], plain_words(str(label)), color=ink, fontsize=9)
