"""Text to tokens and back, with the bytes of every token. Built on the `tokenizers` library."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import tokenizers

from model.errors import DamagedWeights


@dataclass(frozen=True)
class Token:
    """One token: its id, its bytes, and their text, with its leading space.

    `text` is empty if the bytes are only part of a character. A WordPiece token that continues a word keeps its `##`
    in `text`. A special token has no bytes; its `text` is its name.
    """

    id: int
    text: str
    bytes: bytes
    special: bool = False


@cache
def byte_alphabet() -> dict[str, int]:
    """Printable stand-in -> byte, as in byte-level BPE (Radford et al. 2019)."""
    printable = [
        *range(ord("!"), ord("~") + 1),
        *range(ord("¡"), ord("¬") + 1),
        *range(ord("®"), ord("ÿ") + 1),
    ]
    others = [byte for byte in range(256) if byte not in printable]
    stand_ins = {chr(byte): byte for byte in printable}
    return stand_ins | {chr(256 + i): byte for i, byte in enumerate(others)}


class Tokenizer:
    """A `tokenizers.Tokenizer` that also gives the bytes of each token.

    The backend may also be what has the same methods, such as `model.tokens.sentence_pieces.SentencePieces`.
    `start`, `end`, `pad` and `mask` are ids, or None: the token that opens a sequence, the one that closes it, padding,
    and what stands in the place of a word that is to be found. `ends` are the ids of all tokens that end what a model
    writes, such as the end of a text and the end of a turn. `end` is the first of them.
    """

    def __init__(
        self,
        backend: Any,
        start: str | None = "<SOS>",
        end: str | None = "<EOS>",
        pad: str | None = "<PAD>",
        mask: str | None = None,
    ) -> None:
        self.backend = backend
        added = backend.get_added_tokens_decoder()
        self._special = {id for id, token in added.items() if token.special}
        self._literal = {id: token.content for id, token in added.items() if not token.special}  # spelled as it is read
        self._byte_level = isinstance(backend.decoder, tokenizers.decoders.ByteLevel)
        self._word_piece = isinstance(backend.decoder, tokenizers.decoders.WordPiece)
        names = (start, end, pad, mask)
        self.start, one_end, self.pad, self.mask = (self.id_of(name) if name else None for name in names)
        self.ends: tuple[int, ...] = () if one_end is None else (one_end,)

    @classmethod
    def from_file(cls, path: Path, **special: str | None) -> Tokenizer:
        """Reads a `tokenizer.json`. Raises `DamagedWeights` if the file is something else."""
        try:
            backend = tokenizers.Tokenizer.from_file(str(path))
        except Exception as error:  # the library raises bare Exception
            raise DamagedWeights(f"{path.name} is not a tokenizer file: {error}. Install the model again.") from error
        backend.no_truncation()  # never cut silently
        backend.no_padding()
        return cls(backend, **special)

    @property
    def end(self) -> int | None:
        """The id of <EOS>: the first of `ends`; None if nothing ends a sequence."""
        return self.ends[0] if self.ends else None

    @property
    def sequence_start(self) -> int:
        """The id of <SOS>, after which a decoder writes. Raises `DamagedWeights` if there is none."""
        if self.start is None:
            raise DamagedWeights("This tokenizer has no token that starts a sequence; the model cannot translate.")
        return self.start

    @property
    def size(self) -> int:
        """V, special tokens included."""
        return self.backend.get_vocab_size()

    def id_of(self, piece: str) -> int | None:
        """The id of a piece, spelled as in the vocabulary; None if the vocabulary does not have it."""
        return self.backend.token_to_id(piece)

    def encode(self, text: str, add_special: bool = True) -> tuple[Token, ...]:
        """The tokens of a text, with the special tokens that the model expects around them."""
        readable = text.encode("utf-8", "replace").decode("utf-8")  # a lone surrogate has no bytes
        return self.tokens(self.backend.encode(readable, add_special_tokens=add_special).ids)

    def tokens(self, ids: Iterable[int]) -> tuple[Token, ...]:
        """The tokens of ids."""
        return tuple(self.token(int(id)) for id in ids)

    def token(self, id: int) -> Token:
        """The token of an id. An id beyond the vocabulary gives a special token called `<id>`."""
        piece = self.backend.id_to_token(id)
        if piece is None:  # the embedding table of a checkpoint may have more rows than its vocabulary
            return Token(id, f"<{id}>", b"", special=True)
        if id in self._special:
            return Token(id, piece, b"", special=True)
        data = self._literal[id].encode("utf-8") if id in self._literal else self._bytes(piece)
        try:
            text = piece if self._word_piece else data.decode("utf-8")
        except UnicodeDecodeError:
            text = ""
        return Token(id, text, data)

    def _bytes(self, piece: str) -> bytes:
        if self._byte_level:
            alphabet = byte_alphabet()
            return bytes(alphabet[character] for character in piece)
        if self._word_piece:
            return piece.removeprefix("##").encode("utf-8")
        if len(piece) == 6 and piece.startswith("<0x") and piece.endswith(">"):  # byte fallback, <0xE2>
            return bytes([int(piece[3:5], 16)])
        return piece.replace("▁", " ").encode("utf-8")

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids, without special tokens."""
        return self.backend.decode(list(ids), skip_special_tokens=True)
