"""SentencePiece files: what a repository of Marian has in the place of a `tokenizer.json`.

Kudo and Richardson (2018), arXiv:1808.06226; Kudo (2018), arXiv:1804.10959. The library `sentencepiece` cuts, since the
models were trained on its cuts: another reading of its files would differ in normalisation and in unknown characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import sentencepiece
import tokenizers

from model.errors import DamagedWeights
from model.regular_file import read_regular
from model.tokens.tokenizer import Tokenizer

START, END, UNKNOWN = "<pad>", "</s>", "<unk>"  # Marian writes after its padding
CODE = re.compile(r"\A>>.*?<<", re.DOTALL)  # the language that a text is to be translated to, as in >>fra<<
MAX_FILE_BYTES = 50_000_000  # of a SentencePiece file; those of Marian have less than 2 MB
Placed = tuple[str, tuple[int, int]]  # a piece, and where it stands


@dataclass(frozen=True)
class Cut:
    """A text in pieces: the id and the spelling of each, and where it stands, in characters.

    The text is cut at once, as one word: 0. The word of a piece that is added after it is None.
    """

    ids: list[int]
    tokens: list[str]
    offsets: list[tuple[int, int]]
    word_ids: list[int | None]


class SentencePieces:
    """One SentencePiece file, and the ids of another vocabulary. It has the methods of a `tokenizers.Tokenizer` that
    `Tokenizer` and its readers use."""

    decoder = None

    def __init__(self, processor: sentencepiece.SentencePieceProcessor, vocabulary: Mapping[str, int]) -> None:
        self._processor, self._id_of = processor, dict(vocabulary)
        self._piece_of = {id: piece for piece, id in vocabulary.items()}

    def get_vocab(self) -> dict[str, int]:
        """The id of each piece."""
        return dict(self._id_of)

    def get_vocab_size(self) -> int:
        """The number of pieces."""
        return len(self._id_of)

    def token_to_id(self, piece: str) -> int | None:
        """The id of a piece; None if the vocabulary does not have it."""
        return self._id_of.get(piece)

    def id_to_token(self, id: int) -> str | None:
        """The piece of an id; None for an id that no piece has."""
        return self._piece_of.get(id)

    def get_added_tokens_decoder(self) -> dict[int, tokenizers.AddedToken]:
        """The tokens that stand for no text."""
        return {self._id_of[name]: tokenizers.AddedToken(name, special=True) for name in (START, END, UNKNOWN)}

    def encode(self, text: str, add_special_tokens: bool = True) -> Cut:
        """The pieces of a text, and the end token after them."""
        found: list[Placed] = []
        at = 0
        for match in CODE.finditer(text):
            found += [*self._cut(text[at : match.start()], at), (match.group(), match.span())]
            at = match.end()
        found += self._cut(text[at:], at)
        words: list[int | None] = [0] * len(found)
        if add_special_tokens:
            found.append((END, (0, 0)))
            words.append(None)
        pieces = [piece for piece, _ in found]
        unknown = self._id_of[UNKNOWN]
        return Cut([self._id_of.get(piece, unknown) for piece in pieces], pieces, [place for _, place in found], words)

    def _cut(self, text: str, at: int) -> Iterator[Placed]:
        """The pieces of a part of a text that begins at that character."""
        cut = self._processor.encode(text, return_type="offset_mapping")
        places = ((at + start, at + end) for start, end in cut["offsets"])
        yield from zip(cut["pieces"], places, strict=True)

    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        """The text of ids."""
        special = self.get_added_tokens_decoder() if skip_special_tokens else {}
        pieces = [self._piece_of[id] for id in ids if id in self._piece_of and id not in special]
        return self._processor.decode_pieces(pieces).replace("▁", " ").strip()


def read_sentence_pieces(path: Path, vocabulary: Mapping[str, int]) -> Tokenizer:
    """The tokenizer of a SentencePiece file whose pieces have the ids of `vocabulary`.

    Raises `DamagedWeights` for a file that is none, and for a vocabulary without padding, end or unknown token.
    """
    _check_special(path, vocabulary)
    return _tokenizer(SentencePieces(_open(path), vocabulary))


def _tokenizer(backend: SentencePieces) -> Tokenizer:
    return Tokenizer(backend, start=START, end=END, pad=START)


def _check_special(path: Path, vocabulary: Mapping[str, int]) -> None:
    lacking = [name for name in (START, END, UNKNOWN) if name not in vocabulary]
    if lacking:
        raise DamagedWeights(f"The vocabulary beside {path.name} has no {', '.join(lacking)}.")


def _open(path: Path) -> sentencepiece.SentencePieceProcessor:
    try:
        return sentencepiece.SentencePieceProcessor.from_proto(read_regular(path, MAX_FILE_BYTES))
    except Exception as error:  # the library raises errors of several kinds
        raise DamagedWeights(f"{path.name} is no SentencePiece file: {error}. Install the model again.") from error
