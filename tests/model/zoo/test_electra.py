"""ELECTRA, and the classes of tokens that it and BERT's other kin give, beside `transformers`."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from model.loading import read_checkpoint
from tests.model.zoo import tiny_families

TEXT = "I am a robot"


@pytest.mark.parametrize("name", ["bert", "roberta", "distilbert", "electra"])
def test_each_token_has_the_classes_of_transformers(name: str, tmp_path: Path) -> None:
    labels = {0: "O", 1: "person", 2: "place"}
    whole = tiny_families.make_encoder(name, tmp_path, "ForTokenClassification", id2label=labels, num_labels=3)
    model = read_checkpoint(tmp_path)
    assert (model.config.token_labels, model.config.text_labels) == (("O", "person", "place"), ())
    trace = model.trace(TEXT)
    with torch.inference_mode():
        expected = whole(torch.tensor([[token.id for token in trace.tokens]])).logits[0]
    torch.testing.assert_close(trace["token_logits"], expected, atol=1e-4, rtol=1e-4)
