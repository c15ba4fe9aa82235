"""Rotary positions on a real head: one pair of q and k before and after rotation, and the score by distance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from model.analysis.rotary_pairs import RotaryPairs
from model.analysis.telling import telling_key
from model.network import positions
from model.network.attention import MultiHeadAttention
from pages.inputs.positions_parts import controls
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import traces
from pages.shared.model_runs.head_on_screen import forget_pair, read_layer_and_head, usual_layer, usual_token
from pages.shared.session import places, state
from views.run import Run
from views.shared import quotes, sums
from viz.inputs.positions import contributions_figure, distance_figure, rotary_figure
from viz.shared.style import markdown_text, number
from viz.shared.tokens import words

OTHER_MODELS = {  # that are shown where the reader's is not rotary, with the head that they begin with
    "smollm2-135m": {"layer": 16, "head": 0},  # it looks one token back by its rotation alone
    "tiny-lm-rotary": {"layer": 1, "head": 0},
}
MAX_DISTANCE_TOKENS = 64


@dataclass(frozen=True)
class Pairing(RotaryPairs):
    """The query and the key on screen, with the words of the sentence and the chosen `pair` of features."""

    labels: list[str]
    pair: int


def show(depth: str) -> None:
    if depth == "Formula":
        _show_formula()
    pairing = _choose_pairing()
    if depth == "Code":
        layout.code(positions.rotate, positions.score_by_distance, MultiHeadAttention.forward)
    elif pairing is not None and depth == "Formula":
        _work_out(pairing)
    elif pairing is not None:
        _show_pairing(pairing, numbers=depth == "Numbers")
    layout.try_this(*_prompts(pairing))


def _prompts(pairing: Pairing | None) -> list[layout.Prompt]:
    slowest = 0 if pairing is None else len(pairing.speeds) - 1
    return [
        layout.Prompt(
            "The fastest pair",
            "Pair 0 turns by 57° a word: it tells neighbours apart.",
            {"positions_turned": 0},
            claim=Claim(TURN, "over", 57),
            at="positions rotary",
        ),
        layout.Prompt(
            "The slowest pair",
            "It hardly turns within a sentence, and carries content.",
            {"positions_turned": slowest},
            claim=Claim(TURN, "under", 1.0),
            at="positions rotary",
        ),
        layout.Prompt(
            "A head that looks one back",
            "The score of this head of SmolLM2 peaks at distance 1.",
            ONE_BACK,
            claim=Claim(PEAK, "is", 1),
            at="positions rotary distance",
        ),
    ]


TURN = "the turn of this pair a word, in degrees,"
PEAK = "the distance at which the score peaks"
ONE_BACK = {"model": "smollm2-135m", "layer": 16, "head": 0, "query": -1, "key": -1}


def _choose_pairing() -> Pairing | None:
    """Draw the controls. Returns the chosen query and key, of the present model if it is rotary, else of another.

    None, after a message, if no rotary model is here.
    """
    current = traces.current(keep="*embed.*")
    rotary = current.model.config.positions == "rotary"
    ready = [card.name for card in traces.cards() if card.ready]
    name = current.name if rotary else next((name for name in OTHER_MODELS if name in ready), next(iter(OTHER_MODELS)))
    try:
        model = traces.model(name)
        config, stack = model.config, model.config.stacks[0]
        if rotary:
            forget_pair(stack, "self_attn")
        else:
            for place, usual in OTHER_MODELS[name].items():
                places.borrow(place, usual)
        layer = places.read_layer(config.n_layers(stack), usual_layer(config))
        run = traces.run(model, current.text, f"{stack}.{layer}.self_attn.*")
        trace = run.trace
        _, head = read_layer_and_head(run, stack, "self_attn")
    except traces.errors() as error:
        st.warning(markdown_text(str(error)), icon=":material/download:")
        return None
    if not rotary:
        present, other = (markdown_text(each.card.title) for each in (current.model, model))
        st.caption(f"{present} is not rotary, so the head is that of {other}.")
    labels = words(trace.tokens)
    path, kv_head = f"{stack}.{layer}.self_attn", config.kv_head_of(head)
    t, s = _choose_tokens(run, stack, trace[f"{path}.weights"][head], is_other_model=not rotary)
    pair = state.checked_number("positions_turned", 0, config.head_width // 2 - 1, "Pair")
    if not rotary:
        places.offer(places.Places())  # the run bar chooses in the reader's own model
        _choose_head_of_other_model(labels, config.n_layers(stack), config.n_heads)
    _choose_pair(labels, config.head_width // 2)
    return Pairing(
        labels=labels,
        t=t,
        s=s,
        pair=pair,
        q=trace[f"{path}.q_unrotated"][head, t],
        k=trace[f"{path}.k_unrotated"][kv_head, s],
        turned_q=trace[f"{path}.q"][head, t],
        turned_k=trace[f"{path}.k"][kv_head, s],
        score=float(trace[f"{path}.scores"][head, t, s]),
        speeds=positions.rotary_speeds(config),
        gains=positions.rotary_gains(config),
        scale=1 / math.sqrt(config.head_width) if config.scale_scores else 1.0,
    )


def _choose_head_of_other_model(labels: list[str], layers: int, heads: int) -> None:
    """Draw the controls that the run bar has for the reader's own model. Their values are already corrected."""
    options = [f"{t}  {label}" for t, label in enumerate(labels)]
    with st.container(horizontal=True):
        st.slider("Layer", 0, max(layers - 1, 1), key="layer", width=170)
        st.slider("Head", 0, max(heads - 1, 1), key="head", width=150)
        st.selectbox("Query, token t", range(len(labels)), key="query", format_func=options.__getitem__, width=170)


