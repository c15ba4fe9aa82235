"""Pictures of translation: the player's data, the wiring of encoder and decoder, losses position by position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from model.arrays import Array
from viz.shared.labels import token_axis
from viz.shared.payload import pack, printed_codes
from viz.shared.style import (
    FONT,
    Theme,
    apply_style,
    colour,
    is_right_to_left,
    number,
    plotly_text,
    token_label,
    with_alpha,
)
from viz.shared.tokens import TokenLike

MARKS = frozenset(".,?!;:()\"'۔،؟؛")


def whole_words(tokens: Sequence[TokenLike]) -> list[dict[str, Any]]:
    """Tokens joined to whole words: text, first and last token, special, right-to-left.

    A word outside the vocabulary is spelled in bytes, so a one-byte token without a space before it continues the word.
    Special tokens, marks and endings stand alone.
    """
    groups: list[list[int]] = []
    for i, token in enumerate(tokens):
        byte = len(token.bytes) == 1 and not token.special and token.text not in MARKS and token.text != " "
        if byte and groups and not tokens[groups[-1][-1]].special:
            groups[-1].append(i)
        else:
            groups.append([i])
    return [_join_word([tokens[i] for i in group], group[0]) for group in groups]


def _join_word(tokens: Sequence[TokenLike], first: int) -> dict[str, Any]:
    special = tokens[0].special
    raw = b"".join(token.bytes for token in tokens)
    text = tokens[0].text if special else raw.decode("utf-8", "replace").strip()
    return {
        "text": token_label(text, raw),
        "first": first,
        "last": first + len(tokens) - 1,
        "special": special,
        "rtl": is_right_to_left(text),
    }


def pack_translation(
    source: Sequence[TokenLike],
    written: Sequence[TokenLike],
    source_labels: Sequence[str],
    written_labels: Sequence[str],
    encoder: Array,
    decoder: Array,
    cross: Array,
    *,
    identity: str,
    given: bool,
    probabilities: Sequence[float],
    view: Mapping[str, Any],
    start: str = "<SOS>",
) -> bytes:
    """The player's data.

    `written` are the tokens that the decoder's steps chose, <EOS> among them. Step t read `start` and the t tokens
    before it. Weights: `encoder` (layers, heads, S, S), `decoder` (layers, heads, T, T), `cross` (layers, heads, T, S).
    `given`: the reader gave the translation. `view`: step (0: encoded), layer and head (-1: mean of all), order
    ("reading" or "time").
    """
    header = {
        "id": identity,
        "source": whole_words(source),
        "written": whole_words(written),
        "sourceLabels": list(source_labels),
        "writtenLabels": list(written_labels),
        "probabilities": [float(p) for p in probabilities],
        "given": given,
        "start": start,
        "view": dict(view),
    }
    weights = {"encoder": encoder, "decoder": decoder, "cross": cross}
    return pack(header, **{name: printed_codes(_with_means(each)) for name, each in weights.items()})


def _with_means(weights: Array) -> Array:
    """(layers + 1, heads + 1, queries, keys): after all heads of a layer their mean, and after all layers theirs."""
    weights = np.asarray(weights, np.float64)
    weights = np.concatenate([weights, weights.mean(1, keepdims=True)], 1)
    return np.concatenate([weights, weights.mean(0, keepdims=True)], 0)


BOX_HALF = 0.48  # of the width of a layer's box, where 2 is from the encoder to the decoder


def wiring_figure(
    encoder: Sequence[tuple[str, str]], decoder: Sequence[tuple[str, str]], memory: str, *, theme: Theme = "light"
) -> go.Figure:
    """The wires from the final encoder output to every decoder layer. Palaskos (2022), fig. 3.10.

    `encoder` and `decoder` are (title, note) of every layer, from the first one on; `memory` describes the output.
    """
    fig = go.Figure()
    apply_style(fig, theme, height=120 + 92 * max(len(encoder), len(decoder)))
    top = max(len(encoder), len(decoder))
    for x, layers, role in ((0.0, encoder, "key"), (2.0, decoder, "query")):
        for i, (title, note) in enumerate(layers):
            _add_box(fig, x, float(i), title, note, role, theme)
            if i:
                _add_arrow(fig, (x, i - 1 + 0.3), (x, i - 0.3), "residual", theme)
    height = float(len(encoder) - 1)
    middle = 1.0
    _add_line(fig, [(BOX_HALF, height), (middle, height)], theme)
    _add_line(fig, [(middle, 0.0), (middle, max(height, len(decoder) - 1.0))], theme)
    for i in range(len(decoder)):
        _add_arrow(fig, (middle, float(i)), (1.99 - BOX_HALF, float(i)), "value", theme)
    fig.add_annotation(
        x=middle, y=max(height, len(decoder) - 1.0) + 0.42, text=memory, showarrow=False,
        font={"size": 12, "color": colour("value_text", theme)},
    )  # fmt: skip
    fig.add_annotation(x=0, y=-0.62, text="the sentence", showarrow=False, font={"color": colour("muted", theme)})
    fig.add_annotation(
        x=2.48,
        y=-0.62,
        xanchor="right",
        text="its translation, so far",
        showarrow=False,
        font={"color": colour("muted", theme)},
    )
    fig.update_xaxes(visible=False, range=[-0.5, 2.5], fixedrange=True)
    fig.update_yaxes(visible=False, range=[-0.8, top - 0.1], fixedrange=True)
    return fig


def _add_box(fig: go.Figure, x: float, y: float, title: str, note: str, role: str, theme: Theme) -> None:
    tone = colour(role, theme)
    lines = plotly_text(note).replace(", ", ",<br>")  # A print is narrower than a screen.
    fig.add_shape(
        type="rect", x0=x - BOX_HALF, x1=x + BOX_HALF, y0=y - 0.3, y1=y + 0.3, line={"color": tone, "width": 1.5},
        fillcolor=with_alpha(tone, 0.08), layer="below",
    )  # fmt: skip
    fig.add_annotation(
        x=x, y=y, text=f"<b>{plotly_text(title)}</b><br>{lines}", showarrow=False,
        font={"size": 12, "color": colour("text", theme)},
    )  # fmt: skip


def _add_arrow(fig: go.Figure, start: tuple[float, float], end: tuple[float, float], role: str, theme: Theme) -> None:
    fig.add_annotation(
        x=end[0], y=end[1], ax=start[0], ay=start[1], xref="x", yref="y", axref="x", ayref="y", text="",
        arrowhead=2, arrowwidth=1.8, arrowcolor=colour(role, theme),
    )  # fmt: skip


def _add_line(fig: go.Figure, points: Sequence[tuple[float, float]], theme: Theme) -> None:
    x, y = zip(*points, strict=True)
    line = {"color": colour("value", theme), "width": 1.8}
    fig.add_trace(go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", showlegend=False))


def losses_figure(
    labels: Sequence[str], shifted: Sequence[float], unshifted: Sequence[float], *, theme: Theme = "light"
) -> go.Figure:
    """Loss at every position of one target, in nats, with the input shifted and not shifted."""
    fig = go.Figure()
    xs = list(range(len(labels)))
    for name, values, role in (("shifted", shifted, "query"), ("not shifted", unshifted, "key")):
        fig.add_trace(
            go.Bar(
                x=xs,
                y=np.asarray(values, np.float32),
                name=name,
                marker={"color": colour(role, theme)},
                hovertext=[
                    f"{plotly_text(label)}: {number(v, 2)} nats, {name}"
                    for label, v in zip(labels, values, strict=True)
                ],
                hoverinfo="text",
            )
        )  # fmt: skip
    apply_style(fig, theme, height=290)
    fig.update_xaxes(**token_axis(labels), tickfont={"family": FONT})
    fig.update_yaxes(title="loss in nats", rangemode="tozero")
    fig.update_layout(barmode="group", legend={"orientation": "h", "y": 1.14, "x": 0})
    return fig
