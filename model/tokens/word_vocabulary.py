"""Word vocabularies: tokenizers whose tokens are whole words, and suggestions for unknown words.

A known word is one token. Any other word becomes bytes, so every text has tokens. `unknown_words` names such words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

import tokenizers
from tokenizers import Regex, decoders, models, normalizers, pre_tokenizers

from model.tokens.plain_words import in_plain_words
from model.tokens.tokenizer import Tokenizer, readable

LIKENESS = 0.75  # of letters, from which on one word may be a slip for another: "goat" is none for "gonna"
SPECIAL = ("<PAD>", "<SOS>", "<EOS>")
SPACE = "▁"  # stands for the space before a word, as in SentencePiece
MARKS = '.,?!;:()"۔،؟؛'
ENDINGS = r"'(?:s|m|re|ve|ll)\b"  # each is a separate token: AJ 's, I 'm
QUOTATION_MARKS = rf"[“”„«»]|(?<!\w)[‘'](?=\w)(?!{ENDINGS[1:]})|(?<=\w)'(?!\w)"  # all become the straight one
OPENING_MARKS = ('"', "(")  # a word after one gets the space that the vocabulary's words begin with
ARABIC_LETTERS = {
    "ي": "ی",
    "ى": "ی",
    "ك": "ک",
    "ه": "ہ",
    "ة": "ۃ",
}  # letters of Arabic keyboards -> the Urdu letters that look like them


@dataclass(frozen=True)
class UnknownWord:
    """A word outside the vocabulary, as typed, and known words to take in its place, the best first."""

    word: str
    suggestions: tuple[str, ...]


def word_tokenizer(words: Iterable[str]) -> tokenizers.Tokenizer:
    """A tokenizer of these words, of marks and endings, and of 256 bytes for all else. It ignores case."""
    attached = [*MARKS, *(word for word in words if word.startswith("'"))]
    pieces = [SPACE + word.lower() for word in words if word not in attached]
    entries = dict.fromkeys([*SPECIAL, *(f"<0x{byte:02X}>" for byte in range(256)), SPACE, *attached, *pieces])
    vocabulary = {piece: number for number, piece in enumerate(entries)}
    # Without merges, a whole word is one token (ignore_merges) or falls back to bytes.
    backend = tokenizers.Tokenizer(models.BPE(vocabulary, [], byte_fallback=True, ignore_merges=True))
    backend.add_special_tokens(list(SPECIAL))
    replacements = [normalizers.Replace(arabic, urdu) for arabic, urdu in {**ARABIC_LETTERS, "’": "'"}.items()]
    tidy = [normalizers.Replace(Regex(r"\s+"), " "), normalizers.Replace(Regex(rf" +(?=[{MARKS}])"), "")]
    marks = [normalizers.Replace(Regex(QUOTATION_MARKS), '"')]
    cuts = [normalizers.Replace(Regex(rf"{re.escape(mark)}(?=\w)"), f"{mark} ") for mark in OPENING_MARKS]
    backend.normalizer = normalizers.Sequence(
        [normalizers.NFC(), normalizers.Lowercase(), *replacements, *marks, *tidy, *cuts, normalizers.Strip()]
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
    """The script of most letters of a text, in lower case: "latin", "arabic", ...; "" for a text without letters."""
    names = [unicodedata.name(character, "").split(" ")[0].lower() for character in text if character.isalpha()]
    return max(set(names), key=names.count) if names else ""


@lru_cache(maxsize=16)
def known_words(tokenizer: Tokenizer, of_script: str) -> tuple[str, ...]:
    """The words of a vocabulary in one script, in alphabetical order."""
    pieces = (piece.removeprefix(SPACE) for piece in tokenizer.backend.get_vocab() if piece.startswith(SPACE))
    return tuple(sorted(word for word in pieces if word and script(word) == of_script))


def unknown_words(
    tokenizer: Tokenizer, text: str, of_script: str = "latin", suggestions: int = 3
) -> tuple[UnknownWord, ...]:
    """The unknown words of a text, each once and in order, with what may stand for them. For `word_tokenizer` only.

    `of_script` is the script of the expected language. A word in any other script is unknown too. A number and a spoken
    form get the same in plain words, if these are known; any other word those that look most like it. Marks and endings
    that the vocabulary lacks get no suggestions.
    """
    spans: dict[int, list[tuple[int, int]]] = {}
    for placed in tokenizer.place(text, add_special=False):
        foreign = script(placed.piece.removeprefix(SPACE)) not in ("", of_script) and not is_byte(placed.piece)
        if placed.word is not None and (is_byte(placed.piece) or foreign):
            spans.setdefault(placed.word, []).append(placed.span)
    words = dict.fromkeys(
        readable(text)[min(start for start, _ in parts) : max(end for _, end in parts)].strip()
        for parts in spans.values()
    )
    return tuple(UnknownWord(word, _suggest(tokenizer, word, of_script, suggestions)) for word in words if word)


def _suggest(tokenizer: Tokenizer, word: str, of_script: str, count: int) -> tuple[str, ...]:
    """At most `count` known words, or phrases of them, to take in the place of an unknown word."""
    if not count:
        return ()
    plain = in_plain_words(word) if of_script == "latin" else ""
    for phrase in dict.fromkeys((plain, plain.replace("-", " "))):
        if phrase and not unknown_words(tokenizer, phrase, of_script, suggestions=0):
            return (phrase,)
    choices = known_words(tokenizer, of_script)
    return tuple(get_close_matches(word.lower(), choices, n=count, cutoff=LIKENESS))


def is_byte(piece: str) -> bool:
    """Whether a token is one byte of an unknown word."""
    return len(piece) == 6 and piece.startswith("<0x")
