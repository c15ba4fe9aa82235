"""Why this word, Account: all parts of the logit by layer, the largest ones, and what is behind one of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import Any

import streamlit as st

from model.analysis import attribution, frozen_norm
from model.config import ACTIVATIONS
from pages.models.why_parts.account import opened
from pages.models.why_parts.question import Question
from pages.shared.elements import claims, figures, layout
from pages.shared.server.session_values import of_session
from pages.shared.session import state
from views.shared import sums
from viz.models.why import account_figure, bars_figure, part_map, part_title
from viz.shared.alternative import describe_figure
from viz.shared.style import number, upper_first

LARGEST = 10
LAST = 5  # feed-forwards that a prompt is about
LAST_FFNS = f"what the last {LAST} feed-forwards give, as a share of the logit,"
BEST_HEAD = "the head that speaks most for it"
ANSWER = "the answer"
CHART = {"displayModeBar": False}


def show(asked: Question, depth: str) -> None:
    if depth == "Formula":
        _formula(asked)
    elif depth == "Code":
        kept = [frozen_norm.FrozenTransform] if asked.config.transform != "none" else []
        layout.code(attribution.account_of, attribution.head_directions, frozen_norm.FrozenNorm, *kept)
    else:
        name = opened.read(asked)
        _show_account(asked, name, depth == "Numbers")
        opened.show(asked, name, depth == "Numbers")


@dataclass
class AccountSession:
    """The parts on screen, for a click: those of the map by row and column, and the largest ones."""

    cells: list[list[str]] = field(default_factory=list)
    largest: list[str] = field(default_factory=list)


def _show_account(asked: Question, name: str, numbers: bool) -> None:
    """The picture and its story side by side: the map with the running total, and the largest parts."""
    session = of_session(AccountSession)
    table = part_map(asked.account.parts, asked.layers)
    largest = asked.account.largest(LARGEST)
    titled = {part_title(part): value for part, value in largest.items()}
    figure = account_figure(table, name, theme=state.theme())
    _tell(asked)
    layout.caption(asked.sentence())
    if numbers:
        st.dataframe(_rows(asked), hide_index=True, height=420)
    else:
        session.cells, session.largest = table.names, list(largest)
        picture, story = st.columns([3, 2], gap="medium")
        with picture, st.container(key="why account"):
            figures.chart(
                figure,
                key="why map",
                on_select=_take_cell,
                selection_mode="points",
                config=CHART,
                alt=describe_figure(
                    f"The parts of {asked.number.plain_name} by layer, and their running total", figure
                ),
            )
        with story:
            bars = bars_figure(titled, asked.number.part, theme=state.theme())
            figures.chart(
                bars,
                key="why largest",
                on_select=_take_bar,
                selection_mode="points",
                config=CHART,
                alt=describe_figure(f"The ten largest parts of {asked.number.plain_name}", bars),
            )
    layout.caption(_describe(asked))
    if asked.config.transform != "none":
        layout.caption(_say_kept(asked))
    files = partial(account_figure, table, name)
    figures.export(f"{asked.run.name}-why", files, partial(_rows, asked), ("why account",), parts=table.values)


def _tell(asked: Question) -> None:
    """What the prompts claim of the account."""
    parts, total = asked.account.parts, asked.account.value
    claims.tell(ANSWER, asked.word(asked.account.token))
    ffns = [part for name, part in parts.items() if name.endswith(".ffn")]
    heads = {name: part for name, part in parts.items() if ".heads." in name}
    claims.tell(LAST_FFNS, claims.ratio(sum(ffns[-LAST:]), total))
    claims.tell(BEST_HEAD, part_title(max(heads, key=heads.__getitem__)))


def _rows(asked: Question) -> list[dict[str, Any]]:
    """One row for each part, in the order of the run, with the sum so far."""
    rows, so_far = [], 0.0
    for name, part in asked.account.parts.items():
        so_far += part
        rows.append({"part": part_title(name), "name": name, "adds": part, "sum so far": so_far})
    return rows


def _describe(asked: Question) -> str:
    parts = asked.account.parts
    kinds = {
        "the embedding": [part for name, part in parts.items() if "embed." in name],
        "the heads": [part for name, part in parts.items() if ".heads." in name],
        "the feed-forwards": [part for name, part in parts.items() if name.endswith(".ffn")],
        "the biases": [part for name, part in parts.items() if name.endswith(".bias")],
        "the edits": [part for name, part in parts.items() if name.endswith(".edit")],
    }
    shares = ", ".join(f"{kind} {number(sum(each))}" for kind, each in kinds.items() if each)
    return (
        f"Blue speaks for it, orange against it. In all: {shares}. Click a cell or a bar to open it. This counts what "
        "each part writes for the output itself; what it does through later layers stands in their parts."
    )


def _say_kept(asked: Question) -> str:
    """What an account of an encoder's answer keeps, where the answer is no sum of parts by itself."""
    curve = ACTIVATIONS[asked.config.transform]
    return (
        f"Before this answer stands one more step, {curve} of a matrix product, and a logit after {curve} is no sum. "
        "So the account keeps the ratio of each feature after and before it, as it is in this run, like the scales of "
        "the norms. With these the sum is exact. What a part really causes, By cause measures: there all that follows "
        "is computed again."
    )


def _formula(asked: Question) -> None:
    direction, symbols = _direction(asked)
    asks = asked.number
    layout.equation(
        rf"{asks.symbol} = \sum_{{c}} x_c \cdot r, \qquad r = {direction}",
        "Elhage et al. (2021), “A Mathematical Framework for Transformer Circuits”: the residual stream is a sum, and "
        "the norms' scales are those of this run.",
        asks.symbols
        | {
            "x_c": "what the embedding, a head or a feed-forward adds to the residual stream",
            asks.row_symbols: asks.row_meaning,
            "r": "the direction; below a post-norm layer it has passed that layer's norms, too",
        }
        | symbols,
    )
    parts = list(asked.account.largest(LARGEST).values())
    rest = asked.account.total - sum(parts)
    layout.work_out(
        f"{upper_first(asks.name)}: the ten largest parts, and all {len(asked.account.parts)} in "
        "all. The last number is the sum of the others:",
        sums.total([*parts, rest]),
    )
    opened.work_out(asked, opened.read(asked))


def _direction(asked: Question) -> tuple[str, dict[str, str]]:
    """The formula of the direction along which the parts are measured, and what its symbols mean."""
    row = asked.number.row
    direction = rf"\frac{{g \odot {row}}}{{s}}"
    symbols = {
        "g": "the gain of the last norm",
        "s": "the scale of the last norm in this run; LayerNorm also subtracts the mean",
    }
    if asked.config.transform == "none":
        return direction, symbols
    if asked.of_class:  # no norm follows the transform
        direction, symbols = row, {}
    kept = (
        f"what {ACTIVATIONS[asked.config.transform]} makes of each feature z of W x + b, over z. The ratio of this run "
        "is kept, as the scale of a norm is, so that the sum is exact"
    )
    symbols |= {r"\rho = \sigma(z) / z": kept, "W": "the matrix of the step between the last layer and the answer"}
    return rf"W^\top \left(\rho \odot {direction}\right)", symbols


def _take_cell() -> None:
    points = st.session_state["why map"]["selection"]["points"]
    names = of_session(AccountSession).cells
    if points and points[0].get("curve_number") == 1:
        opened.take(names[int(points[0]["y"])][int(points[0]["x"])])


def _take_bar() -> None:
    points = st.session_state["why largest"]["selection"]["points"]
    if points:
        opened.take(of_session(AccountSession).largest[int(points[0]["y"])])
