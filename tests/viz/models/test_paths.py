from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

from viz.models.paths import BIAS, FFN, SOURCE, STREAM, RouteGraph, edge_title, node_title, part_title, routes_figure

STAGES = ("decoder.embed", "decoder.0.self_attn", "decoder.0.cross_attn", "decoder.0.ffn")
EDGES = np.array(
    [
        [3, 1, STREAM, 2, 1],
        [3, 1, FFN, 2, 1],
        [3, 1, BIAS, -2, 1],
        [2, 1, 4, SOURCE, 2],
        [1, 1, 0, 0, 0],
        [1, 1, 3, 0, 0],
        [1, 1, 2, 0, 1],
    ]
)
NAMES = (
    "decoder.0.ffn.stream@1", "decoder.0.ffn@1", "decoder.0.ffn.bias@1", "decoder.0.cross_attn.4@2>1",
    "decoder.0.self_attn.0@0>1", "decoder.0.self_attn.3@0>1", "decoder.0.self_attn.2@1>1",
)  # fmt: skip
IMPORTANCE = np.array([0.6, 0.3, 0.05, 0.5, 0.45, 0.2, 0.1])


def graph(source: tuple[str, ...] = ("x", "y", "z")) -> RouteGraph:
    return RouteGraph(STAGES, ("the", "<b>"), source, EDGES, IMPORTANCE, NAMES)


def lines(figure: go.Figure) -> dict[str, list[go.Scatter]]:
    found: dict[str, list[go.Scatter]] = {}
    for trace in figure.data:
        if trace.mode == "lines" and trace.name:
            found.setdefault(trace.name, []).append(trace)
    return found


def pointed(figure: go.Figure) -> dict[str, tuple[float, float, str]]:
    """What a pointer finds, the edges before the nodes: name, place, text."""
    found: dict[str, tuple[float, float, str]] = {}
    for trace in figure.data:
        if trace.customdata is not None:
            for name, x, y, text in zip(trace.customdata, trace.x, trace.y, trace.hovertext, strict=True):
                found.setdefault(str(name), (float(x), float(y), str(text)))
    return found


def test_each_kind_has_its_colour_and_stands_in_the_legend_once() -> None:
    found = lines(routes_figure(graph()))
    assert set(found) == {"stream", "head", "cross-attention", "feed-forward"}
    assert all(sum(bool(trace.showlegend) for trace in traces) == 1 for traces in found.values())
    assert len({traces[0].line.color for traces in found.values()}) == 4


def test_a_line_is_as_thick_as_its_importance() -> None:
    widths = sorted(float(trace.line.width) for trace in lines(routes_figure(graph()))["head"])
    assert widths == [2.8, 4.0, 5.5]


def test_edges_run_from_their_token_to_their_node() -> None:
    figure = routes_figure(graph())
    (cross,) = lines(figure)["cross-attention"]
    x, y = np.array(cross.x, float), np.array(cross.y, float)
    assert (x[0], x[-2]) == (2, 5), "from the third word of the source to the second token, behind an empty column"
    assert (y[0], y[-2]) == (1, 2)
    assert np.isnan(x[-1]), "a gap, so that edges do not join"
    alone = routes_figure(RouteGraph(STAGES, ("the", "dog"), (), EDGES[4:5], IMPORTANCE[4:5], NAMES[4:5]))
    (head,) = lines(alone)["head"]
    assert (float(head.x[0]), float(head.x[8])) == (0, 1)


def test_edges_of_the_same_ends_do_not_cover_each_other() -> None:
    found = pointed(routes_figure(graph()))
    one, other = found["decoder.0.self_attn.0@0>1"], found["decoder.0.self_attn.3@0>1"]
    assert abs(one[0] - other[0]) > 0.05
    stream, transformed = found["decoder.0.ffn.stream@1"], found["decoder.0.ffn@1"]
    assert stream[0] != transformed[0]


def test_edges_and_nodes_tell_what_they_are() -> None:
    found = pointed(routes_figure(graph()))
    assert found["decoder.0.cross_attn.4@2>1"][2] == "layer 0, cross head 4: “z” 2 → “&lt;b&gt;” 1<br>50% of the sum"
    assert found["decoder.embed@0"][2] == "“the” 0 after the embedding"
    assert "decoder.0.ffn.bias@1" not in found, "a bias comes from nowhere"


