"""Who sees whom in each kind of transformer, by the masks of real runs."""

import torch

from model import load
from model.analysis.who_sees_whom import mask_names, who_sees_whom

TEXT = "I am a robot"


def seen(name: str) -> tuple[torch.Tensor, int, int]:
    model = load(name)
    trace = model.trace(TEXT, keep=mask_names(model.config))
    return who_sees_whom(model.config, trace), len(trace.source_tokens), len(trace.tokens)


def test_an_encoder_sees_everything() -> None:
    table, _, tokens = seen("tiny-encoder")
    assert table.shape == (tokens, tokens)
    assert table.all()


def test_a_decoder_sees_what_came_before() -> None:
    table, _, tokens = seen("tiny-lm")
    assert torch.equal(table, torch.ones(tokens, tokens, dtype=torch.bool).tril())


def test_a_translator_writes_with_an_eye_on_the_source() -> None:
    table, source, written = seen("en-ur")
    assert table.shape == (source + written,) * 2
    assert table[:source, :source].all()
    assert not table[:source, source:].any()
    assert table[source:, :source].all()
    assert torch.equal(table[source:, source:], torch.ones(written, written, dtype=torch.bool).tril())
