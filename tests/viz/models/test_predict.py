from __future__ import annotations

import numpy as np

from viz.models.predict import (
    candidates,
    layer_name,
    lens_figure,
    lens_measures_figure,
    pack_player,
    pack_race,
    surprise_figure,
)
from viz.shared.payload import printed_codes, unpack


def test_candidates_keep_their_numbers() -> None:
    rows = candidates(["·a", "·b"], [4, 9], np.array([2.5, 1.0]), np.array([0.8, 0.2]), np.array([1.0, 0.0]), 4)
    assert rows[0] == {"id": 4, "label": "·a", "logit": 2.5, "p": 0.8, "drawn": 1.0, "chosen": True}
    assert rows[1]["drawn"] == 0
    assert rows[1]["chosen"] is False


def test_the_players_data_come_back() -> None:
    attention = np.array([[0.25, 0.75, 0.0], [0.0, 0.5, 0.5]])
    step = {"candidates": [], "p": 0.5, "rank": 1}
    data = pack_player(
        [{"label": "a"}], [{"label": "b"}], [step, step], attention, identity="x", step=1, place="p", ended=""
    )
    header, arrays = unpack(data)
    assert header["step"] == 1
    assert len(header["steps"]) == len(header["written"]) + 1
    assert (arrays["attention"] == printed_codes(attention)).all()


def test_the_lens_shows_every_cell_and_says_which_was_clicked() -> None:
    probabilities = np.array([[0.1, 0.2], [0.3, 0.4], [0.9, 1.0]])
    labels = [["a", "b"], ["c", "<i>"], ["e", "f"]]
    figure = lens_figure(labels, probabilities, ["x", "y"], selected=(2, 1))
    heat, *words, clicks = figure.data
    np.testing.assert_allclose(heat.z, probabilities, rtol=1e-6)
    assert (heat.zmin, heat.zmax) == (0, 1)
    texts = {(x, y): text for each in words for x, y, text in zip(each.x, each.y, each.text, strict=True)}
    assert texts[1, 1] == "&lt;i&gt;"
    assert len(texts) == 6
    assert list(zip(clicks.y.tolist(), clicks.x.tolist(), strict=True)) == [(y, x) for y in range(3) for x in range(2)]
    frame = figure.layout.shapes[0]
    assert (frame.x0, frame.y0) == (0.5, 1.5)
    assert [layer_name(row, 3) for row in range(3)] == ["embedding", "layer 0", "layer 1 = output"]


def test_the_measures_of_the_lens_are_three_lines_with_a_mark() -> None:
    figure = lens_measures_figure(np.array([5.0, 2.0]), np.array([9.0, 0.0]), np.array([400, 1]), row=1)
    assert [trace.y.tolist() for trace in figure.data] == [[5.0, 2.0], [9.0, 0.0], [400, 1]]
    assert figure.layout.yaxis3.type == "log"
    assert {shape.x0 for shape in figure.layout.shapes} == {1}
    assert figure.data[1].hovertext == ("embedding: 9.000", "layer 0 = output: 0")


def test_surprise_bars_carry_bits_and_ranks() -> None:
    figure = surprise_figure(["a", "<b>"], np.array([1.0, 12.5]), [1, 2345], 1, theme="dark")
    assert figure.data[0].y.tolist() == [1.0, 12.5]
    assert list(figure.data[0].text) == ["#1", "#2,345"]
    assert figure.data[0].marker.opacity == (1.0, 0.4)
    assert figure.layout.xaxis.ticktext == ("a", "&lt;b&gt;")


def test_the_race_keeps_its_counts() -> None:
    sides = [{"title": "with", "steps": [{"computed": 3, "reused": 0, "multiplications": 10, "bytes": 5}]}]
    header, _ = unpack(pack_race(["a", "b", "c"], 2, sides, identity="x"))
    assert header["sides"] == sides
    assert header["prompt"] == 2
