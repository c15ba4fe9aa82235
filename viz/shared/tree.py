"""Trees of tokens: a reader's branches, or the hypotheses of a beam search. Time runs from left to right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import plotly.graph_objects as go

from viz.shared.style import FONT, MONO, Theme, apply_style, colour, is_right_to_left, plotly_text

ROW_PIXELS, MIN_HEIGHT_PIXELS = 39, 220
PRINTED_ROW_PIXELS = 31  # on paper, where nobody has to hit a point
LEAST_MARGIN, LETTER_PIXELS = 20, 7
BEND_STEPS = 0.42  # from the parent to the bend of a branch, of a step
ROLES = {"root": "muted", "live": "query", "finished": "value", "pruned": "masked"}
TEXT_ROLES = {"root": "muted", "live": "text", "finished": "value_text", "pruned": "masked_text"}


@dataclass(frozen=True)
class Node:
    """One token. `parent`: the index of an earlier node of the same sequence, or None for the root.

    `state` is one of `ROLES`. Nodes that are `on_path` are larger. `note` appears when the reader points at the node.
    A click gives `custom`.
    """

    label: str
    parent: int | None
    state: str = "live"
    on_path: bool = False
    note: str = ""
    custom: tuple[int, ...] = field(default=())


def places(nodes: Sequence[Node]) -> list[tuple[int, float]]:
    """(depth, row) of every node. Each leaf has a row of its own. A parent stands in the row of its first child."""
    children: list[list[int]] = [[] for _ in nodes]
    depth = [0] * len(nodes)
    for i, node in enumerate(nodes):
        if node.parent is not None:
            children[node.parent].append(i)
            depth[i] = depth[node.parent] + 1
    rows = [0.0] * len(nodes)
    free_row = 0
    stack = [i for i, node in enumerate(nodes) if node.parent is None]
    while stack:
        i = stack.pop()
        sorted_children = sorted(children[i], key=lambda j: not nodes[j].on_path)
        rows[i] = float(free_row)
        if not sorted_children:
            free_row += 1
        stack.extend(reversed(sorted_children))
    return list(zip(depth, rows, strict=True))


def tree_figure(
    nodes: Sequence[Node], *, theme: Theme = "light", unit: str = "step", row_pixels: int = ROW_PIXELS
) -> go.Figure:
    """The tree, with a labelled point for each node. `row_pixels`: the height of a row."""
    at = places(nodes)
    branches = [_branches(nodes, at, on_path, theme) for on_path in (False, True)]
    states = [state for state in ROLES if any(node.state == state for node in nodes)]
    several = len({"root", *states}) > 2
    fig = go.Figure([*branches, *(_points(nodes, at, state, several, theme) for state in states)])
    rows = max((row for _, row in at), default=0) + 1
    apply_style(fig, theme, height=int(max(MIN_HEIGHT_PIXELS, 70 + row_pixels * rows)))
    deepest = max((depth for depth, _ in at), default=0)
    fig.update_xaxes(title=unit, dtick=1, zeroline=False, showgrid=False, range=[-0.6, deepest + 0.6])
    fig.update_yaxes(visible=False, range=[rows - 0.4, -0.9])
    longest = max((len(node.label) for node, (depth, _) in zip(nodes, at, strict=True) if depth == deepest), default=0)
    right = max(LEAST_MARGIN, longest * LETTER_PIXELS // 2)  # Half of a label of the last step may stand in it.
    legend = {"orientation": "h", "y": 1.08, "x": 0}
    return fig.update_layout(legend=legend, hovermode="closest", margin={"r": right})


def _branches(nodes: Sequence[Node], at: Sequence[tuple[int, float]], on_path: bool, theme: Theme) -> go.Scatter:
    """The lines to all nodes that are on the path, or to all others."""
    xs: list[float | None] = []
    ys: list[float | None] = []
    for i, node in enumerate(nodes):
        if node.parent is None or node.on_path != on_path:
            continue
        (x0, y0), (x1, y1) = at[node.parent], at[i]
        xs += [x0, x0 + BEND_STEPS, x1, None]
        ys += [y0, y1, y1, None]
    line = {"color": colour("query" if on_path else "border", theme), "width": 2.5 if on_path else 1.2}
    return go.Scatter(x=xs, y=ys, mode="lines", line=line, hoverinfo="skip", showlegend=False)


def _points(
    nodes: Sequence[Node], at: Sequence[tuple[int, float]], state: str, several: bool, theme: Theme
) -> go.Scatter:
    """The nodes of one state; the legend names it where there are `several`."""
    chosen = [i for i, node in enumerate(nodes) if node.state == state]
    # Letters of fixed width would tear Urdu words apart.
    family = FONT if any(is_right_to_left(node.label) for node in nodes) else MONO
    return go.Scatter(
        x=[at[i][0] for i in chosen],
        y=[at[i][1] for i in chosen],
        mode="markers+text",
        name=state,
        text=[plotly_text(nodes[i].label) for i in chosen],
        textposition="top center",
        textfont={"family": family, "size": 12, "color": colour(TEXT_ROLES[state], theme)},
        hovertext=[plotly_text(nodes[i].note or nodes[i].label) for i in chosen],
        hoverinfo="text",
        customdata=[list(nodes[i].custom) for i in chosen],
        marker={
            "size": [11 if nodes[i].on_path else 8 for i in chosen],
            "symbol": {"finished": "square", "pruned": "x"}.get(state, "circle"),
            "color": colour(ROLES[state], theme),
        },
        cliponaxis=False,  # The labels of the first row stand above the axes where the type is large.
        showlegend=several and state != "root",
        unselected={"marker": {"opacity": 1}},
    )