def _choose_pair(labels: list[str], pairs: int) -> None:
    """Draw the choices of the key and of a pair of features. Their values are already corrected."""
    options = [f"{s}  {label}" for s, label in enumerate(labels)]
    with st.container(horizontal=True):
        st.selectbox("Key, token s", range(len(labels)), key="key", format_func=options.__getitem__, width=170)
        st.slider("Pair k of its features", 0, max(pairs - 1, 1), key="positions_turned", width=190)


def _choose_tokens(run: Run, stack: str, weights: Tensor, is_other_model: bool) -> tuple[int, int]:
    """The tokens of the query and the key. Where they are open: the usual one, and the key that tells most.

    weights: those of the head, (queries, keys).
    """
    count, usual = len(run.trace.tokens), usual_token(run, stack)
    if is_other_model:
        places.borrow("query", usual)
    t = places.read_query(count, usual, stack)
    if is_other_model:
        places.borrow("key", max(t - 1, 0))
    return t, places.read_key(count, telling_key(weights[t], t))


def _work_out(pairing: Pairing) -> None:
    """Work out the score from the turned vectors, and pair by pair from the vectors before the turn."""
    t, s, width = pairing.t, pairing.s, len(pairing.q)
    parts = pairing.products()  # (pairs,)
    layout.work_out(
        f"The query at t = {t} and the key at s = {s}: feature by feature after the turn, pair by pair before it, "
        f"and the score, over the root of {width}:",
        f"q_t \\cdot k_s = {sums.product(pairing.turned_q, pairing.turned_k)}",
        rf"\sum_k |q^{{(k)}}|\,|k^{{(k)}}| \cos\big(\alpha_k + \omega_k ({t} - {s})\big) = {sums.total(parts)}",
        rf"\frac{{{quotes.tex(float(parts.sum()))}}}{{\sqrt{{{width}}}}} = {quotes.tex(pairing.score)}",
    )


def _show_pairing(pairing: Pairing, numbers: bool) -> None:
    claims.tell(TURN, math.degrees(float(pairing.speeds[pairing.pair])))
    claims.tell(PEAK, int(pairing.scores_by_distance(MAX_DISTANCE_TOKENS).argmax()))
    if numbers:
        _show_numbers(pairing)
        return
    left, right = st.columns([3, 2])
    with left:
        _show_turn(pairing)
    with right:
        _show_contributions(pairing)
    _show_distances(pairing)


def _show_turn(pairing: Pairing) -> None:
    """Show one pair of the query's and of the key's features, before and after rotation."""
    pair, theme, speed = pairing.pair, state.theme(), float(pairing.speeds[pairing.pair])
    before, after = pairing.pair_before(pair).numpy(), pairing.pair_after(pair).numpy()
    names = (f"q of {pairing.labels[pairing.t]}", f"k of {pairing.labels[pairing.s]}")
    draw = partial(rotary_figure, before, after, names, pair)
    alt = f"Pair {pair} of the {names[0]} and the {names[1]}, before and after rotation."
    controls.chart(draw(theme=theme), "rotary", alt=alt)
    query, key = (controls.name_token(pairing.labels, place) for place in (pairing.t, pairing.s))
    layout.caption(
        f"The :blue[query] of {query} is turned by ω·{pairing.t} = {_degrees(speed * pairing.t)}, the "
        f":orange[key] of {key} by ω·{pairing.s} = {_degrees(speed * pairing.s)}: the angle between them "
        f"changes by {_degrees(speed * pairing.distance)}, that of their distance {pairing.distance}. "
        f"{_say_lengths(pairing)}"
    )
    vectors = {"q": pairing.q, "k": pairing.k, "turned_q": pairing.turned_q, "turned_k": pairing.turned_k}
    figures.export("positions-rotary", draw, partial(_feature_rows, pairing), **vectors)


def _say_lengths(pairing: Pairing) -> str:
    """What the turn does with the lengths of a pair."""
    gain = float(pairing.gains[pairing.pair])
    return "Their lengths stay." if gain == 1 else f"Their lengths are multiplied by {number(gain)}, as in YaRN."


