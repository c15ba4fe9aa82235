"""Text to tokens and back, with the bytes of every token. Built on the `tokenizers` library."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tokenizers

from model.errors import DamagedWeights, UnreadableText
from model.tokens.panics import panics_as_errors, say_failure
from model.tokens.piece_bytes import PieceBytes

MAX_ID = 2**32 - 1  # the library takes no larger one
MAX_NAMED = 60  # characters of a word in a message
MAX_KEPT_TOKENS = 4096  # of one tokenizer: a long text has the same few tokens again and again
MAX_TRIED = 1000  # words of a text that cannot be cut, to find the first of them


@dataclass(frozen=True)
class Token:
    """One token: its id, its bytes, and their text, with its leading space.

    `text` is empty if the bytes are only part of a character. A token that continues a word keeps the sign of it,
    such as `##`, in `text`. A special token has no bytes; its `text` is its name.
    """

    id: int
    text: str
    bytes: bytes
    special: bool = False


@dataclass(frozen=True)
class Placed:
    """A token of a text and where it stands: its spelling in the vocabulary, and the first character and the one after
    the last. `word` is the number of its word in the tokenizer's first cut. A token that was put around the text has
    the word None and stands nowhere."""

    token: Token
    piece: str
    span: tuple[int, int]
    word: int | None


class Tokenizer:
    """A `tokenizers.Tokenizer` that also gives the bytes of each token.

    The backend may also be what has the same methods, such as `model.tokens.sentence_pieces.SentencePieces`.
    `start`, `end`, `pad` and `mask` are ids, or None: the token that opens a sequence, the one that closes it, padding,
    and what stands in the place of a word that is to be found. `ends` are the ids of all tokens that end what a model
    writes, such as the end of a text and the end of a turn. `end` is the first of them.

    `begin` is the token that may stand before a text (`offer_begin`), or None. `begins` says whether `encode` puts it
    there, `puts_begin` whether the model's files do.
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
        self._spelled = PieceBytes.of(backend)
        names = (start, end, pad, mask)
        self.start, one_end, self.pad, self.mask = (self.id_of(name) if name else None for name in names)
        self.ends: tuple[int, ...] = () if one_end is None else (one_end,)
        self.begin: int | None = None
        self.begins = self.puts_begin = False
        self._kept: dict[int, Token] = {}

    @classmethod
    def from_file(cls, path: Path, **special: str | None) -> Tokenizer:
        """Reads a `tokenizer.json`. Raises `DamagedWeights` if the file is something else."""
        try:
            with panics_as_errors():
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

    def offer_begin(self, named: int | None) -> None:
        """Let a begin token be put before texts, or left out: the one that the tokenizer puts there, else `named`."""
        found = self._begin_of_backend(named)
        self.begin = named if found is None else found
        self.begins = self.puts_begin = found is not None

    def _begin_of_backend(self, named: int | None) -> int | None:
        """The token that the backend puts before a text; None if it puts none there."""
        try:
            cut = self._cut("a", add_special=True)
        except UnreadableText:
            return None
        if not cut.ids or cut.word_ids[0] is not None:
            return None
        is_alone = all(word is None for word in cut.word_ids)  # "a" is nothing: the token may stand after a text
        return None if is_alone and cut.ids[0] != named else int(cut.ids[0])

    def with_begin(self, begin: bool | None) -> Tokenizer:
        """This tokenizer with its begin token before each text, or without; None: as the model's files say.

        A tokenizer that has no begin token stays as it is.
        """
        wanted = self.puts_begin if begin is None else begin
        if self.begin is None or wanted == self.begins:
            return self
        other = copy.copy(self)
        other.begins = wanted
        return other

    def encode(self, text: str, add_special: bool = True) -> tuple[Token, ...]:
        """The tokens of a text, with the special tokens that the model expects around them. Raises `UnreadableText`."""
        tokens = self.tokens(self._cut(readable(text), add_special).ids)
        if not add_special or self.begin is None or self.begins == self.puts_begin:
            return tokens
        return (self.token(self.begin), *tokens) if self.begins else tokens[1:]

    def place(self, text: str, add_special: bool = True) -> tuple[Placed, ...]:
        """As `encode`, with the place of each token in the text."""
        cut = self._cut(readable(text), add_special)
        tokens = self.tokens(cut.ids)
        pieces = [str(self._piece(id)) for id in cut.ids]
        placed = tuple(map(Placed, tokens, pieces, cut.offsets, cut.word_ids))
        if not add_special or self.begin is None or self.begins == self.puts_begin:
            return placed
        begin = Placed(self.token(self.begin), str(self._piece(self.begin)), (0, 0), None)
        return (begin, *placed) if self.begins else placed[1:]

    def _cut(self, text: str, add_special: bool) -> Any:
        """The backend's own encoding. Where it fails, the error names the first word at which it does."""
        try:
            with panics_as_errors():
                return self.backend.encode(text, add_special_tokens=add_special)
        except Exception as error:
            word = next((word for word in text.split()[:MAX_TRIED] if not self._can_cut(word)), text)
            raise UnreadableText(
                f"This model's tokenizer cannot cut “{word[:MAX_NAMED]}” into tokens: {say_failure(error)}. "
                "Use another word."
            ) from error

    def _can_cut(self, word: str) -> bool:
        try:
            with panics_as_errors():
                self.backend.encode(word, add_special_tokens=False)
        except Exception:
            return False
        return True

    def tokens(self, ids: Iterable[int]) -> tuple[Token, ...]:
        """The tokens of ids."""
        return tuple(self.token(int(id)) for id in ids)

    def token(self, id: int) -> Token:
        """The token of an id. An id beyond the vocabulary gives a special token called `<id>`."""
        found = self._kept.get(id)
        if found is None:
            if len(self._kept) >= MAX_KEPT_TOKENS:
                self._kept.clear()
            found = self._kept[id] = self._make_token(id)
        return found

    def _make_token(self, id: int) -> Token:
        piece = self._piece(id)
        if piece is None:  # the embedding table of a checkpoint may have more rows than its vocabulary
            return Token(id, f"<{id}>", b"", special=True)
        if id in self._special:
            return Token(id, piece, b"", special=True)
        if id in self._literal:
            return Token(id, piece, piece.encode("utf-8"))
        data = self._spelled.bytes_of(piece)
        try:
            text = piece if self._spelled.has_signs else data.decode("utf-8")
        except UnicodeDecodeError:
            text = ""
        return Token(id, text, data)

    def _piece(self, id: int) -> str | None:
        if id in self._literal:  # the backend would spell it as its normaliser does
            return self._literal[id]
        return self.backend.id_to_token(id) if 0 <= id <= MAX_ID else None

    def has(self, id: int) -> bool:
        """Whether an id is that of a token."""
        return self._piece(id) is not None

    def is_added(self, id: int) -> bool:
        """Whether a token is one that is found in a text as it stands, before anything is cut."""
        return id in self._special or id in self._literal

    def decode(self, ids: Iterable[int]) -> str:
        """The text of ids, without special tokens. Raises `UnreadableText` where the tokenizer's decoder fails."""
        try:
            with panics_as_errors():
                return self.backend.decode([id for id in ids if 0 <= id <= MAX_ID], skip_special_tokens=True)
        except Exception as error:
            raise UnreadableText(
                f"This model's tokenizer cannot turn these tokens into a text: {say_failure(error)}. Use another model."
            ) from error


def readable(text: str) -> str:
    """A text without halves of characters, which have no bytes: each is a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")
