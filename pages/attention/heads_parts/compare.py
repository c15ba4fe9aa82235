"""Two heads, or two sentences of equal length in one head, side by side and subtracted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from pages.attention.heads_parts import head_files, heads_view
from pages.attention.heads_parts.heads_view import HeadsView
from pages.shared import figures, keys, layout, state, traces
from viz.attention.heads import weights_figure
from viz.shared.alternative import describe_figure
from viz.shared.style import markdown_text
from viz.shared.tokens import shorten


def show(shown: HeadsView, numbers: bool) -> None:
    """The controls of the comparison, three matrices (first, second, first − second), and where they differ."""
    other = _other(shown)
    if other is None:
        return
    queries = head_files.pair_words(shown.query_words, other.query_words)
    keys = head_files.pair_words(shown.key_words, other.key_words)
    difference = shown.weights - other.weights
    title = f"{_title(shown, other)} − {_title(other, shown)}"
    if numbers:
        st.markdown(f"**{title}**")
        frame = head_files.table(shown, difference)
        frame.index, frame.columns = _numbered(queries), _numbered(keys)
        head_files.show_matrix(frame)
    else:
        _pictures(shown, other, difference, queries, keys)
    layout.caption(head_files.difference_caption(difference, shown.hidden, queries, keys))
    both = [
        (_title(one, another), one.weights, one.query_words, one.key_words)
        for one, another in ((shown, other), (other, shown))
    ]
    head_files.export_comparison([*both, ("First − second", difference, queries, keys)], shown)


def _numbered(words: Sequence[str]) -> list[str]:
    return [f"{i} {word}" for i, word in enumerate(words)]


def _pictures(
    shown: HeadsView, other: HeadsView, difference: np.ndarray, queries: Sequence[str], keys: Sequence[str]
) -> None:
    parts = (
        ("first", _title(shown, other), shown.weights, "weights", shown.query_words, shown.key_words),
        ("second", _title(other, shown), other.weights, "weights", other.query_words, other.key_words),
        ("difference", "First − second", difference, "difference", queries, keys),
    )
    for column, (name, title, values, kind, rows, columns) in zip(st.columns(3), parts, strict=True):
        with column:
            st.markdown(f"**{markdown_text(title)}**")
            figure = weights_figure(values, rows, columns, kind=kind, hidden=shown.hidden, theme=state.theme())
            figure.update_layout(height=min(int(figure.layout.height), 400))
            alt = f"{title}: {kind} of {len(rows)} queries and {len(columns)} keys"
            figures.chart(
                figure,
                key=f"heads {name}",
                alt=describe_figure(alt, figure),
                theme=None,
                config={"displayModeBar": False},
            )


def _title(shown: HeadsView, other: HeadsView) -> str:
    if (shown.layer, shown.head) != (other.layer, other.head):
        return f"Layer {shown.layer}, head {shown.head}"
    text = shown.run.text
    return shorten(text, 60)


def _other(shown: HeadsView) -> HeadsView | None:
    """What the chosen head is compared with, from the controls; None where it cannot be shown."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control(
            "Compare with", ("Another head", "Another sentence"), key="heads_with", required=True, width="content"
        )
        if state.get("heads_with") == "Another head":
            layer, head = heads_view.other_head(shown)
            st.number_input("Second layer", 0, shown.layers - 1, key="heads_layer2", width=130)
            st.number_input("Second head", 0, shown.heads - 1, key="heads_head2", width=130)
            return HeadsView(shown.run, shown.stack, shown.attention, layer, head, -1, -1)
        st.text_input(
            "Second sentence",
            key="heads_text2",
            max_chars=keys.MAX_CHARACTERS,
            placeholder=f"{len(shown.queries)} tokens, such as the first sentence with one word changed",
        )
    text = state.get("heads_text2")
    if not text.strip():
        layout.caption("Type a second sentence with as many tokens as the first.")
        return None
    try:
        return heads_view.other_sentence(shown, text)
    except traces.errors() as error:
        st.error(markdown_text(str(error)), icon=":material/error:")
        return None
