"""The positions P[t, j] as a heatmap, with the reader's tokens on the rows, and the waves of chosen pairs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import streamlit as st
import torch

from model.arrays import Array
from model.network import positions
from pages.components import position_mounts
from pages.inputs.positions_parts import controls, relative
from pages.inputs.positions_parts.controls import Sentence
from pages.shared.elements import claims, columns, figures, layout
from pages.shared.elements.claims import Claim
from pages.shared.session import state
from views.shared import quotes
from viz.inputs.position_bytes import pack_heatmap
from viz.print import position_pictures
from viz.print.files import npz
from viz.shared.style import markdown_text, number

SOURCES = {"formula": "The formula", "model": "This model"}
MAX_TABLE_FEATURES = 64  # columns of the table of numbers. The CSV file has all.
LAST_TURN = "the turn of the last pair over all rows, in degrees,"
ROWS = "the number of rows"
WHOSE = "the picture"


@dataclass(frozen=True)
class Encoding:
    """Position vectors: values (rows, width), and the frequencies and the base if they are sinusoidal."""

    values: Array
    formula: tuple[Array, float] | None
    title: str


def show(depth: str) -> None:
    if state.get("positions_source") == "model" and (sentence := controls.sentence()).is_relative:
        _show_relative(sentence, depth)
    elif depth == "Formula":
        _show_formula()
    elif depth == "Code":
        layout.code(positions.frequencies, positions.sinusoidal)
    else:
        _show_encoding(numbers=depth == "Numbers")
    layout.try_this(
        layout.Prompt(
            "See waves at every speed",
            "With n = 100 even the last pair moves.",
            {"positions_source": "formula", "positions_base": 100.0},
            claim=Claim(LAST_TURN, "over", 1.0),
        ),
        layout.Prompt(
            "256 positions, 128 features",
            "A carpet: fast ripples left, calm right.",
            {
                "positions_source": "formula",
                "positions_rows": "length",
                "positions_length": 256,
                "positions_d": 128,
                "positions_base": 10000.0,
            },
            claim=Claim(ROWS, "is", 256),
        ),
        layout.Prompt(
            "The model's own",
            "The positions of the model in the bar.",
            {"positions_source": "model", "positions_rows": "sentence"},
            claim=Claim(WHOSE, "is", "the model's"),
        ),
    )


def _show_relative(sentence: Sentence, depth: str) -> None:
    """A model without position vectors: its biases of distances."""
    if depth == "Code":
        relative.show_code()
        return
    if depth == "Formula":
        relative.show_formula(sentence)
        return
    bar, below = controls.bar()
    with bar:
        controls.choose("Positions of", "positions_source", SOURCES)
        as_sentence = controls.choose("Rows", "positions_rows", controls.ROW_CHOICES) == "sentence"
        most = min(controls.MAX_POSITIONS, sentence.model.config.max_length)
        rows = len(sentence.labels) if as_sentence else controls.row(below, controls.length(most=most))[0]
    relative.show(sentence.model, rows, numbers=depth == "Numbers")


def _show_encoding(numbers: bool) -> None:
    sentence = controls.sentence()
    encoding = _choose_encoding(sentence)
    if encoding is None:
        return
    rows, width = encoding.values.shape
    claims.tell(ROWS, rows)
    claims.tell(WHOSE, "the model's" if state.get("positions_source") == "model" else "the formula's")
    if encoding.formula is not None:
        claims.tell(LAST_TURN, math.degrees(encoding.formula[0][-1] * rows))
    labels = sentence.labels[:rows]
    token = min(controls.read_token(sentence), rows - 1)
    if numbers:
        _show_numbers(encoding, labels)
    else:
        pairs = [pair for pair in state.get("positions_pairs") if pair < width // 2]
        position_mounts.heatmap(
            pack_heatmap(encoding.values, labels, pairs, title=encoding.title, formula=encoding.formula, token=token),
            key="positions heatmap",
            on_pairs=_take_pairs,
        )
        layout.caption(_explain(encoding))
    values, title = encoding.values, encoding.title
    figures.files(
        "positions",
        partial(position_pictures.heatmap_picture, values, labels, title),
        CSV=lambda: position_pictures.table_csv(values, labels),
        NPZ=partial(npz, positions=values, tokens=labels),
    )


def _take_pairs() -> None:
    state.put(positions_pairs=tuple(st.session_state["positions heatmap"]["pairs"]))


def _choose_encoding(sentence: Sentence) -> Encoding | None:
    """Draw the controls. Returns the chosen positions, or None for a model without positions."""
    bar, below = controls.bar()
    with bar:
        of_model = controls.choose("Positions of", "positions_source", SOURCES) == "model"
        as_sentence = controls.choose("Rows", "positions_rows", controls.ROW_CHOICES) == "sentence"
        fields = [] if of_model else [controls.width(), controls.base()]
        most = min(controls.MAX_POSITIONS, sentence.model.config.max_length) if of_model else controls.MAX_POSITIONS
        values = controls.row(below, *fields, *([] if as_sentence else [controls.length(most=most)]))
    rows = len(sentence.labels) if as_sentence else values.pop()
    if of_model:
        return _model_encoding(sentence, rows)
    d, base = values
    return _sinusoidal_encoding(rows, d, base, f"Sinusoidal positions, d = {d}, n = {base:g}")


def _sinusoidal_encoding(rows: int, d: int, base: float, title: str) -> Encoding:
    return _waves_encoding(rows, positions.frequencies(d, base), base, title)


def _waves_encoding(rows: int, speeds: torch.Tensor, base: float, title: str) -> Encoding:
    values = positions.waves(torch.arange(rows), speeds)
    return Encoding(values.numpy(), (speeds.numpy(), base), title)


def _model_encoding(sentence: Sentence, rows: int) -> Encoding | None:
    config, name = sentence.model.config, sentence.model.card.title
    if not config.has_positions:
        st.info(f"{name} was trained without positions: there is nothing to show. Choose “The formula”.")
        return None
    if config.positions == "rotary":
        speeds = positions.rotary_speeds(config)
        turning = speeds[speeds > 0]
        still = config.head_width - 2 * len(turning)
        said = (
            f"{2 * len(turning)} of one head's {config.head_width} features"
            if still
            else (f"one head's {config.head_width} features")
        )
        slower = ", slower for long texts" if config.rotary_scaling else ""
        st.caption(
            f"{markdown_text(name)} adds nothing to its embeddings: these sines and cosines ({said}, "
            f"n = {config.position_base:g}{slower}) turn its queries and keys. See “Rotary”."
        )
        return _waves_encoding(rows, turning, config.position_base, f"Rotary angles of {name}")
    if config.positions == "sinusoidal":
        if config.sines_first:
            st.caption(
                f"{markdown_text(name)} has all sines first, and then all cosines. Here the two of a pair stand side "
                "by side, as in the formula."
            )
        return _sinusoidal_encoding(
            rows, config.position_width, config.position_base, f"Sinusoidal positions of {name}"
        )
    embedding = getattr(sentence.model.on_cpu.network, config.stacks[0]).embed
    with torch.inference_mode():
        table = embedding.position_vectors(torch.arange(rows))
    return Encoding(table.numpy(), None, f"Learned positions of {name}")


def _explain(encoding: Encoding) -> str:
    rows, width = encoding.values.shape
    hint = "Point at a cell to read its numbers. Click it to see the waves of its pair."
    if encoding.formula is None:
        size = positions.row_lengths(torch.from_numpy(encoding.values))
        return (
            f"Each row is a trained vector of {width} numbers; their lengths run from {number(float(size.min()), 2)} "
            f"to {number(float(size.max()), 2)}. No formula made them. {hint}"
        )
    speeds = encoding.formula[0]
    slow = positions.count_slow_pairs(torch.from_numpy(speeds), rows)
    fast, slowest = (number(2 * math.pi / speed, 1) for speed in (speeds[0], speeds[-1]))
    return (
        f"Pair 0 turns once in {fast} words, pair {len(speeds) - 1} once in {slowest}. Over these "
        f"{rows} rows, {slow} of {len(speeds)} pairs turn less than a quarter. These tell far from near, and the "
        f"fast ones tell neighbours apart. {hint}"
    )


def _show_numbers(encoding: Encoding, labels: list[str]) -> None:
    rows, width = encoding.values.shape
    frame = pd.DataFrame(encoding.values[:, :MAX_TABLE_FEATURES].astype(np.float32))
    frame.columns = [str(j) for j in frame.columns]
    frame.insert(0, "token", labels + [""] * (rows - len(labels)))
    st.dataframe(
        frame,
        height=min(560, 38 + 35 * rows),
        column_config={str(j): columns.decimals(4) for j in range(width)},
    )
    more = (
        f" The first {MAX_TABLE_FEATURES} of {width} features; the CSV file has all."
        if width > MAX_TABLE_FEATURES
        else ""
    )
    layout.caption(f"Rows are positions t, columns features j: even ones sine, odd ones cosine.{more}")


def _show_formula() -> None:
    bar, below = controls.bar()
    with bar:
        d, base = controls.row(below, controls.width(), controls.base())
    speeds = positions.frequencies(d, base)
    layout.equation(
        r"P_{t,2k} = \sin(\omega_k t), \qquad P_{t,2k+1} = \cos(\omega_k t), \qquad \omega_k = n^{-2k/d}",
        "Vaswani et al. (2017), section 3.5; encoder notes, eq. 0.1.1; Shamsi (2024), eqs. 1-2; "
        "Palaskos (2022), eqs. 3.3-3.4",
        {
            "t": "the position, counted from 0",
            "k": f"the pair of features, 0 to {d // 2 - 1} here",
            "n": f"the base, {base:g} here",
            r"\omega_k": f"radians per word: from {number(speeds[0], 4)} down to {number(speeds[-1], 4)}",
        },
    )
    sentence = controls.sentence()
    labels, t, k = sentence.labels, controls.read_token(sentence), min(1, d // 2 - 1)
    speed = float(speeds[k])
    layout.work_out(
        f"The token {controls.name_token(labels, t)} at place {t}, at pair {k}:",
        rf"\omega_{{{k}}} = {base:g}^{{-{2 * k}/{d}}} = {quotes.tex(speed, 5)}, \qquad "
        rf"P_{{{t},{2 * k}}} = \sin({quotes.tex(speed * t)}) = {quotes.tex(math.sin(speed * t))}, \qquad "
        rf"P_{{{t},{2 * k + 1}}} = \cos({quotes.tex(speed * t)}) = {quotes.tex(math.cos(speed * t))}",
    )
