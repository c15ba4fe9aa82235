"""Where the new token looks, in one head of a layer or in the mean of all, and every head over the whole text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from model.analysis.head_measures import KINDS
from model.arrays import Array
from model.network.masks import causal_mask, combine, window_mask
from views import head_tiles
from views.attention.all_heads import measures_table
from views.models.predict.prediction import Prediction
from views.parts import Canvas, Chart, Controls, Draw, Files, Keys, Pick
from views.shared import quotes, windows
from views.shared.windows import MatrixPart
from views.view import grey
from viz.attention.heads import pack_atlas, pack_lines, read_tiles, weights_figure
from viz.print import head_pictures
from viz.shared.style import Theme, number
from viz.shared.tokens import chips, words

LEAST_WEIGHT = 0.03  # of a line that is drawn


@dataclass(frozen=True)
class LooksOfToken(Prediction):
    """The lines of a layer, and below them all heads. `part`: the tokens that the picture shows."""

    part: MatrixPart

    @property
    def heads(self) -> list[int]:
        """The heads that are seen."""
        return [self.now.head] if self.now.head >= 0 else list(range(self.now.written.config.n_heads))

    @property
    def names(self) -> list[str]:
        return words(self.now.written.trace.tokens)

    def below_in_picture(self) -> Sequence[Any]:
        return [*self._above(), self.picture(), *self._said(), *self._every_head()]

    def below_in_numbers(self) -> Sequence[Any]:
        return [*self._above(), self._matrix(), *self._said()]

    def _above(self) -> list[Any]:
        return [Controls("mean"), Controls("window")]

    def _said(self) -> list[Any]:
        count = len(self.names)
        return [*grey(self.caption() + windows.say_part(self.part, (count, count))), self.files()]

    def _weights(self, layer: int | None = None) -> Array:
        """The weights of a layer, by default of the chosen one: (heads, queries, keys)."""
        layer = self.now.layer if layer is None else layer
        return self.now.written.trace[f"decoder.{layer}.self_attn.weights"].numpy()

    def _hidden(self) -> NDArray[np.bool_]:
        """Where the mask hides a key from a query: keys after it, and before its window: (queries, keys)."""
        width, count = self.now.written.config.window_of("decoder", self.now.layer), len(self.names)
        near = None if width is None else window_mask(torch.arange(count), count, width)
        mask = combine(causal_mask(count, count), near)
        assert mask is not None
        return mask.isneginf().numpy()

    def _matrix(self) -> Chart:
        """The mean of the heads as a matrix. Keys that the mask hides are grey."""
        draw = partial(self._draw(), selected=None, first_query=self.part[0].start)
        return Chart(draw, f"Weights of layer {self.now.layer}", key="predict matrix")

    def _draw(self) -> Draw:
        (down, across), names = self.part, self.names
        return partial(weights_figure, self._mean(), names[down], names[across], hidden=self._hidden()[self.part])

    def _mean(self) -> Array:
        """The shown part of the mean of the heads: (queries, keys)."""
        mean: Array = self._weights()[self.heads].mean(0)[self.part]
        return mean

    def picture(self) -> Canvas:
        nothing: dict[str, Pick] = {"view": lambda _: {}}  # the component keeps what it shows under its name
        return Canvas("attention/attention_lines", self._pack_lines, key="predict lines", picks=nothing)

    def _pack_lines(self) -> bytes:
        now, written, (down, across) = self.now, self.now.written, self.part
        tokens, query = chips(written.trace.tokens), windows.place_in(down, now.query)
        view = {
            "heads": self.heads,
            "head": max(now.head, 0),
            "least": LEAST_WEIGHT,
            "hide": [],
            "layout": "down",
            "query": query if query >= 0 else None,
            "key": None,
        }
        return pack_lines(
            self._weights()[:, down, across],
            tokens[down],
            tokens[across],
            identity=repr((written.run.name, written.ids, now.layer, now.head, query, down.start, across.start)),
            title=f"Attention of layer {now.layer}",
            causal=True,
            view=view,
            first=(down.start, across.start),
        )

    def caption(self) -> str:
        query, names = self.now.query, self.names
        row = self._weights()[self.heads].mean(0)[query]  # (keys,)
        best = int(row.argmax())
        reader, source = quotes.quote(names[query], query), quotes.quote(names[best], best)
        text = f"The token read last, {reader}, looks most at {source} ({number(float(row[best]), 2)})"
        first_matters = best != 0 and row[0] >= 0.1
        return text + (f"; {number(float(row[0]), 2)} rests on the first token." if first_matters else ".")

    def files(self) -> Files:
        """The lines as a picture, the drawn matrix as a table, and all heads as an archive."""
        (down, across), heads, names = self.part, self.heads, self.names
        weights, queries, keys = self._weights()[:, down, across], names[down], names[across]
        which = f"head {heads[0]}" if len(heads) == 1 else "all heads"
        title = f"{self.now.written.run.model.card.title}: layer {self.now.layer}, {which}"
        return Files(
            "prediction-attention",
            partial(head_pictures.lines_picture, weights[heads], heads, queries, keys, title, least=LEAST_WEIGHT),
            self._draw(),
            arrays=lambda: {"weights": weights, "queries": queries, "keys": keys},
            others={"CSV": partial(head_pictures.matrix_csv, self._mean(), queries, keys)},
        )

    # -- all heads -----------------------------------------------------------------------------------------------------

    def _every_head(self) -> list[Any]:
        atlas = Canvas("attention/heads_atlas", self._pack_atlas, key="predict atlas", picks={"pick": _take_head})
        said = "Every head over the whole text, written tokens too. Click one to see it above."
        files = Files(
            "prediction-all-heads",
            self._print_atlas,
            rows=lambda: measures_table(self._tiles(), KINDS, "layer").to_dict("records"),
            arrays=lambda: {"weights": self._all_weights(), "tokens": self.names},
        )
        return [atlas, *grey(said), files]

    def _tiles(self) -> bytes:
        return head_tiles.tiles_of(self.now.written.as_run, "decoder", "self_attn")

    def _pack_atlas(self) -> bytes:
        kinds = [
            {"key": kind.key, "label": kind.label, "meaning": kind.meaning, "threshold": kind.threshold}
            for kind in KINDS
        ]
        return pack_atlas(
            self._tiles(),
            title="All heads",
            kinds=kinds,
            sort="layer",
            layer=self.now.layer,
            head=max(self.now.head, 0),
            queries=len(self.names),
        )

    def _print_atlas(self, theme: Theme = "light") -> Any:
        title = f"{self.now.written.run.model.card.title}: all heads"
        framed = self.now.layer, max(self.now.head, 0)
        return head_pictures.atlas_picture(self._all_weights(), title, framed=framed, theme=theme)

    def _all_weights(self) -> Array:
        """The weights of all heads, of a long text as their pictures show them: (layers, heads, queries, keys)."""
        if windows.is_long((len(self.names),)):
            return read_tiles(self._tiles())
        return np.stack([self._weights(layer) for layer in range(self.now.written.config.n_decoder_layers)])


def _take_head(picked: Sequence[int]) -> Keys:
    layer, head = picked
    return {"layer": int(layer), "head": int(head), "predict_mean": False}
