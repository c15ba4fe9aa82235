"""Pieces of texts as rows of chips: how one word is cut, step by step, and what several tokenisers make of one text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go

from viz.print.files import printable
from viz.shared.style import (
    FONT,
    MONO,
    SERIES,
    SPACE,
    Theme,
    apply_style,
    colour,
    is_right_to_left,
    isolate,
    plotly_text,
    token_label,
    with_alpha,
)
from viz.shared.tokens import shorten

LINE_CHARACTERS = 72  # characters that stand side by side; what is wider is written smaller
MAX_ENLARGEMENT = 1.6  # times: how much larger a short word may be
ROW_PIXELS = 28  # pixels
MAX_STEPS = 40  # of a word's steps: of more, some are left out
MAX_LINES = 6  # of one tokeniser
GAP_CHARACTERS = 0.3  # of a character, between two chips
OLD_OPACITY, NEW_OPACITY = 0.16, 0.5


@dataclass(frozen=True)
class Chip:
    """A piece from `start` to `end` (characters of the row's width); `strong`: it is new in its row."""

    label: str
    start: float
    end: float
    strong: bool = False


def spelling_figure(
    steps: Sequence[Sequence[str]],
    merges: Sequence[int | None],
    at: int,
    *,
    leftwards: bool = False,
    theme: Theme = "light",
) -> go.Figure:
    """The steps of a word's spelling from top to bottom, each as its pieces over the letters that they hold.

    `steps`: the labels of the pieces after each step. `merges`: the rank of the merge that made the step, None where
    nothing was merged. Step `at` is framed, and what each step made is strong. `leftwards`: the word is read from the
    right, and begins there.
    """
    rows = place_pieces(steps)
    shown = _choose_steps(len(steps), at)
    names = [f"{i}" + ("" if (rank := merges[i]) is None else f" · merge {rank:,}") for i in shown]
    fig = _draw_rows([rows[i] for i in shown], leftwards, theme, centred=True)
    if len(steps) == 1:
        return fig.update_yaxes(ticktext=[""])
    width, place = max(chip.end for row in rows for chip in row), shown.index(at)
    fig.add_shape(
        type="rect", x0=-GAP_CHARACTERS, x1=width + GAP_CHARACTERS, y0=place - 0.5, y1=place + 0.5,
        line={"color": colour("key", theme), "width": 2},
    )  # fmt: skip
    return fig.update_yaxes(ticktext=names, title_text="step")


def place_pieces(steps: Sequence[Sequence[str]]) -> list[list[Chip]]:
    """Where each piece of each step stands. A step either joins two neighbours of the one before, or cuts its last
    piece in two; every piece gets the room that its label needs."""
    spans = _atom_spans([len(step) for step in steps], _first_changes(steps))
    atoms = spans[0][-1][1]
    room = np.ones(atoms)
    for step, where in zip(steps, spans, strict=True):
        for label, (start, end) in zip(step, where, strict=True):
            room[start:end] += max(0.0, _chip_width(label) - room[start:end].sum()) / (end - start)
    edges = np.concatenate(([0.0], np.cumsum(room)))
    rows = []
    for i, (step, where) in enumerate(zip(steps, spans, strict=True)):
        new = set(where) - set(spans[i - 1]) if i else set()
        rows.append(
            [
                Chip(label, float(edges[s]), float(edges[e]), (s, e) in new)
                for label, (s, e) in zip(step, where, strict=True)
            ]
        )
    return rows


def _chip_width(label: str) -> float:
    """Characters that a chip is wide, on paper too, where a letter without a font is named."""
    return max(len(label), len(printable(label))) + 1.0


def _first_changes(steps: Sequence[Sequence[str]]) -> list[int]:
    """The first piece that differs from the step before, for each step after the first."""
    return [
        next((i for i, (old, new) in enumerate(zip(before, now, strict=False)) if old != new), len(now) - 1)
        for before, now in pairwise(steps)
    ]


def _atom_spans(counts: Sequence[int], changes: Sequence[int]) -> list[list[tuple[int, int]]]:
    """From and to which atom each piece goes. Atoms are the pieces of the step that has most."""
    joins = counts[0] >= counts[-1]
    order = list(zip(counts[1:], changes, strict=True)) if joins else list(zip(counts[:-1], changes, strict=True))[::-1]
    spans = [[(i, i + 1) for i in range(max(counts))]]
    for count, at in order:
        now = spans[-1]
        if count < len(now):
            now = [*now[:at], (now[at][0], now[at + 1][1]), *now[at + 2 :]]
        spans.append(now)
    return spans if joins else spans[::-1]


def _choose_steps(count: int, at: int) -> list[int]:
    """Of very many steps some, with the first, the last and the one that is framed."""
    if count <= MAX_STEPS:
        return list(range(count))
    return sorted({*np.linspace(0, count - 1, MAX_STEPS - 1).astype(int).tolist(), at})


def tokenisers_figure(
    pieces: Mapping[str, Sequence[str]], *, leftwards: bool = False, theme: Theme = "light"
) -> go.Figure:
    """The pieces that each tokeniser makes of one text, end to end, in as many lines as they need, at most
    `MOST_LINES`. `pieces`: the labels by the tokeniser's name. `leftwards`: the text is read from the right."""
    rows: list[list[Chip]] = []
    names: list[str] = []
    for name, labels in pieces.items():
        lines = _wrap_lines(labels)
        rows += lines
        count = f"{len(labels):,} token" + ("" if len(labels) == 1 else "s")
        names += [f"{plotly_text(name)} · {count}", *[""] * (len(lines) - 1)]
    fig = _draw_rows(rows, leftwards, theme)
    fig.update_yaxes(ticktext=names)
    starts = [i for i, name in enumerate(names) if name][1:]
    for start in starts:
        fig.add_hline(y=start - 0.5, line={"color": colour("border", theme), "width": 1})
    return fig


def _wrap_lines(labels: Sequence[str]) -> list[list[Chip]]:
    lines: list[list[Chip]] = [[]]
    end = 0.0
    for i, label in enumerate(labels):
        room = _chip_width(label)
        if end and end + room > LINE_CHARACTERS:
            if len(lines) == MAX_LINES:
                lines[-1].append(Chip(f"… {len(labels) - i:,} more", end, end + 12))
                break
            lines.append([])
            end = 0.0
        lines[-1].append(Chip(label, end, end + room))
        end += room
    return lines


def samples_figure(
    texts: Sequence[str],
    counts: Mapping[str, Sequence[int]],
    unknown: Mapping[str, Sequence[int]],
    theme: Theme = "light",
) -> go.Figure:
    """How many tokens each text becomes, a bar a tokeniser; `unknown` of them cannot be read back."""
    fig = go.Figure()
    for tone, (name, values) in zip(SERIES[theme], counts.items(), strict=False):
        lost = [
            f"{value}" + (f" ({bad} unknown)" if bad else "") for value, bad in zip(values, unknown[name], strict=True)
        ]
        fig.add_bar(
            y=list(range(len(texts))), x=list(values), name=plotly_text(name), orientation="h", text=lost,
            textposition="outside", cliponaxis=False, marker={"color": tone},
            hovertemplate="%{text}<extra>%{fullData.name}</extra>",
        )  # fmt: skip
    apply_style(fig, theme, height=110 + (18 * len(counts) + 12) * len(texts))
    shown = [isolate(plotly_text(shorten(line, 30))) for line in map(readable, texts)]
    fig.update_yaxes(
        tickvals=list(range(len(texts))), ticktext=shown, autorange="reversed", showgrid=False,
        tickfont={"color": colour("text", theme)},
    )  # fmt: skip
    fig.update_xaxes(title_text="tokens", rangemode="tozero")
    return fig.update_layout(
        barmode="group", legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "traceorder": "normal"}
    )


