"""The shapes of recurrent networks side by side in one picture."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from viz.learning.before_attention import shape_figure
from viz.shared.style import Theme, apply_style, colour


def shapes_picture(
    shapes: Sequence[tuple[str, Sequence[int], Sequence[int], int]], theme: Theme = "light"
) -> go.Figure:
    """Several unrolled networks side by side: the title, inputs, outputs and steps of each, as `shape_figure`."""
    total = sum(steps for *_, steps in shapes)
    fig = make_subplots(
        1, len(shapes), subplot_titles=[title for title, *_ in shapes], horizontal_spacing=0.03,
        column_widths=[steps / total for *_, steps in shapes],
    )  # fmt: skip
    for place, (_, inputs, outputs, steps) in enumerate(shapes, start=1):
        alone = shape_figure(inputs, outputs, steps, theme)
        axis = "" if place == 1 else str(place)
        for shape in alone.layout.shapes:
            fig.add_shape(shape, xref=f"x{axis}", yref=f"y{axis}")
        for note in alone.layout.annotations:
            fig.add_annotation(note, xref=f"x{axis}", yref=f"y{axis}", axref=f"x{axis}", ayref=f"y{axis}")
        fig.update_xaxes(visible=False, range=[-0.6, steps - 0.4], row=1, col=place)
        fig.update_yaxes(visible=False, range=[-0.4, 2.4], row=1, col=place)
    apply_style(fig, theme, height=230)
    fig.add_annotation(
        text="orange reads, purple is the state that is carried on, blue writes", xref="paper", yref="paper", x=0.5,
        y=-0.08, showarrow=False, font={"size": 12, "color": colour("muted", theme)},
    )  # fmt: skip
    return fig.update_layout(margin={"t": 30, "b": 24})
