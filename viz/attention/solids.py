"""Points in space as small solids. Plotly would draw the marker of a point with a sign of a font of the machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import plotly.graph_objects as go

from model.arrays import Array

GOLDEN = (1 + 5**0.5) / 2


@dataclass(frozen=True)
class Solid:
    """A solid in the unit sphere: its corners (corners, 3), and the indices of the corners of each face (faces, 3)."""

    corners: Array
    faces: Array


def _with_faces(corners: Sequence[tuple[float, float, float]]) -> Solid:
    """A solid whose faces are triangles with edges of one length, the shortest between its corners."""
    places = np.array(corners, float)
    places /= np.linalg.norm(places, axis=1, keepdims=True)
    apart = np.linalg.norm(places[:, None] - places[None], axis=-1)  # (corners, corners)
    near = (apart > 0) & (apart < 1.01 * apart[apart > 0].min())
    count = range(len(places))
    faces = [
        (a, b, c) for a in count for b in count for c in count if a < b < c and near[a, b] & near[b, c] & near[a, c]
    ]
    return Solid(places, np.array(faces))


SOLIDS: dict[Literal["diamond", "ball"], Solid] = {
    "diamond": _with_faces([(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]),
    "ball": _with_faces(
        [
            corner
            for one in (-1, 1)
            for other in (-GOLDEN, GOLDEN)
            for corner in ((0, one, other), (one, other, 0), (other, 0, one))
        ]
    ),
}


def solids_trace(
    shape: Literal["diamond", "ball"],
    places: Array,
    radii: Array,
    colours: Sequence[str],
    words: Sequence[str],
    name: str,
    tone: str,
) -> go.Mesh3d:
    """A solid at each of the places (points, 3).

    `radii` (points, 3): along each axis, in its units. `words` (points): text for Plotly, which appears when the reader
    points at a solid. `tone`: the colour in the legend.
    """
    solid = SOLIDS[shape]
    corners = (places[:, None] + radii[:, None] * solid.corners).reshape(-1, 3)
    first = len(solid.corners) * np.arange(len(places))
    faces = (first[:, None, None] + solid.faces).reshape(-1, 3)
    return go.Mesh3d(
        **{axis: corners[:, place].astype(np.float32) for place, axis in enumerate("xyz")},
        **{axis: faces[:, place].astype(np.int32) for place, axis in enumerate("ijk")},
        color=tone,
        facecolor=np.repeat(np.array(colours), len(solid.faces)).tolist(),
        customdata=np.repeat(np.array(words), len(solid.corners)).tolist(),
        hovertemplate=f"{name}: %{{customdata}}<extra></extra>",
        name=name,
        showlegend=True,
        flatshading=True,
        lighting={"ambient": 0.75, "diffuse": 0.4, "specular": 0},
    )