def readable(text: str) -> str:
    """A text in one line, what cannot be seen as its sign."""
    return token_label(text).replace(SPACE, " ")


def _draw_rows(rows: Sequence[Sequence[Chip]], leftwards: bool, theme: Theme, *, centred: bool = False) -> go.Figure:
    """Rows of chips below each other, larger where there is room. `centred`: in the middle of the picture."""
    chips = [(y, chip) for y, row in enumerate(rows) for chip in row]
    family = FONT if any(is_right_to_left(chip.label) for _, chip in chips) else MONO  # fixed width tears Urdu letters
    end = max(chip.end for _, chip in chips)
    width = max(end, LINE_CHARACTERS / MAX_ENLARGEMENT)
    start = (end - width) / 2 if centred else 0.0
    ys, shown = [y for y, _ in chips], [plotly_text(chip.label) for _, chip in chips]
    tones = {
        strong: with_alpha(colour("query", theme), NEW_OPACITY if strong else OLD_OPACITY) for strong in (False, True)
    }
    fig = go.Figure(
        go.Bar(
            base=[chip.start for _, chip in chips], x=[chip.end - chip.start - GAP_CHARACTERS for _, chip in chips], y=ys,
            orientation="h", marker={"color": [tones[chip.strong] for _, chip in chips]},
            hovertext=shown, hoverinfo="text", showlegend=False,
        )
    )  # fmt: skip
    fig.add_scatter(
        x=[(chip.start + chip.end - GAP_CHARACTERS) / 2 for _, chip in chips], y=ys, text=shown, mode="text", hoverinfo="skip",
        showlegend=False,
        textfont={"family": family, "size": 12 * LINE_CHARACTERS / width, "color": colour("text", theme)},
    )  # fmt: skip
    apply_style(fig, theme, height=40 + round(ROW_PIXELS * max(1.0, LINE_CHARACTERS / width)) * len(rows))
    ends = [start - 2 * GAP_CHARACTERS, start + width + GAP_CHARACTERS]
    fig.update_xaxes(visible=False, range=ends[::-1] if leftwards else ends)
    fig.update_yaxes(
        tickvals=list(range(len(rows))), range=[len(rows) - 0.4, -0.6], showgrid=False, zeroline=False,
        tickfont={"color": colour("muted", theme)},
    )  # fmt: skip
    return fig.update_layout(barmode="overlay", bargap=0.2)
