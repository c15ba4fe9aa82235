"""A record of everything that a run of a page sends to the browser, as the parts of `viz.documents.page_parts`.

Pages draw with Streamlit's own functions, so no code of ours knows everything on a page. `record_page` listens to
Streamlit's messages while the page runs. It keeps the messages themselves, no copies. Share records only while its menu
is open. No other module knows Streamlit's messages: `ScriptRunContext.enqueue` and the fields of `streamlit.proto`.
tests/pages/test_every_view.py compares them with the messages that the pages send.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from streamlit.runtime.scriptrunner import get_script_run_ctx

from viz.documents.page_parts import (
    MAX_ROWS,
    Code,
    Component,
    Equation,
    Group,
    Heading,
    Metric,
    Part,
    Plot,
    Table,
    Text,
)
from viz.shared.component_script import unpack_script
from viz.shared.style import number

if TYPE_CHECKING:
    from pandas import DataFrame

MAIN_COLUMN = 0  # its root in a message's path; the sidebar's is 1
HIDDEN_BLOCKS = ("popover", "dialog")
UNSAVED_CONTAINERS = ("-teaching", "-try this")  # their ids end with these, which are their keys
ALERTS = {1: "error", 2: "warning", 3: "info", 4: "success"}


class Record:
    """The main column of a page: the last element or block at each place."""

    def __init__(self) -> None:
        self._sent: dict[tuple[int, ...], Any] = {}  # path of the place -> message

    def take(self, message: Any) -> None:
        """Keep a message on its way to the browser, if it draws something in the main column."""
        if message.WhichOneof("type") != "delta":
            return
        path = tuple(message.metadata.delta_path)
        kind = message.delta.WhichOneof("type")
        if path[0] != MAIN_COLUMN or kind not in ("new_element", "add_block"):
            return
        for below in [other for other in self._sent if len(other) > len(path) and other[: len(path)] == path]:
            del self._sent[below]
        self._sent[path] = getattr(message.delta, kind)

    def parts(self) -> Group:
        """The whole column as parts of a page, in order."""
        return Group(self._below((MAIN_COLUMN,)))

    def _below(self, path: tuple[int, ...]) -> list[Part]:
        places = sorted(other for other in self._sent if other[:-1] == path)
        parts = (self._part(place) for place in places)
        return [part for part in parts if part is not None]

    def _part(self, place: tuple[int, ...]) -> Part | None:
        sent = self._sent[place]
        kind = sent.WhichOneof("type")
        if type(sent).__name__ == "Element":
            return _READERS[kind](getattr(sent, kind)) if kind in _READERS else None
        if kind in HIDDEN_BLOCKS or sent.id.endswith(UNSAVED_CONTAINERS):
            return None
        inside = self._below(place)
        if kind == "expandable":
            return Group(inside, "fold", title=sent.expandable.label)
        if kind == "column":
            return Group(inside, "column", sent.column.weight)
        rows = kind == "horizontal" or (kind == "flex_container" and sent.flex_container.direction == 2)
        return Group(inside, "row" if rows else "stack")


@contextmanager
def record_page() -> Iterator[Record]:
    """Record the messages of the script inside the `with`. They go to the browser as before."""
    record, context = Record(), get_script_run_ctx()
    if context is None:
        yield record
        return
    send: Callable[[Any], None] = context.enqueue

    def take(message: Any) -> None:
        record.take(message)
        send(message)

    context.enqueue = take  # type: ignore[assignment, method-assign]
    try:
        yield record
    finally:
        del context.enqueue


def is_recorded() -> bool:
    """Whether this run is recorded. A record must be complete; a browser still has the elements of earlier runs."""
    context = get_script_run_ctx()
    return context is not None and "enqueue" in vars(context)


def _markdown(sent: Any) -> Part | None:
    match sent.element_type:
        case sent.LATEX:
            return Equation(sent.body.strip().strip("$").strip())
        case sent.CAPTION:
            return Text(sent.body, "caption")
        case sent.DIVIDER:
            return None
    return Text(sent.body) if sent.body.strip() else None


def _component(sent: Any) -> Part:
    kind = sent.WhichOneof("data")
    data = sent.bytes if kind == "bytes" else sent.json if kind == "json" else "null"
    # The whole script: a saved page lets no script be imported, and seeks the letters that its script draws.
    script = unpack_script(sent.js_content)
    return Component(sent.component_name.rsplit(".", 1)[-1], script, sent.css_content, data)


def _dataframe(sent: Any) -> Part:
    settings = json.loads(sent.columns or "{}")
    lazy = sent.HasField("lazy_data")
    table = _read_arrow((sent.lazy_data.initial_chunk if lazy else sent.arrow_data).data)
    total = sent.lazy_data.row_count if lazy else len(table)
    return _table(table, settings, settings.get("_index", {}).get("hidden", False), total)


def _plain_table(sent: Any) -> Part:
    table = _read_arrow(sent.arrow_data.data)
    return _table(table, {}, sent.hide_index, len(table))


def _read_arrow(data: bytes) -> DataFrame:
    from pyarrow import ipc

    return ipc.open_stream(data).read_pandas()


def _table(table: DataFrame, settings: dict[str, Any], hide_index: bool, total: int) -> Table:
    rows = table.head(MAX_ROWS)
    labels = {name: settings.get(str(name), {}).get("label") or _label(name) for name in table.columns}
    visible = [name for name in table.columns if not settings.get(str(name), {}).get("hidden")]
    columns = [labels[name] for name in visible]
    cells = [[_cell(value) for value in rows[name]] for name in visible]
    if not hide_index:
        columns = [_label(table.index.name), *columns]
        cells = [[_cell(value) for value in rows.index], *cells]
    return Table(columns, [list(row) for row in zip(*cells, strict=True)], total)


def _label(name: Any) -> str:
    return "" if name is None else " ".join(map(str, name)) if isinstance(name, tuple) else str(name)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return "" if value != value else number(value, 4)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


_READERS: dict[str, Callable[[Any], Part | None]] = {
    "heading": lambda sent: Heading(sent.body, int(sent.tag[1:])),
    "markdown": _markdown,
    "text": lambda sent: Code(sent.body),
    "page_link": lambda sent: Text(sent.label),  # A saved page stands alone. Only the name of the other page stays.
    "alert": lambda sent: Text(sent.body, ALERTS.get(sent.format, "info")),
    "code": lambda sent: Code(sent.code_text),
    "metric": lambda sent: Metric(sent.label, sent.body),
    "dataframe": _dataframe,
    "table": _plain_table,
    "plotly_chart": lambda sent: Plot(sent.spec, sent.alt),
    "bidi_component": _component,
}
