"""How one word of the sentence is cut: the steps of its spelling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from model.tokens.spelling import MAX_LETTERS, Pieces, Spelling, merge_ranks
from model.tokens.tokenizer import Token
from views.inputs.cut_text import CutText
from views.inputs.piece_texts import PieceTexts, token_of
from views.inputs.token_strip import token_strip
from views.parts import Canvas, Controls, DataTable, Draw, Files
from views.shared import quotes, sums
from views.view import View, grey, work_out
from viz.documents.page_parts import Heading, Text
from viz.inputs.pieces import spelling_figure
from viz.shared.style import count_noun, is_right_to_left, markdown_text
from viz.shared.tokens import labels

HOW = {  # a word without steps was cut
    "added": "A token of its own: it is found in a text as it stands, before anything is cut.",
    "unknown": "No piece of the vocabulary fits: the model reads the token for unknown words.",
    "untold": "The model reads {}. Its table's steps end in others, so they are not shown: another rule cuts here.",
    "long": f"The model reads {{}}. The steps of a word of more than {MAX_LETTERS} letters or bytes are not shown.",
}
PIECES = "the number of pieces of the word"
NO_WORD = Text("There is no word to cut: only special tokens are left of this text.", "info")


@dataclass(frozen=True)
class WordSteps(View):
    """One word of a sentence at one step of its spelling. A sentence of special tokens alone has no word."""

    cut: CutText
    word: int
    step: int

    @property
    def spelling(self) -> Spelling:
        return self.cut.spellings[self.word]

    def told(self) -> Mapping[str, float | str]:
        return {PIECES: len(self.spelling.pieces)} if self.cut.spellings else {}

    def picture_parts(self) -> Sequence[Any]:
        return self._below_title(super().picture_parts)

    def number_parts(self) -> Sequence[Any]:
        return self._below_title(super().number_parts)

    def _below_title(self, parts: Any) -> list[Any]:
        shown = [Controls("word"), *parts()] if self.cut.spellings else [NO_WORD]
        return [Heading("How one word is cut", 3), *shown]

    def picture(self) -> Canvas:
        pieces = self.spelling.steps.at(self.step).pieces
        return token_strip(self._tokens_of(pieces), "tokens pieces", "Pieces of the word")

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(_rows_of_steps(PieceTexts(self.cut.tokenizer), self.spelling)))

    def formula(self) -> Sequence[Any]:
        """The smallest rank of the chosen step. WordPiece has no ranks."""
        if not self.cut.spellings:
            return [NO_WORD]
        return [Controls("word"), *self._work_out(), *grey(self.caption())]

    def _work_out(self) -> list[Any]:
        steps, at = self.spelling.steps, self.step
        rank = steps.at(at).rank
        if rank is None:
            return []
        before = steps.at(at - 1).pieces
        pairs = ", ".join(
            r"\infty" if each is None else sums.whole(each) for each in merge_ranks(self.cut.tokenizer, before)
        )
        names = " ".join(quotes.quote(name) for name in labels(self._tokens_of(before)))
        return work_out(
            f"Step {at}: the ranks of the pairs of neighbours in {names}. The "
            "smallest rank is merged first. A pair that was never merged has rank ∞:",
            rf"\min\{{{pairs}\}} = {sums.whole(rank)}",
        )

    def caption(self) -> str:
        spelling, at = self.spelling, self.step
        step, pieces = spelling.steps.at(at), len(spelling.pieces)
        if len(spelling.steps) == 1:
            return _say_no_steps(spelling)
        if step.rank is not None:
            before, now = spelling.steps.at(at - 1).pieces, step.pieces
            merged = next((i for i in range(len(now)) if now[i] != before[i]), len(now) - 1)
            name = markdown_text(labels(self._tokens_of(now))[merged])
            left = f"Left: {count_noun(len(now), 'piece')}" + (
                f", {pieces} at the end." if pieces < len(now) else ", the last."
            )
            return f"Step {at}: merge {step.rank:,} of the table makes **{name}**. {left}"
        if at == 0 and spelling.steps.last.rank is not None:
            return f"At first every byte or letter is a piece: {len(step.pieces)} pieces. The merges leave {pieces}."
        return f"Cut off the longest known beginning, then that of the rest: {count_noun(pieces, 'piece')} in the end."

    def files(self) -> Files:
        return Files("pieces", self._draw(), self._draw(), lambda: step_rows(self.cut), self._arrays)

    def _draw(self) -> Draw:
        return partial(_draw_steps, self.cut, self.spelling, self.step)

    def _arrays(self) -> dict[str, Any]:
        return {"ids": [token.id for token in self.cut.tokens]}

    def _tokens_of(self, pieces: Pieces) -> list[Token]:
        """The pieces as tokens."""
        return [token_of(self.cut.tokenizer, piece) for piece in pieces]


def step_rows(cut: CutText) -> list[dict[str, Any]]:
    """One row for each step of each word of the sentence."""
    texts = PieceTexts(cut.tokenizer)
    return [{"word": i} | row for i, each in enumerate(cut.spellings) for row in _rows_of_steps(texts, each)]


def _draw_steps(cut: CutText, spelling: Spelling, at: int, **how: Any) -> Any:
    """The picture of a word's steps. All steps of a long word have many pieces, so they are made when it is drawn."""
    pieces = PieceTexts(cut.tokenizer)
    steps = [[pieces.of(piece).label for piece in step.pieces] for step in spelling.steps]
    ranks = [step.rank for step in spelling.steps]
    return spelling_figure(steps, ranks, at, leftwards=is_right_to_left(spelling.word), **how)


def _say_no_steps(spelling: Spelling) -> str:
    """How a word without steps was cut."""
    pieces = len(spelling.pieces)
    if spelling.how in HOW:
        return HOW[spelling.how].format(count_noun(pieces, "piece"))
    if pieces == 1:
        return "The whole word is in the vocabulary: one piece."
    if spelling.how == "at once":
        return f"The whole text is cut at once, into the likeliest pieces that are known: {pieces} for this word."
    return f"The table of merges has no two neighbours of this word: it stays {pieces} pieces."


def _rows_of_steps(texts: PieceTexts, spelling: Spelling) -> list[dict[str, Any]]:
    rows = []
    for number, step in enumerate(spelling.steps):
        pieces = [texts.of(piece) for piece in step.pieces]
        rows.append(
            {
                "step": number,
                "pieces": "  ".join(piece.label for piece in pieces),
                "count": len(pieces),
                "merge rank": step.rank,
                "ids": " ".join(piece.id for piece in pieces),
                "bytes": " | ".join(piece.bytes for piece in pieces),
            }
        )
    return rows
