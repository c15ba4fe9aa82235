"""A tokenizer of every kind that a file may describe, with and without each of its parts. All are tiny."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tokenizers
from tokenizers import AddedToken, Regex, decoders, models, normalizers, pre_tokenizers, processors

LETTERS = "abcdefghijklmnopqrstuvwxyz'.,-"
MERGES = [
    ("t", "h"),
    ("th", "e"),
    ("f", "o"),
    ("fo", "x"),
    ("d", "o"),
    ("do", "g"),
    ("l", "o"),
    ("lo", "w"),
    ("e", "r"),
]
WORDS = ("the", "fox", "dog", "low", "er", "lower")


def _vocabulary(*pieces: str) -> dict[str, int]:
    return {piece: id for id, piece in enumerate(dict.fromkeys(pieces))}


def bpe(*more: str, merges: Any = MERGES, letters: str = LETTERS, **values: Any) -> tokenizers.Tokenizer:
    """Byte-pair encoding of `letters`, with more pieces."""
    made = ("".join(pair) for pair in merges)
    return tokenizers.Tokenizer(models.BPE(_vocabulary(*more, *letters, *made), list(merges), **values))


def byte_level(add_prefix_space: bool = False) -> tokenizers.Tokenizer:
    """As GPT-2's."""
    letters = "".join(sorted(pre_tokenizers.ByteLevel.alphabet()))
    backend = bpe(merges=[*MERGES, ("Ġ", "the"), ("Ġ", "fox"), ("Ġ", "Ġ"), ("ĠĠ", "ĠĠ")], letters=letters)
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=add_prefix_space)
    backend.decoder = decoders.ByteLevel()
    return backend


def byte_level_in_sequences() -> tokenizers.Tokenizer:
    """As Llama 3's and Qwen's: the bytes are one part of a sequence, before and after."""
    backend = byte_level()
    digits = pre_tokenizers.Split(Regex(r"\d|\s+|[^\s\d]+"), "isolated")
    backend.pre_tokenizer = pre_tokenizers.Sequence([digits, pre_tokenizers.ByteLevel(False, use_regex=False)])
    backend.decoder = decoders.Sequence([decoders.ByteLevel(), decoders.Fuse()])
    return backend


def byte_level_without(*parts: str) -> tokenizers.Tokenizer:
    backend = byte_level()
    for part in parts:
        setattr(backend, part, None)
    return backend


def byte_level_by_normalizer() -> tokenizers.Tokenizer:
    backend = byte_level_without("decoder", "pre_tokenizer")
    backend.normalizer = normalizers.ByteLevel()
    return backend


def with_added(backend: tokenizers.Tokenizer) -> tokenizers.Tokenizer:
    """Runs of spaces as Pythia has them, a tag as thinking models have it, and special tokens around a text."""
    backend.add_tokens([AddedToken("  ", normalized=True), AddedToken("    ", normalized=True), "<think>", "</think>"])
    backend.add_special_tokens(["<s>", "</s>"])
    ends = [(name, backend.token_to_id(name)) for name in ("<s>", "</s>")]
    backend.post_processor = processors.TemplateProcessing(single="<s> $A </s>", special_tokens=ends)
    return backend


def outside_the_alphabet() -> tokenizers.Tokenizer:
    """Byte-level, with a piece in its vocabulary that has a space and letters that stand for no byte."""
    letters = "".join(sorted(pre_tokenizers.ByteLevel.alphabet()))
    backend = bpe("<a piece>", "میں", letters=letters)
    backend.pre_tokenizer, backend.decoder = pre_tokenizers.ByteLevel(False), decoders.ByteLevel()
    return backend


def llama_2(**values: Any) -> tokenizers.Tokenizer:
    """A bar for each space, bytes for what is unknown, and no first cut."""
    names = [f"<0x{byte:02X}>" for byte in range(256)]
    merges = [*MERGES, ("▁", "the"), ("▁", "fox"), ("▁", "▁")]
    backend = bpe("<unk>", *names, merges=merges, letters=f"▁{LETTERS}", unk_token="<unk>", **values)
    backend.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    backend.decoder = decoders.Sequence(
        [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse(), decoders.Strip(" ", 1, 0)]
    )
    return backend


def with_signs(prefix: str = "", suffix: str = "", bytes_too: bool = False) -> tokenizers.Tokenizer:
    """Byte-pair encoding whose pieces say that they continue a word, or end it (GPT-1, CLIP)."""
    letters = "".join(sorted(pre_tokenizers.ByteLevel.alphabet())) if bytes_too else LETTERS
    base = [f"{before}{letter}{behind}" for letter in letters for before in {"", prefix} for behind in {"", suffix}]
    pairs = [("t", f"{prefix}h"), ("th", f"{prefix}e{suffix}"), (f"{prefix}o", f"{prefix}x{suffix}")]
    made = [first + second.removeprefix(prefix) for first, second in pairs]
    model = models.BPE(
        _vocabulary("<unk>", *base, *made), pairs, unk_token="<unk>",
        continuing_subword_prefix=prefix, end_of_word_suffix=suffix,
    )  # fmt: skip
    backend = tokenizers.Tokenizer(model)
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(False) if bytes_too else pre_tokenizers.Whitespace()
    backend.decoder = decoders.ByteLevel() if bytes_too else decoders.BPEDecoder(suffix=suffix) if suffix else None
    return backend


