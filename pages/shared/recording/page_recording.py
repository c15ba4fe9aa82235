"""A record of everything that a run of a page sends to the browser, as the parts of `viz.documents.page_parts`.

Pages draw with Streamlit's own functions, so no code of ours knows everything on a page. `record_page` listens to
Streamlit's messages while the page runs. It keeps the messages themselves, no copies. Share records only while its menu
is open, and a presenter's runs are recorded while a class follows (`pages.follow.recording`). No other module knows
Streamlit's messages: `ScriptRunContext.enqueue` and the fields of `streamlit.proto`.
tests/pages/test_every_view.py compares them with the messages that the pages send.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from pages.shared.recording.recorded_controls import read_control
from pages.shared.server.private_parts import runs
from viz.documents.page_parts import (
    MAX_ROWS,
    PICTURE_START,
    PICTURES,
    Code,
    Component,
    Equation,
    Group,
    Heading,
    Metric,
    PagePart,
    Picture,
    Plot,
    Table,
    Text,
    flatten,
    mark_focus,
)
from viz.documents.places import class_of
from viz.documents.table_cells import cell_text, name_text
from viz.shared.component_script import unpack_script
from viz.shared.style import plain_text

if TYPE_CHECKING:
    from pandas import DataFrame

MAIN_COLUMN = 0  # its root in a message's path; the sidebar's is 1
HIDDEN_BLOCKS = ("popover", "dialog")
UNSAVED_CONTAINERS = ("-teaching", "-try this", " unseen")  # their ids end with these, as their keys do
UNTOLD_CONTAINERS = ("-stage words",)  # of a presenter's page: the question and the point are the presenter's to show
USER_KEY = re.compile(r"\$\$ID-[0-9a-f]+-(.+)", re.DOTALL)  # in the id of an element
UNSEEN = ("empty", "html")  # elements that draw nothing of their own
# Elements without a key are counted by their kind, as assets/components/teach/places.js counts them.
KINDS = {
    "heading": "stHeading",
    "markdown": "stMarkdown",
    "text": "stText",
    "alert": "stAlert",
    "code": "stCode",
    "metric": "stMetric",
    "dataframe": "stDataFrame",
    "table": "stTable",
    "plotly_chart": "stPlotlyChart",
}
ALERTS = {1: "error", 2: "warning", 3: "info", 4: "success"}


Path = tuple[int, ...]  # of an element, from the root


class Chart(Protocol):
    """A figure of Plotly's."""

    def to_json(self) -> str | None: ...


