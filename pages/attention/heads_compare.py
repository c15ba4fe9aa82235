"""Two heads, or two sentences of equal length in one head, side by side and subtracted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from pages.attention import heads_files, heads_shown
from pages.attention.heads_shown import Shown
from pages.shared import figures, keys, lesson, state, traces
from viz.alternative import described
from viz.heads import weights_figure
from viz.style import markdown_text
from viz.tokens import shortened


def show(shown: Shown, numbers: bool) -> None:
    """The controls of the comparison, three matrices (first, second, first − second), and where they differ."""
    other = _other(shown)
    if other is None:
        return
    queries = heads_files.pair_words(shown.query_words, other.query_words)
    keys = heads_files.pair_words(shown.key_words, other.key_words)
    difference = shown.weights - other.weights
    title = f"{_title(shown, other)} − {_title(other, shown)}"
    if numbers:
        st.markdown(f"**{title}**")
        frame = heads_files.table(shown, difference)
        frame.index, frame.columns = _numbered(queries), _numbered(keys)
        heads_files.show_matrix(frame)
    else:
        _pictures(shown, other, difference, queries, keys)
    lesson.caption(heads_files.difference_caption(difference, shown.hidden, queries, keys))
    both = [
        (_title(one, another), one.weights, one.query_words, one.key_words)
        for one, another in ((shown, other), (other, shown))
    ]
    heads_files.compared([*both, ("First − second", difference, queries, keys)], shown)


def _numbered(words: Sequence[str]) -> list[str]:
    return [f"{i} {word}" for i, word in enumerate(words)]


def _pictures(shown: Shown, other: Shown, difference: np.ndarray, queries: Sequence[str], keys: Sequence[str]) -> None:
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
                figure, key=f"heads {name}", alt=described(alt, figure), theme=None, config={"displayModeBar": False}
            )


def _title(shown: Shown, other: Shown) -> str:
    if (shown.layer, shown.head) != (other.layer, other.head):
        return f"Layer {shown.layer}, head {shown.head}"
    text = shown.run.text
    return shortened(text, 60)


def _other(shown: Shown) -> Shown | None:
    """What the chosen head is compared with, from the controls; None where it cannot be shown."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control(
            "Compare with", ("Another head", "Another sentence"), key="heads_with", required=True, width="content"
        )
        if state.get("heads_with") == "Another head":
            layer, head = heads_shown.other_head(shown)
            st.number_input("Second layer", 0, shown.layers - 1, key="heads_layer2", width=130)
            st.number_input("Second head", 0, shown.heads - 1, key="heads_head2", width=130)
            return Shown(shown.run, shown.stack, shown.attention, layer, head, -1, -1)
        st.text_input(
            "Second sentence",
            key="heads_text2",
            max_chars=keys.MAX_CHARACTERS,
            placeholder=f"{len(shown.queries)} tokens, such as the first sentence with one word changed",
        )
    text = state.get("heads_text2")
    if not text.strip():
        lesson.caption("Type a second sentence with as many tokens as the first.")
        return None
    try:
        return heads_shown.other_sentence(shown, text)
    except traces.errors() as error:
        st.error(markdown_text(str(error)), icon=":material/error:")
        return None
