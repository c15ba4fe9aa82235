"""What a head writes: its OV circuit, from the tokens that it reads most to those that it makes likelier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from model.analysis.circuits import written
from model.analysis.circuits.written import Written
from views.models.why.general_head import GeneralHead
from views.models.why.head_words import listed
from views.parts import DataTable, Files
from views.shared import quotes, sums
from views.shared.quotes import tex
from views.view import View, equation, grey, work_out
from viz.documents.page_parts import Group, Text
from viz.shared.style import number, percent

READ = 6  # tokens of the sentence whose writing is listed


@dataclass(frozen=True)
class HeadWrites(View):
    """What reading a token makes likelier, where the head of a decoder writes."""

    general: GeneralHead

    @property
    def made(self) -> Written:
        assert self.general.circuits.written is not None
        return self.general.circuits.written

    def picture_parts(self) -> Sequence[Any]:
        return self._in_place(lambda: Text("\n".join(map(self._line, self.general.most_read(READ)))))

    def number_parts(self) -> Sequence[Any]:
        return self._in_place(self.table)

    def _in_place(self, make: Any) -> list[Any]:
        title = Text("**What reading a token makes likelier**")
        if self.general.circuits.written is None:
            return [title, *grey(self._say_nothing())]
        return [title, Group([make()], key="why written"), *grey(self.caption()), self.files()]

    def _say_nothing(self) -> str:
        between = (
            "Between it and the answer stand steps that depend on the sentence"
            if self.general.asked.of_encoder
            else "It writes no next token"
        )
        return f"This head is in the encoder. {between}, so nothing becomes likelier by it alone."

    def _line(self, place: int) -> str:
        general, made = self.general, self.made
        rises = listed(general.output_words(made.ends.most_ids[place]), made.ends.most[place].tolist())
        own = "" if made.ranks is None else f" · rank of the token itself: {int(made.ranks[place]):,}"
        read = percent(float(general.weights[place]))
        return f"- {quotes.quote(general.keys[place], place)} :gray[read {read}] → {rises}:gray[{own}]"

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()))

    def rows(self) -> list[dict[str, Any]]:
        """One row for each token that it can read in the sentence."""
        general, made, rows = self.general, self.made, []
        for place, key in enumerate(general.keys):
            row: dict[str, Any] = {"token": key, "weight here": float(general.weights[place])}
            if made.own is not None and made.ranks is not None:
                row |= {
                    "rise of the token itself": float(made.own[place]),
                    "rank of the token itself": int(made.ranks[place]),
                }
            row["makes likelier"] = " ".join(general.output_words(made.ends.most_ids[place]))
            row["makes less likely"] = " ".join(general.output_words(made.ends.least_ids[place]))
            rows.append(row)
        return rows

    def caption(self) -> str:
        return (
            f"The tokens that it reads most here. Of the whole vocabulary, rank 1 rises most. {self._say_copying()} "
            "The numbers leave out the scale of the norms, so they compare with each other, but are no logits."
        )

    def _say_copying(self) -> str:
        found = self.general.circuits.copying
        if found is None:
            return "It reads one vocabulary and writes another, so there is no copying score."
        return (
            f"Its copying score is {number(found.score)}: 1 for a head that makes each token that it reads likelier as "
            "the next word, −1 for one that makes it less likely."
        )

    def files(self) -> Files:
        return Files(f"{self.general.file_name}-writes", rows=self.rows)

    def formula(self) -> Sequence[Any]:
        if self.general.circuits.written is None:
            return []
        general, made = self.general, self.made
        whole = equation(
            r"\Delta u = x_k W_V W_O N W_U",
            "Elhage et al. (2021): the OV circuit, from token to token.",
            {
                "N": "the norms between the head and the output layer: gains, and the mean if they subtract it, no "
                "scale",
                "W_U": "the output layer",
            },
        )
        place = general.most_read(1)[0]
        id = int(made.ends.most_ids[place, 0])
        (rising,) = general.output_words(made.ends.most_ids[place, :1])
        worked = work_out(
            f"Reading {quotes.quote(general.keys[place], place)} raises {quotes.quote(rising)} most:",
            sums.product(made.added[place].numpy(), written.output_table(general.asked.run.model)[id].numpy()),
        )
        return [*whole, *worked, *self._copying()]

    def _copying(self) -> list[Any]:
        copies = self.general.circuits.copying
        if copies is None:
            return []
        whole = equation(
            r"c = \frac{\sum_i \lambda_i}{\sum_i |\lambda_i|}",
            "Elhage et al. (2021): copying, by the eigenvalues of the OV circuit over the whole vocabulary.",
            {r"\lambda_i": f"its {len(copies.eigenvalues)} eigenvalues that can be other than 0, one a feature"},
        )
        real, size = float(copies.eigenvalues.real.sum()), float(copies.eigenvalues.abs().sum())
        return [
            *whole,
            *work_out("The copying score:", rf"\frac{{{tex(real)}}}{{{tex(size)}}} = {tex(copies.score)}"),
        ]
