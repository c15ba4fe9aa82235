"""How the residual stream drifts from layer to layer at one position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from model import Trace
from model.analysis.logit_lens import lens_names
from model.analysis.stream_drift import StreamDrift, stream_drift, stream_rows
from model.cached_property import cached_property
from views.models.predict.continuation import Continuation
from views.parts import Chart, DataTable, Files
from views.shared import quotes, sums
from views.view import View, equation, grey, work_out
from viz.documents.page_parts import Group
from viz.models.drift import drift_figure, way_figure
from viz.models.predict import layer_name
from viz.shared.style import number, percent
from viz.shared.tokens import words


@dataclass(frozen=True)
class Drift(View):
    """The lengths and the turns, and the way, at one position; a `row` of the lens is marked."""

    written: Continuation
    position: int
    row: int = -1

    @cached_property
    def _trace(self) -> Trace:
        return self.written.run.of_tokens(self.written.ids, lens_names(self.written.config))

    @cached_property
    def drift(self) -> StreamDrift:
        return stream_drift(self.written.config, self._trace, self.position)

    @property
    def token(self) -> str:
        """The token at the position, as a chip."""
        (read,) = words([self.written.trace.tokens[self.position]])
        return quotes.quote(read, self.position)

    def picture_parts(self) -> Sequence[Any]:
        turns, way = self._files()
        left = Chart(_draw(turns), "The length of the stream and its cosine with the layer before, by layer")
        right = Chart(_draw(way), "The way of the stream along its first two components")
        columns = [Group([left], "column", 3), Group([right], "column", 2)]
        beside = Group([Group(columns, "row", gap="medium")], key="predict drift")
        return [beside, *grey(self.caption()), turns, way]

    def number_parts(self) -> Sequence[Any]:
        return [DataTable(lambda: pd.DataFrame(self.rows())), *grey(self.caption()), *self._files()]

    def rows(self) -> list[dict[str, Any]]:
        """One row for the embedding, and one for each layer."""
        drift, count = self.drift, len(self.drift.lengths)
        return [
            {"after": layer_name(each, count), "length": float(drift.lengths[each])}
            | {"cosine": float(drift.cosines[each - 1]) if each else 1.0}
            | {"component 1": float(drift.places[each, 0]), "component 2": float(drift.places[each, 1])}
            for each in range(count)
        ]

    def _files(self) -> tuple[Files, Files]:
        drift, focus = self.drift, ("predict drift",)
        lengths, cosines, places = (each.numpy() for each in (drift.lengths, drift.cosines, drift.places))
        turns = partial(drift_figure, lengths, cosines, row=self.row)
        way = partial(way_figure, places, drift.shares.tolist(), row=self.row)
        return (
            Files(
                "stream-drift", turns, turns, self.rows, lambda: {"lengths": lengths, "cosines": cosines}, focus=focus
            ),
            Files("stream-way", way, way, self.rows, lambda: {"places": places, "shares": drift.shares}, focus=focus),
        )

    def caption(self) -> str:
        drift = self.drift
        steepest = int(drift.cosines.argmin())
        lengths, shares = drift.lengths.tolist(), drift.shares.tolist()
        return (
            f"At {self.token} the stream is {number(lengths[0], 2)} long in the embedding and "
            f"{number(lengths[-1], 2)} at the end. Layer {steepest} turns it most: its cosine is "
            f"{number(float(drift.cosines[steepest]), 2)}. The way is seen along the two directions in which it "
            f"differs most, with {percent(sum(shares))} of the variance."
        )

    def formula(self) -> Sequence[Any]:
        """The equations, with the cosine over the layer that turns the stream most."""
        head = equation(
            r"\cos(x_l, x_{l+1}) = \frac{x_l \cdot x_{l+1}}{|x_l|\,|x_{l+1}|}, \qquad z_l = (x_l - \bar x)\, V",
            "The length: Xiong et al. (2020), arXiv:2002.04745. Principal components: Pearson (1901); Hotelling (1933)",
            {
                "x_l": "the residual stream at the token after l layers",
                r"\bar x": "the mean of the stream over all layers at that token",
                "V": "the two directions in which the stream differs most from layer to layer",
                "z_l": "the place on the way",
            },
        )
        rows = stream_rows(self.written.config, self._trace, self.position)
        steepest = int(self.drift.cosines.argmin())
        worked = work_out(
            f"Layer {steepest} turns the stream at {self.token} most:",
            rf"\cos(x_{{{steepest}}}, x_{{{steepest + 1}}}) = {sums.cosine(rows[steepest], rows[steepest + 1])}",
        )
        return [*head, *worked]


def _draw(files: Files) -> Any:
    """The figure of files."""
    return files.interactive
