"""Where patches look: every head over the picture, and all layers together by rollout."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import Tensor

from model import Trace
from model.analysis.rollout import rollout
from model.analysis.scores import entropy, fit_keys
from model.arrays import Array
from model.cached_property import cached_property
from model.network.attention import MultiHeadAttention
from views.models.see import told
from views.models.see.patches import framed_patch
from views.models.see.picture import SeenPicture
from views.models.see.sight import Sight
from views.parts import Canvas, Chart, DataTable, Files, Keys, Pick
from views.plotted import Plotted
from views.shared import quotes, sums
from views.view import equation, grey, work_out
from viz.documents.page_parts import Heading
from viz.models.patch_heads import pack_heads
from viz.models.see import overlay_figure
from viz.shared.style import number, percent

KEY = "see attention"
SMALL_SIDE = 7  # patches a side of a picture whose weights of all layers are saved


def take_choice(choice: Any) -> Keys:
    """What a click in the picture changes."""
    names = ("layer", "head", "patch")
    if not isinstance(choice, dict) or not all(isinstance(choice.get(name), int) for name in names):
        return {}
    return {f"see_{name}": choice[name] for name in names}


@dataclass(frozen=True)
class LooksOfPatch(Sight):
    """Where a patch looks, in one head. `patch`: -1, -2 and so on for the learnt tokens.

    `send` gives the bytes of all heads that the browser has, or new ones. `pick`: what a click changes.
    """

    layer: int
    head: int
    patch: int
    send: Callable[[LooksOfPatch], bytes] = field(default=lambda view: view.pack(), compare=False, repr=False)
    pick: Pick = field(default=take_choice, compare=False, repr=False)

    @property
    def choice(self) -> dict[str, int]:
        return {"layer": self.layer, "head": self.head, "patch": self.patch}

    @property
    def name(self) -> str:
        """The name of the patch."""
        return self.seen.patch_name(self.patch)

    @property
    def token(self) -> int:
        """The place of the patch among all tokens."""
        return self.seen.token_of(self.patch)

    @property
    def row(self) -> Array:
        """The weights of the patch in its head: (S + N,)."""
        return self.seen.run[f"encoder.{self.layer}.self_attn.weights"][self.head, self.token].numpy()

    @property
    def _layers(self) -> list[Tensor]:
        return [self.seen.run[f"encoder.{layer}.self_attn.weights"] for layer in range(self.seen.layers)]

    @cached_property
    def rollout(self) -> Array:
        """Where the information of the patch may have come from, through all layers: (S + N,)."""
        return rollout(self._layers)[self.token].numpy()

    def told(self) -> Mapping[str, float | str]:
        above = self.seen.layers - 1 - self.layer
        return {told.LAYER: self.layer, told.ABOVE: above, told.ROW_SUM: float(self.row.sum())}

    def picture_parts(self) -> Sequence[Any]:
        own = [self.picture(), *grey(self.caption()), self.files()]
        return [*own, *self._probe(", in full orange"), *self._through_layers(", in full orange")]

    def number_parts(self) -> Sequence[Any]:
        own = [self.table(), *grey(self.caption()), self.files()]
        return [*own, *self._probe(""), *self._through_layers("")]

    def picture(self) -> Canvas:
        data, picks = partial(self.send, self), {"view": self.pick}
        return Canvas("models/patch_attention", data, key=KEY, picks=picks, saved=self.pack)

    def pack(self) -> bytes:
        """All heads, with the choice."""
        seen = self.seen
        queries, keys = queries_and_keys(seen.run, seen.layers)
        weights, learnt = all_weights(seen.run, seen.layers), seen.config.special_tokens
        return pack_heads(seen.square, queries, keys, weights, seen.side, self.choice, learnt)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows(self.row)), height=320)

    def _rows(self, row: Array) -> list[dict[str, Any]]:
        name, patch_of = self.seen.patch_name, self.seen.patch_of
        return [{"looks at": name(patch_of(n)), "weight": float(value)} for n, value in enumerate(row)]

    def caption(self) -> str:
        seen, special, row = self.seen, self.seen.config.n_special_tokens, self.row
        strongest = int(row[special:].argmax())
        learnt = f"; {percent(float(row[:special].sum()))} goes to {seen.special_names}" if special else ""
        n_even = 2 ** float(entropy(torch.from_numpy(row)))
        return (
            f"In layer {self.layer}, head {self.head}, {self.name} looks most at **{seen.patch_name(strongest)}**, "
            f"{percent(float(row[strongest + special]))}{learnt}. "
            f"Its attention is as spread as if it were even over {number(n_even, 1)} of {len(row)} tokens."
        )

    def files(self) -> Files:
        row, seen = self.row, self.seen
        draw = self._over_picture(row)

        def arrays() -> dict[str, Array]:
            weights = all_weights(seen.run, seen.layers)
            return {"weights": weights if seen.side <= SMALL_SIDE else weights[self.layer]}

        return Files("see-attention", draw, draw, partial(self._rows, row), arrays)

    def _over_picture(self, row: Array) -> Any:
        special = self.seen.config.n_special_tokens
        return partial(overlay_figure, self.seen.square, row[special:], self.seen.side, self.patch)

    def _probe(self, colour: str) -> list[Any]:
        """Where the probe looks in the chosen head: what it gathers is the vector of the picture. Else nothing."""
        if self.seen.config.pooled != "probe":
            return []
        row = self.seen.run["probe.cross_attn.weights"][self.head, 0].numpy()  # (N,)
        best = self.seen.patch_name(int(row.argmax()))
        draw = partial(overlay_figure, self.seen.square, row, self.seen.side, -1)
        shown = Plotted(
            Chart(draw, f"Attention of the probe in head {self.head} over the picture, strongest at {best}"),
            DataTable(lambda: pd.DataFrame(self._rows(row))),
            f"After the last layer a learnt token, the probe, asks all patches. In its head {self.head} it looks most "
            f"at **{best}**, {percent(float(row.max()))}{colour}. The answer is read off what its heads gather.",
            Files("see-probe", draw, draw, partial(self._rows, row), lambda: {"probe": row}),
        )
        return [Heading("What the probe asks", 3), shown]

    def _through_layers(self, colour: str) -> list[Any]:
        """The rollout. `colour`: how the strongest patch is marked."""
        seen, row, special = self.seen, self.rollout, self.seen.config.n_special_tokens
        draw, strongest = self._over_picture(row), int(row[special:].argmax())
        best = seen.patch_name(strongest)
        own = percent(float(row[self.token]))
        own_share = "" if self.patch < 0 else f" {own} of it stays at its own place."
        shown = Plotted(
            Chart(draw, f"Rollout of {self.name} over the picture, strongest at {best}"),
            DataTable(lambda: pd.DataFrame(self._rows(row))),
            f"Where the information of {self.name} may have come from after {seen.layers} layers: most from "
            f"**{best}**, {percent(float(row[strongest + special]))}{colour}.{own_share} A rough picture: values and "
            "feed-forward networks are left out.",
            Files("see-rollout", draw, draw, partial(self._rows, row), lambda: {"rollout": row}),
        )
        return [Heading("Through all layers: rollout", 3), shown]

    def formula(self) -> Sequence[Any]:
        seen = self.seen
        attention = equation(
            r"A = \mathrm{softmax}\!\left(\frac{QK^\top}{\sqrt{d_k}}\right)",
            "The attention of words, with patches for words and no mask. Palaskos (2022), eq. 3.42 and section 4.2.1.",
            {"A": _describe_rows(seen)},
        )
        through = equation(
            r"R = \prod_{l} \tfrac12\left(\bar A^{(l)} + I\right)",
            "Rollout: Abnar and Zuidema (2020), arXiv:2005.00928, section 3.",
            {r"\bar A^{(l)}": "the mean of layer l's heads", "I": "the residual connection, which keeps each token"},
        )
        return [*attention, *self._work_out_score(), *through, *self._work_out_rollout()]

    def _work_out_score(self) -> list[Any]:
        """The score of the patch that is looked at most, and its share of the row."""
        seen, special = self.seen, self.seen.config.n_special_tokens
        attention = f"encoder.{self.layer}.self_attn"
        q, k = seen.run[f"{attention}.q"][self.head, self.token], seen.run[f"{attention}.k"][self.head]
        products, width = fit_keys(q, k).products, len(q)  # (S + N,)
        best = special + int(products[special:].argmax())
        asking, strongest = quotes.quote(self.name), quotes.quote(seen.patch_name(best - special))
        scores = products / width**0.5
        return work_out(
            f"In layer {self.layer}, head {self.head}, of all patches {asking} looks most at {strongest}: their "
            f"score, and its share of the row of {len(scores)} tokens:",
            rf"S = \frac{{{quotes.tex(float(products[best]))}}}{{\sqrt{{{width}}}}} = "
            f"{quotes.tex(float(scores[best]))}",
            f"A = {sums.softmax(scores, best)}",
        )

    def _work_out_rollout(self) -> list[Any]:
        """The last factor of the product, for the patch where the rollout is strongest."""
        layers, special = self._layers, self.seen.config.n_special_tokens
        best = special + int(self.rollout[special:].argmax())
        last, below = rollout(layers[-1:])[self.token], rollout(layers[:-1])[:, best]  # (S + N,) each
        receiver, giver = quotes.quote(self.name), quotes.quote(self.seen.patch_name(best - special))
        return work_out(
            f"How much of {receiver} may come from {giver}: its row of the last layer's factor, with the column of the "
            f"product of the {self.seen.layers - 1} layers below:",
            f"R = {sums.product(last, below)}",
        )

    def code(self) -> Sequence[Any]:
        return (MultiHeadAttention, rollout)


def asking_patch(seen: SeenPicture, patch: int) -> int:
    """The patch that asks. A model without learnt tokens has none below 0, and one in the middle asks."""
    return framed_patch(seen, patch) if not seen.config.special_tokens else patch


def _describe_rows(seen: SeenPicture) -> str:
    if not seen.config.special_tokens:
        return "N rows and columns for N patches"
    rows = f"{seen.config.n_special_tokens} + N rows and columns for N patches"
    return f"{rows}; the first are those of {seen.special_names}"


def all_weights(run: Trace, layers: int) -> NDArray[np.float32]:
    """The attention of every head: (layers, heads, S + N, S + N)."""
    return np.stack([run[f"encoder.{layer}.self_attn.weights"].numpy() for layer in range(layers)])


def queries_and_keys(run: Trace, layers: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The queries and the keys of every head: (layers, heads, S + N, d_head) each."""
    each_layer = range(layers)
    queries = np.stack([run[f"encoder.{layer}.self_attn.q"].numpy() for layer in each_layer])
    return queries, np.stack([run[f"encoder.{layer}.self_attn.k"].numpy() for layer in each_layer])
