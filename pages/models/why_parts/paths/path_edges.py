"""Why this word, Paths: the sum behind one node, one of its edges, and the answer when edges are dropped."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import Any

import streamlit as st
import torch
from torch import Tensor

from model.analysis.attribution import answers
from model.analysis.flow_routes import FlowRoutes, edges_into, stages_of
from model.analysis.head_steps import final_name
from model.analysis.stage_sum import FFN, StageSum, proximity
from model.edits.edges import DropEdge, parse_edges, write_edges
from model.errors import EditError
from model.run import ids_of
from pages.shared.elements import claims, figures, layout
from pages.shared.model_runs import traces
from pages.shared.session import state
from views.models.why.question import Question, likeliest
from views.shared import quotes
from viz.models.patching import next_tokens_figure
from viz.models.paths import edge_title, node_title, part_title
from viz.models.why import bars_figure
from viz.shared.style import count_noun, markdown_text, number, percent, upper_first
from viz.shared.tokens import words

LARGEST = 8  # parts of a node
OFFERED = 200  # edges of the menu
LIKELIEST = 4  # tokens of each run
MAX_DROPPED = 8
LOST = "what the dropped edges cost the answer's probability"
MENU, DROPPED = "why route menu", "why dropped edges"


def node_of(asked: Question, name: str) -> tuple[int, int] | None:
    """The stage's number and the token of a node, or of an edge's upper end; None for what is not in this run."""
    path, _, ends = name.partition("@")
    token = ends.rpartition(">")[2]
    places = {stage.name: place for place, stage in enumerate(stages_of(asked.config)) if place}
    place = places.get(path, places.get(path.rpartition(".")[0]))
    if place is None or not token.isdecimal() or int(token) >= len(asked.read):
        return None
    edge = _droppable(name)
    counts = len(asked.read), len(asked.run.trace.source_tokens)
    is_known = path in places or path.endswith((".stream", ".bias")) or edge is not None
    return (place, int(token)) if is_known and (edge is None or edge.exists_in(asked.config, *counts)) else None


def read(asked: Question, routes: FlowRoutes) -> str:
    """The node or edge that the reader has opened, or else the highest edge of a head that reads another token."""
    name = state.get("why_route_opened")
    if name and node_of(asked, name) is not None:
        return name
    if name and not name.startswith(f"{routes.stages[0].name}@"):
        state.put(why_route_opened="")
        state.say("why_route_opened", "The link opens an edge that this run lacks. The highest one of a head is open.")
    return routes.highest_head


def _droppable(name: str) -> DropEdge | None:
    """The edge of a name, if it can be dropped: not the stream, nor a bias."""
    try:
        return DropEdge.parse(name)
    except EditError:
        return None


def dropped(asked: Question) -> tuple[str, ...]:
    """The names of the edges that the reader has dropped. What this run lacks is forgotten, and the page says so."""
    counts = len(asked.read), len(asked.run.trace.source_tokens)
    try:
        edges = parse_edges(state.get("why_dropped"))
    except EditError:
        edges = ()
    kept = tuple(edge for edge in edges if edge.exists_in(asked.config, *counts))[:MAX_DROPPED]
    if len(kept) < len(edges) or (not edges and state.get("why_dropped")):
        state.put(why_dropped=write_edges(kept))
        state.say("why_dropped", f"Edges that this run lacks, or more than {MAX_DROPPED}, are not dropped.")
    return tuple(map(str, kept))


def choose(asked: Question, shown: FlowRoutes, opened: str) -> None:
    """The menu of the edges, for those who do not click, and the button that drops the open one."""
    order = shown.importance.argsort(descending=True, stable=True).tolist()
    names, shares = shown.names, shown.importance.tolist()
    offered = islice((i for i in order if ".stream@" not in names[i]), OFFERED)
    titles = {names[i]: f"{percent(shares[i])}  {_title(asked, names[i])}" for i in offered}
    options = [*dict.fromkeys([opened, *titles])]
    st.session_state[MENU] = opened

    def write(name: str) -> str:
        return titles.get(name) or _title(asked, name)

    st.selectbox("Open an edge", options, key=MENU, format_func=write, on_change=_take_menu)
    gone, edge = dropped(asked), _droppable(opened)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.button(
            "Drop this edge",
            key="why drop",
            icon=":material/content_cut:",
            on_click=_drop,
            args=(opened,),
            disabled=edge is None or opened in gone or len(gone) >= MAX_DROPPED,
            help="The run is made again without this one contribution. The stream and biases cannot be dropped.",
        )
        if gone:
            st.button("Put all back", key="why put back", icon=":material/undo:", type="tertiary", on_click=_put_back)
    if gone:
        st.session_state[DROPPED] = list(gone)
        st.multiselect("Dropped", gone, key=DROPPED, format_func=partial(_title, asked), on_change=_take_dropped)


def _title(asked: Question, name: str) -> str:
    """An edge or a node in words."""
    node = node_of(asked, name)
    stages = stages_of(asked.config)
    if node is not None and name == f"{stages[node[0]].name}@{node[1]}" and not name.partition("@")[0].endswith("ffn"):
        return node_title(stages[node[0]].name, node[1], asked.read)
    return edge_title(name, asked.read, words(asked.run.trace.source_tokens))


def _take_menu() -> None:
    state.put(why_route_opened=st.session_state[MENU])


def _drop(name: str) -> None:
    state.put(why_dropped=write_edges((*parse_edges(state.get("why_dropped")), DropEdge.parse(name))))


def _put_back() -> None:
    state.put(why_dropped="")


def _take_dropped() -> None:
    state.put(why_dropped=write_edges(tuple(DropEdge.parse(name) for name in st.session_state[DROPPED])))


def show(asked: Question, name: str, *, numbers: bool) -> None:
    """The sum at the opened node, then the answer without the dropped edges."""
    with st.container(key="why route"):
        _show_sum(asked, name, numbers)
    gone = dropped(asked)
    if gone:
        with st.container(key="why without edges"):
            _show_answer(asked, gone, numbers)


def _show_sum(asked: Question, name: str, numbers: bool) -> None:
    node = node_of(asked, name)
    assert node is not None
    stage, token = stages_of(asked.config)[node[0]], node[1]
    into = edges_into(asked.run.model, asked.run.trace, *node)
    shares = dict(zip(into.names, into.importance.tolist(), strict=True))
    st.markdown(f"**The sum at** {markdown_text(node_title(stage.name, token, asked.read))}")
    if not shares:
        layout.caption("No part of this sum is nearer to it than the zero vector, so none has an importance.")
        return
    first = list(dict.fromkeys(([name] if name in shares else []) + list(shares)))[:LARGEST]
    first.sort(key=lambda each: -shares[each])
    source = words(asked.run.trace.source_tokens)
    bars = {part_title(each, asked.read, source): shares[each] for each in first}
    rest = count_noun(len(shares) - len(first), "other part")
    if len(shares) > len(first):
        bars[rest] = sum(shares.values()) - sum(shares[each] for each in first)
    figure = bars_figure(bars, "share of the sum", quiet=(rest,), theme=state.theme())

    def rows() -> list[dict[str, Any]]:
        return [{"part": _title(asked, each), "importance": share, "name": each} for each, share in shares.items()]

    figures.show_or_list(numbers, figure, "The importance of the parts of the opened sum", rows)
    layout.caption(_describe_edge(asked, name, stage.name, token, shares))


def _describe_edge(asked: Question, name: str, stage: str, token: int, shares: dict[str, float]) -> str:
    """The numbers of the opened edge: its weight, its length and its distance to the whole."""
    edge = _droppable(name)
    summed = StageSum(asked.run.model, asked.run.trace, stage)
    whole = summed.whole[token]  # (d_model,)
    told = (
        f"{len(shares):,} parts have an importance. All parts sum to the vector, which is off by "
        f"{number(_rounding(summed, token), 6)} at most, from rounding."
    )
    if edge is None:
        return told
    vector = summed.vector(token, edge.head if edge.head >= 0 else FFN, edge.key)
    weight = ""
    if edge.head >= 0:
        weights = asked.run.trace[f"{edge.path}.weights"]
        weight = f"Attention weight {number(float(weights[edge.head, token, edge.key]))}. "
    return (
        f"{markdown_text(_title(asked, name))}: {weight}Length {number(float(vector.norm()))}, of the whole "
        f"{number(float(whole.norm()))}. Proximity {number(float(proximity(vector, whole)))}, which is "
        f"{percent(shares.get(name, 0.0))} of all. {told}"
    )


def _rounding(summed: StageSum, token: int) -> float:
    """The largest difference of the sum of all parts to the vector of the run."""
    total = torch.stack([part[0] for part in summed.whole_parts(torch.tensor([token])).values()]).sum(0)
    if summed.part != "ffn":
        total = total + summed.head_sum(token)
    return float((total - summed.whole[token]).abs().max())


def without(asked: Question, gone: tuple[str, ...]) -> Tensor:
    """The logits after the token of the question, in the run without some edges: (vocabulary,)."""
    run, kept = asked.run, final_name(asked.config, asked.config.stacks[-1])
    ids, source = (tuple(ids_of(tokens).tolist()) for tokens in (run.trace.tokens, run.trace.source_tokens))
    edits = [DropEdge.parse(name) for name in gone]
    made = traces.trace_ids(run.model, ids, kept, source, edits=edits)
    return answers(run.model, made, asked.account.position)


def _show_answer(asked: Question, gone: tuple[str, ...], numbers: bool) -> None:
    logits = {"all edges": asked.logits, "without the dropped": without(asked, gone)}
    ids = likeliest(logits.values(), LIKELIEST, asked.tokens)
    names = [asked.word(id) for id in ids]
    shares = {name: asked.scores(each)[ids].numpy() for name, each in logits.items()}
    draw = partial(next_tokens_figure, shares, names, kind=asked.config.label_scores)
    rows: list[dict[str, Any]] = [
        {"token": name} | {run: float(each[place]) for run, each in shares.items()} for place, name in enumerate(names)
    ]
    st.markdown(f"**The {asked.answers} with these edges dropped**")
    figures.show_or_list(
        numbers, draw(state.theme()), f"The {asked.answers} with and without the dropped edges", lambda: rows
    )
    before, after = map(asked.read_off, logits.values())
    scores = [float(asked.scores(each)[asked.account.token]) for each in logits.values()]
    claims.tell(LOST, scores[0] - scores[1])
    chances = [asked.chances(each) for each in logits.values()]
    layout.caption(
        f"{upper_first(asked.number.name)} goes from {number(before)} to {number(after)}, the {asked.chances_noun} "
        f"from {chances[0]} to {chances[1]}. All that comes after the edges is computed again."
    )
    figures.export(
        f"{asked.run.name}-dropped-edges", draw, lambda: rows, ("why without edges",),
        all_edges=shares["all edges"], without=shares["without the dropped"],
    )  # fmt: skip


def work_out(asked: Question, name: str) -> None:
    """The importance of the opened edge with the numbers of this run."""
    node = node_of(asked, name)
    assert node is not None
    stage = stages_of(asked.config)[node[0]].name
    into = edges_into(asked.run.model, asked.run.trace, *node)
    if not len(into):
        return
    name = name if name in into.names else into.names[0]
    _, token, part, _, key = into.edges[into.names.index(name)].tolist()
    share = float(into.importance[into.names.index(name)])
    summed = StageSum(asked.run.model, asked.run.trace, stage)
    vector, whole = summed.vector(token, part, key), summed.whole[token]
    size, distance = float(whole.abs().sum()), float((vector - whole).abs().sum())
    near = max(size - distance, 0.0)
    layout.work_out(
        f"{markdown_text(_title(asked, name))}, in the sum at {markdown_text(node_title(stage, token, asked.read))}:",
        rf"\mathrm{{proximity}} = {quotes.tex(size)} - {quotes.tex(distance)} = {quotes.tex(size - distance)}",
        rf"\mathrm{{importance}} = \frac{{{quotes.tex(near)}}}{{{quotes.tex(near / share)}}} = {quotes.tex(share)}",
    )
