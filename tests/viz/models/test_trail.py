from __future__ import annotations

from viz.models.trail import FOOT, TrailStep, trail_figure

TOKENS = ["The", "or", "bl", "or"]
STEPS = (
    TrailStep("L18H6", "layer 18, head 6", "", 3, 2, 3.0, 0.9),
    TrailStep("L16H0", "layer 16, head 0", "key", 2, 1, 11.5, 0.8),
)


def test_a_head_stands_over_the_token_for_which_it_reads() -> None:
    figure = trail_figure(STEPS, "bl", TOKENS)
    heads = next(trace for trace in figure.data if trace.mode == "markers+text")
    assert list(zip(heads.x, heads.y, heads.text, heads.customdata, strict=True)) == [
        (3, 2, "L18H6", 0), (2, 1, "L16H0", 1),
    ]  # fmt: skip
    feet = next(trace for trace in figure.data if trace.mode == "markers")
    assert list(zip(feet.x, feet.y, strict=True)) == [(2, 2 - FOOT), (1, 1 - FOOT)]
    assert "gives 11.5" in heads.hovertext[1]


def test_the_last_head_is_framed() -> None:
    (frame,) = trail_figure(STEPS, "bl", TOKENS).layout.shapes
    assert ((frame.x0 + frame.x1) / 2, (frame.y0 + frame.y1) / 2) == (2, 1)


def test_a_line_leads_up_to_the_side_that_the_head_made() -> None:
    figure = trail_figure(STEPS, "bl", TOKENS)
    lines = {trace.name: (trace.x, trace.y) for trace in figure.data if trace.mode == "lines"}
    assert lines["speaks for it"] == ((3, 3), (2, 3)), "up to the word"
    assert lines["made its key"] == ((2, 2), (1, 2 - FOOT)), "up to the token that the later head reads"
    assert len([trace for trace in figure.data if trace.showlegend]) == 3, "the legend has each kind once"


def test_no_step_is_an_empty_picture() -> None:
    assert trail_figure((), "bl", TOKENS).layout.height
