"""Mounts of the components of the Positions page: the heatmap with its waves, the circles, two positions to drag.

As in `pages.components.mounts`, a callback runs when the reader acts, and the value is in the session under the
component's key.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pages.components.mounts import component

_heatmap = component("inputs/position_heatmap")
_circles = component("inputs/position_circles")
_distance = component("inputs/position_distance")


def heatmap(data: bytes, key: str, on_pairs: Callable[[], None]) -> Any:
    """P[t, j] and waves (`viz.inputs.position_bytes.pack_heatmap`). `.pairs` under `key`: the chosen pairs."""
    return _heatmap(data=data, key=key, on_pairs_change=on_pairs)


def circles(data: bytes, key: str, on_phi: Callable[[], None], on_token: Callable[[], None]) -> Any:
    """Clocks or circles (`viz.inputs.position_bytes.pack_circles`). Under `key`: `.phi`, the shift, and `.token`."""
    return _circles(data=data, key=key, on_phi_change=on_phi, on_token_change=on_token)


def distance(data: bytes, key: str, on_pair: Callable[[], None]) -> Any:
    """Two positions to drag (`viz.inputs.position_bytes.pack_distance`). `.pair` under `key`: their places (t, s)."""
    return _distance(data=data, key=key, on_pair_change=on_pair)
