"""Nodes and edges of a flow of information, by their names and in words."""

from __future__ import annotations

from model.analysis.flow_routes import stages_of
from model.edits.edges import DropEdge
from model.errors import EditError
from views.models.why.question import Question
from viz.models.paths import edge_title, node_title
from viz.shared.tokens import words


def node_of(asked: Question, name: str) -> tuple[int, int] | None:
    """The stage's number and the token of a node, or of an edge's upper end; None for what is not in this run."""
    path, _, ends = name.partition("@")
    token = ends.rpartition(">")[2]
    places = {stage.name: place for place, stage in enumerate(stages_of(asked.config)) if place}
    place = places.get(path, places.get(path.rpartition(".")[0]))
    if place is None or not token.isdecimal() or int(token) >= len(asked.read):
        return None
    edge = droppable(name)
    counts = len(asked.read), len(asked.run.trace.source_tokens)
    is_known = path in places or path.endswith((".stream", ".bias")) or edge is not None
    return (place, int(token)) if is_known and (edge is None or edge.exists_in(asked.config, *counts)) else None


def droppable(name: str) -> DropEdge | None:
    """The edge of a name, if it can be dropped: not the stream, nor a bias."""
    try:
        return DropEdge.parse(name)
    except EditError:
        return None


def title_of(asked: Question, name: str) -> str:
    """An edge or a node in words."""
    node = node_of(asked, name)
    stages = stages_of(asked.config)
    if node is not None and name == f"{stages[node[0]].name}@{node[1]}" and not name.partition("@")[0].endswith("ffn"):
        return node_title(stages[node[0]].name, node[1], asked.read)
    return edge_title(name, asked.read, words(asked.run.trace.source_tokens))
