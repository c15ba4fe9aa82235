"""What the spelling of a piece says: its bytes, and the signs that are no letters of the text.

A vocabulary spells its pieces in one of several ways: with a stand-in for each byte (Radford et al. 2019), with a bar
for the space before a word (Kudo and Richardson 2018, arXiv:1808.06226), or with a sign where a piece continues a word
(Wu et al. 2016, arXiv:1609.08144) or ends it (Sennrich et al. 2016, arXiv:1508.07909).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import tokenizers

from model.tokens.panics import panics_as_errors

BAR = "▁"  # stands for the space before a word
BYTE = re.compile(r"<0x[0-9A-Fa-f]{2}>")  # one byte, where no piece is known: <0xE2>


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


@dataclass(frozen=True)
class PieceBytes:
    """How the pieces of one vocabulary are spelled.

    `byte_level`: each character stands for a byte. `prefix`: the sign of a piece that continues a word. `suffix`: that
    of a piece that ends one. `spaces`: the characters that stand for a space.
    """

    byte_level: bool
    prefix: str
    suffix: str
    spaces: tuple[str, ...]

    @classmethod
    def of(cls, backend: Any) -> PieceBytes:
        """Read from all parts of a tokenizer, since any of them may be missing."""
        before, cuts, after = (
            list(_parts(_describe(getattr(backend, name, None)))) for name in ("normalizer", "pre_tokenizer", "decoder")
        )
        model: Any = getattr(backend, "model", None)
        prefixes = [part["prefix"] for part in after if part["type"] == "WordPiece"]
        bars = [part["replacement"] for part in cuts + after if part["type"] == "Metaspace"]
        is_word_piece = isinstance(model, tokenizers.models.WordPiece)
        is_bpe = isinstance(model, tokenizers.models.BPE)
        return cls(
            byte_level=any(part["type"] == "ByteLevel" for part in before + cuts + after),
            prefix=(model.continuing_subword_prefix if is_word_piece or is_bpe else "") or "".join(prefixes[:1]),
            suffix=(model.end_of_word_suffix if is_bpe else "") or "",
            spaces=tuple(dict.fromkeys([BAR, *bars])),
        )

    @property
    def has_signs(self) -> bool:
        """Whether a piece's spelling says more than its bytes, where it continues a word or ends one."""
        return bool(self.prefix or self.suffix) and not self.byte_level

    def bytes_of(self, piece: str) -> bytes:
        """The bytes of a piece. One that is outside the alphabet of bytes is spelled as it is read."""
        letters = piece.removeprefix(self.prefix).removesuffix(self.suffix)
        alphabet = byte_alphabet()
        if self.byte_level and all(letter in alphabet for letter in letters):
            return bytes(alphabet[letter] for letter in letters)
        if BYTE.fullmatch(letters):
            return bytes([int(letters[3:5], 16)])
        if not self.byte_level and not self.prefix:
            for space in self.spaces:
                letters = letters.replace(space, " ")
        return letters.encode("utf-8", "replace")


def _describe(part: Any) -> Any:
    """A part's description of itself, as `tokenizer.json` has it. One that a program wrote in Python has none."""
    try:
        with panics_as_errors():
            return json.loads(part.__getstate__()) if part is not None else None
    except Exception:  # the library raises bare Exception
        return None


def _parts(description: Any) -> Iterator[dict[str, Any]]:
    """A described part, and the parts of a sequence of parts, one after another."""
    if isinstance(description, dict):
        if "type" in description:
            yield description
        for value in description.values():
            yield from _parts(value)
    elif isinstance(description, list):
        for value in description:
            yield from _parts(value)
