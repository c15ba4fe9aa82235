"""The mask that a reader chooses or paints, and the layers that it is for."""

from __future__ import annotations

import streamlit as st
from torch import Tensor

from model.experiments.painted_masks import BadMask, fit_mask, mask_from_text, presets
from pages.attention.masks_parts.sentence import Sentence
from pages.shared.session import state
from pages.shared.session.head_on_screen import HeadOnScreen
from pages.shared.session.keys import MAX_CHARACTERS

TITLES = {
    "none": "None",
    "causal": "Causal",
    "padding": "Padding",
    "causal and padding": "Both",
    "painted": ":material/brush: Paint",
}


def possible_kinds(screen: HeadOnScreen) -> list[str]:
    """The masks that have a meaning here. A causal mask compares places in one sentence."""
    return [kind for kind in TITLES if not (screen.at.is_cross and "causal" in kind)]


def own_kind(screen: HeadOnScreen) -> str:
    """The mask that the model itself uses here."""
    return "causal" if screen.at.stack == "decoder" and not screen.at.is_cross else "none"


def choose_kind(screen: HeadOnScreen) -> str:
    """Draws the choice of the mask, of its layers, and of the other sentences of a batch. Returns the kind of mask."""
    kinds = possible_kinds(screen)
    kind = state.among("masks_kind", kinds, "Mask", own_kind(screen))
    left, right = st.columns([2, 1])
    left.segmented_control("Mask", kinds, key="masks_kind", format_func=TITLES.__getitem__, required=True)
    right.segmented_control("In", ("every layer", "this layer"), key="masks_where", required=True)
    if "padding" in kind:
        st.text_area(
            "The other sentences of the batch, one a line", key="masks_batch", height=84, max_chars=MAX_CHARACTERS
        )
    return kind


def in_every_layer() -> bool:
    """Whether the reader wants the mask in every layer."""
    return bool(state.get("masks_where") == "every layer")


def mask_of(screen: HeadOnScreen, sentence: Sentence, kind: str) -> Tensor:
    """True where a query may look, (queries, keys), under a kind of mask that is not painted."""
    queries, keys = (len(sentence.side(screen, side)) for side in ("queries", "keys"))
    visible = presets(queries, keys)["causal" if "causal" in kind else "all visible"]
    return visible & sentence.is_real(screen, "keys") if "padding" in kind else visible


def painted_mask(screen: HeadOnScreen, sentence: Sentence) -> Tensor:
    """The mask that the reader painted, fitted to this sentence. Before they paint, the model's own."""
    own = mask_of(screen, sentence, own_kind(screen))
    text = state.get("masks_paint")
    if not text:
        return own
    try:
        painted = mask_from_text(text)
    except BadMask as error:
        state.put(masks_paint="")
        state.say("masks_paint", str(error))
        return own
    if painted.shape == own.shape:
        return painted
    rows, columns = painted.shape
    state.say(
        "masks_paint",
        f"The mask was painted for {rows} × {columns} tokens and this sentence has {len(own)} × {own.shape[1]}: "
        "the cells that both have are kept, the others follow the model's own mask.",
    )
    return fit_mask(painted, own)
