"""Where patches look: every head over the picture, and all layers together by rollout."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import streamlit as st
import torch

from model import Trace
from model.analysis.rollout import rollout
from model.analysis.scores import entropy, fit_keys
from model.arrays import Array
from model.network.attention import MultiHeadAttention
from pages.components.vision_mounts import patch_attention
from pages.models.see_parts import told
from pages.models.see_parts.patches import patch_name, patch_of, special_names, token_of
from pages.models.see_parts.source import PictureView, all_weights, queries_and_keys
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.recording import page_recording
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.shared import quotes, sums
from viz.models.patch_heads import pack_heads
from viz.models.see import overlay_figure
from viz.shared.style import number, percent

KEY = "see attention"
PROMPTS = (
    layout.Prompt(
        "The first layer",
        "Heads of the first layer mostly look near, or everywhere.",
        {"see_layer": 0, "see_head": 0},
        claim=Claim(told.LAYER, "is", 0),
        at="see attention",
    ),
    layout.Prompt(
        "The last layer",
        "What the class token gathers.",
        {"see_layer": -1, "see_head": -1, "see_patch": -1},
        claim=Claim(told.ABOVE, "is", 0),
        at="see attention",
    ),
    layout.Prompt(
        "What comes of it",
        "The answer, and features as colours.",
        {"see_part": "answer"},
        claim=Claim(told.FIRST_COLOUR, "over", 0.0),
        at="see colours",
    ),
)


def show(view: PictureView, depth: str) -> None:
    if depth == "Formula":
        _formula(view)
    elif depth == "Code":
        layout.code(MultiHeadAttention, rollout)
    else:
        run = view.run()
        layer, head, patch = _read_choice(view)
        weights = all_weights(run, view.layers)
        if depth == "Picture":
            _component(view, run, weights, layer, head, patch)
        else:
            st.dataframe(_rows(view, weights[layer, head, token_of(view, patch)]), hide_index=True, height=320)
        _describe_head(view, weights, layer, head, patch)
        _rollout(view, run, patch, depth == "Numbers")
    layout.try_this(*PROMPTS)


def _read_choice(view: PictureView) -> tuple[int, int, int]:
    """Layer, head and patch of the state, where -1 means the last layer, head 0 and the class token, and patch
    -2 the distillation token."""
    config = view.model.config
    layer = state.checked_number("see_layer", -1, view.layers - 1, "Layer")
    head = state.checked_number("see_head", -1, config.n_heads - 1, "Head")
    patch = state.checked_number("see_patch", -config.n_special_tokens, config.n_patches - 1, "Patch")
    return layer if layer >= 0 else view.layers - 1, max(head, 0), patch


@dataclass
class SentHeads:
    """What the browser has: the heads of a picture as bytes, the choice in these bytes, and the choice on screen."""

    picture: Hashable = None
    data: bytes = b""
    packed: dict[str, int] = field(default_factory=dict)
    view: dict[str, int] = field(default_factory=dict)


def _component(view: PictureView, run: Trace, weights: Array, layer: int, head: int, patch: int) -> None:
    """Sends all heads to the browser again only for another picture, or a choice that the component did not make.

    All heads are nearly 1 MB, so a click that the browser has already drawn must not send them again. A saved page has
    only these bytes: there they must name the choice.
    """
    choice = {"layer": layer, "head": head, "patch": patch}
    picture = (view.model.card.name, view.name or hash(view.square.tobytes()))
    sent = of_session(SentHeads)
    is_drawn = KEY in st.session_state and sent.picture == picture and sent.view == choice
    if not is_drawn or (page_recording.is_recorded() and sent.packed != choice):
        queries, keys = queries_and_keys(run, view.layers)
        n_special = view.model.config.n_special_tokens
        sent.data = pack_heads(view.square, queries, keys, weights, view.side, choice, n_special)
        sent.picture, sent.packed = picture, choice
    sent.view = choice
    patch_attention(sent.data, key=KEY, on_view=_take_choice)


def _take_choice() -> None:
    choice, names = st.session_state[KEY].view, ("layer", "head", "patch")
    if not isinstance(choice, dict) or not all(isinstance(choice.get(name), int) for name in names):
        return
    state.put(see_layer=choice["layer"], see_head=choice["head"], see_patch=choice["patch"])
    of_session(SentHeads).view = dict(choice)


def _describe_head(view: PictureView, weights: Array, layer: int, head: int, patch: int) -> None:
    special = view.model.config.n_special_tokens
    row = weights[layer, head, token_of(view, patch)]  # (S + N,)
    claims.tell(told.LAYER, layer)
    claims.tell(told.ABOVE, view.layers - 1 - layer)
    claims.tell(told.ROW_SUM, float(row.sum()))
    strongest = int(row[special:].argmax())
    n_even = 2 ** float(entropy(torch.from_numpy(row)))
    layout.caption(
        f"In layer {layer}, head {head}, {patch_name(view, patch)} looks most at **{patch_name(view, strongest)}**, "
        f"{percent(float(row[strongest + special]))}; {percent(float(row[:special].sum()))} goes "
        f"to {special_names(view)}. "
        f"Its attention is as spread as if it were even over {number(n_even, 1)} of {len(row)} tokens."
    )
    draw = partial(overlay_figure, view.square, row[special:], view.side, patch)
    arrays = {"weights": weights} if view.side <= 7 else {"weights": weights[layer]}
    figures.export("see-attention", draw, partial(_rows, view, row), **arrays)


def _rows(view: PictureView, row: Array) -> list[dict[str, Any]]:
    return [{"looks at": patch_name(view, patch_of(view, n)), "weight": float(value)} for n, value in enumerate(row)]


def _rollout(view: PictureView, run: Trace, patch: int, numbers: bool) -> None:
    st.subheader("Through all layers: rollout", anchor=False)
    layers = [run[f"encoder.{layer}.self_attn.weights"] for layer in range(view.layers)]
    special = view.model.config.n_special_tokens
    row = rollout(layers)[token_of(view, patch)].numpy()  # (S + N,)
    draw = partial(overlay_figure, view.square, row[special:], view.side, patch)
    figure = draw(theme=state.theme())
    strongest = int(row[special:].argmax())
    alt = f"Rollout of {patch_name(view, patch)} over the picture, strongest at {patch_name(view, strongest)}"
    figures.show_or_list(numbers, figure, alt, partial(_rows, view, row))
    own_share = "" if patch < 0 else f" {percent(float(row[patch + special]))} of it stays at its own place."
    layout.caption(
        f"Where the information of {patch_name(view, patch)} may have come from after {view.layers} layers: most from "
        f"**{patch_name(view, strongest)}**, {percent(float(row[strongest + special]))}"
        f"{'' if numbers else ', in full orange'}.{own_share} A rough picture: values and "
        "feed-forward networks are left out."
    )
    figures.export("see-rollout", draw, partial(_rows, view, row), rollout=row)


def _formula(view: PictureView) -> None:
    run, (layer, head, patch) = view.run(), _read_choice(view)
    special = view.model.config.n_special_tokens
    layout.equation(
        r"A = \mathrm{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}}\right)",
        "The attention of words, with patches for words and no mask. Palaskos (2022), eq. 3.42 and section 4.2.1.",
        {"A": f"{special} + N rows and columns for N patches; the first are those of {special_names(view)}"},
    )
    attention = f"encoder.{layer}.self_attn"
    q, k = run[f"{attention}.q"][head, token_of(view, patch)], run[f"{attention}.k"][head]  # (d_k,), (S + N, d_k)
    products, width = fit_keys(q, k).products, len(q)  # (S + N,)
    best = special + int(products[special:].argmax())
    asking, strongest = quotes.quote(patch_name(view, patch)), quotes.quote(patch_name(view, best - special))
    scores = products / width**0.5
    layout.work_out(
        f"In layer {layer}, head {head}, of all patches {asking} looks most at {strongest}: their score, and its "
        f"share of the row of {len(scores)} tokens:",
        rf"S = \frac{{{quotes.tex(float(products[best]))}}}{{\sqrt{{{width}}}}} = {quotes.tex(float(scores[best]))}",
        f"A = {sums.softmax(scores, best)}",
    )
    layout.equation(
        r"R = \prod_{l} \tfrac12\left(\bar A^{(l)} + I\right)",
        "Rollout: Abnar and Zuidema (2020), arXiv:2005.00928, section 3.",
        {r"\bar A^{(l)}": "the mean of layer l's heads", "I": "the residual connection, which keeps each token"},
    )
    _work_out_rollout(view, run, patch)


def _work_out_rollout(view: PictureView, run: Trace, patch: int) -> None:
    """The last factor of the product, for the patch where the rollout is strongest."""
    layers = [run[f"encoder.{layer}.self_attn.weights"] for layer in range(view.layers)]
    special, asking = view.model.config.n_special_tokens, token_of(view, patch)
    best = special + int(rollout(layers)[asking, special:].argmax())
    last, below = rollout(layers[-1:])[asking], rollout(layers[:-1])[:, best]  # (S + N,) each
    receiver, giver = quotes.quote(patch_name(view, patch)), quotes.quote(patch_name(view, best - special))
    layout.work_out(
        f"How much of {receiver} may come from {giver}: its row of the last layer's factor, with the column of the "
        f"product of the {view.layers - 1} layers below:",
        f"R = {sums.product(last, below)}",
    )
