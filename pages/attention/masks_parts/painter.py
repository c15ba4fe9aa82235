"""The mask that a reader paints, cell by cell.

Of a long text they paint in the window that the matrices below show. A stroke changes the cells of the window. A preset
to start from is for the whole mask, and so is a step that is undone. The component gets the window and, as a text, the
mask around it, and gives that text back. So each step that it can undo is a whole mask.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass
from functools import partial
from typing import Any

import streamlit as st
import torch
from torch import Tensor

from model.experiments.painted_masks import BadMask, mask_from_bytes, mask_from_text, mask_to_text, presets, put_window
from pages.components.mounts import component
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from pages.shared.session.keys import KEYS
from views.attention.masks.panels import MaskPanels
from views.shared import windows
from viz.attention.masks import Surroundings, pack_painter

MOST_CHARACTERS = KEYS["masks_paint"].max_characters


@dataclass(frozen=True)
class Refusal:
    """The last mask that was too long for a link. `number` counts them, and `kept` is the mask that stayed."""

    number: int
    characters: int
    kept: str


@dataclass
class PainterSession:
    """The mask that was refused last."""

    refusal: Refusal | None = None


def paint(view: MaskPanels) -> None:
    """Draws the painter of the part of the mask that a view shows."""
    runs, part = view.runs, view.part
    queries, keys = runs.queries, runs.keys
    down, across = part
    starts = presets(len(queries), len(keys), runs.width)
    if view.head.at.is_cross:
        starts = {name: mask for name, mask in starts.items() if name in ("all visible", "no first token")}
    is_long = windows.is_long(runs.visible.shape)
    component("attention/mask_painter")(
        data=pack_painter(
            runs.visible[part].numpy(),
            queries[down],
            keys[across],
            {name: mask[part].numpy() for name, mask in starts.items()},
            identity=hashlib.sha256(repr((queries, keys)).encode()).hexdigest()[:16],
            surroundings=_surroundings(runs.visible, list(starts.values()), part) if is_long else None,
        ),
        key="masks painter",
        on_mask_change=partial(_take_mask, part),
    )
    if is_long:
        _say_refusal()


def _surroundings(visible: Tensor, starts: list[Tensor], part: windows.MatrixPart) -> Surroundings:
    """What is around the window in the mask and in each preset. Texts are the same where the cells around are."""
    first = part[0].start, part[1].start
    nothing = torch.zeros_like(visible[part])
    around, *of_starts = (mask_to_text(put_window(mask, first, nothing)) for mask in (visible, *starts))
    refusal = of_session(PainterSession).refusal
    return Surroundings(first, around, of_starts, refusal.number if refusal else 0)


def _say_refusal() -> None:
    """Says that the last mask was too long for the link, until another one is painted."""
    slot, refusal = st.empty(), of_session(PainterSession).refusal
    if refusal and refusal.kept == state.get("masks_paint"):
        slot.warning(
            f"What you painted last is not kept: as text for the link the mask has {refusal.characters:,} characters, "
            f"and a link holds {MOST_CHARACTERS:,}. The mask before it stays. Blocks, rows and columns need fewer "
            "characters than single cells here and there.",
            icon=":material/link_off:",
        )


def _take_mask(shown: windows.MatrixPart) -> None:
    """Keep what was painted. A step that is undone may have been painted in another window than the one on screen."""
    try:
        visible, painted = _read(st.session_state["masks painter"]["mask"], shown)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError, binascii.Error, BadMask):
        return  # the message does not come from the painter
    text = mask_to_text(visible)
    if len(text) > MOST_CHARACTERS:
        _refuse(len(text))
        return
    state.put(masks_kind="painted", masks_paint=text)
    for key, before, after in zip(("window", "columns"), shown, painted, strict=True):
        if after != before:
            state.put(**{key: (after.start, after.stop - 1)})


def _read(message: Any, shown: windows.MatrixPart) -> tuple[Tensor, windows.MatrixPart]:
    """The whole mask of a message (queries, keys), and the part of it that was painted."""
    bits = base64.b64decode(message["bits"], validate=True)
    cells = mask_from_bytes(bits, int(message["rows"]), int(message["columns"]))
    if "around" not in message:
        return cells, shown
    query, key = (int(place) for place in message["first"])
    part = slice(query, query + len(cells)), slice(key, key + cells.shape[1])
    return put_window(mask_from_text(message["around"]), (query, key), cells), part


def _refuse(characters: int) -> None:
    """Note that a mask was too long."""
    session = of_session(PainterSession)
    number = session.refusal.number + 1 if session.refusal else 1
    session.refusal = Refusal(number, characters, state.get("masks_paint"))
