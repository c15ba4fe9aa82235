"""One text, and odd texts, in every tokeniser here. One that fails has its reason in its row, and the others go on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pandas as pd

from model.cached_property import cached_property
from model.tokens.tokenizer import Token
from views.inputs.tokenisers import CutByAll, Cuts, cut_by_all
from views.parts import Controls, DataTable, Draw, Files
from views.view import View
from viz.documents.page_parts import Heading, Text
from viz.inputs.pieces import NOT_CUT, samples_figure, tokenisers_figure
from viz.shared.style import count_noun, is_right_to_left, markdown_text, percent
from viz.shared.tokens import labels

MAX_SAMPLES = 12  # odd texts


@dataclass(frozen=True)
class EveryTokeniser(View):
    """A text in every tokeniser. `cut_by_all` cuts it."""

    text: str
    cut_by_all: CutByAll = field(default=cut_by_all, compare=False, repr=False)

    @cached_property
    def cuts(self) -> Mapping[str, Cuts]:
        return self.cut_by_all((self.text,))

    @property
    def tokens(self) -> dict[str, Sequence[Token]]:
        """The tokens by the titles of the models that can cut the text."""
        first = {title: each.of_texts[0] for title, each in self.cuts.items()}
        return {title: cut for title, cut in first.items() if not isinstance(cut, Exception)}

    @property
    def pieces(self) -> dict[str, list[str]]:
        """Their labels."""
        return {title: labels(tokens) for title, tokens in self.tokens.items()}

    def picture_parts(self) -> Sequence[Any]:
        return [Heading("The same text, by every tokeniser here", 3), *super().number_parts()]

    number_parts = picture_parts

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
        pieces = self.pieces
        return [
            {
                "model": title,
                "vocabulary": each.vocabulary,
                "tokens": len(pieces[title]) if title in pieces else None,
                "pieces": "  ".join(pieces[title]) if title in pieces else str(each.of_texts[0]),
            }
            for title, each in self.cuts.items()
        ]

    def caption(self) -> str:
        """Which tokeniser takes fewest tokens, which takes most, and how many cannot cut the text."""
        counts, models = {title: len(each) for title, each in self.tokens.items()}, len(self.cuts)
        failed = models - len(counts)
        lost = (
            f" {count_noun(failed, 'tokeniser')} of {models} cannot cut it: the reason is in its row." if failed else ""
        )
        if not counts:
            return lost.lstrip()
        fewest, most = min(counts, key=lambda title: counts[title]), max(counts, key=lambda title: counts[title])
        beginning = f"{count_noun(len(self.text), 'character')}: {count_noun(counts[fewest], 'token')} in"
        if counts[fewest] == counts[most]:
            return f"{beginning} every model {'that can cut it' if failed else 'here'}.{lost}"
        return f"{beginning} {markdown_text(fewest)}, {counts[most]} in {markdown_text(most)}.{lost}"

    def files(self) -> Files:
        return Files("tokenisers", self._draw(), self._draw(), self._rows, self._arrays)

    def _draw(self) -> Draw:
        return partial(tokenisers_figure, self.pieces, leftwards=is_right_to_left(self.text))

    def _arrays(self) -> dict[str, Any]:
        return {title: [token.id for token in tokens] for title, tokens in self.tokens.items()}


@dataclass(frozen=True)
class OddTexts(View):
    """Texts that are hard for tokenisers, and the number of tokens of each. `cut_by_all` cuts them."""

    lines: tuple[str, ...]
    cut_by_all: CutByAll = field(default=cut_by_all, compare=False, repr=False)

    @cached_property
    def cuts(self) -> Mapping[str, Cuts]:
        return self.cut_by_all(self.lines)

    @property
    def counts(self) -> dict[str, list[int]]:
        """The number of tokens of each text, by the models' titles."""
        return self._of_cuts(len, NOT_CUT)

    @property
    def unknown(self) -> dict[str, list[int]]:
        """How many of them are the token for an unknown piece."""
        return self._of_cuts(lambda tokens: sum(token.special for token in tokens), 0)

    def _of_cuts(self, count: Callable[[Sequence[Token]], int], failed: int) -> dict[str, list[int]]:
        return {
            title: [failed if isinstance(cut, Exception) else count(cut) for cut in each.of_texts]
            for title, each in self.cuts.items()
        }

    def picture_parts(self) -> Sequence[Any]:
        missing = Text("Write a text, one a line, to see its tokens in each tokeniser.", "info")
        return [
            Heading("Odd texts", 3),
            Controls("odd texts"),
            *(super().number_parts() if self.lines else [missing]),
        ]

    number_parts = picture_parts

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
        counts, unknown = self.counts, self.unknown
        return [
            {"text": line, "characters": len(line)}
            | {title: _count_in_words(count[i], unknown[title][i]) for title, count in counts.items()}
            for i, line in enumerate(self.lines)
        ]

    def caption(self) -> str:
        """In how many cases a piece was lost, and in how many a tokeniser failed."""
        counts = self.counts
        cases = sum(map(len, counts.values()))
        lossy = sum(lost > 0 for losses in self.unknown.values() for lost in losses)
        failed = sum(count == NOT_CUT for each in counts.values() for count in each)
        return (
            f"Tokens of each text. In {lossy} of {cases} cases, {percent(lossy / cases)}, a piece became the unknown "
            "token and cannot be read back. Tokenisers that fall back to bytes lose nothing."
            + (f" In {failed}, the tokeniser cannot cut the text." if failed else "")
        )

    def files(self) -> Files:
        draw = partial(samples_figure, self.lines, self.counts, self.unknown)
        return Files("odd-texts", draw, draw, self._rows, lambda: self.counts)


def _count_in_words(count: int, lost: int) -> str:
    return "not cut" if count == NOT_CUT else f"{count}" + (f" ({lost} unknown)" if lost else "")
