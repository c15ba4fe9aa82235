"""The words of a page for its reader, and what does not belong into them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd
from streamlit.testing.v1 import AppTest

from pages.shared.session.key_titles import title_of
from pages.shared.session.keys import KEYS

TENSOR = re.compile(r"\b(encoder|decoder)\.\w+|\b(self|cross)_attn\b|\bresid_(in|mid|cross|out)\b|\b(ffn|attn)_norm\b")
KEY = re.compile(rf"(?<![\w/.&?])({'|'.join(name for name in KEYS if '_' in name)})\b")
# Columns of tables at the depth Numbers that give the name under which the library has a number.
COLUMNS_OF_NAMES = {"name", "tensor"}
TEXT_FIELDS = ("body", "label", "help", "placeholder", "alt", "caption")
SPOKEN = ("text", "hovertext", "name", "title", "ticktext")  # of a Plotly figure


# Controls whose labels are no names: "In", "put", "Sort by". Titles of their keys name what they choose.
UNNAMED = {
    *("depth", "query", "masks_where", "masks_word", "heads_sweep", "heads_with", "heads_sort", "home_with"),
    *(
        "scores_of",
        "positions_source",
        "positions_rows",
        "positions_of",
        "combine_scope",
        "block_factor",
        "block_shift",
    ),
    *("before_attention_blank", "classify_token", "classify_reference", "tokens_samples", "see_fit", "bench_place"),
    *("why_site", "why_text2", "why_without", "why_least", "why_plus", "why_minus", "training_look"),
}
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


def names_of_code(app: AppTest) -> list[str]:
    """The words of a page that name a tensor or a key, which readers do not know."""
    return [text for text in words_of(app) if TENSOR.search(text) or KEY.search(text)]


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
        yield from _spoken(json.loads(proto.spec))
    if node.type == "dataframe":
        yield from _cells(node.value)


def _spoken(part: Any, named: bool = False) -> Iterator[str]:
    """The texts of a figure: titles, names, ticks and what a pointer reads."""
    if isinstance(part, Mapping):
        for key, value in part.items():
            yield from _spoken(value, key in SPOKEN)
    elif isinstance(part, list):
        for value in part:
            yield from _spoken(value, named)
    elif named and isinstance(part, str):
        yield part


def _cells(table: pd.DataFrame) -> Iterator[str]:
    for column in table.columns:
        yield str(column)
        if str(column).casefold() not in COLUMNS_OF_NAMES:
            yield from (value for value in table[column] if isinstance(value, str))
