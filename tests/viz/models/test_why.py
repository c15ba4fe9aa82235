from __future__ import annotations

import numpy as np
import pytest

from viz.models.why import (
    account_figure,
    bars_figure,
    cause_figure,
    measures_figure,
    part_map,
    part_title,
    sources_figure,
)

PARTS = {
    "embed.tokens": 0.5,
    "embed.positions": -0.25,
    "decoder.0.self_attn.heads.0": 1.0,
    "decoder.0.self_attn.heads.1": -2.0,
    "decoder.0.self_attn.bias": 0.125,
    "decoder.0.ffn": 3.0,
    "decoder.1.self_attn.heads.0": 0.0,
    "decoder.1.self_attn.heads.1": 4.0,
    "decoder.1.self_attn.bias": 0.25,
    "decoder.1.ffn": -1.0,
    "final_norm.bias": 0.75,
}


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("decoder.9.self_attn.heads.2", "layer 9, head 2"),
        ("decoder.2.cross_attn.heads.3", "layer 2, cross head 3"),
        ("decoder.9.ffn", "layer 9, feed-forward"),
        ("decoder.1.cross_attn.bias", "layer 1, bias of W_O (cross)"),
        ("decoder.1.cross_norm.bias", "layer 1, bias of the norm after cross-attention"),
        ("decoder.embed.tokens", "the token's embedding"),
        ("embed.positions", "its position"),
        ("embed.segments", "its segment"),
        ("embed.norm.bias", "bias of the embedding's norm"),
        ("decoder.final_norm.bias", "bias of the final norm"),
        ("logits.bias", "bias of the output layer"),
        ("unheard.of", "unheard.of"),
    ],
)
def test_a_part_has_a_title(name: str, title: str) -> None:
    assert part_title(name) == title


def test_the_map_has_each_part_in_its_layer_and_runs_up_to_the_sum() -> None:
    table = part_map(PARTS, 2)
    assert table.rows == ["embedding", "layer 0", "layer 1", "output"]
    assert table.columns == ["0", "1", "ffn", "other"]
    assert table.names[1] == [*list(PARTS)[2:4], "decoder.0.ffn", "decoder.0.self_attn.bias"]
    assert table.values[1].tolist() == [1.0, -2.0, 3.0, 0.125]
    assert table.values[0, 3] == 0.25, "the token and its position are one cell"
    assert table.names[0][3] == ""
    assert np.isnan(table.values[0, :3]).all()
    assert table.running.tolist() == [0.25, 2.375, 5.625, 6.375]
    assert table.running[-1] == sum(PARTS.values())


def test_heads_of_cross_attention_have_columns_of_their_own() -> None:
    parts = {"decoder.0.self_attn.heads.0": 1.0, "decoder.0.cross_attn.heads.0": 2.0, "decoder.0.ffn": 3.0}
    assert part_map(parts, 1).columns == ["0", "c0", "ffn", "other"]


def test_the_account_is_drawn_on_the_signed_scale_and_takes_clicks() -> None:
    figure = account_figure(part_map(PARTS, 2), "decoder.1.ffn", theme="dark")
    heat, clicks, running = figure.data
    assert (heat.zmin, heat.zmax) == (-4, 4)
    assert list(zip(clicks.x.tolist(), clicks.y.tolist(), strict=True))[:3] == [(3, 0), (0, 1), (1, 1)]
    assert "layer 0, head 1: −2.000<br>L0H1, blocks.0.attn.hook_z[..., 1, :]" in clicks.hovertext
    assert list(heat.colorbar.ticktext) == ["−4.000", "0", "4.000"]
    assert running.x.tolist()[-1] == 6.375
    (frame,) = figure.layout.shapes
    assert (frame.x0, frame.y0) == (1.5, 1.5)


def test_bars_are_in_their_order_and_many_in_one_are_grey() -> None:
    figure = bars_figure({"a": 2.0, "<b>": -1.0, "others": 0.5}, "part", quiet=("others",))
    (bars,) = figure.data
    assert bars.x.tolist() == [2.0, -1.0, 0.5]
    assert len(set(bars.marker.color)) == 3
    assert list(figure.layout.yaxis.ticktext) == ["a", "&lt;b&gt;", "others"]
    low, high = figure.layout.xaxis.range
    assert low < -1
    assert high > 2


def test_tokens_have_their_parts() -> None:
    (bars,) = sources_figure(np.array([1.0, -2.0]), ["a", "b"]).data
    assert bars.y.tolist() == [1.0, -2.0]
    assert bars.hovertext == ("a: 1.000", "b: −2.000")


def test_each_measure_is_a_series() -> None:
    figure = measures_figure({"one": np.array([0.5, -0.5]), "other": np.array([0.25, 0.75])}, ["a", "b"])
    assert [trace.name for trace in figure.data] == ["one", "other"]
    assert figure.data[1].y.tolist() == [0.25, 0.75]


def test_the_scatter_names_what_it_was_asked_to() -> None:
    direct, fall = np.array([0.0, 1.0, 5.0]), np.array([0.0, 3.0, 5.0])
    figure = cause_figure(["a", "b", "c"], direct, fall, [1])
    diagonal, points = figure.data
    assert diagonal.x == diagonal.y
    assert points.x.tolist() == direct.tolist()
    assert points.text == ("", "b", "")


def test_names_at_an_edge_stand_inside_the_picture() -> None:
    direct, fall = np.array([-9.0, 0.0, 9.0]), np.array([5.0, 0.0, -5.0])
    figure = cause_figure(["left", "middle", "right"], direct, fall, [0, 1, 2])
    assert figure.data[1].textposition == ("top right", "top center", "top left")
    assert figure.data[1].text == ("left", "middle", "right")


def test_names_that_would_touch_are_left_out() -> None:
    near = np.array([1.0, 1.0, 5.0])
    figure = cause_figure(["first", "second", "third"], near, near, [0, 1, 2])
    assert figure.data[1].text == ("first", "", "third")
