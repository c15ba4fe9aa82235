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
import torch

from model.analysis.step_code import own_line, snippet
from model.arrays import Array
from model.graph.distances import say_distance
from model.network.attention import MultiHeadAttention
from model.network.positions import rotary_gains, rotary_speeds, rotation
from pages.attention.scores_parts import step_sums
from pages.attention.scores_parts.step_texts import STEPS
from pages.components import matrix_mounts
from pages.shared.elements import claims, figures, head_controls, layout
from pages.shared.elements.claims import Claim
from pages.shared.elements.example_sentences import FOX
from pages.shared.server.session_values import of_session
from pages.shared.session import state, token_window
from views.head_of_run import HeadOfRun
from views.shared import quotes, run_code, windows
from views.shared.matrix_tables import number_words
from viz.attention.head_steps import PROJECTIONS, HeadData, Matrix, StepData, describe_step, pack_step
from viz.print import head_pictures, panel_pictures
from viz.print.files import npz
from viz.shared.style import count_noun, number, percent

NOUNS = {"q": ("query", "queries"), "k": ("key", "keys"), "v": ("value", "values")}
PRODUCTS = "the number of products in a score"
LARGEST = "what the two largest weights of the row have together"
PART = "the length of this head's part"
SENTENCE = "the sentence"
PROMPTS = (
    layout.Prompt(
        "How “it” finds “fox”",
        "Layer 9, head 2 of SmolLM2: 64 products make the score of that pair.",
        {**FOX, "attention": "decoder.self_attn", "layer": 9, "head": 2}
        | {"query": 10, "key": 3, "scores_step": "scores", "depth": "Picture"},
        claim=Claim(PRODUCTS, "is", 64),
        at="scores steps",
    ),
    layout.Prompt(
        "Where does the row go?",
        "The softmax gives most of a row's weight to its two largest scores.",
        {"scores_step": "softmax", "depth": "Picture"},
        claim=Claim(LARGEST, "over", 0.5),
        at="scores steps",
    ),
    layout.Prompt(
        "What this head adds",
        "Its part of the attention output, beside the sum of all heads.",
        {"scores_step": "output", "depth": "Picture"},
        claim=Claim(PART, "over", 0.0),
        at="scores steps",
    ),
)

MUTED_STEPS = {  # what the mute does to a step
    "mix": "**This head is muted**: after this step, 0 takes the place of all these numbers.",
    "concat": "**This head is muted**: its columns are 0.",
    "output": "**This head is muted**: it adds 0, and the sum is that of the other heads.",
}


def show(depth: str) -> None:
    screen = head_controls.choose()
    head = arrays(screen)
    present = {
        "rotate": screen.steps.rotated,
        "normalise": screen.steps.q_gain is not None,
        "bias": screen.steps.position_bias is not None,
    }
    names = [name for name in STEPS if present.get(name, True)]
    name = state.checked_choice("scores_step", names, "Step", names[0])
    _tell(screen, head)
    of = state.get("scores_of")
    if name in ("normalise", "rotate") and of == "v":
        of = "q"  # values are neither normalised nor rotated
    if name == "mix" and screen.is_muted:
        head = {**head, "mixed": head["weights"] @ head["v"]}  # the run has 0 in its place
    divisor = math.sqrt(head["q"].shape[-1]) if screen.config.scale_scores else 1.0
    whole = describe_step(name, HeadData(head, of, screen.head, divisor))
    part = token_window.choose_part("steps", head["weights"].shape, (screen.query, screen.key))
    picture = whole.part(*part) if windows.is_long(head["weights"].shape) else whole
    step = STEPS[name]
    if screen.is_muted and name in MUTED_STEPS:
        layout.caption(MUTED_STEPS[name])
    if depth == "Picture":
        st.markdown(f"**{names.index(name) + 1}. {step.title}** :gray[{step.idea}]")
        _show_picture(screen, picture, part, names, name, of)
    else:
        _choose_step(names, of, name)
        st.markdown(f":gray[{step.idea}]")
    if depth == "Numbers":
        st.dataframe(_table(screen, picture.matrices["c"], part), height=440, placeholder="−∞")  # of hidden scores
    elif depth == "Formula":
        layout.equation(step.latex, step.source, _describe_symbols(screen, whole))
        step_sums.show(screen, name, of)
    elif depth == "Code":
        _show_code(screen, whole, name, of)
    hint = " Point at a cell for its sum, click to keep it." if depth == "Picture" else ""
    layout.caption(_describe(screen, head, name, of) + hint + windows.say_part(part, head["weights"].shape))
    _export(screen, whole, picture, part, name)
    layout.try_this(*PROMPTS)


def _tell(screen: HeadOfRun, head: Mapping[str, Any]) -> None:
    """What the prompts claim of the query's row."""
    claims.tell(PRODUCTS, head["q"].shape[-1])
    claims.tell(LARGEST, float(np.sort(head["weights"][screen.query])[-2:].sum()))
    claims.tell(PART, float(np.linalg.norm(head["part"][screen.query])))
    claims.tell(SENTENCE, screen.run.text)


