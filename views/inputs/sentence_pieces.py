"""The whole sentence in its pieces. A click on a piece chooses it, and its word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from views.inputs.cut_text import CutText
from views.inputs.token_strip import token_strip
from views.parts import Canvas, DataTable
from views.shared import control_words
from views.view import View, grey
from viz.shared.style import SPACE, count_noun, markdown_text, token_label
from viz.shared.tokens import labels

SENTENCE = "tokens sentence"  # the key of the strip of its pieces
MAX_NAMED = 6  # words that are cut
A_WORD = "the number of tokens to a word between spaces"


@dataclass(frozen=True)
class SentencePieces(View):
    """The sentence in its pieces, of which one is chosen."""

    cut: CutText
    piece: int

    def told(self) -> Mapping[str, float | str]:
        return {A_WORD: len(self.cut.placed) / max(len(self.cut.run.text.split()), 1)}

    def picture_parts(self) -> Sequence[Any]:
        return [self.picture(), *self._words()]

    def number_parts(self) -> Sequence[Any]:
        return [self.table(), *self._words()]

    def picture(self) -> Canvas:
        return token_strip(self.cut.tokens, SENTENCE, "Pieces of the sentence", self.piece, _pick_piece)

    def table(self) -> DataTable:
        return DataTable(self._table)

    def _table(self) -> pd.DataFrame:
        tokens, words = self.cut.tokens, self.cut.word_of
        rows = [
            {"position": position, "piece": label, "id": token.id, "bytes": token.bytes.hex(" ").upper(), "word": word}
            for position, (label, token, word) in enumerate(zip(labels(tokens), tokens, words, strict=True))
        ]
        return pd.DataFrame(rows)

    def caption(self) -> str:
        words = self.cut.spellings
        cut = [each for each in words if len(each.pieces) > 1]
        named = ", ".join(f"“{markdown_text(token_label(each.word).lstrip(SPACE))}”" for each in cut[:MAX_NAMED])
        more = ", ..." if len(cut) > MAX_NAMED else ""
        cuts = f"In more than one piece: {named}{more}." if cut else "Every word is one piece."
        return f"{count_noun(len(words), 'word')}, {count_noun(len(self.cut.placed), 'token')}. {cuts}"

    def _words(self) -> list[Any]:
        return [*grey(self.caption()), *control_words.explain(self.cut.tokens)]


def _pick_piece(piece: int | None) -> Mapping[str, int]:
    return {} if piece is None else {"query": int(piece)}
