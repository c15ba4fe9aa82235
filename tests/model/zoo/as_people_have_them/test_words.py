"""Tokenizers of every kind as tokenizer.json has them: the ids of `transformers`, and the words that the page Tokens
shows, made of the same pieces. Where the library cannot cut a text, one sentence names the word."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import tokenizers
import transformers

from model.errors import UnreadableText
from model.tokens.spelling import spell
from model.tokens.tokenizer import Tokenizer
from tests.model.tokens import kinds
from tests.model.zoo.as_people_have_them.tokenizer_folders import config, write
from tests.model.zoo.opened import read_tokenizer

Words = list[tuple[str, str]]  # each word as it is read, and how it is cut


def read(folder: Path, backend: tokenizers.Tokenizer) -> Tokenizer:
    config(folder, "gpt2", bos_token_id=None)
    write(folder, "tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizerFast"})
    backend.save(str(folder / "tokenizer.json"))
    return read_tokenizer(folder)


def plain(backend: tokenizers.Tokenizer, **parts: None) -> tokenizers.Tokenizer:
    """Without some of its parts."""
    for name, part in parts.items():
        setattr(backend, name, part)
    return backend


CASES: dict[str, tuple[Callable[[], tokenizers.Tokenizer], str, Words]] = {
    "runs of spaces are tokens": (
        lambda: kinds.with_added(kinds.byte_level()),
        "the      fox",
        [("the", "merges"), ("    ", "added"), ("  ", "added"), ("fox", "merges")],
    ),
    "a tag inside a text": (
        lambda: kinds.with_added(kinds.byte_level()),
        "the<think>fox</think>",
        [("the", "merges"), ("<think>", "added"), ("fox", "merges"), ("</think>", "added")],
    ),
    "a special token inside a text": (
        lambda: kinds.with_added(kinds.word_piece()),
        "fox </s> fox",
        [("fox", "beginnings"), ("</s>", "added"), ("fox", "beginnings")],
    ),
    "a list of whole words": (kinds.word_level, "the wolf", [("the", "whole"), ("wolf", "unknown")]),
    "whole words without a first cut": (lambda: kinds.word_level(first_cut=False), "the fox", [("the fox", "unknown")]),
    "byte-level, the decoder in a sequence": (
        kinds.byte_level_in_sequences,
        "the  1 é",
        [("the", "merges"), ("  ", "merges"), ("1", "merges"), (" ", "merges"), ("é", "merges")],
    ),
    "byte-level without a decoder": (
        lambda: kinds.byte_level_without("decoder"),
        "the fox",
        [("the", "merges"), (" fox", "merges")],
    ),
    "byte-level without a first cut": (
        lambda: kinds.byte_level_without("pre_tokenizer"),
        "thefox",
        [("thefox", "merges")],
    ),
    "byte-level by its normaliser": (kinds.byte_level_by_normalizer, "é fox", [("é fox", "merges")]),
    "a space before the text": (
        lambda: kinds.byte_level(add_prefix_space=True),
        "the fox",
        [(" the", "merges"), (" fox", "merges")],
    ),
    "a piece outside the alphabet of bytes": (kinds.outside_the_alphabet, "the", [("the", "merges")]),
    "words that are looked up before the merges": (
        lambda: kinds.bpe("lower", ignore_merges=True),
        "lower",
        [("lower", "whole")],
    ),
    "unknown letters as one": (
        lambda: kinds.bpe("<unk>", unk_token="<unk>", fuse_unk=True),
        "fox میں",
        [("fox<unk>", "merges")],
    ),
    "letters that no piece has are dropped": (kinds.bpe, "fo😀x", [("fox", "merges")]),
    "bars, without a first cut": (
        lambda: kinds.llama_2(byte_fallback=True),
        "the foxé",
        [(" the", "merges"), (" foxé", "merges")],
    ),
    "a unigram without a first cut": (
        lambda: kinds.unigram(first_cut=False),
        "▁the▁fox",
        [(" the", "at once"), (" fox", "at once")],
    ),
    "a unigram with bytes": (lambda: kinds.unigram(byte_fallback=True), "é", [(" é", "at once")]),
    "WordPiece with another sign": (
        lambda: kinds.word_piece(prefix="@@"),
        "foxer Ω",
        [("foxer", "beginnings"), ("Ω", "unknown")],
    ),
    "WordPiece without its other parts": (
        lambda: plain(kinds.word_piece(), normalizer=None, pre_tokenizer=None, decoder=None, post_processor=None),
        "foxer",
        [("foxer", "beginnings")],
    ),
    "ends of words": (lambda: kinds.with_signs(suffix="</w>"), "the thex", [("the", "merges"), ("thex", "merges")]),
    "ends of words, byte by byte": (
        lambda: kinds.with_signs(suffix="</w>", bytes_too=True),
        "the é",
        [("the", "merges"), (" é", "merges")],
    ),
}
REFUSED: dict[str, tuple[Callable[[], tokenizers.Tokenizer], str, str]] = {
    "a word that is in no list": (lambda: kinds.word_level(unk=None), "the wolf", "wolf"),
    "a letter that no piece has": (lambda: kinds.unigram(unk_id=None), "the é fox", "é"),
    "an unknown token that is no piece": (lambda: kinds.word_piece(unk="<none>"), "fox Ω", "Ω"),
    "the same, of merges": (lambda: kinds.bpe(unk_token="<unk>"), "Zfox", "Zfox"),
}


@pytest.mark.parametrize("name", CASES)
def test_words_are_made_of_the_pieces_that_transformers_has(name: str, tmp_path: Path) -> None:
    make, text, words = CASES[name]
    tokenizer = read(tmp_path, make())
    theirs = transformers.PreTrainedTokenizerFast(tokenizer_file=str(tmp_path / "tokenizer.json"))
    assert [token.id for token in tokenizer.encode(text)] == theirs(text)["input_ids"]
    spellings = spell(tokenizer, text)
    assert [(each.word, each.how) for each in spellings] == words
    pieces = [piece for each in spellings for piece in each.pieces]
    assert pieces == theirs.convert_ids_to_tokens(theirs(text, add_special_tokens=False)["input_ids"])


@pytest.mark.parametrize("name", REFUSED)
def test_a_text_that_transformers_cannot_cut_is_refused_by_the_word(name: str, tmp_path: Path) -> None:
    make, text, word = REFUSED[name]
    tokenizer = read(tmp_path, make())
    theirs = transformers.PreTrainedTokenizerFast(tokenizer_file=str(tmp_path / "tokenizer.json"))
    with pytest.raises(BaseException, match=r".") as raised:
        theirs(text)
    assert not isinstance(raised.value, KeyboardInterrupt)
    with pytest.raises(UnreadableText, match=f"cannot cut “{word}” into tokens"):
        tokenizer.encode(text)
