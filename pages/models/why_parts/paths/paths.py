"""Why this word, Paths: the routes on which information flows to the vector that is read out for this token."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from model.analysis import flow_routes as code_of_routes
from model.analysis import stage_sum
from model.analysis.attribution import keep_for_account
from model.analysis.flow_routes import FlowRoutes, keep_for_routes
from model.config import TransformerConfig
from model.edits.edges import DropEdge
from pages.models.why_parts.paths import path_edges, path_search
from pages.models.why_parts.paths.path_search import LEAST, MOST, STEP
from pages.shared.elements import figures, fragments, layout
from pages.shared.server.session_values import of_session
from pages.shared.session import state, token_window
from views.models.why.question import Question
from views.shared import windows
from viz.models.paths import EVERY, RouteGraph, routes_figure
from viz.shared.style import count_noun, percent
from viz.shared.tokens import words

MOST_EDGES = 2_000  # of a long text that are drawn, or listed
NAMED = 8  # edges that the picture's text names
CHART = {"displayModeBar": False}


@dataclass
class PathsSession:
    """Whether an edge was clicked: then the story beside the picture tells of another one."""

    clicked: bool = False


def keep(config: TransformerConfig) -> tuple[str, ...]:
    """The tensors of a run that this part needs."""
    return (*keep_for_account(config), *keep_for_routes(config))


def show(asked: Question, depth: str) -> None:
    if depth == "Code":
        layout.code(
            code_of_routes.flow_routes, code_of_routes.FlowRoutes, stage_sum.proximity, stage_sum.StageSum,
            DropEdge,
        )  # fmt: skip
        return
    if depth == "Formula":
        _formula()
    routes = path_search.routes_of(asked, _least())
    if routes is None:
        if depth != "Formula":
            _choose_least()
        return
    shown = routes.above(_least())
    chosen = path_edges.read(asked, shown)
    graph = partial(graph_of, routes, asked.read, words(asked.run.trace.source_tokens))
    if depth == "Formula":
        path_edges.work_out(asked, chosen)
    elif depth == "Numbers":
        _choose_least()
        path_edges.choose(asked, shown, chosen)
        whole = graph(_least())
        part, _ = _choose_part(whole, asked.account.position, draws_all=True)
        st.dataframe(rows_of(part), hide_index=True, height=420)
        if len(part.edges) < len(whole.edges):
            counted = count_noun(len(whole.edges), "edge")
            layout.caption(f"{counted} lead to the last vector.{_describe_part(whole, part)}")
        path_edges.show(asked, chosen, numbers=True)
        _export(asked, graph)
    else:
        picture, story = st.columns([3, 2], gap="medium")
        with story:
            path_edges.choose(asked, shown, chosen)
            path_edges.show(asked, chosen, numbers=False)
        with picture:
            found = path_search.found_from(asked)
            fragments.alone(_picture)(asked, found, _least(), graph, chosen, path_edges.dropped(asked))
        _export(asked, graph)


def graph_of(routes: FlowRoutes, tokens: list[str], source: list[str], least: float) -> RouteGraph:
    """The graph of the edges of at least this importance."""
    kept = routes.above(least)
    names = [stage.name for stage in kept.stages]
    return RouteGraph(names, tokens, source, kept.edges.numpy(), kept.importance.numpy(), kept.names)


def rows_of(graph: RouteGraph, most: int | None = None) -> list[dict[str, Any]]:
    """One row for each edge, or for the `most` important ones, the most important first."""
    return [
        {"edge": graph.title(edge), "importance": float(graph.importance[edge]), "name": graph.names[edge]}
        for edge in graph.importance.argsort(kind="stable")[::-1][:most].tolist()
    ]


def _choose_part(graph: RouteGraph, position: int, *, draws_all: bool = False) -> tuple[RouteGraph, slice]:
    """What is drawn of a graph, and which of its columns, by the window that the reader chooses.

    Of a long text only the tokens on the routes have a column. If they are many, only edges into the tokens of the
    window are drawn. `draws_all`: the edges of all tokens of a short text are, without a window.
    """
    count = len(graph.tokens)
    if count <= windows.MAX_TOKENS:
        return graph, EVERY if draws_all else token_window.choose("why routes", count)
    if len(graph.touched) <= windows.MAX_READABLE_TOKENS:
        return graph.part(), EVERY
    window = token_window.choose("why routes", count, at=position)
    part = graph.part(window, MOST_EDGES)
    columns = np.searchsorted(part.touched, [window.start, window.stop])
    return part, slice(*columns.tolist())


def _least() -> float:
    """The importance below which the reader wants no edge."""
    return float(state.checked_number("why_least", LEAST, MOST, "Importance"))


def _choose_least() -> None:
    _least()
    st.slider(
        "Edges of at least this importance", LEAST, MOST, key="why_least", step=STEP, width=320,
        help="The share of an edge in the sum that it belongs to. Ferrando and Voita (2024) keep those above 4%.",
    )  # fmt: skip


def _picture(asked: Question, found: float, drawn: float, graph: Any, chosen: str, dropped: tuple[str, ...]) -> None:
    """The slider and the graph, which the slider draws anew without the rest of the page.

    `found`: the importance of the edges that were looked for; `drawn`: that with which the rest of the page was drawn.
    """
    session = of_session(PathsSession)
    if session.clicked:
        session.clicked = False
        st.rerun()  # the story beside the picture tells of the opened edge
    _choose_least()
    if _least() < found and _least() != drawn:
        st.rerun()  # the page looks for weaker edges, or offers it
    shown: RouteGraph = graph(_least())
    part, window = _choose_part(shown, asked.account.position)
    figure = routes_figure(part, opened=chosen, dropped=dropped, window=window, theme=state.theme())
    with st.container(key="why paths"):
        figures.chart(
            figure,
            key="why routes",
            on_select=_take_point,
            selection_mode="points",
            config=CHART,
            alt=_alternative(asked.number.plain_name, shown),
        )
    layout.caption(_describe(asked.number.name, shown, bool(dropped)) + _describe_part(shown, part))
    layout.cite("Ferrando and Voita (2024), arXiv:2403.00824; proximity: Ferrando et al. (2022), arXiv:2203.04212.")
    state.finish()


def _take_point() -> None:
    points = st.session_state["why routes"]["selection"]["points"]
    if points and points[0].get("customdata"):
        named = points[0]["customdata"]
        state.put(why_route_opened=named if isinstance(named, str) else named[0])
        of_session(PathsSession).clicked = True


def _alternative(answer: str, graph: RouteGraph) -> str:
    """The strongest edges in words. The depth Numbers has the table of all."""
    rows = rows_of(graph.without_stream(), NAMED)
    strongest = "; ".join(f"{row['edge']}, {percent(row['importance'])}" for row in rows)
    return (
        f"The routes to the last vector, from which {answer} is read: "
        f"{count_noun(len(graph.edges), 'edge')} between "
        f"{count_noun(len(graph.tokens), 'token')} across and {len(graph.stages)} stages upwards. "
        f"The strongest that are not the stream: {strongest or 'none'}. The depth Numbers lists all."
    )


def _describe(answer: str, graph: RouteGraph, has_dropped: bool) -> str:
    kinds = [graph.kind(edge) for edge in range(len(graph.edges))]
    counts = ", ".join(
        f"{kinds.count(kind):,} of {title}"
        for kind, title in (
            ("stream", "the stream"),
            ("head", "heads"),
            ("cross-attention", "cross-attention"),
            ("feed-forward", "feed-forwards"),
        )
        if kinds.count(kind)
    )
    return (
        f"{count_noun(len(graph.edges), 'edge')} lead to the last vector, from which {answer} is read: {counts}. "
        f"They touch {len(graph.touched):,} of {count_noun(len(graph.tokens), 'token')}. An edge is as thick as its "
        "share of the sum at its upper end, whichever token is asked for. Click an edge or a node to open that sum."
        + (" Dropped edges are dotted; the graph is that of the run with all of them." if has_dropped else "")
    )


def _describe_part(graph: RouteGraph, part: RouteGraph) -> str:
    """Which edges of a long text are drawn, as the end of a caption; else ""."""
    if part.placed is None:
        return ""
    if len(part.edges) == len(graph.edges):
        return " Only these tokens have a column."
    drawn = count_noun(len(part.edges), "edge")
    if len(part.edges) == MOST_EDGES:
        drawn = f"the {MOST_EDGES:,} most important edges"
    return f" Shown: {drawn} into the tokens of the window. Only tokens on the routes have a column."


def _export(asked: Question, graph: Any) -> None:
    shown = graph(_least())
    if len(shown.tokens) > windows.MAX_TOKENS:
        shown = shown.part(most=MOST_EDGES)
    chosen, gone = state.get("why_route_opened"), path_edges.dropped(asked)
    draw = partial(routes_figure, shown, opened=chosen, dropped=gone)
    arrays = {"edges": shown.edges, "importance": shown.importance}
    figures.export(f"{asked.run.name}-paths", draw, partial(rows_of, shown), ("why paths",), **arrays)


def _formula() -> None:
    layout.equation(
        r"y = \sum_j z_j, \qquad \mathrm{importance}(z_j, y) = \frac{\mathrm{proximity}(z_j, y)}"
        r"{\sum_k \mathrm{proximity}(z_k, y)}, \qquad "
        r"\mathrm{proximity}(z_j, y) = \max\big(\lVert y \rVert_1 - \lVert z_j - y \rVert_1,\, 0\big)",
        "Ferrando and Voita (2024), arXiv:2403.00824, section 2; Ferrando et al. (2022), arXiv:2203.04212.",
        {
            "y": "a token’s vector in the residual stream, after an attention or a feed-forward",
            "z_j": "one part of it: the stream before, a head from one token, $A_{qk}\\, v_k W_O$, the feed-forward, "
            "or the biases; after the norm where that follows the sum, with its scale in this run",
            r"\lVert \cdot \rVert_1": "the sum of the sizes of the features",
        },
    )