class Record:
    """The main column of a page: the last element or block at each place."""

    def __init__(self) -> None:
        self._sent: dict[Path, Any] = {}  # path of the place -> message
        self._fragments: dict[Path, str] = {}  # path -> the piece of the page that sent it
        self._originals: dict[Path, Chart] = {}  # path of a chart that was enlarged -> the chart before
        self._original: Chart | None = None  # of the chart that comes next
        self._retaken: set[Path] = set()  # since the last call of `begin_piece`

    def take(self, message: Any) -> None:
        """Keep a message on its way to the browser, if it draws something in the main column."""
        if message.WhichOneof("type") != "delta":
            return
        path = tuple(message.metadata.delta_path)
        kind = message.delta.WhichOneof("type")
        if path[0] != MAIN_COLUMN or kind not in ("new_element", "add_block"):
            return
        for below in [other for other in self._sent if len(other) > len(path) and other[: len(path)] == path]:
            self._forget(below)
        self._forget(path)
        self._sent[path] = sent = getattr(message.delta, kind)
        self._fragments[path] = message.delta.fragment_id
        self._retaken.add(path)
        if sent.WhichOneof("type") == "plotly_chart" and self._original is not None:
            self._originals[path], self._original = self._original, None

    def take_original(self, chart: Chart) -> None:
        """The chart that comes next was enlarged for the presenter's screen: this is what it was before."""
        self._original = chart

    def parts_from(self, key: str) -> Group | None:
        """The parts from the element or container of that key on, in order, without groups; None if there is none."""
        first = self._place_of(key)
        if first is None:
            return None
        places = [place for place in sorted(self._sent) if place >= first and not self._is_hidden(place)]
        parts = [self._part(place, None) for place in places if type(self._sent[place]).__name__ == "Element"]
        return Group([part for part in parts if part is not None])

    def container(self, key: str) -> Group | None:
        """The container of that key, if there is one."""
        place = self._place_of(key)
        part = None if place is None else self._part(place, None)
        return part if isinstance(part, Group) else None

    def _place_of(self, key: str) -> Path | None:
        return min((place for place, sent in self._sent.items() if _id_of(sent).endswith(f"-{key}")), default=None)

    def _is_hidden(self, place: Path) -> bool:
        above = (self._sent.get(place[:length]) for length in range(1, len(place)))
        return any(_is_hidden_block(sent) for sent in above if sent is not None)

    def begin_piece(self) -> None:
        """A piece of the page runs again."""
        self._retaken.clear()

    def end_piece(self) -> None:
        """The piece has run. The elements of its run before that it did not draw again are gone."""
        again = {self._fragments[path] for path in self._retaken if path in self._fragments} - {""}
        for path in [path for path in self._sent if self._fragments[path] in again and path not in self._retaken]:
            self._forget(path)

    def copy(self) -> Record:
        """The record as it is now. The messages are not copied."""
        copied = Record()
        copied._sent, copied._originals = dict(self._sent), dict(self._originals)
        return copied

    def parts(self, *, has_places: bool = False) -> Group:
        """The whole column as parts of a page, in order.

        `has_places`: each element stands in a group with its `place`, and what a class must not see yet is left out.
        """
        return Group(self._below((MAIN_COLUMN,), self._places() if has_places else None))

    def parts_with_focus(self, key: str) -> Group:
        """The whole column, with the element or container of that key in a group "focus". Without one, it is the first
        picture or table, as on the screen of a lecture (assets/components/teach/presenter/stage.js)."""
        whole, place = self.parts(), self._place_of(key) if key else None
        focus = self._part(place, None) if place else None
        is_there = any(flatten(focus)) if isinstance(focus, Group) else isinstance(focus, PICTURES)
        first = next((part for part in flatten(whole) if isinstance(part, PICTURES)), None)
        return mark_focus(whole, focus if is_there else first)

    def controls(self, keys: Collection[str]) -> list[tuple[str, str]]:
        """The label and the value of each control whose key is among these, in their order on the page."""
        found = []
        for place, sent in sorted(self._sent.items()):
            kind = sent.WhichOneof("type") or ""
            is_wanted = type(sent).__name__ == "Element" and _key_of(_id_of(sent)) in keys
            control = read_control(kind, getattr(sent, kind)) if is_wanted and not self._is_hidden(place) else None
            found += [control] if control else []
        return found

    def left_out(self) -> set[str]:
        """The kinds of elements, by Streamlit's names, of which `parts` has nothing."""
        kinds = {sent.WhichOneof("type") for sent in self._sent.values() if type(sent).__name__ == "Element"}
        pictures = [sent for sent in self._sent.values() if sent.WhichOneof("type") == "imgs"]
        has_lost = any(_picture(sent.imgs) is None for sent in pictures)
        return kinds - {*_READERS, *UNSEEN} | ({"imgs"} if has_lost else set())

    def _forget(self, path: Path) -> None:
        for kept in (self._sent, self._fragments, self._originals):
            kept.pop(path, None)

    def _below(self, path: Path, places: dict[Path, str] | None) -> list[PagePart]:
        paths = sorted(other for other in self._sent if other[:-1] == path)
        parts = (self._part(each, places) for each in paths)
        return [part for part in parts if part is not None]

    def _part(self, path: Path, places: dict[Path, str] | None) -> PagePart | None:
        sent = self._sent[path]
        kind = sent.WhichOneof("type")
        if type(sent).__name__ == "Element":
            part = _READERS[kind](getattr(sent, kind)) if kind in _READERS else None
            if isinstance(part, Plot) and path in self._originals:
                part = Plot(self._originals[path].to_json() or "{}", part.alt)
            return Group([part], "element", place=places[path]) if part and places is not None else part
        if _is_hidden_block(sent) or (places is not None and sent.id.endswith(UNTOLD_CONTAINERS)):
            return None
        inside = self._below(path, places)
        if kind == "expandable":
            return Group(inside, "fold", title=sent.expandable.label)
        if kind == "column":
            return Group(inside, "column", sent.column.weight)
        rows = kind == "horizontal" or (kind == "flex_container" and sent.flex_container.direction == 2)
        name = "" if places is None else _class_of(_id_of(sent))
        return Group(inside, "row" if rows else "stack", place=name)

    def _places(self) -> dict[Path, str]:
        """The name of each element's place, as assets/components/teach/places.js names it."""
        counts: Counter[str] = Counter()
        hidden = [path for path, sent in self._sent.items() if sent.WhichOneof("type") in HIDDEN_BLOCKS]
        places = {}
        for path in sorted(self._sent):
            sent = self._sent[path]
            kind = sent.WhichOneof("type")
            if type(sent).__name__ != "Element" or any(path[: len(menu)] == menu for menu in hidden):
                continue
            places[path] = _class_of(_id_of(sent))
            if not places[path]:
                counts[kind] += 1
                places[path] = f"{KINDS.get(kind, kind)} {counts[kind]}"
        return places


