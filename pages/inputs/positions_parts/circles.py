"""Rotation: a shift by φ turns the hand of pair k by ω_k φ. Drawn as clocks, and as circles round the embeddings."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
import torch

from model.arrays import Array
from model.experiments.position_mix import embedding_scale
from model.network import positions
from pages.components import position_mounts
from pages.inputs.positions_parts import controls
from pages.inputs.positions_parts.controls import Sentence
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.session import state
from viz.inputs.position_bytes import MAX_CLOCKS, pack_circles
from viz.print import circle_pictures, position_pictures
from viz.print.files import npz, rows_csv
from viz.shared.style import markdown_text, number

VIEWS = {"clocks": "Clocks", "plane": "Round the embedding, 2-D", "space": "3-D"}
COMPONENT = "positions circles"
FROM_START = "how far the fast hand is from its start, in degrees,"
VIEW = "the view"


def show(depth: str) -> None:
    sentence = controls.sentence()
    token = controls.read_token(sentence)
    if depth == "Code":
        layout.code(positions.shift_matrix, positions.shift_error)
    else:
        _show_circles(sentence, token, depth)
    layout.try_this(
        layout.Prompt(
            "One full turn of pair 0",
            "φ = 6.28 turns the fast hand back to its start, and no other hand.",
            {"positions_part": "circles", "positions_view": "clocks", "positions_phi": 6.28},
            claim=Claim(FROM_START, "under", 1.0),
        ),
        layout.Prompt(
            "Circles round the words",
            "Each word's circle is centred on its embedding.",
            {"positions_view": "plane", "positions_clock": 0},
            claim=Claim(VIEW, "is", "plane"),
        ),
        layout.Prompt(
            "Three hands in space",
            "Three speeds round one embedding (Palaskos, fig. 3.3).",
            {"positions_view": "space"},
            claim=Claim(VIEW, "is", "space"),
        ),
    )


def _show_circles(sentence: Sentence, token: int, depth: str) -> None:
    bar, below = controls.bar()
    with bar:
        view = controls.choose("View", "positions_view", VIEWS) if depth == "Picture" else ""
        d, base = controls.row(below, controls.width(), controls.base())
    limit = float(max(8, len(sentence.labels)))
    phi = state.checked_number("positions_phi", -limit, limit, "Shift φ")
    if depth == "Formula":
        _show_formula(sentence, d, base, phi, token)
    elif depth == "Numbers":
        _show_numbers(sentence, d, base, phi, token)
    else:
        _show_picture(sentence, view, d, base, phi, token, limit)


def _show_picture(sentence: Sentence, view: str, d: int, base: float, phi: float, token: int, limit: float) -> None:
    frequencies = positions.frequencies(d, base).numpy()
    claims.tell(VIEW, view)
    turns = phi * float(frequencies[0]) / (2 * math.pi)
    claims.tell(FROM_START, 360 * abs(turns - round(turns)))
    points: Array | None = None
    pair, hands = 0, _three_hands(len(frequencies))
    if view != "clocks":
        embeddings = _embeddings(sentence)
        pairs = min(embeddings.shape[1], d) // 2
        if view == "plane":
            pair = state.checked_number("positions_clock", 0, pairs - 1, "Pair")
            st.slider("Pair k: features 2k and 2k + 1", 0, max(pairs - 1, 1), key="positions_clock", width=320)
            points = embeddings[:, 2 * pair : 2 * pair + 2]
        else:
            points = embeddings[:, :3]
    position_mounts.circles(
        pack_circles(
            frequencies,
            sentence.labels,
            view=view,
            phi=phi,
            limit=limit,
            token=token,
            points=points,
            pair=pair,
            hands=hands,
        ),
        key=COMPONENT,
        on_phi=_take_phi,
        on_token=_take_token,
    )
    if view == "clocks":
        layout.caption(_explain_clocks(sentence, d, base, phi, token))
    else:
        layout.caption(_explain_circles(sentence, view, embeddings[token]))
    arguments = (frequencies, sentence.labels, phi, token)
    draw: figures.Draw = partial(circle_pictures.clocks_picture, *arguments)
    if points is not None and view == "plane":
        draw = partial(circle_pictures.plane_picture, *arguments, points, pair)
    elif points is not None:
        draw = partial(circle_pictures.space_picture, *arguments, points, hands)
    _export(sentence, f"position-{view}", draw, d, base, phi)


def _export(sentence: Sentence, name: str, draw: figures.Draw, d: int, base: float, phi: float) -> None:
    """Offer the picture, and the vectors of all tokens after the shift, as files."""
    frequencies = positions.frequencies(d, base).numpy()
    turned = positions.sinusoidal(torch.arange(len(sentence.labels)) + phi, d, base).numpy()
    figures.files(
        name,
        draw,
        CSV=lambda: position_pictures.table_csv(turned, sentence.labels),
        NPZ=partial(npz, frequencies=frequencies, turned=turned, tokens=sentence.labels, shift=phi),
    )


def _take_phi() -> None:
    state.put(positions_phi=float(st.session_state[COMPONENT]["phi"]))


def _take_token() -> None:
    state.put(query=int(st.session_state[COMPONENT]["token"]))


def _three_hands(pairs: int) -> list[int]:
    """Three pairs with clearly different speeds: the first, and two slower ones."""
    return sorted({0, pairs // 8 or min(1, pairs - 1), pairs // 4 or min(2, pairs - 1)})


def _embeddings(sentence: Sentence) -> Array:
    """The embeddings e of all tokens in the scale of the paper, a pair's features as neighbours: (tokens, d_model)."""
    e = sentence.recorded("tokens").float() * embedding_scale(sentence.model.config)
    return (positions.side_by_side(e) if sentence.model.config.sines_first else e).numpy()


