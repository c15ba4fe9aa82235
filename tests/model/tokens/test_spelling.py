"""The steps to a word's pieces end where the tokeniser itself ends."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.tokens.spelling import merge_steps, spell, word_piece_steps
from tests.conftest import loaded

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
    vocabulary = dict.fromkeys(("l", "o", "w", "lo", "low", "ow"))
    table = {"ignore_merges": False, "byte_fallback": False, "vocab": vocabulary}
    by_hand = merge_steps("low", table | {"ranks": {("o", "w"): 1, ("l", "o"): 0, ("lo", "w"): 2}})
    assert [(step.pieces, step.rank) for step in by_hand] == [
        (("l", "o", "w"), None),
        (("lo", "w"), 0),
        (("low",), 2),
    ]


def test_the_longest_known_beginning_is_cut_off() -> None:
    table = {
        "vocab": dict.fromkeys(("un", "una", "##ff", "##able", "[UNK]")),
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
    }
    assert [step.pieces for step in word_piece_steps("unaffable", table)] == [
        ("una", "ffable"),
        ("una", "##ff", "able"),
        ("una", "##ff", "##able"),
    ]
    assert word_piece_steps("xyz", table)[0].pieces == ("[UNK]",)