def test_what_is_opened_is_framed_and_what_is_dropped_is_dotted() -> None:
    figure = routes_figure(graph(), opened=NAMES[3], dropped=[NAMES[4]])
    (ring,) = (trace for trace in figure.data if trace.mode == "markers" and trace.marker.symbol == "circle-open")
    assert (ring.x[0], ring.y[0]) == (5, 2)
    dotted = [trace for trace in figure.data if trace.mode == "lines" and trace.line.dash == "dot"]
    assert len(dotted) == 1
    assert dotted[0].name == "head"


def test_an_opened_edge_that_is_dropped_stays_dotted() -> None:
    figure = routes_figure(graph(), opened=NAMES[3], dropped=[NAMES[3]])
    assert [trace.line.dash for trace in lines(figure)["cross-attention"]] == ["dot"]
    assert not [trace for trace in figure.data if trace.mode == "lines" and not trace.name]


def test_a_window_shows_some_tokens_with_all_their_labels() -> None:
    many = RouteGraph(STAGES, [f"t{place}" for place in range(100)], (), EDGES[4:5], IMPORTANCE[4:5], NAMES[4:5])
    axis = routes_figure(many, window=slice(50, 60)).layout.xaxis
    assert list(axis.tickvals) == list(range(50, 60))
    assert axis.ticktext[0] == "t50"
    assert list(axis.range) == pytest.approx([49.4, 59.6])
    with_source = routes_figure(graph(), window=slice(0, 2)).layout.xaxis
    assert list(with_source.ticktext) == ["x", "y", "z", "the", "&lt;b&gt;"]
    assert list(with_source.tickvals) == [0, 1, 2, 4, 5]


def test_tokens_without_an_edge_have_no_column_in_a_part() -> None:
    edges = np.array([[1, 70, 0, 0, 5], [1, 70, STREAM, 0, 70], [1, 90, 2, 0, 5], [1, 90, BIAS, -2, 90]])
    names = ("decoder.0.self_attn.0@5>70", "decoder.0.self_attn.stream@70", "decoder.0.self_attn.2@5>90",
             "decoder.0.self_attn.bias@90")  # fmt: skip
    shares = np.array([0.2, 0.5, 0.4, 0.3])
    many = RouteGraph(STAGES, [f"t{place}" for place in range(100)], ("x",), edges, shares, names)
    assert many.touched == [5, 70, 90]
    part = many.part()
    assert (part.names, part.placed) == (list(names), [5, 70, 90])
    figure = routes_figure(part, opened=names[2])
    assert list(figure.layout.xaxis.ticktext) == ["x", "t5", "t70", "t90"]
    assert list(figure.layout.xaxis.tickvals) == [0, 2, 3, 4]
    (line, *_) = lines(figure)["head"]
    assert (line.x[0], line.x[8]) == (2, 3), "the thinner one, from t5 to t70"
    assert pointed(figure)["decoder.embed@70"][:2] == (3, 0)
    within = many.part(slice(60, 80))
    assert (within.names, within.placed) == (list(names[:2]), [5, 70])
    assert many.part(most=2).names == [names[1], names[2]], "the most important, in their order"
    assert many.part(slice(0, 9)).placed == []
    assert list(routes_figure(many.part(slice(0, 9)), opened=names[2]).layout.xaxis.ticktext) == ["x"]
    assert many.without_stream().names == [names[0], names[2], names[3]]


def test_no_edges_make_an_empty_graph() -> None:
    empty = RouteGraph(STAGES, ("the",), (), EDGES[:0], IMPORTANCE[:0], ())
    assert not lines(routes_figure(empty))


@pytest.mark.parametrize(
    ("name", "title", "part"),
    [
        ("decoder.3.self_attn.2@0>1", "layer 3, head 2: “the” 0 → “dog” 1", "head 2: “the” 0"),
        ("decoder.3.cross_attn.2@0>1", "layer 3, cross head 2: “کتا” 0 → “dog” 1", "head 2: “کتا” 0"),
        ("decoder.3.ffn@1", "layer 3, feed-forward at “dog” 1", "feed-forward"),
        ("decoder.3.ffn.stream@1", "layer 3, stream before the feed-forward at “dog” 1", "stream"),
        ("decoder.3.self_attn.bias@1", "layer 3, biases of the attention at “dog” 1", "biases"),
    ],
)
def test_names_in_words(name: str, title: str, part: str) -> None:
    words = (("the", "dog"), ("کتا",))
    marks = str.maketrans("", "", "\u2068\u2069")
    assert edge_title(name, *words).translate(marks) == title
    assert part_title(name, *words).translate(marks) == part


def test_a_node_in_words() -> None:
    assert node_title("decoder.7.cross_attn", 0, ["the"]) == "“the” 0 after the cross-attention of layer 7"
    assert node_title("decoder.embed", 0, ["the"]) == "“the” 0 after the embedding"
