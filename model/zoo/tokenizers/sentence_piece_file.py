"""What a SentencePiece file says: its pieces, and how they cut a text.

The file is a protocol buffer: fields, each after its number and the kind of its value. Kudo and Richardson (2018),
arXiv:1808.06226, `sentencepiece_model.proto`.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from model.regular_file import read_regular
from model.zoo.files import build_from
from model.zoo.tokenizers.part_bounds import (
    MAX_LETTERS,
    MAX_MERGES,
    MAX_PIECES,
    MAX_UNIGRAM_SPELLING,
    check_charsmap,
    check_spellings,
)

MAX_BYTES = 50_000_000  # that of XLM-R, with 250,000 pieces, has 5 MB
NORMAL, CONTROL, USER_DEFINED = 1, 3, 4  # types of pieces; a user-defined one is never cut
UNIGRAM = 1  # the kind of model that takes the likeliest cut; the others merge
VARINT, EIGHT_BYTES, LENGTH, FOUR_BYTES = 0, 1, 2, 5  # kinds of values


@dataclass(frozen=True)
class SentencePieceFile:
    """`pieces` are (spelling, score, type). `charsmap` says how characters are normalised; b"" for as they are.

    `unknown`, `start` and `end` are spellings; the last two are None where the file has no such piece.
    """

    pieces: tuple[tuple[str, float, int], ...]
    unigram: bool
    byte_fallback: bool
    unknown_id: int
    unknown: str
    start: str | None
    end: str | None
    charsmap: bytes

    @property
    def scores(self) -> list[tuple[str, float]]:
        """The spelling and the score of each piece, by its id."""
        return [(piece, score) for piece, score, _ in self.pieces]


def read_sentence_piece_file(path: Path) -> SentencePieceFile:
    """Raises `DamagedWeights` for another file."""

    return build_from(path, lambda path: _parse(read_regular(path, MAX_BYTES)), path, "is no SentencePiece file")


def _parse(data: bytes) -> SentencePieceFile:
    pieces, trainer, normaliser = [], dict[int, int | bytes](), dict[int, int | bytes]()
    for number, value in _fields(data):
        if number == 1:
            pieces.append(_piece(_as_bytes(value)))
        elif number == 2:
            trainer = dict(_fields(_as_bytes(value)))
        elif number == 3:
            normaliser = dict(_fields(_as_bytes(value)))
    if not pieces:
        raise ValueError("it has no pieces")
    spellings = [piece for piece, _, _ in pieces]
    check_spellings("pieces", spellings, MAX_PIECES, MAX_LETTERS, MAX_UNIGRAM_SPELLING)

    def id_of(number: int, usual: int) -> int:
        id = trainer.get(number, usual)
        return _signed(id) if isinstance(id, int) else usual

    def text_of(number: int, usual: str) -> str:
        return _as_bytes(trainer.get(number, b"")).decode("utf-8") or usual

    return SentencePieceFile(
        pieces=tuple(pieces),
        unigram=trainer.get(3, UNIGRAM) == UNIGRAM,
        byte_fallback=bool(trainer.get(35, 0)),
        unknown_id=id_of(40, 0),
        unknown=text_of(45, "<unk>"),
        start=text_of(46, "<s>") if id_of(41, 1) >= 0 else None,
        end=text_of(47, "</s>") if id_of(42, 2) >= 0 else None,
        charsmap=check_charsmap(_as_bytes(normaliser.get(2, b""))),
    )


def _piece(data: bytes) -> tuple[str, float, int]:
    fields = dict(_fields(data))
    (score,) = struct.unpack("<f", _as_bytes(fields.get(2, bytes(4))))
    kind = fields.get(3, NORMAL)
    return _as_bytes(fields.get(1, b"")).decode("utf-8"), score, kind if isinstance(kind, int) else NORMAL


def _fields(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Each field's number and value. Raises `ValueError` or `IndexError` for what is no protocol buffer."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        kind = key & 7
        if kind == VARINT:
            value, at = _varint(data, at)
            yield key >> 3, value
            continue
        if kind not in (LENGTH, EIGHT_BYTES, FOUR_BYTES):
            raise ValueError(f"it has a field of the kind {kind}")
        length, at = _varint(data, at) if kind == LENGTH else (8 if kind == EIGHT_BYTES else 4, at)
        if at + length > len(data):
            raise ValueError("it ends inside a field")
        yield key >> 3, data[at : at + length]
        at += length


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A whole number, seven bits in each byte, and the place after it."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at


def _signed(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value


def _as_bytes(value: int | bytes) -> bytes:
    if isinstance(value, int):
        raise ValueError("it has a number in the place of a text")
    return value


def merges_of(vocabulary: Mapping[str, int], scores: Mapping[str, float] | None = None) -> list[tuple[str, str]]:
    """The merges that a vocabulary of pieces implies: every cut of a piece into two known ones.

    They are in the order of the pieces; with `scores`, those of the best pieces first. Raises `ValueError` for more
    than any model has.
    """
    found: list[tuple[float, tuple[str, str]]] = []
    for piece, place in (scores or vocabulary).items():
        cuts = [(piece[:end], piece[end:]) for end in range(1, len(piece))]
        known = [(one, other) for one, other in cuts if one in vocabulary and other in vocabulary]
        if len(found) + len(known) > MAX_MERGES:
            raise ValueError(f"its pieces imply more than {MAX_MERGES:,} merges")
        found += [(place, pair) for pair in sorted(known, key=lambda pair: (vocabulary[pair[0]], vocabulary[pair[1]]))]
    found.sort(key=lambda merge: (merge[0], len(merge[1][0]), len(merge[1][1])), reverse=scores is not None)
    return [pair for _, pair in found]
