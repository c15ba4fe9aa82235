"""Pieces of texts as rows of chips: one word, cut step by step, and one text in several tokenisers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import plotly.graph_objects as go

from viz.shared.printable import printable
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

LINE_CHARACTERS = 72  # side by side; wider rows have smaller letters
MAX_ENLARGEMENT = 1.6  # of a short word, times
LEAST_LETTER = 1.0  # pixels; Plotly takes no smaller one
ROW_PIXELS = 28
MAX_STEPS = 40  # of a word; of more steps, some are left out
MAX_LINES = 6  # of one tokeniser
NOT_CUT = -1  # in the place of a number of tokens
GAP = 0.3  # between two chips, in characters
OLD_OPACITY, NEW_OPACITY = 0.16, 0.5  # of pieces that the step before had, and of new ones


@dataclass(frozen=True)
class Chip:
    """A piece from `start` to `end`, in characters. `is_new`: the step before did not have it."""

    label: str
    start: float
    end: float
    is_new: bool = False


def spelling_figure(
    steps: Sequence[Sequence[str]],
    merges: Sequence[int | None],
    at: int,
    *,
    leftwards: bool = False,
    theme: Theme = "light",
) -> go.Figure:
    """The steps of a word's spelling from top to bottom. Each piece stands over its letters.

    `steps`: the labels of the pieces after each step. `merges`: the rank of each step's merge, or None. Step `at` is
    framed, and the new pieces of each step are darker. `leftwards`: the word is read from right to left.
    """
    rows = place_pieces(steps)
    chosen = _choose_steps(len(steps), at)
    names = [f"{i}" + ("" if (rank := merges[i]) is None else f" · merge {rank:,}") for i in chosen]
    fig = _draw_rows([rows[i] for i in chosen], leftwards, theme, centred=True)
    if len(steps) == 1:
        return fig.update_yaxes(ticktext=[""])
    width, place = max(chip.end for row in rows for chip in row), chosen.index(at)
    fig.add_shape(
        type="rect", x0=-GAP, x1=width + GAP, y0=place - 0.5, y1=place + 0.5,
        line={"color": colour("key", theme), "width": 2},
    )  # fmt: skip
    return fig.update_yaxes(ticktext=names, title_text="step")


def place_pieces(steps: Sequence[Sequence[str]]) -> list[list[Chip]]:
    """The place of each piece of each step. Every piece is at least as wide as its label.

    Each step joins two neighbours of the step before, or cuts its last piece in two.
    """
    spans = _atom_spans([len(step) for step in steps], _first_changes(steps))
    atoms = spans[0][-1][1]
    widths = np.ones(atoms)
    for step, step_spans in zip(steps, spans, strict=True):
        for label, (start, end) in zip(step, step_spans, strict=True):
            widths[start:end] += max(0.0, _chip_width(label) - widths[start:end].sum()) / (end - start)
    edges = np.concatenate(([0.0], np.cumsum(widths)))
    rows = []
    for i, (step, step_spans) in enumerate(zip(steps, spans, strict=True)):
        new = set(step_spans) - set(spans[i - 1]) if i else set()
        rows.append(
            [
                Chip(label, float(edges[start]), float(edges[end]), (start, end) in new)
                for label, (start, end) in zip(step, step_spans, strict=True)
            ]
        )
    return rows


def _chip_width(label: str) -> float:
    """The width of a chip in characters. On paper, a letter without a font is replaced by its name."""
    return max(len(label), len(printable(label))) + 1.0


def _first_changes(steps: Sequence[Sequence[str]]) -> list[int]:
    """For each step after the first: the index of its first piece that the step before does not have there."""
    return [
        next((i for i, (old, new) in enumerate(zip(before, now, strict=False)) if old != new), len(now) - 1)
        for before, now in pairwise(steps)
    ]


def _atom_spans(counts: Sequence[int], changes: Sequence[int]) -> list[list[tuple[int, int]]]:
    """The first atom of each piece, and the one after its last. Atoms are the pieces of the step with most pieces."""
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
    """At most `MAX_STEPS` steps: the first, the last, the framed one, and others spread evenly."""
    if count <= MAX_STEPS:
        return list(range(count))
    return sorted({*np.linspace(0, count - 1, MAX_STEPS - 1).astype(int).tolist(), at})


def tokenisers_figure(
    pieces: Mapping[str, Sequence[str]], *, leftwards: bool = False, theme: Theme = "light"
) -> go.Figure:
    """The pieces of one text in each tokeniser, end to end, in at most `MAX_LINES` lines.

    `pieces`: the labels by the tokeniser's name. `leftwards`: the text is read from right to left.
    """
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
    """Chips in lines of `LINE_CHARACTERS`. The last chip of too long a text counts the pieces that are left out."""
    lines: list[list[Chip]] = [[]]
    end = 0.0
    for i, label in enumerate(labels):
        width = _chip_width(label)
        if end and end + width > LINE_CHARACTERS:
            if len(lines) == MAX_LINES:
                lines[-1].append(Chip(f"… {len(labels) - i:,} more", end, end + 12))
                break
            lines.append([])
            end = 0.0
        lines[-1].append(Chip(label, end, end + width))
        end += width
    return lines


def samples_figure(
    texts: Sequence[str],
    counts: Mapping[str, Sequence[int]],
    unknown: Mapping[str, Sequence[int]],
    theme: Theme = "light",
) -> go.Figure:
    """The number of tokens of each text, with a bar for each tokeniser. `unknown` tokens cannot be read back.

    A text that a tokeniser cannot cut has the number `NOT_CUT`, and no bar.
    """
    fig = go.Figure()
    for tone, (name, values) in zip(SERIES[theme], counts.items(), strict=False):
        counts_of_text = [
            "not cut" if count == NOT_CUT else f"{count}" + (f" ({lost} unknown)" if lost else "")
            for count, lost in zip(values, unknown[name], strict=True)
        ]
        fig.add_bar(
            y=list(range(len(texts))), x=[max(count, 0) for count in values], name=plotly_text(name), orientation="h",
            text=counts_of_text,
            textposition="outside", cliponaxis=False, marker={"color": tone},
            hovertemplate="%{text}<extra>%{fullData.name}</extra>",
        )  # fmt: skip
    apply_style(fig, theme, height=110 + (18 * len(counts) + 12) * len(texts))
    names = [isolate(plotly_text(shorten(line, 30))) for line in map(readable, texts)]
    fig.update_yaxes(
        tickvals=list(range(len(texts))), ticktext=names, autorange="reversed", showgrid=False,
        tickfont={"color": colour("text", theme)},
    )  # fmt: skip
    fig.update_xaxes(title_text="tokens", rangemode="tozero")
    return fig.update_layout(
        barmode="group", legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "traceorder": "normal"}
    )


def readable(text: str) -> str:
    """A text in one line, with signs for line breaks and invisible characters."""
    return token_label(text).replace(SPACE, " ")


def _draw_rows(rows: Sequence[Sequence[Chip]], leftwards: bool, theme: Theme, *, centred: bool = False) -> go.Figure:
    """Rows of chips below each other. Short rows are larger. `centred`: in the middle of the picture."""
    chips = [(y, chip) for y, row in enumerate(rows) for chip in row]
    # Letters of fixed width would tear Urdu words apart.
    family = FONT if any(is_right_to_left(chip.label) for _, chip in chips) else MONO
    end = max(chip.end for _, chip in chips)
    width = max(end, LINE_CHARACTERS / MAX_ENLARGEMENT)
    start = (end - width) / 2 if centred else 0.0
    ys, names = [y for y, _ in chips], [plotly_text(chip.label) for _, chip in chips]
    old_tone, new_tone = (with_alpha(colour("query", theme), opacity) for opacity in (OLD_OPACITY, NEW_OPACITY))
    fig = go.Figure(
        go.Bar(
            base=[chip.start for _, chip in chips], x=[chip.end - chip.start - GAP for _, chip in chips], y=ys,
            orientation="h", marker={"color": [new_tone if chip.is_new else old_tone for _, chip in chips]},
            hovertext=names, hoverinfo="text", showlegend=False,
        )
    )  # fmt: skip
    letter = max(12 * LINE_CHARACTERS / width, LEAST_LETTER)
    fig.add_scatter(
        x=[(chip.start + chip.end - GAP) / 2 for _, chip in chips], y=ys, text=names, mode="text", hoverinfo="skip",
        showlegend=False,
        textfont={"family": family, "size": letter, "color": colour("text", theme)},
    )  # fmt: skip
    apply_style(fig, theme, height=40 + round(ROW_PIXELS * max(1.0, LINE_CHARACTERS / width)) * len(rows))
    ends = [start - 2 * GAP, start + width + GAP]
    fig.update_xaxes(visible=False, range=ends[::-1] if leftwards else ends)
    fig.update_yaxes(
        tickvals=list(range(len(rows))), range=[len(rows) - 0.4, -0.6], showgrid=False, zeroline=False,
        tickfont={"color": colour("muted", theme)},
    )  # fmt: skip
    return fig.update_layout(barmode="overlay", bargap=0.2)
