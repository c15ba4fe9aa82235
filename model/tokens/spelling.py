"""The steps of a tokeniser to its pieces: merges of byte-pair encoding, longest matches of WordPiece.

Sennrich et al. (2016), arXiv:1508.07909; Radford et al. (2019) for bytes; Wu et al. (2016), arXiv:1609.08144. A unigram
model (Kudo 2018, arXiv:1804.10959) takes no steps: it chooses all pieces of a text at once.

The pieces are those of the tokeniser's own encoding, which the model reads. The steps are taken again here, and are
kept where they end in these pieces.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import Any

import tokenizers

from model.tokens.panics import panics_as_errors
from model.tokens.piece_bytes import BAR, BYTE
from model.tokens.sentence_pieces import UNKNOWN, SentencePieces
from model.tokens.tokenizer import Placed, Tokenizer

Pieces = tuple[str, ...]
MAX_LETTERS = 300  # of a word whose steps are shown: all of them together have as many pieces as its square


@dataclass(frozen=True)
class SpellingStep:
    """The pieces of a word after one step.

    `rank` is the place of the step's merge in the table; 0 was learnt first. It is None where nothing was merged: at
    the start of byte-pair encoding, and in all of WordPiece.
    """

    pieces: Pieces
    rank: int | None = None


@dataclass(frozen=True)
class Change:
    """What one step changes. A word has as many slots as its longest step has pieces.

    The step puts `left` into one slot, and `right` into a later one; None leaves that slot empty. `rank` is that of the
    `SpellingStep`.
    """

    slots: tuple[int, int]
    left: str
    right: str | None
    rank: int | None = None


@dataclass(frozen=True)
class Steps:
    """The first pieces of a word, and the changes to its last. They are few where all pieces of all steps are many, so
    each step is made again when it is asked for.

    `first` has None for each slot that is empty at the start.
    """

    first: tuple[str | None, ...]
    changes: tuple[Change, ...] = ()

    def __len__(self) -> int:
        return len(self.changes) + 1

    def __iter__(self) -> Iterator[SpellingStep]:
        slots = list(self.first)
        yield SpellingStep(_filled(slots))
        for change in self.changes:
            _put(slots, change)
            yield SpellingStep(_filled(slots), change.rank)

    def at(self, number: int) -> SpellingStep:
        """One step, from 0 to the last."""
        slots = list(self.first)
        for change in self.changes[:number]:
            _put(slots, change)
        return SpellingStep(_filled(slots), self.changes[number - 1].rank if number else None)

    @property
    def last(self) -> SpellingStep:
        return self.at(len(self.changes))


def _put(slots: list[str | None], change: Change) -> None:
    for slot, piece in zip(change.slots, (change.left, change.right), strict=True):
        slots[slot] = piece


def _filled(slots: Sequence[str | None]) -> Pieces:
    return tuple(piece for piece in slots if piece is not None)


@dataclass(frozen=True)
class Spelling:
    """One word of the text as the tokeniser cuts it, and the steps to its pieces.

    `how` it was cut: by "merges", by longest "beginnings", "at once" with the whole text, or not at all, since it is
    looked up as a "whole". "added": a token of its own, which is found in a text before anything is cut. "unknown": no
    piece stands for it. "untold": other steps than those of the table lead to these pieces. "long": its steps are too
    many.
    """

    word: str
    pieces: Pieces
    steps: Steps
    how: str


def spell(tokenizer: Tokenizer, text: str) -> tuple[Spelling, ...]:
    """Every word of a text and the steps to its pieces, which are those that the model reads.

    All spellings put together are `tokenizer.encode(text, add_special=False)`. Raises `UnreadableText`.
    """
    return tuple(spell_words(tokenizer, text))


def spell_words(tokenizer: Tokenizer, text: str) -> Iterator[Spelling]:
    """As `spell`, one word after another."""
    placed, whole = tokenizer.place(text, add_special=False), tokenizer.read(text)
    for word in _words(tokenizer, placed):
        yield _spell_word(tokenizer, word, whole)


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
    pieces = tuple(token.piece for token in word)
    steps, how = _steps(tokenizer, word, pieces)
    return Spelling(_name(word, text, how), pieces, steps, how)


def _name(word: Sequence[Placed], text: str, how: str) -> str:
    """The word as it is read. What has no bytes of its own, as an unknown word, is that part of the text."""
    if how == "unknown" or any(token.token.special for token in word):
        start, end = min(token.span[0] for token in word), max(token.span[1] for token in word)
        return text[start:end] or word[0].piece
    return b"".join(token.token.bytes for token in word).decode("utf-8", "replace")


def _steps(tokenizer: Tokenizer, word: Sequence[Placed], pieces: Pieces) -> tuple[Steps, str]:
    """The steps to the pieces of a word, and how it was cut. One step has them all where none can be told."""
    whole, table = Steps(pieces), _table(tokenizer.backend)
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
    return (steps, how) if steps.last.pieces == pieces else (whole, "untold")


def cuts_at_once(tokenizer: Tokenizer) -> bool:
    """Whether the tokeniser takes no steps: of all ways to cut a text into known pieces, it takes the likeliest."""
    backend = tokenizer.backend
    return isinstance(backend, SentencePieces) or isinstance(backend.model, tokenizers.models.Unigram)


@lru_cache(maxsize=8)
def _table(backend: Any) -> dict[str, Any]:
    """The tokeniser's own description of its model, with the rank of every merge."""
    if isinstance(backend, SentencePieces):
        return {"ranks": {}, "unk_token": UNKNOWN}
    with panics_as_errors():
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