def unigram(unk_id: int | None = 0, first_cut: bool = True, bar: str = "▁", **values: Any) -> tokenizers.Tokenizer:
    names = ["<unk>", *(f"<0x{byte:02X}>" for byte in range(256))] if values else ["<unk>"]
    scores = [(piece, -9.0) for piece in [*names, bar, *LETTERS]] + [(f"{bar}{word}", -2.0) for word in WORDS]
    backend = tokenizers.Tokenizer(models.Unigram(scores, unk_id, **values))
    if first_cut:
        backend.pre_tokenizer, backend.decoder = pre_tokenizers.Metaspace(bar), decoders.Metaspace(bar)
    return backend


def word_piece(prefix: str = "##", parts: bool = True, unk: str = "[UNK]") -> tokenizers.Tokenizer:
    pieces = [*LETTERS, *(f"{prefix}{letter}" for letter in LETTERS), *WORDS, f"{prefix}er", f"{prefix}ox"]
    model = models.WordPiece(
        _vocabulary("[UNK]", "[CLS]", "[SEP]", *pieces), unk_token=unk, continuing_subword_prefix=prefix
    )
    backend = tokenizers.Tokenizer(model)
    if parts:
        backend.normalizer, backend.pre_tokenizer = normalizers.BertNormalizer(), pre_tokenizers.BertPreTokenizer()
        backend.decoder = decoders.WordPiece(prefix)
        backend.add_special_tokens(["[CLS]", "[SEP]"])
        backend.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    return backend


def word_level(unk: str | None = "<unk>", first_cut: bool = True) -> tokenizers.Tokenizer:
    named = {} if unk is None else {"unk_token": unk}
    backend = tokenizers.Tokenizer(models.WordLevel(_vocabulary(*([unk] if unk else []), *WORDS), **named))
    backend.pre_tokenizer = pre_tokenizers.Whitespace() if first_cut else None
    return backend


def panics() -> tokenizers.Tokenizer:
    """A first cut into pieces of no letters, at which the library gives up."""
    backend = byte_level()
    backend.pre_tokenizer = pre_tokenizers.FixedLength(0)
    return backend


KINDS: dict[str, Callable[[], tokenizers.Tokenizer]] = {
    "byte-level": byte_level,
    "byte-level, a space before the text": lambda: byte_level(add_prefix_space=True),
    "byte-level in sequences": byte_level_in_sequences,
    "byte-level without a decoder": lambda: byte_level_without("decoder"),
    "byte-level without a first cut": lambda: byte_level_without("pre_tokenizer"),
    "byte-level by its normaliser": byte_level_by_normalizer,
    "byte-level with added tokens": lambda: with_added(byte_level()),
    "byte-level with a piece outside the alphabet": outside_the_alphabet,
    "byte-level with ends of words": lambda: with_signs(suffix="</w>", bytes_too=True),
    "BPE of letters": bpe,
    "BPE of letters, unknown ones": lambda: bpe("<unk>", unk_token="<unk>"),
    "BPE of letters, unknown ones as one": lambda: bpe("<unk>", unk_token="<unk>", fuse_unk=True),
    "BPE whose unknown token is missing": lambda: bpe(unk_token="<unk>"),
    "BPE that drops merges by chance": lambda: bpe(dropout=0.5),
    "BPE that looks words up first": lambda: bpe("lower", ignore_merges=True),
    "BPE with a piece like a byte": lambda: bpe("<0xZZ>", "<0x4>"),
    "BPE with bars": lambda: llama_2(),
    "BPE with bars and bytes": lambda: llama_2(byte_fallback=True, fuse_unk=True),
    "BPE with bars and added tokens": lambda: with_added(llama_2(byte_fallback=True)),
    "BPE with ends of words": lambda: with_signs(suffix="</w>"),
    "BPE with continued words": lambda: with_signs(prefix="##"),
    "unigram": unigram,
    "unigram with bytes": lambda: unigram(byte_fallback=True),
    "unigram without a first cut": lambda: unigram(first_cut=False),
    "unigram with another bar": lambda: unigram(bar="_"),
    "unigram without an unknown token": lambda: unigram(unk_id=None),
    "unigram with added tokens": lambda: with_added(unigram()),
    "WordPiece": word_piece,
    "WordPiece with another sign": lambda: word_piece(prefix="@@"),
    "WordPiece without a sign": lambda: word_piece(prefix=""),
    "WordPiece alone": lambda: word_piece(parts=False),
    "WordPiece whose unknown token is missing": lambda: word_piece(unk="<none>"),
    "WordPiece with added tokens": lambda: with_added(word_piece()),
    "words": word_level,
    "words, without an unknown token": lambda: word_level(unk=None),
    "words, without a first cut": lambda: word_level(first_cut=False),
    "words with added tokens": lambda: with_added(word_level()),
    "a library that panics": panics,
}
