"""The steps to a word's pieces end where the tokeniser itself ends."""

import json
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import models, pre_tokenizers

from model.tokens.sentence_pieces import read_sentence_pieces
from model.tokens.spelling import SpellingStep, cuts_at_once, merge_steps, spell, word_piece_steps
from model.tokens.tokenizer import Tokenizer
from tests.conftest import loaded
from tests.model.zoo import tiny_families

MODELS = ("tiny-lm", "tiny-encoder", "en-ur", "smollm2-135m", "minilm-l6")
SENTENCES = (
    "The quick brown fox jumps over the lazy dog",
    "Transformers is a very cool machine-learning model, because it is very efficient",
    "I swam across the river to get to the other bank",
    "AJ's dog is a cutie",
    "What time is it?",
    "میں ایک روبوٹ ہوں",
    "🙂 12345 antidisestablishmentarianism café",
)


@pytest.mark.parametrize("name", MODELS)
def test_the_last_step_is_what_the_tokeniser_gives(name: str) -> None:
    tokenizer = loaded(name).tokenizer
    for sentence in SENTENCES:
        pieces = [piece for word in spell(tokenizer, sentence) for piece in word.pieces]
        assert pieces == tokenizer.backend.encode(sentence, add_special_tokens=False).tokens


@settings(max_examples=60)
@given(st.text(st.characters(blacklist_characters="<[", blacklist_categories=("Cs",)), max_size=30))
def test_any_text_ends_as_the_tokeniser_has_it(text: str) -> None:
    for name in ("tiny-lm", "minilm-l6"):
        tokenizer = loaded(name).tokenizer
        pieces = [piece for word in spell(tokenizer, text) for piece in word.pieces]
        assert pieces == tokenizer.backend.encode(text, add_special_tokens=False).tokens


def test_the_pair_that_was_learnt_first_is_merged_first() -> None:
    table = {"continuing_subword_prefix": None}
    by_hand = merge_steps(tuple("low"), table | {"ranks": {("o", "w"): 1, ("l", "o"): 0, ("lo", "w"): 2}})
    assert [(step.pieces, step.rank) for step in by_hand] == [
        (("l", "o", "w"), None),
        (("lo", "w"), 0),
        (("low",), 2),
    ]


def plain_merge_steps(pieces: tuple[str, ...], table: dict[str, Any]) -> list[SpellingStep]:
    """The merges as they are defined: each step looks at all pairs, and takes the first of the smallest rank."""
    prefix, steps = table["continuing_subword_prefix"] or "", [SpellingStep(pieces)]
    while known := [(table["ranks"][pair], at) for at, pair in enumerate(pairwise(pieces)) if pair in table["ranks"]]:
        rank, at = min(known)
        pieces = (*pieces[:at], pieces[at] + pieces[at + 1].removeprefix(prefix), *pieces[at + 2 :])
        steps.append(SpellingStep(pieces, rank))
    return steps


PIECES = st.text("ab", min_size=1, max_size=4)  # so few letters that many merges meet
LETTERS = st.lists(st.sampled_from("ab"), max_size=40).map(tuple)


@pytest.mark.slow
@settings(max_examples=300)
@given(LETTERS, st.lists(st.tuples(PIECES, PIECES), unique=True, max_size=20), st.sampled_from([None, "##"]))
def test_the_steps_are_those_of_the_definition(
    letters: tuple[str, ...], merges: list[tuple[str, str]], prefix: str | None
) -> None:
    letters = tuple(f"{prefix or ''}{letter}" if at else letter for at, letter in enumerate(letters))
    signs = prefix or ""
    ranks = {(f"{sign}{one}", f"{signs}{two}"): rank for sign in {"", signs} for rank, (one, two) in enumerate(merges)}
    table = {"continuing_subword_prefix": prefix, "ranks": {pair: rank for rank, pair in enumerate(ranks)}}
    steps = merge_steps(letters, table)
    assert list(steps) == plain_merge_steps(letters, table)
    assert [steps.at(number) for number in range(len(steps))] == list(steps)
    assert steps.last == steps.at(len(steps) - 1)


@pytest.mark.parametrize("name", ["tiny-lm", "smollm2-135m"])
def test_a_long_word_has_the_steps_of_the_definition(name: str) -> None:
    tokenizer = loaded(name).tokenizer
    (word,) = spell(tokenizer, "anti" + "establishment" * 20)
    table = json.loads(tokenizer.backend.model.__getstate__())
    table["ranks"] = {tuple(pair): rank for rank, pair in enumerate(table["merges"])}
    assert word.how == "merges"
    assert list(word.steps) == plain_merge_steps(word.steps.at(0).pieces, table)


def test_ten_thousand_letters_take_a_second_at_most() -> None:
    """Each merge looked at all pairs before: 10,000 letters took 26 seconds, and all pieces of all steps 400 MB."""
    letters = "a" * 10_000
    table = {"continuing_subword_prefix": None, "ranks": {("a" * n, "a" * n): n for n in (1, 2, 4, 8, 16)}}
    began = time.process_time()
    steps = merge_steps(tuple(letters), table)
    assert time.process_time() - began < 1
    assert len(steps) == 1 + 5_000 + 2_500 + 1_250 + 625 + 312
    assert "".join(steps.last.pieces) == letters


def test_the_longest_known_beginning_is_cut_off() -> None:
    table = {
        "vocab": dict.fromkeys(("un", "una", "##ff", "##able", "[UNK]")),
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
    }
    steps = word_piece_steps("unaffable", table)
    assert [step.pieces for step in steps] == [
        ("una", "ffable"),
        ("una", "##ff", "able"),
        ("una", "##ff", "##able"),
    ]
    assert [steps.at(number) for number in range(len(steps))] == list(steps)
    assert word_piece_steps("xyz", table).last.pieces == ("[UNK]",)


@pytest.mark.parametrize("kind", ["SentencePiece files", "tokenizer.json"])
def test_a_unigram_model_cuts_each_word_at_once(kind: str, tmp_path: Path) -> None:
    """Marian has SentencePiece files, XLM-R the same kind of model in a tokenizer.json."""
    if kind == "tokenizer.json":
        pieces = [("<unk>", 0.0), ("▁I", -1.0), ("▁a", -1.5), ("m", -2.0), ("▁", -3.0), ("a", -2.5)]
        backend = tokenizers.Tokenizer(models.Unigram(pieces, 0))
        backend.pre_tokenizer = pre_tokenizers.Metaspace()
        tokenizer = Tokenizer(backend, start=None, end=None, pad=None)
    else:
        tiny_families.sentence_piece_files(tmp_path)
        vocabulary = json.loads((tmp_path / "vocab.json").read_text())
        tokenizer = read_sentence_pieces(tmp_path / "source.spm", vocabulary)
    assert cuts_at_once(tokenizer)
    for sentence in ("I am", *SENTENCES):
        spellings = spell(tokenizer, sentence)
        assert all(len(each.steps) == 1 and each.steps.last.rank is None for each in spellings)
        ids = [tokenizer.id_of(piece) for each in spellings for piece in each.pieces]
        assert ids == tokenizer.backend.encode(sentence, add_special_tokens=False).ids
    assert [each.word for each in spell(tokenizer, "I am")] == [" I", " am"]
