"""The steps of a tokeniser to its pieces: merges of byte-pair encoding, longest matches of WordPiece.

Sennrich et al. (2016), arXiv:1508.07909; Radford et al. (2019) for bytes; Wu et al. (2016), arXiv:1609.08144. A unigram
model (Kudo 2018, arXiv:1804.10959) takes no steps: it chooses all pieces of a text at once.

The pieces are those of the tokeniser's own encoding, which the model reads. The steps are taken again here, and are
kept where they end in these pieces.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import tokenizers

from model.tokens.piece_bytes import BAR, BYTE
from model.tokens.sentence_pieces import UNKNOWN, SentencePieces
from model.tokens.tokenizer import Placed, Tokenizer, readable

Pieces = tuple[str, ...]
MAX_LETTERS = 1000  # of a word whose merges are shown: their time grows with the square of its length


@dataclass(frozen=True)
class Step:
    """The pieces of a word after one step.

    `rank` is the place of the step's merge in the table; 0 was learnt first. It is None where nothing was merged: at
    the start of byte-pair encoding, and in all of WordPiece.
    """

    pieces: Pieces
    rank: int | None = None


@dataclass(frozen=True)
class Spelling:
    """One word of the text as the tokeniser cuts it, and the steps to its pieces.

    `how` it was cut: by "merges", by longest "beginnings", "at once" with the whole text, or not at all, since it is
    looked up as a "whole". "added": a token of its own, which is found in a text before anything is cut. "unknown": no
    piece stands for it. "untold": other steps than those of the table lead to these pieces. "long": its steps are too
    many.
    """

    word: str
    steps: tuple[Step, ...]
    how: str

    @property
    def pieces(self) -> Pieces:
        """The pieces after the last step."""
        return self.steps[-1].pieces


def spell(tokenizer: Tokenizer, text: str) -> tuple[Spelling, ...]:
    """Every word of a text and the steps to its pieces, which are those that the model reads.

    All spellings put together are `tokenizer.encode(text, add_special=False)`. Raises `UnreadableText`.
    """
    placed = tokenizer.place(text, add_special=False)
    return tuple(_spell_word(tokenizer, word, readable(text)) for word in _words(tokenizer, placed))


def _words(tokenizer: Tokenizer, placed: Sequence[Placed]) -> list[list[Placed]]:
    """The tokens of each word. A word begins where the tokeniser's first cut has one, at a bar, and at an added token,
    which is a word by itself."""
    words: list[list[Placed]] = []
    for token in placed:
        last = words[-1][-1] if words else None
        is_apart = any(each is None or tokenizer.is_added(each.token.id) for each in (token, last))
        if last is None or is_apart or token.word != last.word or token.piece.startswith(BAR):
            words.append([])
        words[-1].append(token)
    return words


def _spell_word(tokenizer: Tokenizer, word: Sequence[Placed], text: str) -> Spelling:
    steps, how = _steps(tokenizer, word)
    return Spelling(_name(word, text, how), steps, how)


def _name(word: Sequence[Placed], text: str, how: str) -> str:
    """The word as it is read. What has no bytes of its own, as an unknown word, is that part of the text."""
    if how == "unknown" or any(token.token.special for token in word):
        start, end = min(token.span[0] for token in word), max(token.span[1] for token in word)
        return text[start:end] or word[0].piece
    return b"".join(token.token.bytes for token in word).decode("utf-8", "replace")


def _steps(tokenizer: Tokenizer, word: Sequence[Placed]) -> tuple[tuple[Step, ...], str]:
    """The steps to the pieces of a word, and how it was cut. One step has them all where none can be told."""
    pieces = tuple(token.piece for token in word)
    whole, table = (Step(pieces),), _table(tokenizer.backend)
    if pieces == (table.get("unk_token"),):
        return whole, "unknown"
    if tokenizer.is_added(word[0].token.id):
        return whole, "added"
    if cuts_at_once(tokenizer):
        return whole, "at once"
    if table["type"] == "WordLevel" or (table.get("ignore_merges") and len(pieces) == 1):
        return whole, "whole"
    if sum(map(len, pieces)) > MAX_LETTERS:
        return whole, "long"
    if table["type"] == "WordPiece":
        sign = table["continuing_subword_prefix"]
        letters = pieces[0] + "".join(piece.removeprefix(sign) for piece in pieces[1:])
        steps, how = word_piece_steps(letters, table), "beginnings"
    else:
        steps, how = merge_steps(_letters(pieces, table), table), "merges"
    return (steps, how) if steps[-1].pieces == pieces else (whole, "untold")


def cuts_at_once(tokenizer: Tokenizer) -> bool:
    """Whether the tokeniser takes no steps: of all ways to cut a text into known pieces, it takes the likeliest."""
    backend = tokenizer.backend
    return isinstance(backend, SentencePieces) or isinstance(backend.model, tokenizers.models.Unigram)


@lru_cache(maxsize=8)
def _table(backend: Any) -> dict[str, Any]:
    """The tokeniser's own description of its model, with the rank of every merge."""
    if isinstance(backend, SentencePieces):
        return {"ranks": {}, "unk_token": UNKNOWN}
    table: dict[str, Any] = json.loads(backend.model.__getstate__())
    if table["type"] == "Unigram" and table["unk_id"] is not None:
        table["unk_token"] = table["vocab"][table["unk_id"]][0]
    table["ranks"] = {tuple(pair): rank for rank, pair in enumerate(table.get("merges", ()))}
    return table


