"""The start and the end of an answer, which BERT's kin find in a passage, beside `transformers`."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from model import attribute
from model.analysis.answer_span import find_answer
from model.errors import ConfigError, DamagedWeights
from model.loading import read_checkpoint
from tests.model.networks import config
from tests.model.zoo import tiny_readers

# By name: values in which the shapes are odd.
SHAPES = {
    "bert of answers": {"hidden_size": 36, "num_attention_heads": 3, "intermediate_size": 20},
    "roberta of answers": {"hidden_size": 20, "num_attention_heads": 5},
    "distilbert of answers": {"dim": 24, "n_heads": 3},
    "electra of answers": {},
    "albert of answers": {},
}


@pytest.mark.parametrize("name", SHAPES)
def test_the_answer_is_that_of_transformers(name: str, tmp_path: Path) -> None:
    theirs = tiny_readers.make(name, tmp_path, **SHAPES[name])
    model = read_checkpoint(tmp_path)
    assert (model.config.token_labels, model.config.answer_tensor) == (("start", "end"), "token_logits")
    assert model.tokenizer.end is not None
    border = model.tokenizer.token(model.tokenizer.end).text
    trace = model.trace(f"I am {border} I am a robot")
    ids = torch.tensor([[token.id for token in trace.tokens]])  # start, 2 words, border, 4 words, end
    segments = {"token_type_ids": torch.tensor([[0] * 4 + [1] * 5])} if model.config.n_segments > 1 else {}
    with torch.inference_mode():
        found = theirs(ids, **segments)
    start, end = found.start_logits[0], found.end_logits[0]
    torch.testing.assert_close(trace["token_logits"], torch.stack([start, end], -1), atol=1e-4, rtol=1e-4)
    spans = [(i, j) for i in range(4, 8) for j in range(i, 8)]
    span = find_answer(model, trace)
    assert (span.start, span.end) == max(spans, key=lambda each: float(start[each[0]] + end[each[1]]))
    account = attribute(model, f"I am {border} I am a robot", token=1, position=span.end)
    assert account.value == pytest.approx(float(end[span.end]), abs=1e-4)
    assert account.difference < 1e-4


def test_labels_that_are_no_start_and_end_are_refused_by_name(tmp_path: Path) -> None:
    tiny_readers.make("bert of answers", tmp_path, num_labels=3)
    with pytest.raises(DamagedWeights, match=r"3 labels \(num_labels, id2label\).*where it starts and where it ends"):
        read_checkpoint(tmp_path)


@pytest.mark.parametrize("values", [{"label_scores": "softmax"}, {"token_labels": ("a", "b", "c")}])
def test_a_configuration_of_answers_has_two_numbers_for_each_token(values: dict) -> None:
    spans = {"token_labels": ("start", "end"), "answer_span": True, "label_scores": "none"}
    assert config("encoder", **spans).answers_places
    with pytest.raises(ConfigError, match="answer_span needs two token_labels"):
        config("encoder", **spans | values)
