"""Trees of tokens, by their data."""

from __future__ import annotations

from viz.shared.tree import Node, places, tree_figure

NODES = [
    Node("<SOS>", None, "root", on_path=True),
    Node("a", 0, "live", on_path=True, custom=(1,)),
    Node("b", 0, "pruned", custom=(2,)),
    Node("c", 1, "finished", on_path=True, note="a c, score -0.1", custom=(3,)),
    Node("<b>", 1, "pruned", custom=(4,)),
]


def test_time_runs_to_the_right_and_every_leaf_has_a_row() -> None:
    at = places(NODES)
    assert [depth for depth, _ in at] == [0, 1, 1, 2, 2]
    leaves = [at[i][1] for i in (2, 3, 4)]
    assert len(set(leaves)) == 3
    assert at[0][1] == at[1][1] == at[3][1] == 0, "the path runs straight"


def test_every_node_is_drawn_once_with_its_state() -> None:
    figure = tree_figure(NODES)
    labels = {trace.name: list(trace.text) for trace in figure.data if trace.mode == "markers+text"}
    assert labels == {"root": ["&lt;SOS&gt;"], "live": ["a"], "finished": ["c"], "pruned": ["b", "&lt;b&gt;"]}
    finished = next(trace for trace in figure.data if trace.name == "finished")
    assert list(finished.customdata[0]) == [3]
    assert finished.hovertext[0] == "a c, score -0.1"


def test_a_tree_of_one_node() -> None:
    assert len(tree_figure([NODES[0]], theme="dark").data) >= 1
