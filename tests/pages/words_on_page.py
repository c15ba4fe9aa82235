"""The words of a page for its reader, as the browser gets them, those of its controls among them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from streamlit.testing.v1 import AppTest

from pages.shared.session.key_titles import title_of
from pages.shared.session.keys import KEYS
from tests.views.reader_words import cells, spoken

TEXT_FIELDS = ("body", "label", "help", "placeholder", "alt", "caption")
# Controls whose labels are no names: "In", "put", "Sort by". Titles of their keys name what they choose. The slider of
# snapshots has the steps of a training, and its key the place of a snapshot among them.
UNNAMED = {
    "depth", "query", "masks_where", "masks_word", "heads_sweep", "heads_with", "heads_sort", "home_with", "scores_of",
    "positions_source", "positions_rows", "positions_of", "combine_scope", "block_factor", "block_shift",
    "before_attention_blank", "classify_token", "classify_reference", "tokens_samples", "see_fit", "bench_place",
    "why_site", "why_text2", "why_without", "why_least", "why_plus", "why_minus", "training_look", "training_snapshot",
}  # fmt: skip
CONTROLS = (
    *("selectbox", "number_input", "slider", "select_slider", "text_input", "text_area", "button_group"),
    *("segmented_control", "checkbox", "toggle", "radio"),
)


def misnamed_controls(app: AppTest) -> list[str]:
    """The controls whose label does not begin with the title of the key that they set."""
    found = ((control.key, control.proto.label) for kind in CONTROLS for control in app.main.get(kind))
    return [
        f"{key}: “{title_of(key)}” on messages, “{label}” on the page"
        for key, label in found
        if key in KEYS and key not in UNNAMED and not label.casefold().startswith(title_of(key).casefold())
    ]


def words_of(app: AppTest) -> list[str]:
    """Every text that the main column shows or reads out, but for code and for what the run bar keeps as data."""
    return [text for node in _nodes(app.main) for text in _texts(node)]


def _nodes(node: Any) -> Iterator[Any]:
    if node.type in ("popover", "code"):
        return
    if node.type != "unknown" and hasattr(node, "proto"):
        yield node
    for child in getattr(node, "children", {}).values():
        yield from _nodes(child)


def _texts(node: Any) -> Iterator[str]:
    proto = node.proto
    for field in TEXT_FIELDS:
        value = getattr(proto, field, "")
        if isinstance(value, str) and value:
            yield value
    yield from map(str, getattr(proto, "options", ()))
    if node.type == "plotly_chart":
        yield from spoken(json.loads(proto.spec))
    if node.type == "dataframe":
        table = node.value
        yield from map(str, table.columns)
        yield from cells(table.columns, (table[column] for column in table.columns))
