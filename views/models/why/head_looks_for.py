"""What a head looks for: its QK circuit, for the tokens of the sentence and of the whole vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from views.models.why.general_head import GeneralHead
from views.models.why.head_words import listed
from views.parts import Chart, Controls, DataTable, Draw, Files
from views.shared import quotes, score_formula, sums
from views.view import View, equation, grey, work_out
from viz.documents.page_parts import Group, Text
from viz.models.why import sources_figure
from viz.shared.labels import BESIDE_WORDS_WIDTH


@dataclass(frozen=True)
class HeadLooksFor(View):
    """How much a head looks for each token. `shown`: those of a long text that the picture has."""

    general: GeneralHead
    shown: slice

    def picture_parts(self) -> Sequence[Any]:
        return self._in_place(self.picture())

    def number_parts(self) -> Sequence[Any]:
        return self._in_place(self.table())

    def _in_place(self, shown: Any) -> list[Any]:
        general = self.general
        query = quotes.quote(general.queries[general.query], general.query)
        title, place = Text(f"**Which tokens it looks for** at {query}"), Group([shown], key="why looked for")
        return [title, Controls("window"), place, *grey(self.caption()), self.files()]

    def picture(self) -> Chart:
        return Chart(self._draw(), "How much the head looks for each token of the sentence")

    def _draw(self) -> Draw:
        scores, keys = self.general.scores.numpy()[self.shown], self.general.keys[self.shown]
        return partial(sources_figure, scores, keys, axis="score", room=BESIDE_WORDS_WIDTH)

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()))

    def rows(self) -> list[dict[str, Any]]:
        """The tokens of the sentence, then the ends of the vocabulary."""
        general, ends = self.general, self.general.circuits.looked_for.ends
        rows = [
            {"token": key, "of": "the sentence", "score": score}
            for key, score in zip(general.keys, general.scores.tolist(), strict=True)
        ]
        for of, ids, scores in (("most", ends.most_ids[0], ends.most[0]), ("least", ends.least_ids[0], ends.least[0])):
            labels = zip(general.key_words(ids), scores.tolist(), strict=True)
            rows += [{"token": label, "of": f"the vocabulary, {of}", "score": score} for label, score in labels]
        return rows

    def caption(self) -> str:
        general, ends = self.general, self.general.circuits.looked_for.ends
        most = listed(general.key_words(ends.most_ids[0]), ends.most[0].tolist())
        least = listed(general.key_words(ends.least_ids[0]), ends.least[0].tolist())
        return f"Of the whole vocabulary it looks most for {most}; least for {least}."

    def files(self) -> Files:
        scores, draw = self.general.scores.numpy(), self._draw()
        name = f"{self.general.file_name}-looks-for"
        return Files(name, draw, draw, self.rows, lambda: {"scores": scores}, focus=("why looked for",))

    def formula(self) -> Sequence[Any]:
        general, made = self.general, self.general.circuits.looked_for
        whole = equation(
            "s_{qk} = " + score_formula.in_latex(general.asked.config, True, r"(x_q W_Q)(x_k W_K)^\top"),
            "Elhage et al. (2021): the QK circuit, from token to token.",
            {
                "x_q": "the embedding of the token at which the head stands, through the norms before the head",
                "x_k": "the same of a token that it can read",
                "W_Q, W_K": "the head's own; with the biases and norms of queries and keys, where the model has them",
            },
        )
        best = int(general.scores.argmax())
        query = quotes.quote(general.queries[general.query], general.query)
        worked = work_out(
            f"{query} looks for {quotes.quote(general.keys[best], best)} most of all tokens of the sentence, by their "
            "embeddings alone:",
            sums.product(made.scale * made.queries[0].numpy(), made.keys[best].numpy()),
        )
        return [*whole, *worked]
