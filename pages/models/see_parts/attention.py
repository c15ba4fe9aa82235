"""Where patches look: every head over the picture, and all layers together by rollout."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from model import Trace
from model.analysis.rollout import rollout
from model.network.attention import MultiHeadAttention
from pages.components.vision_mounts import patch_attention
from pages.models.see_parts.patches import patch_name
from pages.models.see_parts.source import PictureView, all_weights, queries_and_keys
from pages.shared import figures, layout, page_recording, state, sums
from viz.models.patch_heads import pack_heads
from viz.models.see import overlay_figure
from viz.shared.style import number, percent

KEY = "see attention"
PROMPTS = (
    layout.Prompt(
        "The first layer", "Heads of the first layer mostly look near, or everywhere.", {"see_layer": 0, "see_head": 0}
    ),
    layout.Prompt(
        "The last layer", "What the class token gathers.", {"see_layer": -1, "see_head": -1, "see_patch": -1}
    ),
    layout.Prompt("What comes of it", "The answer, and features as colours.", {"see_part": "answer"}),
)


def show(seen: PictureView, depth: str) -> None:
    if depth == "Formula":
        _formula(seen)
    elif depth == "Code":
        layout.code(MultiHeadAttention, rollout)
    else:
        run = seen.run()
        layer, head, patch = _places(seen)
        weights = all_weights(run, seen.layers)
        if depth == "Picture":
            _component(seen, run, weights, layer, head, patch)
        else:
            st.dataframe(_rows(seen, weights[layer, head, patch + 1]), hide_index=True, height=320)
        _head(seen, weights, layer, head, patch)
        _rollout(seen, run, patch, depth == "Numbers")
    layout.try_this(*PROMPTS)


def _places(seen: PictureView) -> tuple[int, int, int]:
    """Layer, head and patch; -1 stands for the last layer, head 0 and the class token."""
    config = seen.model.config
    layer = state.within("see_layer", -1, seen.layers - 1, "Layer")
    head = state.within("see_head", -1, config.n_heads - 1, "Head")
    patch = state.within("see_patch", -1, config.n_patches - 1, "Patch")
    return layer if layer >= 0 else seen.layers - 1, max(head, 0), patch


def _component(seen: PictureView, run: Trace, weights: NDArray[Any], layer: int, head: int, patch: int) -> None:
    """The bytes are made anew only for another picture, or a view that did not come from the component itself.

    All heads are nearly 1 MB: a click that the browser has already drawn must not send them again. A file of the page
    has only the bytes, so they must then say the view.
    """
    view = {"layer": layer, "head": head, "patch": patch}
    what = (seen.model.card.name, seen.name or hash(seen.square.tobytes()))
    held: dict[str, Any] = st.session_state.get("_see_sent", {})
    known = KEY in st.session_state and held.get("what") == what and held["view"] == view
    if not known or (page_recording.is_recorded() and held["packed"] != view):
        queries, keys = queries_and_keys(run, seen.layers)
        data = pack_heads(seen.square, queries, keys, weights, seen.side, view)
        held = {"what": what, "data": data, "packed": view}
    st.session_state["_see_sent"] = {**held, "view": view}
    patch_attention(held["data"], key=KEY, on_view=_take_view)


def _take_view() -> None:
    view = st.session_state[KEY].view
    if not isinstance(view, dict) or not all(isinstance(view.get(each), int) for each in ("layer", "head", "patch")):
        return
    state.put(see_layer=view["layer"], see_head=view["head"], see_patch=view["patch"])
    if "_see_sent" in st.session_state:
        st.session_state["_see_sent"]["view"] = dict(view)


def _head(seen: PictureView, weights: NDArray[Any], layer: int, head: int, patch: int) -> None:
    row = weights[layer, head, patch + 1]  # (1 + N,)
    best = int(row[1:].argmax())
    spread = float(-(row * np.log(np.maximum(row, 1e-12))).sum())
    layout.caption(
        f"In layer {layer}, head {head}, {patch_name(seen, patch)} looks most at **{patch_name(seen, best)}**, "
        f"{percent(float(row[best + 1]))}; {percent(float(row[0]))} goes to the class token. Its attention is as "
        f"spread as if it were even over {number(float(np.exp(spread)), 1)} of {len(row)} tokens."
    )
    draw = partial(overlay_figure, seen.square, row[1:], seen.side, patch)
    arrays = {"weights": weights} if seen.side <= 7 else {"weights": weights[layer]}
    figures.export("see-attention", draw, partial(_rows, seen, row), **arrays)


def _rows(seen: PictureView, row: NDArray[Any]) -> list[dict[str, Any]]:
    return [{"looks at": patch_name(seen, n - 1), "weight": float(value)} for n, value in enumerate(row)]


def _rollout(seen: PictureView, run: Trace, patch: int, numbers: bool) -> None:
    st.subheader("Through all layers: rollout", anchor=False)
    layers = [run[f"encoder.{layer}.self_attn.weights"] for layer in range(seen.layers)]
    row = rollout(layers)[patch + 1].numpy()  # (1 + N,)
    draw = partial(overlay_figure, seen.square, row[1:], seen.side, patch)
    figure = draw(theme=state.theme())
    best = int(row[1:].argmax())
    alt = f"Rollout of {patch_name(seen, patch)} over the picture, strongest at {patch_name(seen, best)}"
    figures.show_or_list(numbers, figure, alt, partial(_rows, seen, row))
    own = "" if patch < 0 else f" {percent(float(row[patch + 1]))} of it stays at its own place."
    layout.caption(
        f"Where the information of {patch_name(seen, patch)} may have come from after {seen.layers} layers: most from "
        f"**{patch_name(seen, best)}**, {percent(float(row[best + 1]))}{'' if numbers else ', in full orange'}.{own} "
        "A rough picture: values and feed-forward networks are left out."
    )
    figures.export("see-rollout", draw, partial(_rows, seen, row), rollout=row)


def _formula(seen: PictureView) -> None:
    run, (layer, head, patch) = seen.run(), _places(seen)
    layout.equation(
        r"A = \mathrm{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}}\right)",
        "The attention of words, with patches for words and no mask. Palaskos (2022), eq. 3.42 and section 4.2.1.",
        {"A": "1 + N rows and columns for N patches; row 0 and column 0 are the class token's"},
    )
    attention = f"encoder.{layer}.self_attn"
    q, k = run[f"{attention}.q"][head, patch + 1], run[f"{attention}.k"][head]  # (d_k,), (1 + N, d_k)
    products, width = k @ q, len(q)  # (1 + N,)
    best = 1 + int(products[1:].argmax())
    at, most = layout.quote(patch_name(seen, patch)), layout.quote(patch_name(seen, best - 1))
    scores = products / width**0.5
    layout.work_out(
        f"In layer {layer}, head {head}, of all patches {at} looks most at {most}: their score, and its share of the "
        f"row of {len(scores)} tokens:",
        rf"S = \frac{{{layout.tex(float(products[best]))}}}{{\sqrt{{{width}}}}} = {layout.tex(float(scores[best]))}",
        f"A = {sums.softmax(scores, best)}",
    )
    layout.equation(
        r"R = \prod_{l} \tfrac12\left(\bar A^{(l)} + I\right)",
        "Rollout: Abnar and Zuidema (2020), arXiv:2005.00928, section 3.",
        {r"\bar A^{(l)}": "the mean of layer l's heads", "I": "the residual connection, which keeps each token"},
    )
    _rolled_out(seen, run, patch)


def _rolled_out(seen: PictureView, run: Trace, patch: int) -> None:
    """The last factor of the product, for the patch where the rollout is strongest."""
    layers = [run[f"encoder.{layer}.self_attn.weights"] for layer in range(seen.layers)]
    best = 1 + int(rollout(layers)[patch + 1, 1:].argmax())
    last, below = rollout(layers[-1:])[patch + 1], rollout(layers[:-1])[:, best]  # (1 + N,) each
    to, of = layout.quote(patch_name(seen, patch)), layout.quote(patch_name(seen, best - 1))
    layout.work_out(
        f"How much of {to} may come from {of}: its row of the last layer's factor, with the column of the product "
        f"of the {seen.layers - 1} layers below:",
        f"R = {sums.product(last, below)}",
    )
