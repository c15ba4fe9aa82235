"""The gradient of the last output by each earlier token, in an RNN, an LSTM and a transformer."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

import numpy as np
import streamlit as st

from model.experiments import gradient_by_distance as reach
from model.experiments.gradient_by_distance import gradient_by_distance, make_untrained
from model.recurrent import cells as recurrent
from model.train.samples import held_out_line
from model.train.tiny_lm import TinyLM
from model.zoo import cards
from model.zoo.card_values import RECURRENT_KIND, TEXT_KINDS
from pages.learning.before_attention_parts import told
from pages.shared.elements import claims, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.model_runs import model_turns, traces
from pages.shared.session import bar_notes, state
from views.shared import quotes
from views.shared.ratios import ratio
from viz.learning.before_attention import reach_figure
from viz.shared.style import number, percent

MODELS = {"tiny-lm-rnn": "RNN", "tiny-lm-lstm": "LSTM", "tiny-lm": "Transformer"}
N_TEXTS, TEXT_TOKENS = 8, 64  # that the gradients are measured on
PROMPTS = (
    layout.Prompt(
        "And the time?",
        "A recurrent network also has to wait: it takes a step for each token.",
        {"before_attention_part": "order"},
        claim=Claim(told.STEPS, "over", 1),
    ),
    layout.Prompt(
        "Does it hurt?",
        "With length seq2seq loses most.",
        {"before_attention_part": "length"},
        claim=Claim(told.LOSES_MOST, "is", "seq2seq"),
    ),
)


def show(depth: str) -> None:
    titles = list(MODELS.values())
    bar_notes.say_nothing_taken("It compares three small language models on held-out texts.", models=titles)
    if depth == "Formula":
        _formula()
        _work_out_gradients()
    elif depth == "Code":
        layout.code(reach.gradient_by_distance, recurrent.RNNCell, recurrent.LSTMCell)
    else:
        _curves(depth == "Numbers")
    layout.try_this(*PROMPTS)


def _curves(numbers: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "Networks", ("trained", "fresh", "trained and fresh"), key="before_attention_networks", required=True
        )
        st.toggle("Relative to the last token itself", key="before_attention_relative")
    _tell()
    networks, relative = state.get("before_attention_networks"), state.get("before_attention_relative")
    by_title = _all_gradients()
    curves = {
        f"{title}, {kind}": (values / values[0] if relative else values, kind == "trained")
        for title, pair in by_title.items()
        for kind, values in zip(("trained", "fresh"), pair, strict=True)
        if kind in networks
    }
    figure = reach_figure(curves, state.theme())
    rows = partial(_rows, curves)
    alt = "Gradient of the last output with respect to each earlier token, by distance, on a log axis"
    figures.show_or_list(numbers, figure, alt, rows)
    figures.export("memory", figure, rows, **{name.replace(", ", "_"): values for name, (values, _) in curves.items()})
    layout.caption(_what_to_see(curves))
    layout.caption(
        f"Language models of the same small world: on {N_TEXTS} held-out texts of {TEXT_TOKENS} tokens, the size of "
        "the derivative of the last hidden state by the embedding of each token before it."
    )
    layout.caption(_what_it_costs())


def _tell() -> None:
    values, _ = _all_gradients()["RNN"]
    claims.tell(told.RNN_LEFT, ratio(values[TEXT_TOKENS // 2], values[0]))


def _all_gradients() -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """`gradients` by the models' titles."""
    try:
        with st.spinner("Sending gradients back"):
            return {title: gradients(name) for name, title in MODELS.items()}
    except traces.errors() as error:
        traces.complain(error)
        raise traces.NothingToShow from error