def _show_contributions(pairing: Pairing) -> None:
    """Show the part of each pair in the score."""
    parts = pairing.contributions()
    st.markdown("**What each pair adds to this score**")
    figure = contributions_figure(parts.numpy(), pairing.pair, state.theme())
    controls.chart(figure, "rotary pairs", alt="The part of each pair of features in the score.")
    largest = int(parts.abs().argmax())
    layout.caption(
        f"Pair {largest} weighs most, {number(float(parts[largest]), 2)}. All {len(parts)} together give "
        f"{number(float(parts.sum()), 3)}; the model's own score is {number(pairing.score, 3)}."
    )
    _export_pairs(pairing, _pair_table(pairing))


def _show_distances(pairing: Pairing) -> None:
    """Show the score that the same query and key would have at every distance."""
    st.markdown("**The score of the same query and key at every distance**")
    curve = pairing.scores_by_distance(MAX_DISTANCE_TOKENS).numpy()
    draw = partial(distance_figure, np.arange(len(curve)), curve, (pairing.distance, pairing.score))
    alt = f"Score by distance; here, {pairing.distance} apart, it is {number(pairing.score)}."
    controls.chart(draw(theme=state.theme()), "rotary distance", alt=alt)
    layout.caption(_explain_peak(pairing, curve))
    scores = [{"distance": far, "score": float(score)} for far, score in enumerate(curve)]
    figures.export("positions-rotary-distance", draw, lambda: scores, scores=curve)


def _export_pairs(pairing: Pairing, table: pd.DataFrame) -> None:
    parts = pairing.contributions()
    draw = partial(contributions_figure, parts.numpy(), pairing.pair)
    figures.export("positions-rotary-pairs", draw, lambda: [dict(row) for row in table.to_dict("records")], added=parts)


def _feature_rows(pairing: Pairing) -> list[dict[str, Any]]:
    """One row for each feature of the query and the key."""
    columns = (pairing.q, pairing.k, pairing.turned_q, pairing.turned_k)
    names = ("q", "k", "q turned", "k turned")
    return [
        {"feature": feature} | dict(zip(names, row, strict=True))
        for feature, row in enumerate(torch.stack(columns, dim=1).tolist())
    ]


def _explain_peak(pairing: Pairing, curve: np.ndarray) -> str:
    best = int(curve.argmax())
    return (
        f"Same q, same k, only moved apart. The curve is highest at distance {best} ({number(float(curve[best]), 2)}); "
        f"the dot is the score in your sentence, {number(pairing.score, 3)} at distance {pairing.distance}."
    )


def _degrees(radians: float) -> str:
    return f"{number(math.degrees(radians), 1)}°"


def _pair_table(pairing: Pairing) -> pd.DataFrame:
    """One row for each pair of features."""
    speeds, (q, k) = pairing.speeds.numpy(), pairing.lengths()
    return pd.DataFrame(
        {
            "pair": range(len(speeds)),
            "ω": speeds,
            "|q|": q.numpy(),
            "|k|": k.numpy(),
            "ω(t − s), degrees": np.degrees(speeds * pairing.distance),
            "without rotation": pairing.unturned_contributions().numpy(),
            "adds to the score": pairing.contributions().numpy(),
        }
    )


def _show_numbers(pairing: Pairing) -> None:
    frame = _pair_table(pairing)
    st.dataframe(frame, hide_index=True)
    _export_pairs(pairing, frame)
    recomputed = float(pairing.contributions().sum())
    layout.caption(
        f"The last column sums to {number(recomputed, 4)}; the model's own score is {number(pairing.score, 4)}, a "
        f"difference of {number(abs(recomputed - pairing.score), 2)}."
    )


def _show_formula() -> None:
    layout.equation(
        r"q_t = R_t\,q, \quad k_s = R_s\,k, \qquad R_t = \mathrm{diag}\begin{bmatrix} "
        r"\cos\omega_k t & -\sin\omega_k t \\ \sin\omega_k t & \cos\omega_k t \end{bmatrix}",
        "Su et al. (2021), arXiv:2104.09864, eq. 34",
        {"q, k": "a query and a key before rotation", r"\omega_k": "the speed of pair k, over the head's features"},
    )
    layout.equation(
        r"\frac{q_t \cdot k_s}{\sqrt{d_k}} = \frac{1}{\sqrt{d_k}} \sum_k |q^{(k)}|\,|k^{(k)}| "
        r"\cos\big(\alpha_k + \omega_k (t - s)\big)",
        "The same, pair by pair.",
        {
            r"\alpha_k": "the angle from the key's pair to the query's before rotation",
            "t - s": "the distance, the only trace of the positions",
            r"|q^{(k)}|, |k^{(k)}|": "the lengths of the pairs after rotation, which only YaRN changes",
        },
    )
