"""The table of the lecture notes for the reader's own words, d and n: each entry with its formula and its number."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st
import torch

from model.arrays import Array
from model.network import positions
from pages.inputs.positions_parts import controls
from pages.shared.elements import claims, columns, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.session import state
from views.shared import quotes
from viz.print import position_pictures
from viz.print.files import npz
from viz.shared.style import markdown_text, number

MAX_WORDS = 12
MAX_FEATURES = 12
SLOW = "the sine of the slow pair in the last row"
PROMPTS = (
    layout.Prompt(
        "The notes' numbers",
        "“I am a robot”, d = 4, n = 100.",
        {"positions_words": "I am a robot", "positions_wordwidth": 4, "positions_wordbase": 100.0},
        claim=Claim(SLOW, "over", 0.29),
        at="positions table",
    ),
    layout.Prompt(
        "The paper's base",
        "With n = 10,000 the slow pair hardly moves.",
        {"positions_wordbase": 10000.0},
        claim=Claim(SLOW, "under", 0.1),
        at="positions table",
    ),
)


def show(depth: str) -> None:
    layout.caption("Shamsi's example, entry by entry. Change the words, the width and the base.")
    bar, below = controls.bar()
    with bar:
        st.text_input("Words", key="positions_words", max_chars=200, width=340)
        width = controls.width("positions_wordwidth", "Width d", MAX_FEATURES)
        d, base = controls.row(below, width, controls.base("positions_wordbase"))
    words = _read_words()
    if not words:
        return
    values = positions.sinusoidal(torch.arange(len(words)), d, base).numpy()  # (words, d)
    _show_values(depth, words, values, base)
    row = len(words) - 1
    claims.tell(SLOW, float(values[row, -2]))
    fast, slow = (", ".join(number(value, 2) for value in pair) for pair in (values[row, :2], values[row, -2:]))
    layout.caption(
        f"The row of {quotes.quote(words[row], row)}: the fast pair stands at ({fast}), the slow one at ({slow}). "
        "Row 0 is always 0, 1, 0, 1: sin 0 and cos 0."
    )
    title = f"Positions of {len(words)} words, d = {d}, n = {base:g}"
    figures.files(
        "worked-table",
        partial(position_pictures.heatmap_picture, values, words, title),
        CSV=lambda: position_pictures.table_csv(values, words),
        NPZ=partial(npz, positions=values, words=words),
    )
    layout.try_this(*PROMPTS)


def _read_words() -> list[str]:
    """The reader's words, at most `MAX_WORDS` of them. Empty after a message."""
    words: list[str] = state.get("positions_words").split()
    if not words:
        st.error("Type at least one word: each word gets a row.", icon=":material/error:")
    if len(words) > MAX_WORDS:
        st.warning(f"The table has room for {MAX_WORDS} words, and you typed {len(words)}. It shows the first ones.")
    return words[:MAX_WORDS]


def _show_values(depth: str, words: list[str], values: Array, base: float) -> None:
    d = values.shape[1]
    if depth == "Code":
        layout.code(positions.sinusoidal)
        st.code(_write_snippet(words, d, base, values), language="python", wrap_lines=True)
    elif depth == "Formula":
        layout.equation(
            r"P_{t,2k} = \sin\!\left(\frac{t}{n^{2k/d}}\right), \qquad "
            r"P_{t,2k+1} = \cos\!\left(\frac{t}{n^{2k/d}}\right)",
            "Shamsi (2024), eqs. 1-2, with the example “I am a robot”, d = 4, n = 100",
        )
    elif depth == "Numbers":
        headings = [_name_column(j) for j in range(d)]
        frame = pd.DataFrame(values, columns=headings)
        frame.insert(0, "word", words)
        digits = columns.decimals(8)
        st.dataframe(frame, column_config=dict.fromkeys(headings, digits))
    else:
        with st.container(key="positions table"):
            st.markdown(_write_table(words, values, base))


def _name_column(j: int) -> str:
    return f"{'cos' if j % 2 else 'sin'}, pair {j // 2}"


def _write_table(words: list[str], values: Array, base: float) -> str:
    """The table as Markdown. Every entry is an equation, formula = number, which a phone may break at the sign."""
    d = values.shape[1]
    n = int(base) if base == int(base) else base
    head = [
        f"$j={j}$, ${'cos' if j % 2 else 'sin'}$, $k={j // 2}$".replace("$sin$", r"$\sin$").replace("$cos$", r"$\cos$")
        for j in range(d)
    ]
    lines = [["$t$", "word", *head], ["---:", ":---", *["---"] * d]]
    for t, word in enumerate(words):
        entries = [
            rf"$\{'cos' if j % 2 else 'sin'}\!\left(\tfrac{{{t}}}{{{n}^{{{2 * (j // 2)}/{d}}}}}\right)$ "
            f"$= {quotes.tex(value, 4)}$"
            for j, value in enumerate(values[t])
        ]
        lines.append([str(t), f"**{markdown_text(word)}**", *entries])
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _write_snippet(words: list[str], d: int, base: float, values: Array) -> str:
    """Python that computes the table with the library, and checks two of its entries."""
    t = len(words) - 1
    return (
        "import math, torch\nfrom model.network.positions import sinusoidal\n\n"
        f"P = sinusoidal(torch.arange({len(words)}), d={d}, base={base:g})  # ({len(words)}, {d})\n"
        f"assert abs(P[{t}, 0] - math.sin({t})) < 1e-12\n"
        f"assert abs(P[{t}, {d - 1}] - math.cos({t} / {base:g} ** ({d - 2} / {d}))) < 1e-12  # {values[t, -1]:.4f}"
    )
