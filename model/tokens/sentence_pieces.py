"""SentencePiece files beside a vocabulary: what a repository of Marian has in the place of a `tokenizer.json`.

Kudo and Richardson (2018), arXiv:1808.06226; Kudo (2018), arXiv:1804.10959. The library `sentencepiece` cuts, since the
models were trained on its cuts: another reading of its files would differ in normalisation and in unknown characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import sentencepiece
import tokenizers

from model.errors import DamagedWeights
from model.tokens.tokenizer import Tokenizer

START, END, UNKNOWN = "<pad>", "</s>", "<unk>"  # Marian writes behind its padding
CODE_STARTS, CODE_ENDS = ">>", "<<"  # around the language that a text is to be translated to, as in >>fra<<
MAX_FILE_BYTES = 50_000_000  # of a SentencePiece file; those of Marian have less than 2 MB


@dataclass(frozen=True)
class Cut:
    """A text in pieces: the id and the spelling of each, and where it stands, in characters. (0, 0): it is added."""

    ids: list[int]
    tokens: list[str]
    offsets: list[tuple[int, int]]


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
        """The pieces of a text, and the end token behind them. A code of a language at the front is one piece."""
        found: list[tuple[str, tuple[int, int]]] = []
        code = _code_of(text)
        if code:
            found.append((code, (0, len(code))))
        cut = self._processor.encode(text[len(code) :], return_type="offset_mapping")
        places = ((len(code) + start, len(code) + end) for start, end in cut["offsets"])
        found += zip(cut["pieces"], places, strict=True)
        if add_special_tokens:
            found.append((END, (0, 0)))
        pieces = [piece for piece, _ in found]
        unknown = self._id_of[UNKNOWN]
        return Cut([self._id_of.get(piece, unknown) for piece in pieces], pieces, [place for _, place in found])

    def decode(self, ids: Iterable[int], skip_special_tokens: bool = True) -> str:
        """The text of ids."""
        special = self.get_added_tokens_decoder() if skip_special_tokens else {}
        pieces = [self._piece_of[id] for id in ids if id in self._piece_of and id not in special]
        return self._processor.decode_pieces(pieces).replace("▁", " ").strip()


def _code_of(text: str) -> str:
    """The code of a language at the front of a text; "" if there is none."""
    end = text.find(CODE_ENDS) if text.startswith(CODE_STARTS) else -1
    return "" if end < 0 else text[: end + len(CODE_ENDS)]


def read_sentence_pieces(path: Path, vocabulary: Mapping[str, int]) -> Tokenizer:
    """The tokenizer of a SentencePiece file whose pieces have the ids of `vocabulary`.

    Raises `DamagedWeights` for a file that is none, and for a vocabulary without padding, end or unknown token.
    """
    lacking = [name for name in (START, END, UNKNOWN) if name not in vocabulary]
    if lacking:
        raise DamagedWeights(f"The vocabulary beside {path.name} has no {', '.join(lacking)}.")
    try:
        if path.stat().st_size > MAX_FILE_BYTES:
            raise ValueError(f"it has more than {MAX_FILE_BYTES / 1e6:.0f} MB")
        processor = sentencepiece.SentencePieceProcessor.from_proto(path.read_bytes())
    except Exception as error:  # the library raises errors of several kinds
        raise DamagedWeights(f"{path.name} is no SentencePiece file: {error}. Install the model again.") from error
    return Tokenizer(SentencePieces(processor, vocabulary), start=START, end=END, pad=START)
