"""en-ur: its batches, its loss, and the shipped translator against what its card says."""

from __future__ import annotations

import json
import math

import pytest
import torch

from corpora.en_ur import hand_made_examples, held_out_examples
from model import load
from model.network.kv_cache import KVCache
from model.network.transformer import Transformer
from model.tape import Tape
from model.tokens.word_vocabulary import is_byte, unknown_words
from model.train.en_ur import GUIDED_LAYER, GUIDED_WEIGHT, AlignmentCounts, EnglishUrdu
from model.train.task import IGNORE, token_loss
from model.zoo import cards


@pytest.fixture(scope="module")
def task():
    return EnglishUrdu()


@pytest.fixture(scope="module")
def batch(task):
    return task.encode_batch(held_out_examples(40))


@pytest.fixture(scope="module")
def fresh(task):
    torch.manual_seed(0)
    return Transformer(task.config).eval()


@pytest.fixture(scope="module")
def shipped():
    return load("en-ur")


def test_every_word_is_one_token(task):
    for example in [*held_out_examples(100), *hand_made_examples()]:
        assert len(task.ids(example.source_text)) == len(example.english), example.source_text
        assert len(task.ids(example.target_text)) == len(example.urdu), example.target_text
        assert task.tokenizer.decode(task.ids(example.target_text)) == example.target_text
        pieces = task.tokenizer.encode(example.source_text + " " + example.target_text).tokens
        assert not any(map(is_byte, pieces))


def test_the_decoder_reads_its_target_shifted_right(task, batch):
    """Shamsi (2024), section 2.4: position j of the input is position j - 1 of the target."""
    assert (batch.targets[:, 0] == task.start).all()
    for read, asked in zip(batch.targets.tolist(), batch.labels.tolist(), strict=True):
        length = len([label for label in asked if label != IGNORE])
        assert asked[length - 1] == task.end
        assert read[1:length] == asked[: length - 1]
        assert set(read[length:]) <= {task.pad_id}


def test_alignment_is_a_distribution_over_true_source_words(task, batch):
    alignment = batch.extras["alignment"]
    total = alignment.sum(-1)
    assert ((total - 1).abs().lt(1e-6) | total.eq(0)).all()
    real = batch.inputs != task.pad_id
    assert alignment.masked_select(~real[:, None].expand_as(alignment)).eq(0).all()
    assert total[batch.extras["content"]].sub(1).abs().max() < 1e-6


@pytest.mark.slow
def test_batches_depend_on_seed_and_step_alone(task):
    first = task.batch(0, 17)
    task.batch(1, 3)
    again = EnglishUrdu().batch(0, 17)
    assert torch.equal(first.inputs, again.inputs)
    assert torch.equal(first.labels, again.labels)
    assert not torch.equal(task.batch(1, 17).inputs[:, :3], first.inputs[:, :3])


def test_the_loss_adds_guided_alignment_to_cross_entropy(task, batch, fresh):
    with torch.no_grad():
        total, count = task.loss(fresh, batch)
        name = f"decoder.{GUIDED_LAYER}.cross_attn.weights"
        tape = Tape(keep=name)
        logits = fresh(batch.targets, batch.inputs, tape, source_is_real=batch.inputs != task.pad_id)
        words, labels = token_loss(logits, batch.labels)
    attention = tape.records[name].mean(1)
    expected = sum(
        -float(share) * math.log(float(attention[row, place, source]))
        for row, place, source in batch.extras["alignment"].nonzero().tolist()
        for share in [batch.extras["alignment"][row, place, source]]
    )
    assert count == labels == int((batch.labels != IGNORE).sum())
    assert float(total) == pytest.approx(float(words) + GUIDED_WEIGHT * expected, rel=1e-4)


@pytest.mark.slow
def test_a_few_steps_lower_the_loss(task, batch):
    torch.manual_seed(0)
    network = Transformer(task.config)
    optimizer = torch.optim.AdamW(network.parameters(), lr=2e-3)
    losses = []
    for _ in range(6):
        total, count = task.loss(network, batch)
        optimizer.zero_grad()
        (total / count).backward()
        optimizer.step()
        losses.append(float(total.detach()) / count)
    assert losses[-1] < 0.8 * losses[0]


