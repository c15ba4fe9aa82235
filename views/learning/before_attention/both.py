"""A blank in a sentence for three readers: one from the left, one from the right, and one from both sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import plotly.graph_objects as go

from model.cached_property import cached_property
from model.recurrent.blank import (
    BLANK,
    MARKS,
    BlankReader,
    TrainedReaders,
    sentences,
    shares,
    split,
    train_readers,
    vocabulary,
)
from views.call import Call, call_of
from views.chart_view import ChartView
from views.learning.before_attention import told
from views.parts import Controls
from views.shared.quotes import quote, tex
from views.view import equation, existing, grey, work_out
from viz.documents.page_parts import Text
from viz.learning.before_attention import blank_figure
from viz.shared.style import Theme, number, percent

TITLES = {"forward": "forward: the words before", "backward": "backward: the words after", "both": "both directions"}
MAX_WORDS = 5  # in the figure


@dataclass(frozen=True)
class FilledBlank(ChartView):
    """The likeliest words for the blank of a sentence. `why_not`: what to do about a sentence without one."""

    readers: TrainedReaders = field(compare=False)
    sentence: str
    why_not: Text | None = None

    def made_by(self) -> Call:
        return call_of(self, readers=Call(train_readers))

    @cached_property
    def probabilities(self) -> dict[str, dict[str, float]]:
        """The words of each reader, the likeliest first."""
        return self.readers.probabilities(self.sentence)

    def told(self) -> Mapping[str, float | str]:
        if self.why_not is not None:
            return {}
        forward, both = (next(iter(self.probabilities[side].items())) for side in ("forward", "both"))
        return {told.FROM_LEFT: forward[1], told.FROM_BOTH: both[1], told.WORD_FROM_LEFT: forward[0]}

    @property
    def best(self) -> list[str]:
        """The words of the figure: the likeliest of any reader."""
        found = self.probabilities
        names = {word for p in found.values() for word in list(p)[:MAX_WORDS]}
        best = sorted(names, key=lambda word: -found["both"][word])
        return sorted(best, key=lambda word: -max(p[word] for p in found.values()))[:MAX_WORDS]

    def draw(self, theme: Theme = "light") -> go.Figure:
        best = self.best
        bars = {TITLES[side]: [p[word] for word in best] for side, p in self.probabilities.items()}
        return blank_figure(best, bars, theme)

    def alt(self) -> str:
        return "The likeliest words for the blank, by three readers"

    def rows(self) -> list[dict[str, Any]]:
        return [self._row(word) for word in self.best]

    def _row(self, word: str) -> dict[str, Any]:
        """The probability of a word for each reader, and its share in the tiny language."""
        words = split(self.sentence)
        place = words.index(BLANK)
        before, behind = words[:place], words[place + 1 :]
        contexts = {"forward": (before, None), "backward": (None, behind), "both": (before, behind)}
        true = {side: shares(*context) for side, context in contexts.items()}
        row: dict[str, Any] = {"word": word}
        for side, p in self.probabilities.items():
            row |= {side: p[word], f"{side}, true share": true[side].get(word, 0.0)}
        return row

    def file_name(self) -> str:
        return "fill-the-blank"

    def picture_parts(self) -> Sequence[Any]:
        return self._below_sentence(self.picture)

    def number_parts(self) -> Sequence[Any]:
        return self._below_sentence(self.table, " The true shares are counted in that language.")

    def _below_sentence(self, make: Any, of_numbers: str = "") -> list[Any]:
        if self.why_not is not None:
            return [Controls("sentence"), self.why_not]
        words = [*grey(self.caption()), *grey(self._describe_training() + of_numbers)]
        return [Controls("sentence"), make(), *words, self.files()]

    def caption(self) -> str:
        likeliest = {side: next(iter(p.items())) for side, p in self.probabilities.items()}
        answers = [f"**{TITLES[side]}** “{word}”, {percent(share)}" for side, (word, share) in likeliest.items()]
        return "Likeliest: " + "; ".join(answers) + "."

    def _describe_training(self) -> str:
        losses = ", ".join(f"{side} {number(curve[-1], 2)}" for side, curve in self.readers.losses.items())
        return (
            f"Three GRUs of 24 features, trained here on the {len(list(sentences()))} sentences of a tiny language of "
            f"{len(vocabulary()) - len(MARKS)} words. Loss at the end, in nats: {losses}. None can be 0, since some "
            "blanks have more than one answer."
        )

    def formula(self) -> Sequence[Any]:
        return [
            *equation(
                r"\overrightarrow{h}_t = f(x_t, \overrightarrow{h}_{t-1}), \qquad "
                r"\overleftarrow{h}_t = f'(x_t, \overleftarrow{h}_{t+1}), \qquad "
                r"h_t = [\overrightarrow{h}_t, \overleftarrow{h}_t]",
                "Palaskos (2022), section 2.2; Schuster and Paliwal (1997)",
            ),
            *equation(
                r"p(x_t \mid x_{<t}), \qquad p(x_t \mid x_{>t}), \qquad p(x_t \mid x_{<t}, x_{>t})",
                "What a forward, a backward and a bidirectional reader can give: the blank's word, from one side or "
                "both",
            ),
            Controls("sentence"),
            *(existing(self.why_not) or self._work_out_shares()),
        ]

    def _work_out_shares(self) -> list[Any]:
        """The likeliest word of the reader in both directions: its probability for each reader, and its true share."""
        word = next(iter(self.probabilities["both"]))
        row = self._row(word)
        conditions = {"forward": "x_{<t}", "backward": "x_{>t}", "both": r"x_{<t}, x_{>t}"}
        return [
            part
            for side, condition in conditions.items()
            for part in work_out(
                f"{quote(word)}, {TITLES[side]}; after the arrow its share in the tiny language itself:",
                rf"p(x_t \mid {condition}) = {tex(row[side])} \to {tex(row[f'{side}, true share'])}",
            )
        ]

    def code(self) -> Sequence[Any]:
        return [sentences, BlankReader, train_readers, shares]