def _id_of(sent: Any) -> str:
    """The id of an element or block. It ends with its key."""
    inner = getattr(sent, sent.WhichOneof("type") or "", None) if type(sent).__name__ == "Element" else sent
    return str(getattr(inner, "id", ""))


def _class_of(identifier: str) -> str:
    """The class that Streamlit gives to an element or container with a key; "" without one."""
    return class_of(_key_of(identifier))


def _key_of(identifier: str) -> str:
    """The key of an element or container; "" without one."""
    key = USER_KEY.fullmatch(identifier)
    return key[1].strip() if key and key[1] != "None" else ""


def _is_hidden_block(sent: Any) -> bool:
    is_block = type(sent).__name__ != "Element"
    return is_block and (sent.WhichOneof("type") in HIDDEN_BLOCKS or sent.id.endswith(UNSAVED_CONTAINERS))


@contextmanager
def record_page(record: Record | None = None) -> Iterator[Record]:
    """Record the messages of the script inside the `with`. They go to the browser as before.

    `record`: one to go on with. A record may begin inside another one.
    """
    record = record or Record()
    with runs.recorded_by(record):
        yield record


def take_original(chart: Chart) -> None:
    """The chart that the page draws next was enlarged: record it as it was before. It does nothing without a record."""
    if (record := runs.recorder_here()) is not None:
        record.take_original(chart)


def is_recorded() -> bool:
    """Whether this run is recorded. A record must be complete; a browser still has the elements of earlier runs."""
    return runs.recorder_here() is not None


def _markdown(sent: Any) -> PagePart | None:
    match sent.element_type:
        case sent.LATEX:
            return Equation(sent.body.strip().strip("$").strip())
        case sent.CAPTION:
            return Text(sent.body, "caption")
        case sent.DIVIDER:
            return None
    return Text(sent.body) if sent.body.strip() else None


def _picture(sent: Any) -> PagePart | None:
    """A picture that stands in its address. Others are on the server, and only for this session."""
    if len(sent.imgs) != 1 or not sent.imgs[0].url.startswith(PICTURE_START):
        return None
    return Picture(sent.imgs[0].url, sent.imgs[0].alt)


def _component(sent: Any) -> PagePart:
    kind = sent.WhichOneof("data")
    data = sent.bytes if kind == "bytes" else sent.json if kind == "json" else "null"
    # The whole script: a saved page lets no script be imported, and seeks the letters that its script draws.
    script = unpack_script(sent.js_content)
    return Component(sent.component_name.rsplit(".", 1)[-1], script, sent.css_content, data)


def _dataframe(sent: Any) -> PagePart:
    settings = json.loads(sent.columns or "{}")
    lazy = sent.HasField("lazy_data")
    table = _read_arrow((sent.lazy_data.initial_chunk if lazy else sent.arrow_data).data)
    total = sent.lazy_data.row_count if lazy else len(table)
    missing = sent.placeholder if sent.HasField("placeholder") else ""
    return _table(table, settings, settings.get("_index", {}).get("hidden", False), total, missing)


def _plain_table(sent: Any) -> PagePart:
    table = _read_arrow(sent.arrow_data.data)
    # Its texts are Markdown, as those of a data frame are not.
    texts = table.map(lambda value: plain_text(value) if isinstance(value, str) else value)
    return _table(texts, {}, sent.hide_index, len(table))


def _read_arrow(data: bytes) -> DataFrame:
    from pyarrow import ipc

    return ipc.open_stream(data).read_pandas()


def _table(table: DataFrame, settings: dict[str, Any], hide_index: bool, total: int, missing: str = "") -> Table:
    rows = table.head(MAX_ROWS)
    labels = {name: settings.get(str(name), {}).get("label") or name_text(name) for name in table.columns}
    visible = [name for name in table.columns if not settings.get(str(name), {}).get("hidden")]
    columns = [labels[name] for name in visible]
    cells = [
        [cell_text(value, missing, _decimals(settings.get(str(name), {}))) for value in rows[name]] for name in visible
    ]
    if not hide_index:
        columns = [name_text(table.index.name), *columns]
        cells = [[cell_text(value) for value in rows.index], *cells]
    return Table(columns, [list(row) for row in zip(*cells, strict=True)], total)


def _decimals(column: dict[str, Any]) -> int | None:
    """The decimals that the page gives a column (`pages.shared.elements.columns`); None for the usual ones."""
    found = re.fullmatch(r"%\.(\d+)f", str((column.get("type_config") or {}).get("format", "")))
    return int(found[1]) if found else None


_READERS: dict[str, Callable[[Any], PagePart | None]] = {
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
    "imgs": _picture,
}