def _explain_clocks(sentence: Sentence, d: int, base: float, phi: float, token: int) -> str:
    places = torch.arange(len(sentence.labels))
    error = positions.shift_error(places, phi, d, base)
    left_out = f" {MAX_CLOCKS} of the {d // 2} pairs are drawn." if d // 2 > MAX_CLOCKS else ""
    return (
        f"Moving {controls.name_token(sentence.labels, token)} by φ = {number(phi, 2)} words turns every hand by its "
        "own fixed angle ωφ, wherever it started: **p(t + φ) = T(φ) p(t)**. The library's T(φ) and p agree to "
        f"{number(error, 2)} over all {len(places)} tokens.{left_out}"
    )


def _explain_circles(sentence: Sentence, view: str, e: Array) -> str:
    config, name = sentence.model.config, markdown_text(sentence.model.card.title)
    scaled = "" if config.embed_scale else " Its embeddings are scaled by √d_model, as in the paper (section 3.4)."
    added = (
        f"{name} adds these very circles."
        if config.positions == "sinusoidal" and config.adds_positions
        else f"{name} has {config.positions} positions. The circles show the effect of sinusoidal ones."
    )
    circles = (
        "Every word has a unit circle round its own embedding; its place says where on the circle it is."
        if view == "plane"
        else f"The circle lies at height {number(float(e[2]), 2)}, parallel to the plane of features 0 and 1. The "
        "three hands, each of length 1, belong to three planes, which are drawn as one here."
    )
    return f"{circles} {added}{scaled} Palaskos (2022), figs. 3.2-3.3."


def _show_numbers(sentence: Sentence, d: int, base: float, phi: float, token: int) -> None:
    st.number_input("Shift φ", key="positions_phi", step=1.0, width=130)
    speeds = positions.frequencies(d, base).numpy()
    turned, shifted = (pairs.numpy() for pairs in positions.shift_pairs(token, phi, d, base))  # (pairs, 2) each
    frame = pd.DataFrame(
        {
            "pair": range(len(speeds)),
            "ω": speeds,
            "ωφ, degrees": np.degrees(speeds * phi),
            "T(φ) p(t): sin": turned[:, 0],
            "T(φ) p(t): cos": turned[:, 1],
            "p(t + φ): sin": shifted[:, 0],
            "p(t + φ): cos": shifted[:, 1],
        }
    )
    st.dataframe(frame, hide_index=True)
    error = positions.shift_error(torch.tensor([token]), phi, d, base)
    layout.caption(
        f"{controls.name_token(sentence.labels, token)}, φ = {number(phi, 2)}: the largest difference is "
        f"{number(error, 2)}."
    )
    figures.files(
        "position-shift",
        partial(circle_pictures.clocks_picture, speeds, sentence.labels, phi, token),
        CSV=lambda: rows_csv(frame.to_dict("records")),
        NPZ=partial(npz, frequencies=speeds, turned=turned, shifted=shifted, shift=phi),
    )


def _show_formula(sentence: Sentence, d: int, base: float, phi: float, token: int) -> None:
    product = float(positions.product_terms(phi, d, base).sum())
    layout.equation(
        r"p(t+\varphi) = T(\varphi)\,p(t), \qquad T(\varphi) = \mathrm{diag}\begin{bmatrix} \cos\omega_k\varphi & "
        r"\sin\omega_k\varphi \\ -\sin\omega_k\varphi & \cos\omega_k\varphi \end{bmatrix}",
        "Palaskos (2022), eqs. 3.6-3.8: each block is R(−ωφ), a clockwise turn of the pair (sin, cos)",
        {
            r"\varphi": f"the shift, {number(phi, 2)} words",
            r"\omega_k": "the speed of pair k",
            "T": f"{d} × {d}, without t in it",
        },
    )
    layout.equation(
        r"p(t) \cdot p(t+\varphi) = \sum_k \cos(\omega_k\varphi), \qquad |p(t)|^2 = d/2",
        "The dot product depends on the shift alone.",
        {r"\sum_k \cos(\omega_k\varphi)": f"{number(product)} for φ = {number(phi, 2)}", "d/2": str(d // 2)},
    )
    layout.equation(
        r"x = e + p(t), \qquad e + p(t+\varphi) = e + R(-\varphi)\,p(t)",
        "Palaskos (2022), eqs. 3.9-3.10: circles of radius 1 round the embedding",
        {"e": f"the embedding of {controls.name_token(sentence.labels, token)}: the centre, which does not move"},
    )
