"""Word vocabularies: tokenizers whose tokens are whole words, and what to say about words they do not know.

A known word is one token. Any other is spelled in bytes, so no text is untokenisable, and `unknown_words` names it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

import tokenizers
from tokenizers import Regex, decoders, models, normalizers, pre_tokenizers

from model.tokens.tokenizer import Tokenizer

SPECIAL = ("<PAD>", "<SOS>", "<EOS>")
SPACE = "▁"  # stands for the space before a word, as in SentencePiece
MARKS = '.,?!;:()"۔،؟؛'
ENDINGS = r"'(?:s|m|re|ve|ll)\b"  # tokens of their own: AJ 's, I 'm
ARABIC_LETTERS = {"ي": "ی", "ى": "ی", "ك": "ک", "ه": "ہ", "ة": "ۃ"}  # look-alikes from Arabic keyboards


@dataclass(frozen=True)
class UnknownWord:
    """A word outside the vocabulary, as it was typed, and the known words nearest to it, nearest first."""

    word: str
    suggestions: tuple[str, ...]


def word_tokenizer(words: Iterable[str]) -> tokenizers.Tokenizer:
    """A tokenizer whose tokens are these words, marks and endings, and 256 bytes for all else. Case is ignored."""
    attached = [*MARKS, *(word for word in words if word.startswith("'"))]
    pieces = [SPACE + word.lower() for word in words if word not in attached]
    entries = dict.fromkeys([*SPECIAL, *(f"<0x{byte:02X}>" for byte in range(256)), SPACE, *attached, *pieces])
    vocabulary = {piece: number for number, piece in enumerate(entries)}
    # Without merges, a whole word is one token (ignore_merges) or falls back to bytes.
    backend = tokenizers.Tokenizer(models.BPE(vocabulary, [], byte_fallback=True, ignore_merges=True))
    backend.add_special_tokens(list(SPECIAL))
    replaced = [normalizers.Replace(arabic, urdu) for arabic, urdu in {**ARABIC_LETTERS, "’": "'"}.items()]
    tidy = [normalizers.Replace(Regex(r"\s+"), " "), normalizers.Replace(Regex(rf" +(?=[{MARKS}])"), "")]
    backend.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Lowercase(), *replaced, *tidy, normalizers.Strip()]
    )
    backend.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Metaspace(replacement=SPACE, prepend_scheme="always"),
            pre_tokenizers.Split(Regex(rf"{ENDINGS}|[{MARKS}]"), "isolated"),
        ]
    )
    backend.decoder = decoders.Sequence(
        [decoders.Replace(SPACE, " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    return backend


def script(text: str) -> str:
    """The script of most letters of a text, in small letters: "latin", "arabic", ...; "" where there is no letter."""
    names = [unicodedata.name(character, "").split(" ")[0].lower() for character in text if character.isalpha()]
    return max(set(names), key=names.count) if names else ""


@lru_cache(maxsize=16)
def known_words(tokenizer: Tokenizer, of_script: str) -> tuple[str, ...]:
    """The words of a vocabulary that are written in a script, in alphabetical order."""
    pieces = (piece.removeprefix(SPACE) for piece in tokenizer.backend.get_vocab() if piece.startswith(SPACE))
    return tuple(sorted(word for word in pieces if word and script(word) == of_script))


def unknown_words(
    tokenizer: Tokenizer, text: str, of_script: str = "latin", suggestions: int = 3
) -> tuple[UnknownWord, ...]:
    """The words of a text that a word vocabulary does not have, each once and in order, with the nearest known words.

    `of_script` is that of the language the text should be in: a word in another script is unknown too. Marks and
    endings that the vocabulary lacks are named without suggestions. For tokenizers made by `word_tokenizer`.
    """
    readable = text.encode("utf-8", "replace").decode("utf-8")  # a lone surrogate has no bytes
    encoding = tokenizer.backend.encode(readable, add_special_tokens=False)
    spans: dict[int, list[tuple[int, int]]] = {}
    for word, span, piece in zip(encoding.word_ids, encoding.offsets, encoding.tokens, strict=True):
        foreign = script(piece.removeprefix(SPACE)) not in ("", of_script) and not is_byte(piece)
        if word is not None and (is_byte(piece) or foreign):
            spans.setdefault(word, []).append(span)
    found = dict.fromkeys(
        readable[min(start for start, _ in parts) : max(end for _, end in parts)].strip() for parts in spans.values()
    )
    choices = known_words(tokenizer, of_script)
    return tuple(
        UnknownWord(word, tuple(get_close_matches(word.lower(), choices, n=suggestions, cutoff=0.6)))
        for word in found
        if word
    )


def is_byte(piece: str) -> bool:
    """Whether a token is one byte of a word that is spelled out."""
    return len(piece) == 6 and piece.startswith("<0x")
