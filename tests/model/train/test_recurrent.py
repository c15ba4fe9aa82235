"""The recurrent tasks: the data of the transformers beside them, their loss, and the models they made."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
import torch

from corpora.en_ur import Example, held_out_by_length
from model import available, load
from model.recurrent.networks import Seq2Seq
from model.train import en_ur
from model.train.en_ur import EnglishUrdu
from model.train.loop import Run, measure, train
from model.train.registry import make_task
from model.train.task import token_loss
from model.zoo.card_values import RECURRENT_KIND
from model.zoo.cards import ASSETS

TRANSLATORS = ("en-ur-seq2seq", "en-ur-bahdanau")
LANGUAGE = ("tiny-lm-rnn", "tiny-lm-lstm")


@pytest.fixture
def small_pools(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer batches of sentence pairs are made together."""
    monkeypatch.setattr(en_ur, "POOL_BATCHES", 4)


def card_of(name: str) -> dict:
    return json.loads((ASSETS / name / "card.json").read_text(encoding="utf-8"))


@pytest.mark.usefixtures("small_pools")
@pytest.mark.parametrize(("name", "other"), [*((n, "en-ur") for n in TRANSLATORS), *((n, "tiny-lm") for n in LANGUAGE)])
def test_the_data_are_those_of_the_transformer(name: str, other: str) -> None:
    one, two = make_task(name).batch(0, 3), make_task(other).batch(0, 3)
    assert torch.equal(one.inputs, two.inputs)
    assert torch.equal(one.labels, two.labels)


@pytest.mark.slow
@pytest.mark.usefixtures("small_pools")
@pytest.mark.parametrize("name", [*TRANSLATORS, *LANGUAGE])
def test_a_few_steps_lower_the_loss_and_need_no_alignment(name: str, tmp_path) -> None:
    task = make_task(name)
    task.recipe = replace(task.recipe, steps=8, warmup=2, learning_rate=5e-3, snapshots=0)
    task.config = replace(task.config, width=32, d_embed=32)
    network, progress = train(task, Run(tmp_path, quiet=True))
    losses = [loss for _, loss in progress.curve]
    assert losses[-1] < 0.97 * losses[0]
    batch = task.batch(0, 0)
    with torch.no_grad():
        assert torch.equal(task.loss(network, batch)[0], token_loss(task.logits(network, batch), batch.labels)[0])


@pytest.mark.parametrize("name", [*TRANSLATORS, *LANGUAGE])
def test_load_opens_it_but_no_list_of_transformers_has_it(name: str) -> None:
    model, task = load(name), make_task(name)
    assert model.config == task.config
    assert model.card.kind == RECURRENT_KIND
    assert model.tokenizer.backend.to_str() == task.tokenizer.to_str()
    assert name not in [card.name for card in available()]
    assert name in [card.name for card in available(RECURRENT_KIND)]
    assert card_of(name)["parameters"] == sum(parameter.numel() for parameter in model.network.parameters())


@pytest.mark.slow
@pytest.mark.parametrize(("name", "bar"), [("en-ur-seq2seq", 0.8), ("en-ur-bahdanau", 0.95)])
def test_the_translators_measures_on_a_sample(name: str, bar: float) -> None:
    found, stored = measure(make_task(name), load(name).network, 200), card_of(name)["metrics"]
    assert set(found) == set(stored)
    assert found["exact_match"] >= bar
    for key, value in found.items():
        assert value == pytest.approx(stored[key], abs=0.06), key


@pytest.fixture(scope="module")
def by_length() -> dict[int, list[Example]]:
    return held_out_by_length(20, draws=20_000)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["en-ur", *TRANSLATORS])
def test_exact_match_by_length_on_a_sample(name: str, by_length: dict[int, list[Example]]) -> None:
    """A fifth of the sentences of three lengths: within four standard errors of what the card has for all."""
    task, network = make_task(name), load(name).network
    assert isinstance(task, EnglishUrdu)
    stored = {row["words"]: row for row in card_of(name)["by_length"]}
    for words, part in by_length.items():
        if words in (4, 8, 12):
            share = task.share_right(network, part)
            expected = stored[words]["exact_match"]
            assert abs(share - expected) <= 4 * (max(expected * (1 - expected), 0.02) / len(part)) ** 0.5, words


def test_without_attention_long_sentences_are_lost_and_with_it_they_are_not() -> None:
    shares = {name: {row["words"]: row["exact_match"] for row in card_of(name)["by_length"]} for name in TRANSLATORS}
    assert min(shares["en-ur-seq2seq"][words] for words in (3, 4, 5)) >= 0.95
    assert max(shares["en-ur-seq2seq"][words] for words in (14, 15, 16)) <= 0.5
    assert min(shares["en-ur-bahdanau"][words] for words in (14, 15, 16)) >= 0.9


@pytest.mark.slow
def test_sentences_by_length_are_held_out_and_have_that_length() -> None:
    found = held_out_by_length(12, draws=4000)
    assert len(found) >= 4
    for words, part in found.items():
        assert 10 <= len(part) <= 12
        assert {len(each.english) for each in part} == {words}
        assert len({each.source_text.lower() for each in part}) == len(part)


@pytest.mark.parametrize("name", TRANSLATORS)
def test_batched_translations_are_those_of_one_sentence(name: str) -> None:
    task, model = make_task(name), load(name)
    assert isinstance(task, EnglishUrdu)
    assert isinstance(model.network, Seq2Seq)
    texts = ["I am a robot", "The quick brown fox jumps over the lazy dog"]
    alone = [model.output_tokenizer.decode(list(model.translate_ids(model.tokens_of(text)))) for text in texts]
    sources = [task.ids(text) for text in texts]
    longest = max(map(len, sources))
    batch = torch.tensor([row + [task.pad_id] * (longest - len(row)) for row in sources])
    assert task.translate(model.network, batch) == alone
