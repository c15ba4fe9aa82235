"""Text to tokens and back, with the bytes of every token. Built on the `tokenizers` library."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import tokenizers

from model.chat.template import ChatTemplate
from model.chat.turns import Conversation, Turn
from model.chat.written import Said, Written, write
from model.errors import ConversationError, DamagedWeights, UnreadableText
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
    such as `##`, in `text`. A special token has no bytes; its `text` is its name. A token of a conversation knows who
    `said` it.
    """

    id: int
    text: str
    bytes: bytes
    special: bool = False
    said: Said | None = None


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

    `chat` is the template by which conversations are read, or None. They begin as the template says.

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
        self.chat: ChatTemplate | None = None
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
        """The tokens of a text, with the special tokens that the model expects around them; or those of a conversation.

        Raises `UnreadableText`, `ConversationError`.
        """
        if isinstance(text, Conversation):
            return tuple(placed.token for placed in self.place(text))
        tokens = self.tokens(self._cut(readable(text), add_special).ids)
        if not add_special or self.begin is None or self.begins == self.puts_begin:
            return tokens
        return (self.token(self.begin), *tokens) if self.begins else tokens[1:]

    def place(self, text: str, add_special: bool = True) -> tuple[Placed, ...]:
        """As `encode`, with the place of each token in the text, or in that of `read` for a conversation."""
        if isinstance(text, Conversation):
            return tuple(self._place_conversation(self.written(text)))
        placed = self._place(self._cut(readable(text), add_special))
        if not add_special or self.begin is None or self.begins == self.puts_begin:
            return placed
        begin = Placed(self.token(self.begin), str(self._piece(self.begin)), (0, 0), None)
        return (begin, *placed) if self.begins else placed[1:]

    def written(self, conversation: Conversation) -> Written:
        """The text that the chat template makes of a conversation. Raises `ConversationError`."""
        if self.chat is None:
            raise ConversationError(
                "This model has no chat template: it was trained on texts, not on conversations. Give it a plain text."
            )
        turns = (turn if self._wrote(turn) else replace(turn, ids=()) for turn in conversation.turns)
        return write(self.chat, Conversation.of(*turns), self._control_tokens)

    def _wrote(self, turn: Turn) -> bool:
        """Whether the ids of a turn still spell its text, which a reader may have changed."""
        return b"".join(token.bytes for token in self.tokens(turn.ids)) == readable(turn.text).encode()

    @cached_property
    def _control_tokens(self) -> tuple[str, ...]:
        """The spellings of tokens that a reader's text is not to have by chance: those that are special, and those that
        the chat template writes."""
        source = "" if self.chat is None else self.chat.source
        written = (name for name in self._literal.values() if name in source and not name.isspace())
        return (*(str(self._piece(id)) for id in sorted(self._special)), *written)

    def read(self, text: str) -> str:
        """The text that is cut into tokens: of a conversation that which its template makes."""
        return self.written(text).text if isinstance(text, Conversation) else readable(text)

    def _place(self, cut: Any) -> tuple[Placed, ...]:
        pieces = [str(self._piece(id)) for id in cut.ids]
        return tuple(map(Placed, self.tokens(cut.ids), pieces, cut.offsets, cut.word_ids))

    def _place_conversation(self, written: Written) -> Iterator[Placed]:
        words = 0  # of the parts before
        for part in written.parts():
            text = written.text[part.start : part.end]
            if part.ids:
                placed = self._place_ids(part.ids)
            elif part.is_apart:
                placed = self._place_plain(text)
            else:
                placed = self._place_after(self.backend, text) if part.start else self._place(self._cut(text, False))
            for each in placed:
                start, end = (at + part.start for at in each.span)
                token = replace(each.token, said=written.said_at(max(start, end - 1)))
                yield Placed(token, each.piece, (start, end), words + (each.word or 0))
            words += 1 + max((each.word or 0 for each in placed), default=0)

    def _place_after(self, backend: Any, text: str) -> tuple[Placed, ...]:
        """The tokens of a text that follows another one. It is cut after a line break, so that no space is put before
        it where a text begins."""
        with panics_as_errors():
            line_break = backend.encode("\n", add_special_tokens=False)
            cut = backend.encode(f"\n{text}", add_special_tokens=False)
            count = len(line_break.ids)
            if cut.ids[:count] != line_break.ids:
                return self._place(backend.encode(text, add_special_tokens=False))
        moved = (replace(each, span=(each.span[0] - 1, each.span[1] - 1)) for each in self._place(cut)[count:])
        return tuple(moved)

    def _place_plain(self, text: str) -> tuple[Placed, ...]:
        """The tokens of a text that is spelled like a control token, without that token."""
        placed = self._place_after(self._without_special, text)
        if len(text) < 2 or text not in (each.piece for each in placed):
            return placed
        rest = (replace(each, span=(each.span[0] + 1, each.span[1] + 1)) for each in self._place_plain(text[1:]))
        return (*self._place_after(self.backend, text[0]), *rest)

    @cached_property
    def _without_special(self) -> Any:
        """The backend, which finds no special token in a text."""
        backend = copy.deepcopy(self.backend)
        backend.encode_special_tokens = True
        return backend

    def _place_ids(self, ids: tuple[int, ...]) -> tuple[Placed, ...]:
        """Tokens by their ids, each where its bytes end a character."""
        placed, read = [], b""
        for word, token in enumerate(self.tokens(ids)):
            start = len(read.decode("utf-8", "ignore"))
            read += token.bytes
            placed.append(Placed(token, str(self._piece(token.id)), (start, len(read.decode("utf-8", "ignore"))), word))
        return tuple(placed)

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
