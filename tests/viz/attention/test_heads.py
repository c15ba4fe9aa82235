"""Figures of heads by their data: what is drawn, hidden, clickable and said."""

from __future__ import annotations

import base64
from types import SimpleNamespace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from viz.attention.heads import (
    NUMBERS_FAMILY,
    pack_atlas,
    pack_lines,
    pack_stack,
    pack_tiles,
    products_figure,
    weights_figure,
)
from viz.shared.ink import LEAST_LETTERS, MOST_LETTERS
from viz.shared.payload import printed_codes, unpack
from viz.shared.style import SEQUENTIAL, SIGNED
from viz.shared.tokens import chips, labels, words

WORDS = ["The", "fox", "it"]
WEIGHTS = np.array([[1, 0, 0], [0.25, 0.75, 0], [0.5, 0.3, 0.2]], np.float32)
HIDDEN = np.triu(np.ones((3, 3), bool), 1)


def drawn(values: Any) -> np.ndarray:
    """The numbers of a Plotly array, whether as base64 or not."""
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"])
    return np.asarray(values)


def test_the_matrix_is_the_data_and_hidden_cells_are_empty() -> None:
    fig = weights_figure(WEIGHTS, WORDS, WORDS, hidden=HIDDEN)
    z = np.asarray(fig.data[0].z)
    assert np.isnan(z[HIDDEN]).all()
    assert (z[~HIDDEN] == WEIGHTS[~HIDDEN]).all()
    assert (fig.data[0].zmin, fig.data[0].zmax) == (0, 1)
    assert [colour for _, colour in fig.data[0].colorscale] == [colour for _, colour in SEQUENTIAL["light"]]


def test_every_visible_cell_can_be_clicked_and_tells_its_place_and_value() -> None:
    fig = weights_figure(WEIGHTS, WORDS, WORDS, hidden=HIDDEN)
    layer = fig.data[-1]
    cells = list(zip(layer.y.tolist(), layer.x.tolist(), strict=True))
    assert cells == [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]
    assert layer.text[3] == "it → The  0.500"
    assert layer.marker.opacity == 0


def texts_of(figure: go.Figure) -> list[go.Scatter]:
    return [trace for trace in figure.data if trace.type == "scatter" and trace.mode == "text"]


def test_visible_cells_have_their_numbers_where_these_can_be_read() -> None:
    fig = weights_figure(WEIGHTS, WORDS, WORDS, hidden=HIDDEN)
    written = texts_of(fig)
    numbers = {(y, x): text for each in written for x, y, text in zip(each.x, each.y, each.text, strict=True)}
    assert numbers == {(0, 0): "1.00", (1, 0): "0.25", (1, 1): "0.75", (2, 0): "0.50", (2, 1): "0.30", (2, 2): "0.20"}
    for trace in written:
        assert LEAST_LETTERS <= trace.textfont.size <= MOST_LETTERS
        assert trace.textfont.family == NUMBERS_FAMILY
    crowded = weights_figure(np.eye(64, dtype=np.float32), ["token"] * 64, ["token"] * 64)
    assert texts_of(crowded) == []


def test_numbers_stand_in_the_ink_of_their_cell_in_the_dark_too() -> None:
    fig = weights_figure(np.array([[4.0, -4.0, 0.1]]), ["a"], ["b", "c", "d"], kind="scores", theme="dark")
    inks = {text: trace.textfont.color for trace in texts_of(fig) for text in trace.text}
    assert inks == {"4.00": "#000000", "−4.00": "#000000", "0.10": "#ffffff"}


def test_the_first_query_is_on_top_and_cells_are_square() -> None:
    fig = weights_figure(WEIGHTS, WORDS, WORDS)
    assert fig.layout.yaxis.range == (2.5, -0.5)
    assert fig.layout.yaxis.scaleanchor == "x"
    assert list(fig.layout.yaxis.ticktext) == WORDS


def test_signed_values_are_centred_on_zero() -> None:
    fig = weights_figure(np.array([[1.0, -4.0]]), ["a"], ["b", "c"], kind="scores", theme="dark")
    assert (fig.data[0].zmin, fig.data[0].zmax) == (-4, 4)
    assert [colour for _, colour in fig.data[0].colorscale] == [colour for _, colour in SIGNED["dark"]]


def test_equal_matrices_have_a_difference_that_can_be_drawn() -> None:
    fig = weights_figure(np.zeros((2, 2)), ["a", "b"], ["a", "b"], kind="difference")
    assert (fig.data[0].zmin, fig.data[0].zmax) == (-1, 1)


def test_a_long_sentence_is_sent_in_whole_percent_with_the_cells_that_show() -> None:
    size = 256
    matrix = np.eye(size, dtype=np.float32) * 0.995 + 0.005 / size
    fig = weights_figure(matrix, ["token"] * size, ["token"] * size)
    assert fig.data[0].z.dtype == np.uint8
    assert fig.data[0].z[0, 0] == 100
    assert len(fig.data[-1].x) == size
    assert len(fig.layout.xaxis.ticktext) <= 530 // 12  # pixels of the cells, and of a line
    assert len(fig.to_json()) < 200_000


