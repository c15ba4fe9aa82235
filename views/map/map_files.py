"""The files of the map: the picture of what is seen, and the numbers of the tensor that one looks at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from model.arrays import Array
from views.parts import Files
from viz.home.answers import Outcome
from viz.home.layout.places import MapPlace, expand
from viz.home.layout.sight import find_tensor
from viz.shared.style import Theme

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAME = "glassformer-run"
MAX_CSV_CELLS = 1_000_000  # of a tensor that is offered as CSV; a larger one is offered as NPZ alone
AXIS_WORDS = {"queries": "query", "keys": "key", "tokens": "token", "heads": "head"}


class TiledNumbers(Protocol):
    """A run, or a difference of two, whose numbers are read by tiles."""

    def tile(self, name: str, matrix: int, level: int, row: int, column: int) -> Any:
        """A tile of a matrix: its `cells`, and their `scale`."""

    def values(self, name: str) -> Array:
        """A whole tensor or weight."""

    def shape(self, name: str) -> tuple[int, ...]:
        """That of a tensor or weight."""


FindNumbers = Callable[[], TiledNumbers]


def files_of(
    layout: Mapping[str, Any], place: MapPlace | None, title: str, outcome: Outcome, find: FindNumbers, usual: Files
) -> Files:
    """The files of the map at a place. `usual` are those of a place at which no tensor fills the window.

    The files are made outside the page's script. `find` finds the run there, or makes it again.
    """
    picture = partial(draw, layout, place, title, outcome, find)
    tensor = find_tensor(layout, place)
    if tensor is None:
        return replace(usual, print=picture)
    kind = _kind_of(layout, tensor)
    makers: dict[str, Callable[[], bytes | str]] = {}
    if _count_cells(find(), tensor) <= MAX_CSV_CELLS:
        makers[f"CSV of {tensor}"] = partial(_make_csv, find, tensor, kind, layout["tokens"])
    makers[f"NPZ of {tensor}"] = partial(_make_npz, find, tensor, kind, layout["tokens"])
    return Files(NAME, picture, others=makers)


def draw(
    layout: Mapping[str, Any],
    place: MapPlace | None,
    title: str,
    outcome: Outcome,
    find: FindNumbers,
    theme: Theme = "light",
) -> Figure:
    """The map for print, at a place of it."""
    # Matplotlib takes half a second to import. The first page of a fresh server need not wait for it.
    from viz.print.seen_map import SeenMap, seen_map_picture

    run = find()

    def read(address: tuple[str, int, int, int, int]) -> tuple[Array, Any]:
        tile = run.tile(*address)
        return tile.cells, tile.scale

    return seen_map_picture(SeenMap(layout, place, title, read, outcome), theme=theme)


def _kind_of(layout: Mapping[str, Any], tensor: str) -> dict[str, Any]:
    """What the layout says of all matrices of a tensor."""
    kind = next(matrix["kind"] for matrix in expand(layout, "matrices") if matrix["tensor"] == tensor)
    return dict(layout["kinds"][kind])


def _count_cells(run: TiledNumbers, tensor: str) -> int:
    return int(np.prod(run.shape(tensor)))


def _make_csv(
    find: FindNumbers, tensor: str, kind: Mapping[str, Any], tokens: Mapping[str, Sequence[str] | None]
) -> bytes:
    from viz.print import files  # It imports Matplotlib, which takes half a second.

    return files.rows_csv(list(tensor_rows(find().values(tensor), kind, tokens)))


def _make_npz(
    find: FindNumbers, tensor: str, kind: Mapping[str, Any], tokens: Mapping[str, Sequence[str] | None]
) -> bytes:
    """The tensor by its name, the names of its `axes`, and the tokens of its `rows` and `columns` where it has them."""
    from viz.print import files  # as above

    labels = {name: tokens[kind[f"{name[:-1]}_tokens"]] for name in ("rows", "columns") if kind[f"{name[:-1]}_tokens"]}
    arrays = {tensor: find().values(tensor), "axes": kind["axes"], **labels}
    return files.npz(**arrays)


def tensor_rows(
    values: Array, kind: Mapping[str, Any], tokens: Mapping[str, Sequence[str] | None]
) -> Iterator[dict[str, Any]]:
    """A row for each row of each matrix of a tensor. `kind` and `tokens` are those of the layout.

    Its first columns are its place along all axes but the last, and its token. The others are its numbers: their names
    have the place along the last axis, and its token.
    """
    *leading, last = [AXIS_WORDS.get(axis, axis) for axis in kind["axes"]]
    names = _column_names(last, values.shape[-1], _labels(kind, "column", tokens))
    row_labels = _labels(kind, "row", tokens)
    for place in product(*map(range, values.shape[:-1])):
        row: dict[str, Any] = dict(zip(leading, place, strict=True))
        if row_labels is not None:
            row["text"] = row_labels[place[-1]]
        yield row | dict(zip(names, values[place].tolist(), strict=True))


def _labels(kind: Mapping[str, Any], side: str, tokens: Mapping[str, Sequence[str] | None]) -> Sequence[str] | None:
    return tokens[kind[f"{side}_tokens"]] if kind[f"{side}_tokens"] else None


def _column_names(axis: str, count: int, labels: Sequence[str] | None) -> list[str]:
    return [f"{axis} {place}" + (f" {labels[place]}" if labels is not None else "") for place in range(count)]
