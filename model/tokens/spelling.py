"""The steps of a tokeniser to its pieces: merges of byte-pair encoding, longest matches of WordPiece.

Sennrich et al. (2016), arXiv:1508.07909; Radford et al. (2019) for bytes; Wu et al. (2016), arXiv:1609.08144. A unigram
model (Kudo 2018, arXiv:1804.10959) takes no steps: it chooses all pieces of a text at once.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import tokenizers

from model.tokens.sentence_pieces import SentencePieces
from model.tokens.tokenizer import Tokenizer

Pieces = tuple[str, ...]
BAR = "▁"  # stands for the space before a word


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
    """One word of the text, as the tokeniser's first cut gives it, and the steps to its pieces."""

    word: str
    steps: tuple[Step, ...]

    @property
    def pieces(self) -> Pieces:
        """The pieces after the last step."""
        return self.steps[-1].pieces


def spell(tokenizer: Tokenizer, text: str) -> tuple[Spelling, ...]:
    """Every word of a text and the steps to its pieces. The name of a special token is spelled like any other word."""
    readable = text.encode("utf-8", "replace").decode("utf-8")
    if cuts_at_once(tokenizer):
        return _cut_at_once(tokenizer, readable)
    backend, table = tokenizer.backend, _table(tokenizer)
    normal = backend.normalizer.normalize_str(readable) if backend.normalizer else readable
    words = [word for word, _ in backend.pre_tokenizer.pre_tokenize_str(normal)]
    steps = word_piece_steps if table["type"] == "WordPiece" else merge_steps
    return tuple(Spelling(word, steps(word, table)) for word in words)


def cuts_at_once(tokenizer: Tokenizer) -> bool:
    """Whether the tokeniser takes no steps: of all ways to cut a text into known pieces, it takes the likeliest."""
    backend = tokenizer.backend
    return isinstance(backend, SentencePieces) or isinstance(backend.model, tokenizers.models.Unigram)


def _cut_at_once(tokenizer: Tokenizer, text: str) -> tuple[Spelling, ...]:
    """The pieces of each word. A piece that begins with the bar begins a word."""
    words: list[list[str]] = []
    for piece in tokenizer.backend.encode(text, add_special_tokens=False).tokens:
        if not words or piece.startswith(BAR):
            words.append([])
        words[-1].append(piece)
    return tuple(Spelling("".join(pieces), (Step(tuple(pieces)),)) for pieces in words)


@lru_cache(maxsize=8)
def _table(tokenizer: Tokenizer) -> dict[str, Any]:
    """The tokeniser's own description of its model, with the rank of every merge."""
    table: dict[str, Any] = json.loads(tokenizer.backend.to_str())["model"]
    table["ranks"] = {tuple(pair): rank for rank, pair in enumerate(table.get("merges", ()))}
    return table


def merge_ranks(tokenizer: Tokenizer, pieces: Pieces) -> tuple[int | None, ...]:
    """The rank of each pair of neighbours in the table of merges, None if it is not there: (pieces - 1,)."""
    ranks = _table(tokenizer)["ranks"]
    return tuple(ranks.get(pair) for pair in pairwise(pieces))


def merge_steps(word: str, table: dict[str, Any]) -> tuple[Step, ...]:
    """Byte-pair encoding: of all pairs of neighbours, merge the one that was learnt first, until none is known."""
    if table["ignore_merges"] and word in table["vocab"]:
        return (Step((word,)),)
    pieces: Pieces = tuple(piece for character in word for piece in _base_pieces(character, table))
    steps = [Step(pieces)]
    while True:
        ranks = [table["ranks"].get(pair, float("inf")) for pair in pairwise(pieces)]
        rank = min(ranks, default=float("inf"))
        if rank == float("inf"):
            return tuple(steps)
        at = ranks.index(rank)
        pieces = (*pieces[:at], pieces[at] + pieces[at + 1], *pieces[at + 2 :])
        steps.append(Step(pieces, int(rank)))


def _base_pieces(character: str, table: dict[str, Any]) -> Pieces:
    """The character itself; or its bytes if the vocabulary does not have it."""
    if character in table["vocab"] or not table["byte_fallback"]:
        return (character,)
    return tuple(f"<0x{byte:02X}>" for byte in character.encode("utf-8"))


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
