"""What they do, Rollout: the tokens that each token's information came from, through all layers."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from model.analysis import rollout
from model.arrays import Array
from pages.shared.elements import figures, layout
from pages.shared.model_runs import traces
from pages.shared.session import state, token_window
from views.head_of_run import HeadOfRun
from views.shared import quotes
from views.shared.matrix_tables import number_words
from viz.attention.heads import weights_figure
from viz.shared.alternative import describe_figure
from viz.shared.labels import BESIDE_OUTCOME_WIDTH
from viz.shared.payload import pack, unpack
from viz.shared.style import percent


def show_formula() -> None:
    layout.equation(
        r"R = \prod_{l} \tfrac{1}{2}\left(\bar A_l + I\right)",
        "The later layer on the left. Abnar and Zuidema (2020), arXiv:2005.00928, section 3.",
        {r"\bar A_l": "the mean of the layer's heads", "I": "stands for the residual connection"},
    )


def show_code() -> None:
    layout.code(rollout.rollout)


def show(screen: HeadOfRun, numbers: bool) -> None:
    if screen.at.is_cross:
        st.info("Rollout follows one sentence through all layers: choose a self-attention.")
        return
    shares = _measure(screen)
    without_first = _choose_first_token() and len(shares) > 1
    down, across = part = token_window.choose_part("rollout", shares.shape, (screen.query, screen.key))
    names = number_words(screen.queries)
    table = pd.DataFrame(shares[down, across], index=names[down], columns=names[across])
    hidden, seen = screen.hidden.numpy().copy(), shares.copy()
    if without_first:
        table = table.drop(columns=names[0], errors="ignore")  # it may stand outside the window
        hidden[:, 0], seen[:, 0] = True, 0
    figure = weights_figure(
        seen[down, across], screen.queries[down], screen.keys[across], hidden=hidden[down, across],
        theme=state.theme(), most_wide=BESIDE_OUTCOME_WIDTH, first_query=down.start,
    )  # fmt: skip
    if numbers:
        st.dataframe(table)
    else:
        figures.chart(figure, key="heads rollout", alt=describe_figure("Attention rollout", figure))
    rows = partial(figures.named_rows, table, "token")
    figures.export(f"{screen.run.name}-rollout", figure, rows, rollout=shares)
    layout.caption(_describe(screen, shares, without_first) + token_window.say_part(part, shares.shape))
    _explain()


def _measure(screen: HeadOfRun) -> Array:
    """The rollout of the sentence: (tokens, tokens). It takes all layers, so it is kept."""

    def make() -> bytes:
        layers = map(screen.layer_weights, range(screen.n_layers))
        return pack({}, rollout=rollout.rollout(layers).numpy())

    return unpack(traces.pack(screen.run, f"rollout {screen.at.stack}", make))[1]["rollout"]


def _choose_first_token() -> bool:
    """Draws the choice to leave the first token out, which Lines has too. Returns it."""
    st.session_state["heads rollout first"] = "sink" in state.get("heads_hide")
    return st.checkbox(
        "Hide the first token",
        key="heads rollout first",
        help="Many heads park the attention they do not use on the first token.",
        on_change=_take_first_token,
    )


def _take_first_token() -> None:
    hide = [name for name in state.get("heads_hide").split(" and ") if name == "special"]
    hide += ["sink"] if st.session_state["heads rollout first"] else []
    state.put(heads_hide=" and ".join(hide) or "nothing")


def _describe(screen: HeadOfRun, shares: Array, without_first: bool) -> str:
    """The shares (tokens, tokens) of one token, and the token that it takes most from. Markdown."""
    query = screen.query if screen.query >= 0 else len(shares) - 1
    others = shares[query].copy()
    others[query] = 0
    if without_first:
        others[0] = 0
    source, name = int(others.argmax()), quotes.quote(screen.queries[query], query)
    if not others[source]:
        return f"{name} takes from no other token that is shown."
    aside = f" The first token, hidden here, gives it {percent(float(shares[query, 0]))}." if without_first else ""
    return (
        f"Through all {screen.n_layers} layers, {name} keeps "
        f"{percent(float(shares[query, query]))} of itself and takes most from "
        f"{quotes.quote(screen.keys[source], source)}, {percent(float(shares[query, source]))}.{aside}"
    )


def _explain() -> None:
    st.latex(r"R = \tilde A_L \cdots \tilde A_2 \tilde A_1, \qquad \tilde A_l = \tfrac{1}{2}\,(\bar A_l + I)")
    layout.caption(
        "$\\bar A_l$ is the mean of the layer's heads; the $I$ stands for the residual connection. Abnar and Zuidema "
        "(2020), arXiv:2005.00928. It is rough: values, norms and feed-forward networks are left out, every head "
        "counts the same, and half of each token is taken to stay where it is, whatever the sizes are."
    )
