"""Every kind of tokenizer cuts and spells a text, or one error says which word it cannot cut."""

import random
from contextlib import suppress
from functools import cache

import pytest

from model.errors import UnreadableText
from model.tokens.spelling import merge_ranks, spell
from model.tokens.tokenizer import Tokenizer, readable
from model.tokens.word_vocabulary import known_words, unknown_words
from tests.hostile.text_corpus import TEXTS
from tests.model.tokens.kinds import KINDS

BY_CHANCE = "BPE that drops merges by chance"  # cuts a text in another way each time
PARTS = (
    "the",
    "fox",
    " ",
    "  ",
    "    ",
    "lower",
    "lo",
    "er",
    "<think>",
    "</s>",
    "<s>",
    "[CLS]",
    "é",
    "میں",
    "🙂",
    "\n",
)
DICE = random.Random(40)
SENTENCES = ["".join(DICE.choices(PARTS, k=DICE.randrange(12))) for _ in range(200)]


@cache
def tokenizer_of(kind: str) -> Tokenizer:
    return Tokenizer(KINDS[kind](), start=None, end=None, pad=None)


@pytest.mark.parametrize("kind", KINDS)
def test_the_pieces_of_all_words_are_those_of_the_encoding(kind: str) -> None:
    tokenizer = tokenizer_of(kind)
    for text in (*SENTENCES, *(readable(each)[:60] for each in TEXTS.values())):
        try:
            spellings = spell(tokenizer, text)
        except UnreadableText:
            continue
        if kind != BY_CHANCE:
            ids = [tokenizer.id_of(piece) for each in spellings for piece in each.pieces]
            assert ids == tokenizer.backend.encode(text, add_special_tokens=False).ids
            assert all(each.how != "untold" for each in spellings), spellings
        assert all(each.word for each in spellings)
        around = [placed for placed in tokenizer.place(text) if placed.word is None]
        assert all(placed.token.special for placed in around)


@pytest.mark.parametrize("kind", KINDS)
def test_hard_texts_are_read_or_refused_with_one_error(kind: str) -> None:
    tokenizer = tokenizer_of(kind)
    for text in TEXTS.values():
        with suppress(UnreadableText):
            tokens = tokenizer.encode(text[:120])
            tokenizer.decode(token.id for token in tokens)
            unknown_words(tokenizer, text[:120])
            for each in spell(tokenizer, text[:120]):
                merge_ranks(tokenizer, each.pieces)


@pytest.mark.parametrize("kind", KINDS)
def test_every_piece_of_a_vocabulary_is_a_token(kind: str) -> None:
    tokenizer = tokenizer_of(kind)
    known_words(tokenizer, "latin")
    for id in (*range(tokenizer.size + 2), 2**40, -1):
        token = tokenizer.token(id)
        assert token.special == (not token.bytes and bool(token.text))


@pytest.mark.parametrize(
    ("kind", "text", "named"),
    [
        ("words, without an unknown token", "the wolf", "wolf"),
        ("unigram without an unknown token", "the é fox", "é"),
        ("WordPiece whose unknown token is missing", "fox Ω", "Ω"),
        ("BPE whose unknown token is missing", "Zfox", "Zfox"),
        ("a library that panics", "the fox", "the"),
        ("words, without a first cut", "the fox", None),
    ],
)
def test_the_error_names_the_word(kind: str, text: str, named: str | None) -> None:
    if named is None:
        assert [token.text for token in tokenizer_of(kind).encode(text)] == ["<unk>"]
        return
    with pytest.raises(UnreadableText, match=f"cannot cut “{named}” into tokens"):
        tokenizer_of(kind).encode(text)


def test_what_ends_the_program_is_no_error_of_a_text(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stopped:
        def encode(self, *_: object, **__: object) -> None:
            raise KeyboardInterrupt

    tokenizer = Tokenizer(KINDS["words"](), start=None, end=None, pad=None)
    monkeypatch.setattr(tokenizer, "backend", Stopped())
    with pytest.raises(KeyboardInterrupt):
        tokenizer.encode("the fox")


@pytest.mark.parametrize(
    ("kind", "text", "words"),
    [
        ("byte-level with added tokens", "the  <think>", [("the", "merges"), ("  ", "added"), ("<think>", "added")]),
        ("BPE with bars and bytes", "the foxé", [(" the", "merges"), (" foxé", "merges")]),
        ("WordPiece with another sign", "foxer Ω", [("foxer", "beginnings"), ("Ω", "unknown")]),
        ("words", "the wolf", [("the", "whole"), ("wolf", "unknown")]),
        ("BPE with ends of words", "thex", [("thex", "merges")]),
    ],
)
def test_how_each_word_is_cut(kind: str, text: str, words: list[tuple[str, str]]) -> None:
    assert [(each.word, each.how) for each in spell(tokenizer_of(kind), text)] == words


def test_steps_that_end_in_other_pieces_are_not_shown() -> None:
    tokenizer = tokenizer_of(BY_CHANCE)
    seen = {(each.how, each.pieces) for _ in range(60) for each in spell(tokenizer, "lower")}
    assert ("merges", ("low", "er")) in seen
    assert {how for how, pieces in seen if pieces != ("low", "er")} == {"untold"}


def test_the_steps_of_a_very_long_word_are_not_shown() -> None:
    (word,) = spell(tokenizer_of("byte-level"), "fox" * 400)
    assert (word.how, len(word.steps), len(word.pieces)) == ("long", 1, 400)