def merge_steps(pieces: Pieces, table: dict[str, Any]) -> Steps:
    """Byte-pair encoding: of all pairs of neighbours, merge the one that was learnt first, until none is known.

    `pieces` are the letters or bytes of a word. A heap has the pairs, so that none is looked for again after each
    merge. A pair in it may be gone by its turn, since one of its pieces was merged.
    """
    prefix, ranks = table["continuing_subword_prefix"] or "", table["ranks"]  # the prefix: of a letter within a word
    slots: list[str | None] = list(pieces)
    end = len(pieces)
    before, behind = list(range(-1, end - 1)), list(range(1, end + 1))  # the neighbours of each slot that has a piece
    pairs = [(ranks[pair], slot) for slot, pair in enumerate(pairwise(pieces)) if pair in ranks]
    heapify(pairs)
    changes: list[Change] = []
    while pairs:
        rank, left = heappop(pairs)
        right = behind[left]
        if right == end or ranks.get((slots[left], slots[right])) != rank:
            continue
        change = Change((left, right), f"{slots[left]}{str(slots[right]).removeprefix(prefix)}", None, int(rank))
        _put(slots, change)
        changes.append(change)
        behind[left] = behind[right]
        if behind[left] < end:
            before[behind[left]] = left
        for slot in (before[left], left):
            pair = (slots[slot], slots[behind[slot]]) if slot >= 0 and behind[slot] < end else None
            if pair in ranks:
                heappush(pairs, (ranks[pair], slot))
    return Steps(pieces, tuple(changes))


def word_piece_steps(word: str, table: dict[str, Any]) -> Steps:
    """WordPiece: the longest known beginning is the first piece; then the same for the rest of the word."""
    unknown = Steps((table["unk_token"],))
    if len(word) > table["max_input_chars_per_word"]:
        return unknown
    changes: list[Change] = []
    start = 0
    while start < len(word):
        prefix = table["continuing_subword_prefix"] if start else ""
        ends = (end for end in range(len(word), start, -1) if prefix + word[start:end] in table["vocab"])
        end = next(ends, None)
        if end is None:
            return unknown
        slot = len(changes)
        changes.append(Change((slot, slot + 1), prefix + word[start:end], word[end:] or None))
        start = end
    if not changes:
        return Steps(())
    first, *others = changes  # the first step has cut off the first piece already
    return Steps((first.left, first.right, *[None] * (len(changes) - 1)), tuple(others))
