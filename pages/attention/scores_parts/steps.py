"""One head from X to its part of the residual stream, a matrix at a time."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from pages.attention.scores_parts import steps_worked
from pages.components import matrix_mounts
from pages.shared import figures, head_controls, layout, state
from pages.shared.head_on_screen import HeadOnScreen
from viz.attention.head_steps import PROJECTIONS, HeadPicture, Matrix, StepPicture, pack_step, step_picture
from viz.print import head_pictures, panel_pictures
from viz.print.files import npz
from viz.shared.style import count_noun, isolate, markdown_text, number, percent


@dataclass(frozen=True)
class Step:
    """What a reader reads about a step: the title on the rail, the idea, the equation and its source."""

    title: str
    idea: str
    latex: str
    source: str


STEPS = {
    "project": Step(
        "Q, K, V",
        "Each token's vector is multiplied by three learned matrices: what it looks for, what it can be found by, and "
        "what it hands over.",
        r"Q = X W_Q \qquad K = X W_K \qquad V = X W_V",
        "Encoder notes, section 0.1.3; Palaskos (2022), eqs. 3.38-3.40",
    ),
    "rotate": Step(
        "Rotate",
        "Rotary positions turn each pair of features of a query or key by an angle that grows with its position.",
        r"q_t \leftarrow R(\omega t)\, q_t \qquad k_s \leftarrow R(\omega s)\, k_s",
        "Su et al. (2021), eq. 34",
    ),
    "scores": Step(
        "Q Kᵀ",
        "Every query is multiplied with every key, feature by feature; the sum is their score.",
        r"(QK^\top)_{ij} = \sum_{f=1}^{d_k} q_{if}\, k_{jf}",
        "Palaskos (2022), eqs. 3.32-3.33",
    ),
    "scale": Step(
        "÷ √d_k",
        "The scores are divided by the square root of the width, so that they do not grow with it.",
        r"S = \frac{QK^\top}{\sqrt{d_k}}",
        "Vaswani et al. (2017), eq. 1; Palaskos (2022), eq. 3.34",
    ),
    "mask": Step(
        "+ mask",
        "The mask adds 0 where a query may look and minus infinity where it may not.",
        r"S + M, \qquad M_{ij} \in \{0, -\infty\}",
        "Slides, “Masked Attention”",
    ),
    "softmax": Step(
        "softmax",
        "Every row becomes weights between 0 and 1 that sum to 1.",
        r"A_{ij} = \frac{e^{S_{ij} + M_{ij}}}{\sum_{j'} e^{S_{ij'} + M_{ij'}}}",
        "Palaskos (2022), eq. 3.41; with the mask, slides, “Masked Attention”",
    ),
    "mix": Step(
        "A V",
        "Each query's result is the mean of the values, weighted by its row.",
        r"H = A V",
        "Encoder notes, eq. 0.1.4; Palaskos (2022), eq. 3.42",
    ),
    "concat": Step(
        "concat",
        "The results of all heads are set side by side.",
        r"[H_1 \dots H_h]",
        "Encoder notes, section 0.1.4; Palaskos (2022), eq. 3.44",
    ),
    "output": Step(
        "W_O",
        "One more learned matrix turns them into what attention adds to the residual stream: a sum over the heads.",
        r"\mathrm{concat}(H_1 \dots H_h)\, W_O = \sum_i H_i W_O^{(i)}",
        "Encoder notes, section 0.1.4; Palaskos (2022), eq. 3.45",
    ),
}

MANY = {"q": ("query", "queries"), "k": ("key", "keys"), "v": ("value", "values")}
FOX = "The quick brown fox jumps over the lazy dog because it is hungry"
PROMPTS = (
    layout.Prompt(
        "How “it” finds “fox”",
        "Layer 9, head 2 of SmolLM2: 64 products make the score of that pair.",
        {"model": "smollm2-135m", "text": FOX, "scores_attention": "decoder.self_attn", "scores_layer": 9}
        | {"scores_head": 2, "scores_query": 10, "scores_key": 3, "scores_step": "scores", "depth": "Picture"},
    ),
    layout.Prompt(
        "Where does the row go?",
        "The softmax makes the largest scores of a row into nearly all of its weight.",
        {"scores_step": "softmax", "depth": "Picture"},
    ),
    layout.Prompt(
        "What this head adds",
        "Its part of the attention output, beside the sum of all heads.",
        {"scores_step": "output", "depth": "Picture"},
    ),
)


def show(depth: str) -> None:
    shown = head_controls.choose("scores")
    head = arrays(shown)
    names = [name for name in STEPS if name != "rotate" or shown.steps.rotated]
    name = state.among("scores_step", names, "Step", names[0])
    of = state.get("scores_of")
    if name == "rotate" and of == "v":
        of = "q"  # values are not turned
    divisor = math.sqrt(head["q"].shape[-1]) if shown.config.scale_scores else 1.0
    picture = step_picture(name, HeadPicture(head, of, shown.head, divisor))
    step = STEPS[name]
    if depth == "Picture":
        st.markdown(f"**{names.index(name) + 1}. {step.title}** :gray[{step.idea}]")
        _picture(shown, picture, names, name, of)
    else:
        _choose_step(names, of, name)
        st.markdown(f":gray[{step.idea}]")
    if depth == "Numbers":
        st.dataframe(_table(shown, picture.matrices["c"]), height=440)
    elif depth == "Formula":
        layout.equation(step.latex, step.source, _symbols(shown, picture))
        steps_worked.show(shown, name, of)
    elif depth == "Code":
        _code(shown, picture, name, of)
    hint = " Point at a cell for its sum, click to keep it." if depth == "Picture" else ""
    layout.caption(_what_to_see(shown, head, name, of) + hint)
    _export(shown, picture, name)
    layout.try_this(*PROMPTS)


def arrays(shown: HeadOnScreen) -> Mapping[str, Any]:
    """The matrices of the head as NumPy arrays by name, with the rotary angles where there are some."""
    import torch

    from model.network.positions import frequencies, rotation

    steps = shown.steps
    found: dict[str, Any] = {}
    for each in fields(steps):
        value = getattr(steps, each.name)
        found[each.name] = value.numpy() if isinstance(value, torch.Tensor) else value
    if steps.memory is steps.x:
        found["memory"] = found["x"]
    if steps.rotated:
        positions = torch.arange(len(steps.q))
        cos, sin = rotation(positions, steps.q.shape[-1], shown.config.position_base, torch.float32)
        found |= {"cos": cos.numpy(), "sin": sin.numpy()}
        found["speeds"] = frequencies(steps.q.shape[-1], shown.config.position_base).tolist()
    return found


def _picture(shown: HeadOnScreen, picture: StepPicture, names: list[str], name: str, of: str) -> None:
    choices = {"project": "qkv", "rotate": "qk"}.get(name, "")
    st.session_state["_scores_steps"] = tuple(names)
    matrix_mounts.steps(
        pack_step(
            picture,
            shown.queries,
            shown.keys,
            identity=shown.identity,
            step=names.index(name),
            steps=[STEPS[each].title for each in names],
            of=of,
            choices=tuple(choices),
            head=shown.head,
            selected=(shown.query, shown.key),
        ),
        key="scores steps",
        on_step=_take_step,
        on_of=_take_of,
        on_cell=_take_cell,
    )


def _take_step() -> None:
    wanted = int(st.session_state["scores steps"]["step"])
    names = st.session_state["_scores_steps"]
    state.put(scores_step=names[min(max(wanted, 0), len(names) - 1)])


def _take_of() -> None:
    of = st.session_state["scores steps"]["of"]
    if of in PROJECTIONS:
        state.put(scores_of=of)


def _take_cell() -> None:
    query, key = st.session_state["scores steps"]["cell"]
    state.put(scores_query=int(query), scores_key=int(key))


def _choose_step(names: list[str], of: str, name: str) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox("Step", names, key="scores_step", format_func=lambda each: STEPS[each].title, width=200)
        if name in ("project", "rotate"):
            options = ("q", "k", "v") if name == "project" else ("q", "k")
            if state.get("scores_of") not in options:
                state.put(scores_of=of)
            st.segmented_control(
                "Of", options, key="scores_of", format_func=lambda each: PROJECTIONS[each].symbol, required=True
            )


def _names_of(shown: HeadOnScreen, axis: str, count: int) -> list[str]:
    if axis == "feature":
        return [str(i) for i in range(count)]
    words = shown.queries if axis == "query" else shown.keys
    return [f"{i} {word}" for i, word in enumerate(words)]


def _table(shown: HeadOnScreen, matrix: Matrix) -> pd.DataFrame:
    """The result of the step with its tokens; what the mask hides is empty."""
    rows, columns = matrix.values.shape
    values = np.where(np.isfinite(matrix.values), matrix.values, np.nan).astype(np.float32).round(4)
    return pd.DataFrame(
        values, index=_names_of(shown, matrix.row, rows), columns=_names_of(shown, matrix.column, columns)
    )


def _symbols(shown: HeadOnScreen, picture: StepPicture) -> dict[str, str]:
    """The matrices of the step with their shapes in this run."""
    latex = {"Kᵀ": r"K^\top", "Q Kᵀ": r"QK^\top", "H = A V": "H"}
    named = {}
    for matrix in picture.matrices.values():
        symbol = latex.get(matrix.symbol, matrix.symbol)
        rows, columns = matrix.values.shape
        symbol = symbol if len(symbol) < 9 and " " not in symbol.replace(" + ", "") else rf"\text{{{symbol}}}"
        named[symbol.replace("_", r"\_") if symbol.startswith(r"\text") else symbol] = f"{rows} × {columns} here"
    return named | {"d_k": f"{shown.config.head_width}, the width of a head", "h": f"{shown.config.n_heads} heads"}


def _cell(shown: HeadOnScreen, matrix: Matrix) -> tuple[int, int]:
    """The cell of a matrix that belongs to the singled-out pair; in columns of features, the largest of its row."""
    row = shown.key if matrix.row == "key" else shown.query
    return row, shown.key if matrix.column == "key" else int(np.abs(matrix.values[row]).argmax())


def _code(shown: HeadOnScreen, picture: StepPicture, name: str, of: str) -> None:
    from model.analysis.step_code import own_line, snippet
    from model.network.attention import MultiHeadAttention

    result = picture.matrices["c"]
    row, column = _cell(shown, result)
    run = shown.run
    st.caption("`model.network.attention`: the line that does this step")
    st.code(own_line(name, of), language="python", wrap_lines=True)
    st.caption(f"The number in row {row}, column {column} again, from your sentence")
    value = float(result.values[row, column])
    st.code(
        snippet(name, of, shown.config, shown.at, shown.head, (row, column), value, run.name, run.text, run.target),
        language="python",
        wrap_lines=True,
    )
    layout.code(MultiHeadAttention)


def _what_to_see(shown: HeadOnScreen, head: Mapping[str, Any], name: str, of: str) -> str:
    """What the step does to the singled-out pair. Markdown."""
    i, j = shown.query, shown.key
    query, key = (f"**{isolate(markdown_text(word))}**" for word in (shown.queries[i], shown.keys[j]))
    d_k = shown.config.head_width
    row: NDArray[Any] = head["weights"][i]
    best = int(row.argmax())
    strongest = f"**{isolate(markdown_text(shown.keys[best]))}**"
    others = float(np.linalg.norm(head["out"][i] - head["part"][i]))
    return {
        "project": f"{count_noun(len(head['x']), 'token')} of {head['x'].shape[1]} features: now "
        f"{count_noun(head[of].shape[0], *MANY[of])} of {d_k} features, in {shown.place}.",
        "rotate": f"Position {i} turns the fastest pair by {number(float(i))} radians and the slowest hardly at all; "
        "lengths stay the same.",
        "scores": f"{query} and {key}: {d_k} products sum to {number(head['raw_scores'][i, j])}.",
        "scale": f"{query} and {key}: {number(head['raw_scores'][i, j])} becomes {number(head['scores'][i, j])}. "
        "The picture keeps its shape; the numbers get smaller.",
        "mask": f"{int(np.isneginf(head['mask']).sum())} of {head['mask'].size} scores are hidden; the others stay as "
        "they are.",
        "softmax": f"{query} gives {percent(float(row[j]))} of its attention to {key}"
        + (
            ", more than to any other key."
            if best == j
            else f", and most, {percent(float(row.max()))}, to {strongest}."
        ),
        "mix": f"The result of {query} is {percent(float(row[j]))} of the value of {key}, and so on along its row.",
        "concat": f"{shown.config.n_heads} heads of {d_k} features make {head['concat'].shape[1]}; framed: head "
        f"{shown.head}.",
        "output": f"For {query}, this head adds a vector of length {number(float(np.linalg.norm(head['part'][i])))}; "
        f"the others together one of length {number(others)}.",
    }[name]


def _export(shown: HeadOnScreen, picture: StepPicture, name: str) -> None:
    result = picture.matrices["c"]
    rows = _names_of(shown, result.row, result.values.shape[0])
    columns = _names_of(shown, result.column, result.values.shape[1])
    title = f"{shown.run.model.card.title}, {shown.place}: {STEPS[name].title}"
    figures.files(
        f"{shown.file_name}-{name}",
        partial(panel_pictures.matrices_picture, picture, shown.queries, shown.keys, title),
        CSV=partial(head_pictures.matrix_csv, result.values, rows, columns),
        NPZ=partial(npz, **{key: matrix.values for key, matrix in picture.matrices.items()}),
    )
