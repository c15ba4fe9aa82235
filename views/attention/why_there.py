"""Why a head looks there: the score of a query and a key as a sum over the parts that made the two."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from model.analysis import score_account, stream_parts
from model.analysis.frozen_norm import FrozenNorm
from model.analysis.score_account import MEAN, SIDES, Against, ScoreAccount, ScoreSide, keep_for_scores, weights_without
from model.arrays import Array
from model.cached_property import cached_property
from model.config import TransformerConfig
from model.other_names import lens_name, short_name
from views.attention.head_view import HeadView
from views.attention.head_words import describe_weight, pair_names
from views.attention.query_key import NO_PAIR
from views.head_of_run import keep as keep_of_heads
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.shared import quotes, run_code, score_formula
from views.shared.quotes import tex
from views.shared.sums import total
from views.view import equation, grey, work_out
from viz.attention.score_account import pairs_figure
from viz.documents.page_parts import Code, Group, Text
from viz.models.why import bars_figure, part_title
from viz.shared.style import number, percent, upper_first

OVER_MEAN, ALONE = -1, -2  # in the place of another key: the score over the mean of all keys, or by itself
LARGEST = 8  # parts of a side in the pictures
OTHERS = "all others"
BEST_AT_KEY = "the part that speaks most at the key"
SIDE_TITLES: dict[ScoreSide, str] = {"query": "what looks", "key": "what is looked at"}
TABLE_PIXELS = 420


def keep(config: TransformerConfig) -> tuple[str, ...]:
    """The tensors of a run that this part needs."""
    return (*keep_of_heads(config), *keep_for_scores(config))


@dataclass(frozen=True)
class WhyThere(HeadView):
    """The account of the score of the singled-out pair. `against`: the key over which its lead is told, or `OVER_MEAN`
    or `ALONE`."""

    against: int = OVER_MEAN

    of_page: ClassVar[str] = "Why there"
    needs: ClassVar[Callable[[TransformerConfig], tuple[str, ...]]] = staticmethod(keep)

    @property
    def why_not(self) -> str:
        """Why there is no score to account for; "" where there is one."""
        if self.head.story is None:
            return NO_PAIR
        return describe_weight(self.head) if np.isneginf(self.head.story.mask) else ""

    @property
    def over(self) -> Against:
        """What the score is compared with. A key counts that the query may see, and of a long text no mean: the parts
        of each key would be made."""
        seen = ~self.head.hidden[self.head.query]
        if self.against >= 0:
            return self.against if self.against < len(seen) and bool(seen[self.against]) else None
        return "mean" if self.against == OVER_MEAN and self.has_mean and int(seen.sum()) > 1 else None

    @property
    def has_mean(self) -> bool:
        """Whether the score may be compared with the mean of all keys."""
        return not self.head.run.trace.is_lazy

    @cached_property
    def account(self) -> ScoreAccount:
        head = self.head
        asked = head.at, head.head, head.query, head.key
        return score_account.score_account(head.run.model, head.run.trace, *asked, self.over)

    @cached_property
    def without(self) -> Mapping[ScoreSide, Mapping[str, float]]:
        """The weight without each part."""
        head = self.head
        return weights_without(head.run.model, head.run.trace, head.at, head.head, head.query, head.key)

    def told(self) -> Mapping[str, float | str]:
        return {} if self.why_not else {BEST_AT_KEY: self._title("key", self._best("key"))}

    def _title(self, side: ScoreSide, part: str) -> str:
        """A part in words. The key of cross-attention is made of parts of the encoder."""
        title = part_title(part)
        return f"encoder, {title}" if self.head.at.is_cross and side == "key" and title.startswith("layer") else title

    def _best(self, side: ScoreSide) -> str:
        """The part that gives most."""
        margin = self.account.margin(side)
        return max(margin, key=margin.__getitem__)

    def picture_parts(self) -> Sequence[Any]:
        return self._beside(self._pictures)

    def number_parts(self) -> Sequence[Any]:
        return self._beside(lambda: [self.table()])

    def _beside(self, make: Callable[[], list[Any]]) -> list[Any]:
        """The parts, below the choices and what they are about."""
        above = [Group([Controls("pair"), Controls("against")], "row")]
        if self.why_not:
            return self.beside_story([*above, Text(self.why_not, "info")])
        return self.beside_story([*above, *grey(self.sentence()), *make(), *grey(self.caption()), self.files()])

    def _pictures(self) -> list[Any]:
        bars = [Group([self._bars(side)], "column") for side in SIDES]
        return [Group([Group(bars, "row", gap="medium")], key="heads margins"), self.picture()]

    def sentence(self) -> str:
        """The sum and its check, in Markdown."""
        account, (query, key) = self.account, pair_names(self.head)
        over = ""
        if account.against == MEAN:
            over = f", over the mean of the {int((~self.head.hidden[self.head.query]).sum())} keys that it may see"
        elif isinstance(account.against, int):
            over = f", over that of {quotes.quote(self.head.keys[account.against], account.against)}"
        rows, columns = account.pairs.shape
        rest = f" and {number(account.rest)}, the bias of their distance," if account.rest else ""
        return (
            f"{upper_first(self.head.place)} gives {query} and {key} the score {number(account.value, 3)}{over}. Its "
            f"{rows:,} × {columns:,} pairs of parts{rest} sum to {number(account.total, 3)}: they differ by "
            f"{number(account.difference, 6)}, from rounding.{self._say_no_mean()}"
        )

    def _say_no_mean(self) -> str:
        """Why the score of a long text is told by itself where nothing else is chosen."""
        if self.has_mean or self.against != OVER_MEAN:
            return ""
        return (
            " In a text as long as this one, a mean over all keys would take the parts of each of them, which takes "
            "long. Choose one key to compare with."
        )

    def largest(self, side: ScoreSide) -> dict[str, float]:
        """What the largest parts of a side give with the whole other side, the largest first."""
        margin = self.account.margin(side)
        names = sorted(margin, key=lambda name: -abs(margin[name]))[:LARGEST]
        return {name: margin[name] for name in names}

    def _bars(self, side: ScoreSide) -> Chart:
        head, names = self.head, list(self.largest(side))
        place = {"query": head.query, "key": head.key}[side]
        token = {"query": head.queries, "key": head.keys}[side][place]
        bars = {self._title(side, name): value for name, value in self.largest(side).items()}
        bars[OTHERS] = sum(self.account.margin(side).values()) - sum(bars.values())
        axis = f"the {side} of {token}"
        draw = partial(bars_figure, bars, axis, quiet=(OTHERS,))
        pick = partial(self._pick_part, side, names)
        return Chart(draw, f"What the largest parts of the {side} give to the score", f"heads why {side}", pick)

    def _pick_part(self, side: ScoreSide, names: Sequence[str], point: Mapping[str, Any]) -> dict[str, Any]:
        place = int(point["y"])
        return self.open_head(side, names[place]) if place < len(names) else {}

    def open_head(self, side: ScoreSide, name: str) -> dict[str, Any]:
        """The keys that ask the same of an earlier head, at the token where it has written."""
        if ".heads." not in name:
            return {}
        stack, layer, part, _, head = name.split(".")
        token = self.head.query if side == "query" else self.head.key
        return {"attention": f"{stack}.{part}", "layer": int(layer), "head": int(head), "query": token, "key": -1}

    def picture(self) -> Chart:
        alt = "What the largest pairs of parts of the query and of the key give to the score"
        return Chart(self._draw(), alt, key="heads pairs", pick=self._pick_pair)

    def _pick_pair(self, point: Mapping[str, Any]) -> dict[str, Any]:
        names = list(self.largest("key"))
        place = int(point["x"])
        return self.open_head("key", names[place]) if place < len(names) else {}

    def _draw(self) -> Draw:
        queries, keys = (self.largest(side) for side in SIDES)
        labels = [[*map(short_name, each), "others"] for each in (queries, keys)]
        titles = (
            [*(self._title("query", name) for name in queries), OTHERS],
            [*(self._title("key", name) for name in keys), OTHERS],
        )
        return partial(pairs_figure, self._cells(), labels[0], labels[1], titles)

    def _cells(self) -> Array:
        """The pairs of the largest parts; the last row and column have all others."""
        account = self.account
        cells = account.pairs.double().numpy()
        for along, side in enumerate(SIDES):
            places = [account.parts[along].index(name) for name in self.largest(side)]
            some = np.take(cells, places, along)
            others = cells.sum(along, keepdims=True) - some.sum(along, keepdims=True)
            cells = np.concatenate((some, others), along)
        return cells

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()), 3, height=TABLE_PIXELS)

    def rows(self) -> list[dict[str, Any]]:
        """One row for each part of each side, the largest first."""
        two, rows = len(self.head.config.stacks) > 1, []
        for side in SIDES:
            for name, value in self.account.margin(side).items():
                rows.append(
                    {"side": side, "part": self._title(side, name), "gives": value}
                    | {"weight without it": self.without[side][name], "name": name}
                    | {"in papers": short_name(name), "TransformerLens": lens_name(name, two)}
                )
        return sorted(rows, key=lambda row: -abs(row["gives"]))

    def caption(self) -> str:
        weight = float(self.head.weights[self.head.query, self.head.key])
        said = []
        for side, token in zip(SIDES[::-1], pair_names(self.head)[::-1], strict=True):
            best = self._best(side)
            gives, left = self.account.margin(side)[best], self.without[side][best]
            said.append(
                f"At {token}, {SIDE_TITLES[side]}, {self._title(side, best)} speaks most for it: {number(gives)}. "
                f"Without it there, the weight would be {percent(left)}, not {percent(weight)}."
            )
        return f"{' '.join(said)} A click on a head asks the same of it, where it has written."

    def files(self) -> Files:
        head, account = self.head, self.account
        arrays = {"pairs": account.pairs.numpy(), "query_parts": account.parts[0], "key_parts": account.parts[1]}
        name, draw = f"{head.file_name}-why-query{head.query}-key{head.key}", self._draw()
        return Files(name, draw, draw, self.rows, lambda: arrays, focus=("heads margins", "heads pairs"))

    def formula(self) -> Sequence[Any]:
        if self.why_not:
            return [Text(self.why_not, "info")]
        bias = r" + B_{ij}" if self.head.story is not None and self.head.story.bias is not None else ""
        scaled = r"q_i^a \cdot k_j^b"
        if self.head.config.scale_scores:
            scaled = rf"\frac{{{scaled}}}{{\sqrt{{{score_formula.root_of(self.head.config)}}}}}"
        whole = equation(
            rf"s_{{ij}} = \sum_a \sum_b {scaled}{bias}, \qquad q_i = \sum_a q_i^a, \quad k_j = \sum_b k_j^b",
            "Elhage et al. (2021), “A Mathematical Framework for Transformer Circuits”: composition of queries and of "
            "keys. The norms' scales are those of this run.",
            {
                "q_i^a": "what a part below has written at the query, through the norm, $W_Q$ and its position",
                "k_j^b": "the same at the key, through $W_K$",
                "a, b": "the embedding, a head, a feed-forward or a bias",
            },
        )
        pairs = [value for *_, value in self.account.largest(LARGEST)]
        rest = self.account.total - sum(pairs)
        said = f"The {len(pairs)} largest pairs, and last the sum of all others:"
        best = self.account.largest(1)[0]
        first = (
            f"The largest is that of {self._title('query', best[0])} and {self._title('key', best[1])}, "
            f"${tex(best[2])}$."
        )
        return [*whole, *work_out(f"{self.sentence()} {first} {said}", total([*pairs, rest]))]

    def code(self) -> Sequence[Any]:
        recomputed: list[Any] = [] if self.why_not else [self._snippet()]
        return [*recomputed, score_account.score_account, stream_parts.parts_before, FrozenNorm.push, weights_without]

    def _snippet(self) -> Code:
        """Python that makes the account again. It differs from the app's by what a pass of other length rounds."""
        head, account = self.head, self.account
        run = head.run
        given = repr(run.text) if run.target is None else f"{run.text!r}, target={run.target!r}"
        place = f'"{head.at.stack}.{head.at.part}", {head.at.layer}, {head.head}, query={head.query}, key={head.key}'
        source = f"""\
from glassformer import account_of_score, load

trace = load({run.name!r}).trace({given})
account = account_of_score(trace, {place}, against={account.against!r})

assert abs(account.total - account.value) < 1e-3
print(account.value, account.largest(3))
"""
        return Code(run_code.as_run(run, source), "python")
