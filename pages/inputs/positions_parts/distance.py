"""Position vectors and distance: p(t).p(s) as a matrix and by t - s, with two positions to drag."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import pandas as pd
import streamlit as st
import torch
from torch import Tensor

from model.experiments import position_schemes
from model.network import positions
from pages.components import position_mounts
from pages.inputs.positions_parts import controls
from pages.inputs.positions_parts.controls import Sentence
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import traces
from pages.shared.model_runs.head_on_screen import usual_token
from pages.shared.session import places, state
from views.shared import sums
from viz.inputs.position_bytes import pack_distance
from viz.print import position_pictures
from viz.print.files import npz
from viz.shared.style import markdown_text, number

SCHEMES = {"sinusoidal": "Sinusoidal", "learned": "Learned table", "rotary": "Rotary"}
COMPONENT = "positions distance"
USUAL_DISTANCE = 4  # from t back to s
MAX_POSITIONS = 256
SPREAD = "how much the score of this distance changes with the place"


@dataclass(frozen=True)
class Vectors:
    """The vectors p (T, d) of one scheme, the name of their product, and a sentence about the scheme."""

    p: Tensor
    product: str
    about: str


def show(depth: str) -> None:
    sentence = controls.sentence()
    if depth == "Code":
        layout.code(positions.by_distance, position_schemes.rotary_scheme)
    elif depth == "Formula":
        _show_formula()
        _work_out(sentence)
    else:
        _show_distances(sentence, numbers=depth == "Numbers")
    layout.try_this(
        layout.Prompt(
            "Neighbours everywhere",
            "Two words one apart: the same score at every place.",
            {"positions_distance": "sinusoidal", "positions_places": (2, 3), "query": 2},
            claim=Claim(SPREAD, "under", 1e-6),
        ),
        layout.Prompt(
            "A trained table",
            "Its stripes are rough: no formula made it.",
            {"positions_distance": "learned", "positions_rows": "length", "positions_length": 64},
            claim=Claim(SPREAD, "over", 0.001),
        ),
        layout.Prompt(
            "Rotary",
            "Turned content scores by distance alone.",
            {"positions_distance": "rotary"},
            claim=Claim(SPREAD, "under", 1e-6),
        ),
    )


def _work_out(sentence: Sentence) -> None:
    """Work out the product of the two chosen positions, feature by feature, and by the formula pair by pair."""
    vectors, labels = _choose_vectors(sentence)
    if vectors is None:
        return
    t, s = _choose_places(sentence, len(vectors.p))
    layout.work_out(
        f"{controls.name_token(labels, t)} and {controls.name_token(labels, s)}, feature by feature:",
        sums.product(vectors.p[t], vectors.p[s]),
    )
    if state.get("positions_distance") == "sinusoidal":
        base, _ = controls.base().mend(state.get("positions_base"))  # a wrong one was told by its control
        terms = positions.product_terms(t - s, vectors.p.shape[-1], base)
        layout.work_out(
            f"And pair by pair, from the distance t − s = {number(t - s, 0)} alone:",
            rf"\sum_k \cos(\omega_k (t - s)) = {sums.total(terms)}",
        )


def _show_distances(sentence: Sentence, numbers: bool) -> None:
    vectors, labels = _choose_vectors(sentence)
    if vectors is None:
        return
    scores = positions.products(vectors.p)  # (T, T)
    curve = positions.by_distance(scores)  # (2T - 1, 3)
    length = len(scores)
    t, s = _choose_places(sentence, length)
    if numbers:
        frame = pd.DataFrame(curve.numpy(), columns=["mean", "least", "most"])
        frame.insert(0, "t − s", range(1 - length, length))
        st.dataframe(frame, hide_index=True)
    else:
        lengths = positions.row_lengths(vectors.p).numpy()
        packed = pack_distance(scores.numpy(), lengths, curve.numpy(), labels, (t, s), product=vectors.product)
        position_mounts.distance(packed, key=COMPONENT, on_pair=_take_places)
    layout.caption(_explain(vectors, curve, labels, t, s))
    table = curve.numpy()
    figures.files(
        "position-distances",
        partial(position_pictures.distances_picture, table, vectors.product, scores.numpy()),
        CSV=lambda: position_pictures.distances_csv(table),
        NPZ=partial(npz, vectors=vectors.p, products=scores, by_distance=table, positions=labels),
    )


def _choose_places(sentence: Sentence, length: int) -> tuple[int, int]:
    """The two positions, corrected to the length. Of the reader's sentence, t is the place of the run bar's token."""
    chosen = state.get("positions_places")
    fits = len(chosen) == 2 and max(chosen) < length
    t, s = chosen if fits else (length - 1, max(length - 1 - USUAL_DISTANCE, 0))
    if state.get("positions_rows") == "sentence":
        stack, count = sentence.model.config.stacks[0], len(sentence.labels)
        usual = t if fits else usual_token(sentence.run, stack)
        t = min(places.read_query(count, usual, stack), length - 1)
        s = s if fits else max(t - USUAL_DISTANCE, 0)
    if chosen and not fits:
        state.put(positions_places=())
        state.say("positions_places", f"Positions must be two, each below {length}. Shown: {t} and {s}.")
    return t, s


def _take_places() -> None:
    t, s = (int(place) for place in st.session_state[COMPONENT]["pair"])
    state.put(positions_places=(t, s))
    if state.get("positions_rows") == "sentence":
        state.put(query=t)


def _choose_vectors(sentence: Sentence) -> tuple[Vectors | None, list[str]]:
    """Draw the controls. Returns the vectors of the chosen scheme, or None, and a label for each position."""
    bar, below = controls.bar()
    with bar:
        scheme = controls.choose("Scheme", "positions_distance", SCHEMES)
        as_sentence = controls.choose("Positions", "positions_rows", controls.ROW_CHOICES) == "sentence"
    table = find_learned_table(sentence.run) if scheme == "learned" else None
    if scheme == "learned" and table is None:
        return None, []
    most = min(MAX_POSITIONS, len(table[1])) if table else MAX_POSITIONS
    fields = [] if table else [controls.width(), controls.base()]
    with bar:
        values = controls.row(below, *fields, *([] if as_sentence else [controls.length(most=most)]))
    count = min(len(sentence.labels), most) if as_sentence else values.pop()
    all_places = torch.arange(count)
    labels = [*sentence.labels[:count], *[""] * (count - len(sentence.labels))]
    if table:
        scheme_of_table, longest = position_schemes.directions_scheme(table[1][:count])
        about = (
            f"This is {markdown_text(table[0])}'s trained table, each row divided by its length. The longest row is "
            f"{longest}."
        )
        return Vectors(scheme_of_table.all(count), "cos(p(t), p(s))", about), labels
    d, base = values
    if scheme == "sinusoidal":
        about = "Only the distance counts, so every diagonal has one colour."
        return Vectors(positions.sinusoidal(all_places, d, base), "p(t)·p(s)", about), labels
    content = position_schemes.rotary_scheme(d, base)
    about = (
        "The content is fixed: each pair of q and k starts as (1, 0), and its place turns it. "
        "The part Rotary does this with a real head's q and k."
    )
    return Vectors(content.all(count), "q(t)·k(s)", about), labels


def find_learned_table(run: traces.Run) -> tuple[str, Tensor] | None:
    """A trained position table with the title of its model: of the present model, or else of MiniLM.

    None, after a message, if neither is here.
    """
    name = run.name if run.model.config.positions == "learned" else "minilm-l6"
    try:
        model = traces.model(name)
    except traces.errors() as error:
        st.warning(markdown_text(str(error)), icon=":material/download:")
        return None
    embedding = getattr(model.on_cpu.network, model.config.stacks[0]).embed
    return model.card.title, embedding.positions.weight.detach()


def _explain(vectors: Vectors, curve: Tensor, labels: list[str], t: int, s: int) -> str:
    length = len(labels)
    mean, least, most = curve[t - s + length - 1].tolist()
    claims.tell(SPREAD, most - least)
    spread = (
        "the same at every place"
        if most - least < 1e-9 * max(1, abs(mean))
        else f"{number(least, 2)} to {number(most, 2)}"
    )
    return (
        f"{controls.name_token(labels, t)} and {controls.name_token(labels, s)} are {abs(t - s)} apart. On their "
        f"diagonal {vectors.product} is {number(mean, 2)} on average, {spread}. {vectors.about} "
        "Drag the two dots, or over the matrix."
    )


def _show_formula() -> None:
    layout.equation(
        r"p(t) \cdot p(s) = \sum_k \cos(\omega_k (t - s))",
        "From Palaskos (2022), eqs. 3.6-3.8, and sin a sin b + cos a cos b = cos(a − b).",
        {"t - s": "the distance, the only variable of the sum"},
    )
    layout.equation(
        r"q_t \cdot k_s = (R_t\, q) \cdot (R_s\, k) = q^\top R_{s-t}\, k",
        "Su et al. (2021), arXiv:2104.09864, eq. 34: rotary positions",
        {"R_t": "turns pair k of a query or key by the angle ω_k t", "q, k": "the content, before rotation"},
    )
