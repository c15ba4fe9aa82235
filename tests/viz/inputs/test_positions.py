"""Pictures of positions, by the data they hold."""

import csv
import io

import numpy as np
import pytest

from model.numerals import number
from viz.inputs.position_bytes import pack_circles, pack_distance, pack_heatmap, spread_evenly
from viz.inputs.position_schemes import scheme_figure
from viz.inputs.positions import (
    contributions_figure,
    cost_figure,
    distance_figure,
    joined_figure,
    order_figure,
    rotary_figure,
    variants_figure,
)
from viz.print import position_pictures
from viz.shared.payload import unpack

VALUES = np.linspace(-2, 1, 12).reshape(3, 4)
LABELS = ["I", "am", "=HYPERLINK()"]


def test_a_learned_table_travels_whole():
    header, arrays = unpack(pack_heatmap(VALUES, LABELS, [1], title="P", formula=None))
    assert (header["rows"], header["width"], header["pairs"], header["largest"]) == (3, 4, [1], 2)
    assert np.array_equal(arrays["values"], VALUES.astype(np.float32))


def test_a_formula_travels_as_its_frequencies():
    speeds = np.array([1.0, 0.01])
    data = pack_heatmap(np.zeros((256, 512)), [], [], title="P", formula=(speeds, 10000.0))
    header, arrays = unpack(data)
    assert header["frequencies"] == speeds.tolist()
    assert header["base"] == "10000"
    assert arrays == {}
    assert len(data) < 1000


@pytest.mark.parametrize(("count", "most", "expected"), [(4, 16, [0, 1, 2, 3]), (9, 3, [0, 4, 8]), (1, 16, [0])])
def test_clocks_are_spread_over_all_pairs(count, most, expected):
    assert spread_evenly(count, most) == expected


def test_circles_carry_the_embeddings():
    points = np.array([[0.5, -1.0, 2.0]])
    header, _ = unpack(
        pack_circles(np.ones(3), ["I"], view="space", phi=1.5, limit=8.0, token=0, points=points, hands=[0, 1, 2])
    )
    assert header["points"] == points.tolist()
    assert (header["phi"], header["shown"], header["hands"]) == (1.5, [0, 1, 2], [0, 1, 2])


def test_distances_carry_scores_and_curve():
    scores, curve = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([[1.0, 1, 1], [2, 2, 2], [1, 1, 1]])
    header, arrays = unpack(pack_distance(scores, np.sqrt([2, 2]), curve, ["a", "b"], (1, 0), product="p·p"))
    assert np.array_equal(arrays["scores"], scores)
    assert np.array_equal(arrays["curve"], curve)
    assert header["pair"] == [1, 0]
    assert header["norms"] == np.sqrt([2, 2]).tolist()


def test_arrows_end_at_the_pairs():
    before, after = np.array([[1.0, 2], [3, 4]]), np.array([[-2.0, 1], [3, -4]])
    arrows = [trace for trace in rotary_figure(before, after, ("q", "k"), 5).data if trace.mode == "lines+markers"]
    assert [(trace.x[1], trace.y[1]) for trace in arrows] == [(1, 2), (3, 4), (-2, 1), (3, -4)]


def test_distance_and_contributions_hold_the_scores():
    scores = np.array([3.0, 1.0, -1.0])
    curve, here = distance_figure(np.arange(3), scores, (1, 1.0)).data
    assert list(curve.y) == scores.tolist()
    assert (here.x[0], here.y[0]) == (1, 1.0)
    bars = contributions_figure(scores, 2).data[0]
    assert list(bars.y) == scores.tolist()
    assert list(bars.marker.line.width) == [0, 0, 2]