def test_the_frame_surrounds_the_selected_cell() -> None:
    shape = weights_figure(WEIGHTS, WORDS, WORDS, selected=(2, 1)).layout.shapes[0]
    assert (shape.x0, shape.x1, shape.y0, shape.y1) == (0.5, 1.5, 1.5, 2.5)


def test_labels_are_text_not_mark_up() -> None:
    fig = weights_figure(WEIGHTS, ["<b>", "&", "c"], ["<script>", "b", "c"])
    assert list(fig.layout.yaxis.ticktext) == ["&lt;b&gt;", "&amp;", "c"]
    assert "<script>" not in fig.to_json()


def test_products_are_sorted_and_their_running_sum_ends_at_the_dot_product() -> None:
    q, k = np.array([1.0, -2, 3, 0.5]), np.array([2.0, 1, 4, -1])
    fig = products_figure(q, k)
    assert fig.data[0].y.tolist() == [12, 2, -0.5, -2]
    assert list(fig.data[0].text) == ["feature 2", "feature 0", "feature 3", "feature 1"]
    assert fig.data[1].y[-1] == pytest.approx(q @ k)
    assert fig.layout.annotations[0].text == "sum 11.50"


def token(id: int, text: str, raw: bytes, special: bool = False) -> Any:
    return SimpleNamespace(id=id, text=text, bytes=raw, special=special, said=None)


TOKENS = [token(101, "[CLS]", b"", True), token(7, " fox", b" fox"), token(8, "", b"\xf0\x9f"), token(9, "ہے", b"x")]


def test_chips_tell_id_bytes_direction_and_which_are_special() -> None:
    first, second, third, fourth = chips(TOKENS)
    assert first.pop("meaning").startswith("stands before every text")
    assert first == {"label": "[CLS]", "id": 101, "bytes": "", "special": True, "rtl": False}
    assert second == {"label": "·fox", "id": 7, "bytes": "20 66 6F 78", "special": False, "rtl": False}
    assert third["label"] == "⟨F0 9F⟩"
    assert fourth["rtl"]


def test_words_leave_the_leading_space_out() -> None:
    assert labels(TOKENS[:2]) == ["[CLS]", "·fox"]
    assert words([*TOKENS[:2], token(1, " ", b" ")]) == ["[CLS]", "fox", "·"]


def test_lines_carry_every_head_of_the_layer_as_it_is_printed() -> None:
    layer = np.stack([WEIGHTS, WEIGHTS[::-1]])
    view = {"heads": [1], "head": 1, "least": 0.03, "hide": [], "layout": "down", "query": 2, "key": None}
    data = pack_lines(layer, chips(TOKENS[:3]), chips(TOKENS[:3]), identity="a", title="t", causal=True, view=view)
    header, arrays = unpack(data)
    assert header["view"] == view
    assert header["causal"]
    assert [each["label"] for each in header["queries"]] == ["[CLS]", "·fox", "⟨F0 9F⟩"]
    assert (arrays["weights"] == printed_codes(layer)).all()


def test_a_stack_carries_all_layers_as_the_lines_carry_one() -> None:
    layers = np.stack([[WEIGHTS, WEIGHTS[::-1]], [WEIGHTS[::-1], WEIGHTS]])
    header, arrays = unpack(pack_stack(layers, identity="a", titles=["t", "u"]))
    assert header == {"id": "a", "titles": ["t", "u"]}
    assert (arrays["weights"] == printed_codes(layers)).all()


def test_the_atlas_carries_a_small_picture_and_the_measures_of_each_head() -> None:
    weights = np.zeros((2, 3, 60, 60), np.float32)
    weights[1, 2] = np.eye(60)
    measures = np.random.default_rng(0).random((2, 3, 1), np.float32)
    tiles = pack_tiles(weights, measures)
    kinds = [{"key": "self", "label": "itself", "meaning": "m", "threshold": 0.5}]
    header, arrays = unpack(pack_atlas(tiles, title="All", kinds=kinds, sort="self", layer=1, head=2, queries=3))
    assert arrays["tiles"].shape == (2, 3, 24, 24)
    assert arrays["tiles"][0, 0].max() == 0
    assert (np.diag(arrays["tiles"][1, 2]) == header["levels"]).all()
    assert (arrays["metrics"] == measures).all()
    assert (header["sort"], header["layer"], header["head"]) == ("self", 1, 2)


@pytest.mark.parametrize("kind", ["weights", "scores"])
def test_hidden_cells_of_a_long_text_are_grey_and_the_bar_reads_shares(kind: str) -> None:
    size = 65
    values = np.tril(np.full((size, size), 0.5, np.float32))
    hidden = np.triu(np.ones((size, size), bool), 1)
    figure = weights_figure(values, ["a"] * size, ["a"] * size, kind=kind, hidden=hidden)
    (grey,) = (trace for trace in figure.data if trace.name == "masked")
    assert (grey.z.astype(bool) == hidden).all()
    assert grey.z.nbytes == size**2  # a byte a cell
    if kind == "weights":
        bar = figure.data[0].colorbar
        assert dict(zip(bar.tickvals, bar.ticktext, strict=True))[figure.data[0].zmax] == "1"
