"""Sentence vectors, against mean pooling over the output of `transformers` on the same weights."""

import pytest
import torch

from model import Model
from model.analysis.head_steps import final_name
from model.vectors.cosines import cosine_table
from model.vectors.sentences import sentence_vector
from tests.model.zoo import reference

PAIRS = (
    ("I swam across the river to get to the other bank", "George drove to the bank"),
    ("The Transformer model is cool", "The weather is cool"),
    ("AJ's dog is a cutie", "AJ looks like a dog"),
)


def vector(model: Model, text: str) -> torch.Tensor:
    name = final_name(model.config, "encoder")
    return sentence_vector(model.trace(text, keep=name)[name])


@pytest.mark.slow
def test_similarity_is_that_of_the_reference(minilm: Model) -> None:
    theirs = reference.minilm(minilm.card)
    for pair in PAIRS:
        ids = [torch.tensor([token.id for token in minilm.tokens_of(text)]) for text in pair]
        means = [reference.outputs(theirs, each).last_hidden_state[0].mean(0) for each in ids]
        expected = torch.cosine_similarity(*means, dim=0)
        ours = cosine_table(torch.stack([vector(minilm, text) for text in pair]))[0, 1]
        assert float(ours) == pytest.approx(float(expected), abs=1e-5)


def test_a_sentence_vector_has_length_one() -> None:
    made = sentence_vector(torch.tensor([[3.0, 0.0], [3.0, 8.0]]))
    assert made.tolist() == pytest.approx([0.6, 0.8])  # the mean is (3, 4)
