"""The pieces of steps of a spelling as they are written. A long word has few pieces, and each of them in many steps."""

from __future__ import annotations

from dataclasses import dataclass

from model.tokens.tokenizer import Token, Tokenizer
from viz.shared.tokens import labels

NO_ID = -1  # of a piece that WordPiece must still cut: it is not in its vocabulary


@dataclass(frozen=True)
class PieceText:
    """A piece in words: its label, its id or "-", and its bytes in hexadecimal."""

    label: str
    id: str
    bytes: str


class PieceTexts:
    """The texts of the pieces of one tokenizer. Each is made once."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._made: dict[str, PieceText] = {}

    def of(self, piece: str) -> PieceText:
        if piece not in self._made:
            token = token_of(self._tokenizer, piece)
            (label,) = labels([token])
            id = "-" if token.id == NO_ID else str(token.id)
            self._made[piece] = PieceText(label, id, token.bytes.hex(" ").upper())
        return self._made[piece]


def token_of(tokenizer: Tokenizer, piece: str) -> Token:
    """The token of a piece."""
    id = tokenizer.id_of(piece)
    return Token(NO_ID, piece, piece.encode()) if id is None else tokenizer.token(id)
