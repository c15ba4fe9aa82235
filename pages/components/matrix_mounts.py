"""Mounts of the components about attention that draw matrices.

As in `pages.components.mounts`, a callback runs when the reader acts, and the value is in the session under the
component's key.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pages.components.mounts import component

_panels = component("attention/matrix_panels")
_painter = component("attention/mask_painter")


def panels(data: bytes, key: str, on_cell: Callable[[], None]) -> Any:
    """Matrices side by side (`viz.shared.panels.pack_panels`). `.cell` under `key` is the clicked (query, key)."""
    return _panels(data=data, key=key, on_cell_change=on_cell)


def painter(data: bytes, key: str, on_mask: Callable[[], None]) -> Any:
    """A mask to paint (`viz.attention.masks.pack_painter`). `.mask` under `key`: rows, columns, base64 bits.

    Of a window also: its first query and key, and the text of the mask around it.
    """
    return _painter(data=data, key=key, on_mask_change=on_mask)