def arrays(screen: HeadOfRun) -> Mapping[str, Any]:
    """The matrices of the head as NumPy arrays by name, with the rotary angles where the model has some."""
    steps = screen.steps
    by_name: dict[str, Any] = {}
    for each in fields(steps):
        value = getattr(steps, each.name)
        by_name[each.name] = value.numpy() if isinstance(value, torch.Tensor) else value
    if steps.memory is steps.x:
        by_name["memory"] = by_name["x"]
    if steps.rotated:
        speeds = rotary_speeds(screen.config)
        turn = rotation(torch.arange(len(steps.q)), speeds, torch.float32, rotary_gains(screen.config))
        by_name |= {"cos": turn.real.numpy(), "sin": turn.imag.numpy(), "speeds": speeds.tolist()}
    return by_name


@dataclass
class StepsSession:
    """The steps on screen, for a click."""

    names: tuple[str, ...] = ()


def _show_picture(
    screen: HeadOfRun, picture: StepData, part: windows.MatrixPart, names: list[str], name: str, of: str
) -> None:
    choices = {"project": "qkv", "normalise": "qk", "rotate": "qk"}.get(name, "")
    of_session(StepsSession).names = tuple(names)
    matrix_mounts.steps(
        pack_step(
            picture,
            screen.queries[part[0]],
            screen.keys[part[1]],
            identity=f"{screen.identity} {part[0].start} {part[1].start}",
            step=names.index(name),
            steps=[STEPS[each].title for each in names],
            of=of,
            choices=tuple(choices),
            head=screen.head,
            selected=windows.nearest_in(part, (screen.query, screen.key)),
        ),
        key="scores steps",
        on_step=_take_step,
        on_of=_take_of,
        on_cell=partial(_take_cell, part[0].start, part[1].start),
    )


def _take_step() -> None:
    number = int(st.session_state["scores steps"]["step"])
    names = of_session(StepsSession).names
    state.put(scores_step=names[min(max(number, 0), len(names) - 1)])


def _take_of() -> None:
    of = st.session_state["scores steps"]["of"]
    if of in PROJECTIONS:
        state.put(scores_of=of)


def _take_cell(first_query: int, first_key: int) -> None:
    query, key = st.session_state["scores steps"]["cell"]
    state.put(query=first_query + int(query), key=first_key + int(key))


def _choose_step(names: list[str], of: str, name: str) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox("Step", names, key="scores_step", format_func=lambda each: STEPS[each].title, width=200)
        if name in ("project", "normalise", "rotate"):
            options = ("q", "k", "v") if name == "project" else ("q", "k")
            if state.get("scores_of") not in options:
                state.put(scores_of=of)
            st.segmented_control(
                "Of", options, key="scores_of", format_func=lambda each: PROJECTIONS[each].symbol, required=True
            )


def _name_axis(screen: HeadOfRun, axis: str, count: int, part: windows.MatrixPart) -> list[str]:
    """The names of rows or columns: the tokens that are shown, or the numbers of features."""
    if axis == "feature":
        return [str(i) for i in range(count)]
    words, tokens = (screen.queries, part[0]) if axis == "query" else (screen.keys, part[1])
    return number_words(words[tokens], tokens.start)


def _table(screen: HeadOfRun, matrix: Matrix, part: windows.MatrixPart) -> pd.DataFrame:
    """The result of the step with its tokens. Cells that the mask hides have no value: the table writes −∞ there."""
    rows, columns = matrix.values.shape
    values = np.where(np.isfinite(matrix.values), matrix.values, np.nan).astype(np.float32)
    return pd.DataFrame(
        values,
        index=_name_axis(screen, matrix.row, rows, part),
        columns=_name_axis(screen, matrix.column, columns, part),
    )


def _describe_turn(screen: HeadOfRun, position: int) -> str:
    """The angle of the fastest pair, and the lengths after the turn."""
    angle, gain = position * float(rotary_speeds(screen.config)[0]), screen.config.rotary_gain
    lengths = "stay the same" if gain == 1 else f"are multiplied by {number(gain)}"
    return (
        f"Position {position} turns the fastest pair by {number(angle)} radians and the slowest hardly at all; "
        f"lengths {lengths}."
    )


def _describe_symbols(screen: HeadOfRun, picture: StepData) -> dict[str, str]:
    """The matrices of the step with their shapes in this run."""
    latex = {"Kᵀ": r"K^\top", "Q Kᵀ": r"QK^\top", "H = A V": "H"}
    shapes = {}
    for matrix in picture.matrices.values():
        symbol = latex.get(matrix.symbol, matrix.symbol)
        if len(symbol) > 8 or " " in symbol.replace(" + ", ""):  # words
            symbol = rf"\text{{{symbol}}}".replace("_", r"\_")
        rows, columns = matrix.values.shape
        shapes[symbol] = f"{rows} × {columns} here"
    return shapes | {"d_k": f"{screen.config.head_width}, the width of a head", "h": f"{screen.config.n_heads} heads"}


