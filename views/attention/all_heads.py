"""Every head of a stack as a small picture, sorted by what it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from model.analysis.head_measures import Kind
from model.arrays import Array
from views.attention.head_view import HeadView
from views.attention.heads_moved import HeadsMoved
from views.attention.next_words import beside_outcome
from views.head_tiles import kinds_of, tiles_of
from views.parts import Canvas, Controls, DataTable, Files
from views.shared import windows
from views.shared.shapes import of_one_shape
from views.view import grey
from viz.attention.heads import TILE, pack_atlas, read_tiles, weights_figure
from viz.print import head_pictures
from viz.shared.payload import unpack
from viz.shared.style import Theme, number

STRONGEST = "the first head's measure"


@dataclass(frozen=True)
class AllHeads(HeadView):
    """All heads of an attention. `order`: "layer", or the key of a kind of head."""

    order: str

    def minus(self, other: AllHeads) -> HeadsMoved | None:
        can_subtract = of_one_shape(self.head.run, other.head.run) and not self._is_long()
        return HeadsMoved(self.head, other.head) if can_subtract else None

    @property
    def kinds(self) -> tuple[Kind, ...]:
        return kinds_of(self.head.at.part)

    @property
    def tiles(self) -> bytes:
        return tiles_of(self.head.run, self.head.at.stack, self.head.at.part)

    def told(self) -> Mapping[str, float | str]:
        told = dict(super().told())
        if self.order != "layer":
            place = [kind.key for kind in self.kinds].index(self.order)
            told[STRONGEST] = float(read_measures(self.tiles)[..., place].max())
        return told

    def picture_parts(self) -> Sequence[Any]:
        parts = [self.picture(), *grey(self.caption()), self.files()]
        return [Controls("order"), *beside_outcome(self.head, parts)]

    def number_parts(self) -> Sequence[Any]:
        parts = [self.table(), *grey(self.caption()), self.files()]
        return [Controls("order"), *beside_outcome(self.head, parts)]

    def picture(self) -> Canvas:
        return Canvas("attention/heads_atlas", self._pack, key="heads atlas", picks={"pick": _pick_head})

    def _pack(self) -> bytes:
        head = self.head
        return pack_atlas(
            self.tiles,
            title=f"All {head.n_layers * head.config.n_heads} heads",
            kinds=[describe_kind(kind) for kind in self.kinds],
            sort=self.order,
            layer=head.at.layer,
            head=head.head,
            queries=len(head.query_tokens),
        )

    def table(self) -> DataTable:
        return DataTable(partial(measures_table, self.tiles, self.kinds, self.order), 2, height=560)

    def caption(self) -> str:
        """How many heads are of each kind, and which head is the strongest of it."""
        head, measures, kinds_present = self.head, read_measures(self.tiles), []
        for values, kind in zip(np.moveaxis(measures, -1, 0), self.kinds, strict=True):  # values: (layers, heads)
            count = 0 if kind.threshold is None else int((values >= kind.threshold).sum())
            if count:
                layer, strongest = np.unravel_index(values.argmax(), values.shape)
                kinds_present.append(
                    f"{count} of {values.size} heads are of the kind “{kind.label}”, most of all layer {layer}, "
                    f"head {strongest} ({number(float(values[layer, strongest]), 2)})"
                )
        none = "No head passes the threshold of any kind on this sentence."
        body = "; ".join(kinds_present) + "." if kinds_present else none
        start = f"Rows are queries and columns keys in every picture. {body}"
        if self._is_long():
            start += (
                f" A cell of a picture is the largest weight of a block, and a picture has {TILE} × {TILE} of them."
            )
        return f"{start} Framed: layer {head.at.layer}, head {head.head}. Click a picture to open its head."

    def files(self) -> Files:
        """The small pictures, the measures, and the weights of all heads: whole, or of a long text as the pictures."""
        head, shown = self.head, slice(0, windows.MAX_TOKENS)
        one, hidden = head.weights[shown, shown].numpy(), head.hidden[shown, shown].numpy()
        tiles, kinds = self.tiles, self.kinds
        return Files(
            f"{head.run.name}-{head.at.stack}-{head.at.part}-all-heads",
            self._print,
            partial(weights_figure, one, head.queries[shown], head.keys[shown], hidden=hidden),
            rows=lambda: measures_table(tiles, kinds, "layer").to_dict("records"),
            arrays=lambda: {"weights": self._every(), "queries": head.queries, "keys": head.keys},
        )

    def _print(self, theme: Theme = "light") -> Figure:
        head = self.head
        title = f"{head.run.model.card.title}: all heads"
        return head_pictures.atlas_picture(self._every(), title, framed=(head.at.layer, head.head), theme=theme)

    def _every(self) -> Array:
        """(layers, heads, queries, keys)"""
        if self._is_long():
            return read_tiles(self.tiles)
        return np.stack([self.head.layer_weights(layer).numpy() for layer in range(self.head.n_layers)])

    def _is_long(self) -> bool:
        """Whether the weights of all heads together would be too large to keep."""
        return windows.is_long(self.head.hidden.shape)


def _pick_head(place: Sequence[Any]) -> dict[str, Any]:
    layer, head = place
    return {"layer": int(layer), "head": int(head), "heads_shown": (), "heads_view": "Lines"}


def describe_kind(kind: Kind) -> dict[str, Any]:
    """A kind of head, for the component."""
    return {"key": kind.key, "label": kind.label, "meaning": kind.meaning, "threshold": kind.threshold}


def measures_table(tiles: bytes, kinds: Sequence[Kind], order: str) -> pd.DataFrame:
    """One row for each head, with its layer and every measure. `order` is "layer" or the key of a kind."""
    values = read_measures(tiles)
    layer, head = np.divmod(np.arange(values.shape[0] * values.shape[1]), values.shape[1])
    flat = values.reshape(-1, len(kinds))
    table = pd.DataFrame({"layer": layer, "head": head} | {kind.label: flat[:, i] for i, kind in enumerate(kinds)})
    if order == "layer":
        return table
    label = next(kind.label for kind in kinds if kind.key == order)
    return table.sort_values(label, ascending=False, kind="stable")


def read_measures(tiles: bytes) -> Array:
    """(layers, heads, kinds), 0..1."""
    return unpack(tiles)[1]["metrics"]
