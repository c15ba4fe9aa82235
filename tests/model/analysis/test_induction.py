"""The induction score on hand-made heads, and the random tokens that it is measured on."""

import pytest
import torch

from model import load
from model.analysis.induction import LENGTH, induction, repeated_input, repeated_length, repeated_tokens


def test_an_induction_head_scores_one_and_others_nothing() -> None:
    half = 4
    perfect = torch.zeros(8, 8)
    for query in range(half, 8):  # at the second a: what followed the first a
        perfect[query, query - half + 1] = 1
    duplicate = torch.zeros(8, 8)
    for query in range(half, 8):  # at the second a: the first a itself
        duplicate[query, query - half] = 1
    even = torch.full((8, 8), 1 / 8)
    scores = induction(torch.stack([perfect, duplicate, even]))
    assert scores.tolist() == pytest.approx([1, 0, 1 / 8])


def test_the_first_half_does_not_count() -> None:
    weights = torch.zeros(6, 6)
    weights[:3] = 1
    assert induction(weights) == 0


@pytest.mark.parametrize("name", ["tiny-lm", "tiny-encoder", "en-ur"])
def test_the_tokens_repeat_and_are_seeded(name: str) -> None:
    model = load(name)
    ids = repeated_tokens(model.tokenizer, model.config.vocab_size, 10, seed=3)
    assert ids[:10].tolist() == ids[10:].tolist()
    assert len(set(ids.tolist())) == 10
    assert not any(token.special for token in model.tokenizer.tokens(ids.tolist()))
    assert torch.equal(ids, repeated_tokens(model.tokenizer, model.config.vocab_size, 10, seed=3))
    assert not torch.equal(ids, repeated_tokens(model.tokenizer, model.config.vocab_size, 10, seed=4))


def test_each_stack_reads_the_repeated_tokens() -> None:
    one_stack, translator = load("tiny-lm"), load("en-ur")
    ids, source = repeated_input(one_stack, "decoder", (1, 2))
    assert (len(ids), source) == (2 * repeated_length(one_stack.config), ())
    half = repeated_length(translator.config)
    assert half <= LENGTH
    written, source = repeated_input(translator, "encoder", (1, 2))
    assert written == (translator.output_tokenizer.sequence_start,)
    assert source[:half] == source[half:]
    written, source = repeated_input(translator, "decoder", (1, 2))
    assert written[:half] == written[half:]
    assert source == (1, 2)


def test_a_vocabulary_can_be_too_small() -> None:
    model = load("tiny-lm")
    with pytest.raises(ValueError, match="are asked for"):
        repeated_tokens(model.tokenizer, 12, 50)
