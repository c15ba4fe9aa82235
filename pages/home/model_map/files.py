"""The files of the map: the picture of what is seen, and the numbers of the tensor that one looks at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from model.arrays import Array
from pages.shared.elements import figures
from viz.home.answers import Outcome
from viz.home.layout.places import MapPlace, expand
from viz.home.layout.sight import find_tensor
from viz.shared.style import Theme

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from pages.home.tiles.store import AnyRun

NAME = "glassformer-run"
MAX_CSV_CELLS = 1_000_000  # of a tensor that is offered as CSV; a larger one is offered as NPZ alone
AXIS_WORDS = {"queries": "query", "keys": "key", "tokens": "token", "heads": "head"}


def offer(
    layout: Mapping[str, Any],
    place: MapPlace | None,
    title: str,
    outcome: Outcome,
    find_run: Callable[[], AnyRun],
    **usual: Callable[[], bytes | str],
) -> None:
    """The Export menu of the map. `usual` are the files of a place at which no tensor fills the window.

    The files are made outside the page's script. `find_run` finds the run there, or makes it again.
    """
    tensor = find_tensor(layout, place)
    makers = usual
    if tensor is not None:
        kind = _kind_of(layout, tensor)
        makers = {f"NPZ of {tensor}": partial(_make_npz, find_run, tensor, kind, layout["tokens"])}
        if _count_cells(find_run(), tensor) <= MAX_CSV_CELLS:
            make = partial(_make_csv, find_run, tensor, kind, layout["tokens"])
            makers = {f"CSV of {tensor}": make} | makers
    figures.files(NAME, partial(draw, layout, place, title, outcome, find_run), **makers)


def draw(
    layout: Mapping[str, Any],
    place: MapPlace | None,
    title: str,
    outcome: Outcome,
    find_run: Callable[[], AnyRun],
    theme: Theme = "light",
) -> Figure:
    """The map for print, at a place of it."""
    # Matplotlib takes half a second to import. The first page of a fresh server need not wait for it.
    from viz.print.seen_map import SeenMap, seen_map_picture

    run = find_run()

    def read(address: tuple[str, int, int, int, int]) -> tuple[Array, Any]:
        tile = run.tile(*address)
        return tile.cells, tile.scale

    return seen_map_picture(SeenMap(layout, place, title, read, outcome), theme=theme)


def _kind_of(layout: Mapping[str, Any], tensor: str) -> dict[str, Any]:
    """What the layout says of all matrices of a tensor."""
    kind = next(matrix["kind"] for matrix in expand(layout, "matrices") if matrix["tensor"] == tensor)
    return dict(layout["kinds"][kind])


def _count_cells(run: AnyRun, tensor: str) -> int:
    return int(np.prod(run.shape(tensor)))


def _make_csv(
    find_run: Callable[[], AnyRun], tensor: str, kind: Mapping[str, Any], tokens: Mapping[str, Sequence[str] | None]
) -> bytes:
    values = find_run().values(tensor)
    return figures.make_csv(lambda: list(tensor_rows(values, kind, tokens)))


def _make_npz(
    find_run: Callable[[], AnyRun], tensor: str, kind: Mapping[str, Any], tokens: Mapping[str, Sequence[str] | None]
) -> bytes:
    """The tensor by its name, the names of its `axes`, and the tokens of its `rows` and `columns` where it has them."""
    labels = {name: tokens[kind[f"{name[:-1]}_tokens"]] for name in ("rows", "columns") if kind[f"{name[:-1]}_tokens"]}
    arrays = {tensor: find_run().values(tensor), "axes": kind["axes"], **labels}
    return figures.make_npz(arrays)


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
