"""SmolLM2 as we read it, against `transformers` reading the same GGUF file."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from model import Model
from tests.model.networks import SENTENCES, ids
from tests.model.zoo import reference

# Both compute in float32, in another order. The residual stream reaches 10^4, so it is compared relatively.
WEIGHTS, LOGITS, STREAM = 5e-5, 1e-3, 1e-4  # measured: 9e-6, 2e-4, 2e-5

TEXTS = (
    *SENTENCES,
    "In 2024, 3.14159 people paid 1,000,000 dollars",
    "caf\u00e9 \N{ROBOT FACE}\N{PARTY POPPER} na\u00efve",
    "one\ntwo\n\n  three\tfour  ",
    "\u0645\u06cc\u06ba \u0627\u06cc\u06a9 \u0631\u0648\u0628\u0648\u0679 \u06c1\u0648\u06ba",
    "Don't we'll I'm x=1+23456 ## **bold** $\\alpha$ <script>",
    "\x00\x07\x1b[0m",
    "<|im_start|>user\nHello<|im_end|>",
)


@pytest.fixture(scope="module")
def theirs(smollm2: Model) -> Any:
    return reference.smollm2(smollm2.card)


@pytest.mark.slow
def test_the_tokenizer_is_the_references(smollm2: Model) -> None:
    tokenizer = reference.smollm2_tokenizer(smollm2.card)
    for text in TEXTS:
        assert [token.id for token in smollm2.tokenizer.encode(text)] == tokenizer(text)["input_ids"], text


def test_digits_stand_alone(smollm2: Model) -> None:
    """As in the model's own tokenizer.json, also for digits and fractions outside ASCII, which the reference's reading
    of GGUF leaves joined to the space before them."""
    assert [token.text for token in smollm2.tokenizer.encode("x 1234")] == ["x", " ", "1", "2", "3", "4"]
    assert smollm2.tokenizer.encode(" \N{VULGAR FRACTION ONE HALF}")[0].text == " "


def assert_equal(smollm2: Model, theirs: Any, words: torch.Tensor) -> None:
    expected = reference.outputs(theirs, words)
    trace = smollm2.trace_tokens(
        smollm2.tokenizer.tokens(words.tolist()), keep=["*.weights", "*.resid_in", "final_norm", "logits"]
    )
    for layer in range(30):
        weights = trace[f"decoder.{layer}.self_attn.weights"]
        torch.testing.assert_close(weights, expected.attentions[layer][0], atol=WEIGHTS, rtol=0)
        stream = expected.hidden_states[layer][0]
        difference = (trace[f"decoder.{layer}.resid_in"] - stream).abs().max()
        assert difference <= STREAM * stream.abs().max(), layer
    torch.testing.assert_close(trace["final_norm"], expected.hidden_states[30][0], atol=LOGITS, rtol=0)
    torch.testing.assert_close(trace.logits, expected.logits[0], atol=LOGITS, rtol=0)


@pytest.mark.slow
@pytest.mark.parametrize("sentence", SENTENCES)
def test_every_layer_every_head_and_the_logits(sentence: str, smollm2: Model, theirs: Any) -> None:
    assert_equal(smollm2, theirs, torch.tensor([token.id for token in smollm2.tokens_of(sentence)]))


@pytest.mark.slow
def test_a_long_text(smollm2: Model, theirs: Any) -> None:
    assert_equal(smollm2, theirs, ids(128, vocab_size=49_152))