def _cell(screen: HeadOfRun, matrix: Matrix) -> tuple[int, int]:
    """The cell of a matrix that belongs to the singled-out pair. With features as columns, the largest of its row."""
    row = screen.key if matrix.row == "key" else screen.query
    return row, screen.key if matrix.column == "key" else int(np.abs(matrix.values[row]).argmax())


def _show_code(screen: HeadOfRun, picture: StepData, name: str, of: str) -> None:
    result = picture.matrices["c"]
    row, column = _cell(screen, result)
    run = screen.run
    st.caption("`model.network.attention`: the line that does this step")
    st.code(own_line(name, of), language="python", wrap_lines=True)
    st.caption(f"The number in row {row}, column {column} again, from your sentence")
    value = float(result.values[row, column])
    code = snippet(
        name, of, screen.config, screen.at, screen.head, (row, column), value, run.name, run.text, run.target
    )
    st.code(run_code.as_run(run, code), language="python", wrap_lines=True)
    layout.code(MultiHeadAttention)


def _describe(screen: HeadOfRun, head: Mapping[str, Any], name: str, of: str) -> str:
    """The effect of the step on the singled-out pair. Markdown."""
    i, j = screen.query, screen.key
    query, key = quotes.quote(screen.queries[i], i), quotes.quote(screen.keys[j], j)
    d_k = screen.config.head_width
    row: Array = head["weights"][i]
    best = int(row.argmax())
    strongest = quotes.quote(screen.keys[best], best)
    others = float(np.linalg.norm(head["out"][i] - head["part"][i]))
    return {
        "project": f"{count_noun(len(head['x']), 'token')} of {head['x'].shape[1]} features: now "
        f"{count_noun(head[of].shape[0], *NOUNS[of])} of {d_k} features, in {screen.place}.",
        "normalise": f"Each of the {NOUNS[of][1]} has a root mean square of 1 before the learned gains: no "
        "length of its own makes its scores large.",
        "rotate": _describe_turn(screen, i),
        "scores": f"{query} and {key}: {d_k} products sum to {number(head['raw_scores'][i, j])}.",
        "scale": f"{query} and {key}: {number(head['raw_scores'][i, j])} becomes "
        f"{number(head['scores_unbiased'][i, j])}. "
        + (
            "The picture keeps its shape; the numbers get smaller."
            if screen.config.scale_scores
            else "This model does not divide its scores: training made its queries small enough."
        ),
        "bias": _describe_bias(screen, head),
        "mask": f"{int(np.isneginf(head['mask']).sum())} of {head['mask'].size} scores are hidden; the others stay as "
        "they are.",
        "softmax": f"{query} gives {percent(float(row[j]))} of its attention to {key}"
        + (
            ", more than to any other key."
            if best == j
            else f", and most, {percent(float(row.max()))}, to {strongest}."
        ),
        "mix": f"The result of {query} is {percent(float(row[j]))} of the value of {key}, and so on along its row.",
        "concat": f"{screen.config.n_heads} heads of {d_k} features make {head['concat'].shape[1]}; framed: head "
        f"{screen.head}.",
        "output": f"For {query}, this head adds a vector of length {number(float(np.linalg.norm(head['part'][i])))}; "
        f"the others together one of length {number(others)}.",
    }[name]


def _describe_bias(screen: HeadOfRun, head: Mapping[str, Any]) -> str:
    """The bias of the singled-out pair, or that the step is not there. Markdown."""
    bias = head["position_bias"]
    if bias is None:
        return ""
    i, j = screen.query, screen.key
    query, key = quotes.quote(screen.queries[i], i), quotes.quote(screen.keys[j], j)
    return (
        f"{key} stands {say_distance(j - i)} {query}: {number(float(bias[i, j]))} is added. All pairs of this distance "
        "get the same, whatever their words."
    )


def _export(screen: HeadOfRun, whole: StepData, picture: StepData, part: windows.MatrixPart, name: str) -> None:
    """The pictures and the table hold what is shown, the archive holds the whole matrices."""
    result = picture.matrices["c"]
    rows = _name_axis(screen, result.row, result.values.shape[0], part)
    columns = _name_axis(screen, result.column, result.values.shape[1], part)
    title = f"{screen.run.model.card.title}, {screen.place}: {STEPS[name].title}"
    selected = windows.nearest_in(part, (screen.query, screen.key))
    figures.files(
        f"{screen.file_name}-{name}",
        partial(
            panel_pictures.matrices_picture,
            picture,
            screen.queries[part[0]],
            screen.keys[part[1]],
            title,
            selected=selected,
            head=screen.head,
        ),
        CSV=partial(head_pictures.matrix_csv, result.values, rows, columns),
        NPZ=partial(npz, **{key: matrix.values for key, matrix in whole.matrices.items()}),
    )
