"""Odd texts, which each tokenizer of a stranger cuts before anybody's text does."""

from __future__ import annotations

from model.errors import UnreadableText
from model.tokens.panics import TokenizerPanicked
from model.tokens.tokenizer import Tokenizer

TEXTS = (
    *(
        "",
        " ",
        "a",
        "I am a robot. Don't panic, 1234!",
        "  two  spaces\tand\r\na line",
        "mo\u0308glich \u2460 \ufb01ne",
    ),
    *(
        "\u0645\u06cc\u06ba \u0627\u06cc\u06a9 \u0631\u0648\u0628\u0648\u0679 \u06c1\u0648\u06ba\u06d4",
        "\u673a\u5668\u4eba",
        "\U0001f469\u200d\U0001f680",
        "\x00\x1b\x7f\ufffd\u200f",
    ),
    *("a" * 300, "ab " * 100, "<s> [CLS] <|endoftext|> </s>", "\ufdfa"),
)


def try_texts(tokenizer: Tokenizer) -> Tokenizer:
    """The tokenizer, which has cut odd texts and made texts of their tokens again.

    One that does not know a word may say so: the reader of that text is told. Raises `ValueError` where the library
    breaks down.
    """
    for text in TEXTS:
        try:
            tokenizer.decode([token.id for token in tokenizer.encode(text)])
            tokenizer.encode(text, add_special=False)
        except UnreadableText as error:
            if isinstance(error.__cause__, TokenizerPanicked):
                raise ValueError(str(error)) from error
    return tokenizer
