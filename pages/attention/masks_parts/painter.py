"""The mask that a reader paints, cell by cell."""

from __future__ import annotations

import base64
import binascii

import streamlit as st

from model.experiments.painted_masks import mask_from_bytes, mask_to_text, presets
from pages.attention.masks_parts.masked_runs import MaskedRuns
from pages.components import matrix_mounts
from pages.shared.elements import long_text
from pages.shared.session import state
from viz.attention.masks import pack_painter

PAINT_LESS = "Below is what is painted so far. Shorten it to paint on."


def show(runs: MaskedRuns) -> None:
    queries, keys = runs.queries, runs.keys
    if long_text.is_refused(max(len(queries), len(keys)), "A mask is painted cell by cell.", PAINT_LESS):
        return
    starts = presets(len(queries), len(keys))
    if runs.screen.at.is_cross:
        starts = {name: mask for name, mask in starts.items() if name in ("all visible", "no first token")}
    matrix_mounts.painter(
        pack_painter(
            runs.visible.numpy(),
            queries,
            keys,
            {name: mask.numpy() for name, mask in starts.items()},
            identity=repr((queries, keys)),
        ),
        key="masks painter",
        on_mask=_take_mask,
    )


def _take_mask() -> None:
    painted = st.session_state["masks painter"]["mask"]
    try:
        bits = base64.b64decode(painted["bits"], validate=True)
        visible = mask_from_bytes(bits, int(painted["rows"]), int(painted["columns"]))
    except (KeyError, TypeError, ValueError, binascii.Error):
        return  # the message does not come from the painter
    state.put(masks_kind="painted", masks_paint=mask_to_text(visible))
