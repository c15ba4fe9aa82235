"""A sentence as two tokenizers cut it. Characters are the common ground: the smallest groups of tokens that stand for
the same ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from model.tokens.overlap import common_groups, spans_of
from views.inputs.cut_text import CutText
from views.parts import DataTable, Files
from views.view import View, existing, grey
from viz.documents.page_parts import Text
from viz.shared.style import count_noun, markdown_text
from viz.shared.tokens import labels

MAX_NAMED = 4  # groups


@dataclass(frozen=True)
class BothCuts(View):
    """One sentence in two cuts."""

    first: CutText
    second: CutText

    def rows(self) -> list[dict[str, Any]]:
        """One row for each group: its characters, and the pieces of both cuts."""
        text, cuts = self.first.run.text, (self.first, self.second)
        spans = [spans_of(cut.tokenizer, text) for cut in cuts]
        names = [labels(cut.tokens) for cut in cuts]
        rows = []
        for group in common_groups(spans[0], spans[1]):
            start, end = spans[0][group[0][0]][0], spans[0][group[0][-1]][1]
            pieces = [" | ".join(side[place] for place in places) for side, places in zip(names, group, strict=True)]
            rows.append({"characters": text[start:end], **dict(zip(self.titles, pieces, strict=True))})
        return rows

    @property
    def titles(self) -> tuple[str, str]:
        """The names of both models, which may be the same."""
        first, second = self.first.run.title, self.second.run.title
        return first, second if first != second else f"{second} (second)"

    def picture_parts(self) -> Sequence[Any]:
        return [Text("##### The same characters in both"), self.table(), *grey(self.caption()), *existing(self.files())]

    number_parts = picture_parts

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self.rows()))

    def caption(self) -> str:
        rows, (first, second) = self.rows(), self.titles
        counts = [sum(each.word is not None for each in cut.placed) for cut in (self.first, self.second)]
        otherwise = [row["characters"] for row in rows if row[first].strip("·▁ ") != row[second].strip("·▁ ")]
        named = ", ".join(f"“{markdown_text(each)}”" for each in otherwise[:MAX_NAMED])
        more = ", ..." if len(otherwise) > MAX_NAMED else ""
        cut = f"Cut otherwise: {named}{more}." if otherwise else "Both cut it at the same places."
        return f"{count_noun(counts[0], 'piece')} against {count_noun(counts[1], 'piece')} of the sentence. {cut}"

    def files(self) -> Files:
        name = f"{self.first.run.name}-and-{self.second.run.name}-tokens"
        return Files(name, rows=self.rows, arrays=partial(dict, groups=[row["characters"] for row in self.rows()]))
