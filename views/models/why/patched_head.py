"""What a patched head brings back at each token alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import plotly.graph_objects as go
from torch import Tensor

from model.experiments.patching import of_tokens
from views.models.why.patched import Patched, all_rows, is_too_wide, say_too_wide
from views.parts import Chart, Controls, Draw, Files
from views.view import View, grey
from viz.documents.page_parts import Text
from viz.models.why import sources_figure
from viz.shared.style import Theme


@dataclass(frozen=True)
class PatchedHead(View):
    """The shares of the head of a cell (layer, head), token by token. `patched`: of those tokens.

    `found`: of the batches that are measured, out of `batches`.
    """

    patched: Patched
    cell: tuple[int, int]
    found: tuple[Tensor, ...] = field(compare=False)
    batches: int

    @property
    def shares(self) -> Tensor:
        """Of the tokens that are measured: (tokens,)."""
        return self.patched.patching.join(self.patched.site, list(self.found), self.patched.rows)

    def picture_parts(self) -> Sequence[Any]:
        patched, title = self.patched, Text("**This head at one token alone**")
        above = [title, Controls("window of head")]
        if is_too_wide(patched.patching, patched.site, patched.rows):
            return [*above, *grey(say_too_wide())]
        measured = [self.picture(), *grey(self.caption()), self.files()] if self.found else []
        return [*above, Controls("measure head"), *measured]

    number_parts = picture_parts

    def picture(self) -> Chart:
        return Chart(self._draw(), "The share that the head brings back at each token alone")

    def _draw(self) -> Draw:
        shares = self.shares
        return partial(_shares_figure, shares, self.patched.columns[: len(shares)])

    def caption(self) -> str:
        if len(self.found) == self.batches:
            return ""
        return f"**Partial**: {len(self.shares):,} of {len(self.patched.columns):,} tokens are measured."

    def rows(self) -> list[dict[str, Any]]:
        named = zip(self.patched.columns, self.shares.tolist(), strict=False)
        return [{"token": name, "share": share} for name, share in named]

    def files(self) -> Files:
        name, draw = f"{self.patched.asked.run.name}-patching-head", self._draw()
        return Files(name, draw, draw, self.rows, lambda: {"shares": self.shares.numpy()})


def patch_head(
    patched: Patched, cell: tuple[int, int], rows: slice | None = None, most: int | None = None
) -> PatchedHead:
    """Patches the head of a cell (layer, head) at each token alone. `rows`: the tokens, by default all. `most`: the
    batches of tokens that are measured, by default all."""
    site, (layer, head) = of_tokens(patched.site), cell
    tokens = patched.of_tokens(all_rows(patched.patching, site) if rows is None else rows)
    if is_too_wide(patched.patching, site, tokens.rows):
        return PatchedHead(tokens, cell, (), 0)
    batches = patched.patching.batches_of_head(patched.site, head, tokens.rows)
    found = tuple(patched.patching.shares(patched.site, layer, cells) for cells in batches[:most])
    return PatchedHead(tokens, cell, found, len(batches))


def _shares_figure(shares: Tensor, names: Sequence[str], theme: Theme = "light") -> go.Figure:
    return sources_figure(shares.numpy(), names, theme).update_yaxes(title_text="share that comes back")