def _work_out_gradients() -> None:
    """The gradient far back over the last one. In a recurrent network also as a power of one factor for each token."""
    far = TEXT_TOKENS // 2
    ratio = rf"\left\lVert \frac{{\partial h_T}}{{\partial x_{{T-{far}}}}} \right\rVert"
    for title, (values, _) in _all_gradients().items():
        far_gradient, last_gradient = float(values[far]), float(values[0])
        recurrent = title != "Transformer"
        factor = f" = {quotes.tex((far_gradient / last_gradient) ** (1 / far))}^{{{far}}}" if recurrent else ""
        layout.work_out(
            f"**{title}**, trained: the gradient {far} tokens back over that of the last token itself"
            + (", and what each token between would multiply it by if all did the same:" if recurrent else ":"),
            rf"\frac{{{ratio}}}{{{ratio.replace(f'-{far}', '')}}} = "
            rf"\frac{{{quotes.tex(far_gradient)}}}{{{quotes.tex(last_gradient)}}} = "
            f"{quotes.tex(far_gradient / last_gradient)}{factor}",
        )


def _rows(curves: dict[str, tuple[np.ndarray, bool]]) -> list[dict[str, Any]]:
    count = len(next(iter(curves.values()))[0])
    return [{"tokens back": k} | {name: float(values[k]) for name, (values, _) in curves.items()} for k in range(count)]


def _what_to_see(curves: dict[str, tuple[np.ndarray, bool]]) -> str:
    far = TEXT_TOKENS // 2
    shares = [f"{name} {number(float(values[far] / values[0]), 4)}" for name, (values, _) in curves.items()]
    return f"At {far} tokens back, as a share of what the last token itself has: " + "; ".join(shares) + "."


def _what_it_costs() -> str:
    """The cards' measures that need memory: a name that returns, and a pronoun for a person named before."""
    kinds = (*TEXT_KINDS, RECURRENT_KIND)
    metrics = {title: cards.card(name, *kinds).details["metrics"] for name, title in MODELS.items()}
    names, pronouns = (
        ", ".join(f"{title} {percent(measures[skill])}" for title, measures in metrics.items())
        for skill in ("repetition", "pronoun")
    )
    return (
        f"What it costs: on held-out lines a name that returns is written rightly by {names}; the right pronoun for "
        f"someone named before by {pronouns}."
    )


@st.cache_data(show_spinner=False, max_entries=8)
def gradients(name: str) -> tuple[np.ndarray, np.ndarray]:
    """The gradient by distance of a trained model and of an untrained one of its shape: (TOKENS,) each."""
    ids = TinyLM("tiny-lm").rows(Random("memory"), N_TEXTS, TEXT_TOKENS, held_out_line)
    trained = traces.model(name)
    with model_turns.forward_pass():
        return (
            gradient_by_distance(trained.network, ids).numpy(),
            gradient_by_distance(make_untrained(trained.config), ids).numpy(),
        )


def _formula() -> None:
    layout.equation(
        r"\frac{\partial h_T}{\partial x_{T-k}} = "
        r"\left(\prod_{t=T-k+1}^{T} \frac{\partial h_t}{\partial h_{t-1}}\right)"
        r"\frac{\partial h_{T-k}}{\partial x_{T-k}}",
        "Palaskos (2022), sections 2.1 and 3.1; Bengio, Simard and Frasconi (1994). A product of k matrices: it "
        "vanishes or explodes with k.",
        {"h_t": "the state after token $t$", "x_t": "the embedding of token $t$", "k": "the distance"},
    )
    layout.equation(
        r"c_t = f_t \odot c_{t-1} + i_t \odot \tilde c_t \quad\Rightarrow\quad "
        r"\frac{\partial c_t}{\partial c_{t-1}} \ni f_t",
        "An LSTM adds: where the forget gate is open, f near 1, the gradient passes. Hochreiter and Schmidhuber (1997)",
    )
    layout.equation(
        r"h_T = \sum_t A_{T,t}\, v_t \quad\Rightarrow\quad \frac{\partial h_T}{\partial v_{T-k}} = A_{T,T-k}",
        "Attention: one step from every token to the last, whatever the distance. Vaswani et al. (2017), section 4",
    )