def merge_ranks(tokenizer: Tokenizer, pieces: Pieces) -> tuple[int | None, ...]:
    """The rank of each pair of neighbours in the table of merges, None if it is not there: (pieces - 1,)."""
    ranks = _table(tokenizer.backend)["ranks"]
    return tuple(ranks.get(pair) for pair in pairwise(pieces))


def _letters(pieces: Pieces, table: dict[str, Any]) -> Pieces:
    """The pieces that a word begins with: its letters, with the signs of a word that goes on and of its end. A byte and
    an unknown letter are one piece each."""
    prefix, suffix = table["continuing_subword_prefix"] or "", table["end_of_word_suffix"] or ""
    letters: list[str] = []
    for place, piece in enumerate(pieces):
        if piece == table["unk_token"] or BYTE.fullmatch(piece):
            letters.append(piece)
            continue
        before, behind = prefix if place else "", suffix if place == len(pieces) - 1 else ""
        bare = piece.removeprefix(before).removesuffix(behind)
        signs = [before, *[prefix] * (len(bare) - 1)], [*[""] * (len(bare) - 1), behind]
        letters += [f"{one}{letter}{other}" for one, letter, other in zip(signs[0], bare, signs[1], strict=True)]
    return tuple(letters)


def merge_steps(pieces: Pieces, table: dict[str, Any]) -> tuple[Step, ...]:
    """Byte-pair encoding: of all pairs of neighbours, merge the one that was learnt first, until none is known.

    `pieces` are the letters or bytes of a word.
    """
    prefix = table["continuing_subword_prefix"] or ""  # the sign of a letter within a word
    steps = [Step(pieces)]
    while True:
        ranks = [table["ranks"].get(pair, float("inf")) for pair in pairwise(pieces)]
        rank = min(ranks, default=float("inf"))
        if rank == float("inf"):
            return tuple(steps)
        at = ranks.index(rank)
        pieces = (*pieces[:at], pieces[at] + pieces[at + 1].removeprefix(prefix), *pieces[at + 2 :])
        steps.append(Step(pieces, int(rank)))


def word_piece_steps(word: str, table: dict[str, Any]) -> tuple[Step, ...]:
    """WordPiece: the longest known beginning is the first piece; then the same for the rest of the word."""
    unknown = (Step((table["unk_token"],)),)
    if len(word) > table["max_input_chars_per_word"]:
        return unknown
    steps, pieces, start = [], [], 0
    while start < len(word):
        prefix = table["continuing_subword_prefix"] if start else ""
        ends = (end for end in range(len(word), start, -1) if prefix + word[start:end] in table["vocab"])
        end = next(ends, None)
        if end is None:
            return unknown
        pieces.append(prefix + word[start:end])
        start = end
        rest = (f"{word[start:]}",) if start < len(word) else ()
        steps.append(Step((*pieces, *rest)))
    return tuple(steps)