def test_joined_parts_are_as_wide_as_their_features():
    e, p = np.ones((2, 8)), np.zeros((2, 2))
    fig = joined_figure({"e": e, "p": p}, [8, 2], ["a", "b"], 24)
    widths = [axis.domain[1] - axis.domain[0] for axis in (fig.layout.xaxis, fig.layout.xaxis2)]
    assert widths[0] == pytest.approx(4 * widths[1])
    assert np.array_equal(fig.data[0].z, e)
    three = joined_figure({"e": e, "+ p": e, "= x": 2 * e}, [8] * 3, ["a", "b"], 24)
    assert three.layout.xaxis.domain[1] == pytest.approx(fig.layout.xaxis.domain[1])
    assert three.layout.xaxis3.domain[1] == pytest.approx(1)


def test_costs_are_compared_with_adding():
    bars = cost_figure(["added", "beside", "within"], [1_000_000, 1_500_000, 900_000]).data[0]
    assert list(bars.x) == [1_000_000, 1_500_000, 900_000]
    assert list(bars.text) == ["1 million", "1.5 million<br>(+50%)", "900 thousand<br>(−10%)"]


def test_order_shows_both_differences_and_keeps_zeros_on_the_scale():
    _, without, present = order_figure(["a", "<b>"], np.array([0.0, 1e-6]), np.array([0.5, 0.25])).data
    assert list(without.customdata) == [number(0), number(1e-6)]
    assert min(without.x) > 0
    assert list(present.x) == [0.5, 0.25]
    assert "&lt;b&gt;" in order_figure(["<b>"], np.ones(1), np.ones(1)).layout.yaxis.ticktext


def test_a_scheme_is_scaled_by_its_training_length():
    heat = scheme_figure(np.arange(8.0)[:, None], 4).data[0]
    assert heat.zmax == 3
    assert heat.z.shape == (1, 8)


def test_variants_hold_every_share():
    fig = variants_figure(
        ["sinusoidal", "none"], {"bank": ([1.0, 0.5], [0.25, 0.0]), "facts": ([0.9, 0.8], [0.1, 0.2])}
    )
    shares = {(trace.name, trace.xaxis): list(trace.x) for trace in fig.data if trace.mode == "markers"}
    assert shares[("words in order", "x")] == [1.0, 0.5]
    assert shares[("words shuffled", "x2")] == [0.1, 0.2]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_both_themes_draw(theme):
    one = np.ones(1)
    for fig in (
        order_figure(["a"], one, one, theme),
        scheme_figure(np.ones((4, 2)), 4, theme),
        cost_figure(["a"], [1], theme),
    ):
        assert fig.layout.template.layout.paper_bgcolor == "rgba(0,0,0,0)"


def test_the_table_as_csv():
    rows = list(csv.reader(io.StringIO(position_pictures.table_csv(VALUES, LABELS[:2]).decode("utf-8-sig"))))
    assert rows[0] == ["position", "token", "0", "1", "2", "3"]
    assert [row[1] for row in rows[1:]] == ["I", "am", ""]
    assert [float(x) for x in rows[1][2:]] == VALUES[0].tolist()
    risky = position_pictures.table_csv(VALUES, LABELS).decode("utf-8-sig")
    assert "'=HYPERLINK()" in risky


def test_distances_as_csv():
    curve = np.array([[1.0, 0.5, 1.5], [2, 2, 2], [1, 1, 1]])
    rows = list(csv.reader(io.StringIO(position_pictures.distances_csv(curve).decode("utf-8-sig"))))
    assert [row[0] for row in rows[1:]] == ["-1", "0", "1"]
    assert [float(x) for x in rows[1][1:]] == [1.0, 0.5, 1.5]


def test_vector_files():
    figure = position_pictures.heatmap_picture(VALUES, ["$x$", "میں"], "P")
    assert np.array_equal(np.asarray(figure.axes[0].collections[0].get_array()).reshape(3, 4), VALUES)
    assert [text.get_text() for text in figure.axes[0].get_yticklabels()] == ["$x$  0", "میں  1", "2"]
    assert position_pictures.distances_picture(np.ones((3, 3)), "p·p").axes[0].get_ylabel() == "p·p"
