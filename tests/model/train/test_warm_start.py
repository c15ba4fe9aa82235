"""A warm start: the weights come over, a token keeps its row in another vocabulary, and what does not fit is named."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from tokenizers import Tokenizer, models

from model.network.transformer import Transformer
from model.train.errors import CheckpointError
from model.train.loop import Run, train
from model.train.publish import publish
from model.train.warm_start import start_from
from model.zoo import bundled


@pytest.fixture
def trained(make_task, tmp_path):
    """The folder of a trained model."""
    task, run = make_task(), Run(tmp_path / "work", quiet=True)
    publish(task, run, *train(task, run), tmp_path / "first")
    return tmp_path / "first"


@pytest.mark.slow
def test_a_run_begins_with_the_weights_of_the_model(make_task, trained, tmp_path):
    begun = Run(tmp_path / "second", start=trained, quiet=True)
    task = make_task(steps=40, dropout=0.0)
    network, progress = train(task, begun)
    _, cold = train(make_task(steps=40, dropout=0.0), replace(begun, folder=tmp_path / "third", start=None))
    assert progress.curve[0][1] < cold.curve[0][1]
    card = publish(task, begun, network, progress, tmp_path / "published")
    assert card["training"]["started_from"]["steps"] == 12
    assert card["training"]["steps"] == 40


def test_a_token_keeps_its_row_in_another_vocabulary(make_task, trained):
    task = make_task()
    letters = "k_zhgfedcba"  # z is new; i and j are gone
    task.tokenizer = Tokenizer(models.WordLevel({letter: row for row, letter in enumerate(letters)}, "_"))
    task.config = replace(task.config, vocab_size=len(letters))
    network = Transformer(task.config)
    name = next(name for name, _ in network.named_parameters() if name.endswith("embed.tokens.weight"))
    before = network.get_parameter(name).detach().clone()
    start_from(trained, task, network)
    weights = bundled.read_weights(trained / "model.safetensors")
    old_rows = {letter: row for row, letter in enumerate("_abcdefghijk")}
    for row, letter in enumerate(letters):
        expected = before[row] if letter == "z" else weights[name][old_rows[letter]]
        assert torch.equal(network.get_parameter(name)[row], expected)
    others = {other: tensor for other, tensor in network.named_parameters() if other != name}
    assert others
    for other, tensor in others.items():
        assert torch.equal(tensor, weights[other])


def test_a_model_of_another_shape_is_refused_before_anything_changes(make_task, trained):
    task = make_task()
    task.config = replace(task.config, d_ff=64)
    network = Transformer(task.config)
    before = {name: tensor.detach().clone() for name, tensor in network.named_parameters()}
    with pytest.raises(CheckpointError, match=r"feed_forward|ffn"):
        start_from(trained, task, network)
    assert all(torch.equal(tensor, before[name]) for name, tensor in network.named_parameters())
