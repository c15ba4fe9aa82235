"""Tasks: shifting right, padding, and that every task's batches teach what they ask for."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from model.network.transformer import Transformer
from model.train.loop import Run, train
from model.train.registry import TASKS, make_task
from model.train.task import IGNORE, Batch, shift_right, token_loss
from model.train.tiny_encoder import TinyEncoder

# The others have their own files.
SMALL = [name for name, file in TASKS.items() if name.startswith("tiny") and not file.endswith("recurrent")]


def test_shift_right_is_that_of_the_specification():
    words = ["The", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog"]
    ids = list(range(10, 10 + len(words)))
    start, end = 1, 2
    decoder_input, target = shift_right(ids, start, end)
    assert decoder_input == [start, *ids]
    assert target == [*ids, end]
    assert decoder_input[1:] == target[:-1]


def test_token_loss_by_hand():
    logits = torch.tensor([[[0.0, 0.0], [0.0, 0.0], [9.0, 9.0]]])
    total, count = token_loss(logits, torch.tensor([[0, 1, IGNORE]]))
    assert count == 2
    assert float(total) == pytest.approx(2 * torch.log(torch.tensor(2.0)).item())


@pytest.mark.parametrize("name", SMALL)
def test_a_batch_is_a_function_of_seed_and_step(name):
    one, other = make_task(name), make_task(name)
    other.batch(0, 3)
    for first, second in ((one.batch(0, 5), other.batch(0, 5)),):
        assert torch.equal(first.inputs, second.inputs)
        assert torch.equal(first.labels, second.labels)
    assert not torch.equal(one.batch(0, 5).inputs, one.batch(0, 6).inputs)
    assert not torch.equal(one.batch(0, 5).inputs, one.batch(1, 5).inputs)


@pytest.mark.parametrize("name", [name for name in SMALL if name.startswith("tiny-lm")])
def test_each_label_of_a_language_model_is_the_next_input(name):
    batch = make_task(name).batch(0, 0)
    assert torch.equal(batch.labels[:, :-1], batch.inputs[:, 1:])


def test_variants_read_the_same_data():
    whole = make_task("tiny-lm")
    for name in whole.family:
        assert torch.equal(make_task(name).batch(0, 2).inputs, whole.batch(0, 2).inputs)
        assert make_task(name).recipe.steps == whole.recipe.steps


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_a_few_steps_lower_the_loss(name, tmp_path):
    task = make_task(name)
    task.recipe = replace(task.recipe, steps=8, warmup=2, snapshots=0)
    task.config = replace(task.config, d_model=64, d_ff=64, d_position=16 if task.config.d_position else 0)
    _, progress = train(task, Run(tmp_path, quiet=True))
    losses = [loss for _, loss in progress.curve]
    assert losses[-1] < 0.9 * losses[0]


def test_padding_changes_no_answer_of_the_encoder():
    task = TinyEncoder()
    network = Transformer(task.config).eval()
    batch = task.batch(0, 0)
    with torch.no_grad():
        text, tokens = task.classify(network, batch)
        length = int((batch.inputs[0] != task.pad_id).sum())
        alone = Batch(batch.inputs[:1, :length], batch.labels[:1, :length])
        text_alone, tokens_alone = task.classify(network, alone)
    assert length < batch.inputs.shape[1]
    torch.testing.assert_close(text[:1], text_alone, atol=1e-5, rtol=1e-4)
    torch.testing.assert_close(tokens[:1, :length], tokens_alone, atol=1e-5, rtol=1e-4)


def test_the_first_token_and_padding_have_no_part_of_speech():
    task = TinyEncoder()
    batch = task.batch(0, 0)
    assert (batch.inputs[:, 0] == task.first_id).all()
    assert (batch.labels[:, 0] == IGNORE).all()
    assert (batch.labels[batch.inputs == task.pad_id] == IGNORE).all()
    assert (batch.labels[:, 1:3] != IGNORE).all()