def test_alignment_is_counted_by_hand(task, batch):
    """Attention that is the true alignment scores 1; attention that looks at one wrong place scores 0."""
    alignment = batch.extras["alignment"]
    heads = task.config.n_heads
    right = alignment[:, None].expand(-1, heads, -1, -1)
    wrong = torch.zeros_like(right)
    wrong[..., -1] = 1  # padding, or the mark at the end
    records = {f"decoder.{layer}.cross_attn.weights": right if layer == 1 else wrong for layer in range(3)}
    counted = AlignmentCounts(task.config)
    counted.count(records, batch)
    assert counted.by_layer()[1] == 1
    assert counted.by_layer()[0] < 0.2
    assert counted.by_head()[1] == [1] * heads


@torch.no_grad()
def test_teacher_forced_logits_equal_step_by_step_logits(shipped):
    network, tokenizer = shipped.network, shipped.tokenizer
    source = torch.tensor([token.id for token in tokenizer.encode("The girls read two books.")])
    target = torch.tensor([tokenizer.start, *(token.id for token in tokenizer.encode("لڑکیوں نے دو کتابیں پڑھیں۔"))])
    at_once = network(target, source)  # (tokens, vocabulary)
    memory, cache = network.encode(source), KVCache()
    steps = [network.logits(network.decode(id[None], memory, cache=cache)) for id in target]
    assert torch.allclose(at_once, torch.cat(steps), atol=1e-4)


@pytest.mark.slow
@torch.no_grad()
def test_translating_many_sentences_at_once_is_translating_each(task, shipped):
    examples = held_out_examples(12)
    together = task.translate(shipped.network, task.encode_batch(examples).inputs)
    assert together == [task.translate(shipped.network, task.encode_batch([one]).inputs)[0] for one in examples]


def test_the_shipped_tokenizer_is_that_of_the_corpus(task, shipped):
    assert shipped.tokenizer.backend.get_vocab() == task.tokenizer.get_vocab()
    assert shipped.config == task.config


@pytest.mark.slow
@torch.no_grad()
def test_shipped_weights_reach_the_bar_on_a_sample_and_the_card_says_so(task, shipped):
    told = shipped.card.details["metrics"]
    assert told["exact_match"] >= 0.97
    assert told["chrf"] >= 99
    assert told["alignment"] >= 0.9
    found = task.evaluate(shipped.network, 150)
    assert found["exact_match"] == pytest.approx(told["exact_match"], abs=0.03)
    assert found["chrf"] == pytest.approx(told["chrf"], abs=1)
    assert found["alignment"] == pytest.approx(told["alignment"], abs=0.03)
    assert found["loss"] == pytest.approx(told["loss"], abs=0.03)


@pytest.mark.parametrize("example", hand_made_examples(), ids=lambda example: example.source_text)
def test_sentences_of_the_specification_and_of_daily_life(shipped, example):
    tokens = shipped.target_tokens(shipped.tokens_of(example.source_text), None)
    assert shipped.tokenizer.decode([token.id for token in tokens]) == example.target_text


def test_words_that_it_does_not_know_are_named(shipped):
    assert unknown_words(shipped.tokenizer, "I am a robot") == ()
    (unknown,) = unknown_words(shipped.tokenizer, "I am a robott")
    assert unknown.word == "robott"
    assert unknown.suggestions[0] == "robot"


def test_snapshots_show_the_learning_and_stay_small(shipped):
    snapshots = shipped.card.details["snapshots"]
    assert len(snapshots) >= 11
    steps = [entry["step"] for entry in snapshots]
    assert steps == sorted(set(steps))
    assert steps[0] == 0
    assert snapshots[0]["metrics"]["exact_match"] == 0
    assert snapshots[-1]["metrics"]["exact_match"] > 0.9
    folder = cards.ASSETS / "en-ur"
    assert sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) < 32e6
    assert json.loads((folder / "card.json").read_text(encoding="utf-8"))["training"]["steps"] == steps[-1]


def test_a_snapshot_loads_and_knows_less(shipped):
    early = load("en-ur", snapshot=0)
    text = "The girls read two books."
    assert early.config == shipped.config
    assert not torch.equal(early.trace(text, target="لڑکیوں").logits, shipped.trace(text, target="لڑکیوں").logits)


@pytest.mark.parametrize("name", ["en-ur", "en-ur-bahdanau", "en-ur-seq2seq"])
def test_the_published_tokenizer_is_the_one_of_the_code(name: str) -> None:
    """A change of the tokenizer's rules reaches the models that are shipped."""
    assert json.loads(load(name).tokenizer.backend.to_str()) == json.loads(EnglishUrdu().tokenizer.to_str())
