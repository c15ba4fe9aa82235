"""A view as the plain parts that files are written of (`viz.documents.page_parts`): figures are drawn, components have
their scripts, tables are words, and nothing acts."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from math import ceil
from typing import TYPE_CHECKING, Any

from views.parts import Action, Canvas, Chart, Controls, DataTable, Files, PageLink, Source
from views.view import Depth, View
from viz.documents.page_parts import MAX_ROWS, Code, Component, Group, PagePart, Plot, Table, Text
from viz.documents.table_cells import cell_text, name_text
from viz.shared.component_files import module_of, name_of, script_of, styles_of
from viz.shared.labels import least_width
from viz.shared.style import Theme

if TYPE_CHECKING:
    from pandas import DataFrame


def plain_view(view: View, depth: Depth, theme: Theme = "light") -> list[PagePart]:
    """The parts of a view at a depth, with figures in a theme."""
    return plain_parts(view.at(depth), depth, theme)


def plain_parts(parts: Sequence[Any], depth: Depth, theme: Theme) -> list[PagePart]:
    """Parts of views as plain parts, those of views in them among them."""
    return [plain for part in parts for plain in _plain(part, depth, theme)]


def _plain(part: Any, depth: Depth, theme: Theme) -> Iterator[PagePart]:
    match part:
        case View():
            yield from plain_view(part, depth, theme)
        case Group():
            yield replace(part, parts=plain_parts(part.parts, depth, theme))
        case Chart():
            figure = part.draw(theme=theme)
            yield Plot(figure.to_json() or "{}", part.alternative(figure), part.key, ceil(least_width(figure)))
        case Canvas():
            if not part.is_unseen:
                module = module_of(part.name)
                data = part.saved or part.data
                yield Component(name_of(part.name), script_of(module), styles_of(module), data(), part.key)
        case DataTable():
            yield plain_table(part)
        case Source(of):
            module_name, source = source_of(of)
            yield Text(f":gray[`{module_name}`]")
            yield Code(source.strip("\n"))
        case Code(text):
            yield Code(text.strip("\n"))
        case PageLink(label):
            yield Text(label)  # a file stands alone: only the name of the other page stays
        case Action() | Controls() | Files():
            return
        case _:
            yield part


def plain_table(part: DataTable) -> Table:
    """A table as words: its first rows, and the number of all."""
    table = part.make()
    counts = _decimals(part, table)
    shown = table.head(MAX_ROWS)
    columns = [str(part.titles.get(name, name_text(name))) for name in table.columns]
    missing = part.missing or ""
    cells = [[cell_text(_python(value), missing, counts.get(name)) for value in shown[name]] for name in table.columns]
    if part.has_index:
        columns = [name_text(table.index.name), *columns]
        cells = [[cell_text(_python(value)) for value in shown.index], *cells]
    return Table(columns, [list(row) for row in zip(*cells, strict=True)], len(table))


def _decimals(part: DataTable, table: DataFrame) -> dict[Any, int]:
    if isinstance(part.decimals, int):
        return dict.fromkeys(table.select_dtypes("floating").columns, part.decimals)
    return dict(part.decimals or {})


def _python(value: Any) -> Any:
    """A number of NumPy's as one of Python's."""
    return value.item() if hasattr(value, "item") else value


@lru_cache(maxsize=256)
def source_of(part: Any) -> tuple[str, str]:
    """The module of a class or function and its source, which Python looks for through the whole file."""
    return inspect.getmodule(part).__name__, inspect.getsource(part)  # type: ignore[union-attr]
