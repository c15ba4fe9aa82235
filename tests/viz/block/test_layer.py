"""Figures of the Block page, by their data."""

import numpy as np

from viz.block.layer import histogram_figure, layers_figure, neurons_figure, pack_flow, tensor_figure
from viz.shared.payload import signed_codes, unpack

TENSOR = np.linspace(-2, 2, 3 * 200, dtype=np.float32).reshape(3, 200)


def test_the_flow_has_a_picture_of_values_for_each_step() -> None:
    header, arrays = unpack(pack_flow([{"name": "a"}, {"name": "b"}], [TENSOR, TENSOR[:, :8]], 1, "steps"))
    assert [step["shape"] for step in header["steps"]] == ["3 × 200", "3 × 8"]
    assert header["chosen"] == 1
    every_third = signed_codes(TENSOR[:, ::3][:, :64])
    np.testing.assert_array_equal(arrays["picture0"], every_third)
    assert arrays["picture1"].shape == (3, 8)


def test_a_tensor_is_drawn_in_its_own_order() -> None:
    figure = tensor_figure(TENSOR, ["a", "<b>", "c"])
    np.testing.assert_array_equal(np.asarray(figure.data[0].z), signed_codes(TENSOR))
    assert list(figure.layout.yaxis.ticktext) == ["a", "&lt;b&gt;", "c"]


def test_layers_and_tokens_keep_their_values() -> None:
    lengths = np.array([[1.0, 2.0], [3.0, 400.0]])
    figure = layers_figure(lengths, ["a", "b"], "length")
    np.testing.assert_allclose(np.asarray(figure.data[0].z), lengths)
    assert figure.data[0].zmin == 0
    cosines = layers_figure(lengths / 400, ["a", "b"], "cosine", signed=True)
    assert (cosines.data[0].zmin, cosines.data[0].zmax) == (-1, 1)


def test_bars_and_shares() -> None:
    assert list(neurons_figure([0.5, -0.25], [7, 3]).data[0].y) == ["7", "3"]
    before, after = histogram_figure(TENSOR, np.maximum(TENSOR, 0)).data
    assert abs(sum(before.y) - 1) < 1e-9
    assert abs(sum(after.y) - 1) < 1e-9
