"""The models in `assets/models/` are what their cards say: a sample of the measures, recomputed from the weights."""

from __future__ import annotations

import json
import time

import pytest
import torch

from corpora.words import EXAMPLE_SENTENCES
from corpora.world import SKILL_NAMES, held_out_probes
from model import available, load
from model.errors import DamagedWeights, UnknownModel
from model.network.kv_cache import KVCache
from model.train.loop import measure
from model.train.registry import make_task
from model.train.tiny_lm import POSITIONS, PROBES_OF_EACH_SKILL, TinyLM
from model.zoo import cards
from model.zoo.cards import ASSETS

LANGUAGE_MODELS = list(POSITIONS)
TINY = [*LANGUAGE_MODELS, "tiny-encoder"]
BAR = 0.95


def card_of(name):
    return json.loads((ASSETS / name / "card.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def network_of():
    loaded = {}

    def get(name):
        if name not in loaded:
            loaded[name] = load(name).network
        return loaded[name]

    return get


@pytest.mark.parametrize("name", TINY)
def test_the_tokenizer_and_shape_are_those_of_the_task(name):
    task, model = make_task(name), load(name)
    assert model.config == task.config
    assert model.tokenizer.backend.to_str() == task.tokenizer.to_str()


@pytest.mark.parametrize("skill", SKILL_NAMES)
def test_each_skill_of_tiny_lm_reaches_its_bar_on_a_held_out_sample(skill, network_of):
    task = TinyLM("tiny-lm")
    measured = task.accuracy(network_of("tiny-lm"), held_out_probes(skill, 200))
    assert measured >= BAR
    assert card_of("tiny-lm")["metrics"][skill] >= BAR
    assert measured == pytest.approx(card_of("tiny-lm")["metrics"][skill], abs=0.04)


@pytest.mark.slow
@pytest.mark.parametrize("name", LANGUAGE_MODELS)
def test_the_losses_in_the_card_are_recomputed_from_the_weights(name, network_of):
    metrics = card_of(name)["metrics"]
    with torch.no_grad():
        near, far = TinyLM(name).losses(network_of(name), rows=PROBES_OF_EACH_SKILL // 10)
    assert near == pytest.approx(metrics["loss"], abs=2e-4)
    assert far == pytest.approx(metrics["loss_beyond"], abs=2e-4)


def test_the_encoder_reaches_its_bar_on_a_held_out_sample(network_of):
    sample = measure(make_task("tiny-encoder"), network_of("tiny-encoder"), 300)
    metrics = card_of("tiny-encoder")["metrics"]
    assert set(sample) == set(metrics)
    for name, value in sample.items():
        assert value >= 0.98
        assert metrics[name] >= 0.98


@pytest.mark.parametrize("word", ["I", "you", "he", "she", "it", "we", "they"])
def test_the_encoder_knows_every_pronoun_as_one_token(word):
    model = load("tiny-encoder")
    be = {"I": "am", "he": "is", "she": "is", "it": "is"}.get(word, "are")
    for first in {word, word.capitalize()}:
        trace = model.trace(f"{first} {be} happy", keep="token_logits")
        assert [token.text for token in trace.tokens[1:]] == [first, f" {be}", " happy"]
        found = [model.config.token_labels[best] for best in trace["token_logits"].argmax(-1).tolist()[1:]]
        assert found == ["pronoun", "verb", "adjective"], first


@pytest.mark.parametrize("name", LANGUAGE_MODELS)
def test_teacher_forced_logits_equal_step_by_step_logits(name, network_of):
    network, ids = network_of(name), torch.tensor(make_task(name).tokenizer.encode(EXAMPLE_SENTENCES[1]).ids)
    with torch.no_grad():
        at_once = network(ids)  # (tokens, vocabulary)
        cache = KVCache()
        steps = [network.logits(network.decode(ids[t : t + 1], cache=cache))[0] for t in range(len(ids))]
    torch.testing.assert_close(torch.stack(steps), at_once, atol=2e-4, rtol=1e-4)


@pytest.mark.parametrize("name", LANGUAGE_MODELS)
def test_every_card_compares_all_variants(name):
    table = card_of(name)["comparison"]
    assert set(table) == set(POSITIONS)
    for variant, metrics in table.items():
        assert metrics == card_of(variant)["metrics"]


@pytest.mark.parametrize("name", TINY)
def test_every_measure_is_explained(name):
    card = card_of(name)
    assert set(card["metrics"]) == set(card["measures"])
    for part in ("data", "limits", "licence", "source", "about"):
        assert len(card[part]) > 2


def test_heads_do_visible_work_for_at_least_three_skills():
    visible = card_of("tiny-lm")["ablation"]["visible"]
    assert len({entry["skill"] for entry in visible}) >= 3
    assert all(entry["whole"] - entry["without"] >= 0.1 for entry in visible)


def test_the_heaviest_head_of_the_card_is_as_heavy_when_measured_again(network_of):
    from model.edits.parts import ablate
    from model.tape import Tape

    report = card_of("tiny-lm")["ablation"]
    heaviest = report["visible"][0]
    probes = held_out_probes(heaviest["skill"], report["questions"])
    tape = Tape(edits=[ablate(f"decoder.{heaviest['layer']}.self_attn", heaviest["head"])])
    assert TinyLM("tiny-lm").accuracy(network_of("tiny-lm"), probes, tape) == pytest.approx(heaviest["without"])


def test_snapshots_show_the_training():
    card = card_of("tiny-lm")
    entries = card["snapshots"]
    assert 10 <= len(entries) <= 13
    assert entries[0]["step"] == 0
    assert entries[-1]["step"] == card["training"]["steps"]
    assert entries[-1]["metrics"]["loss"] < 0.5 * entries[0]["metrics"]["loss"]
    first, last = (load("tiny-lm", snapshot=k) for k in (0, len(entries) - 1))
    prompt = "The capital of France is"
    said = [model.tokenizer.token(int(model.trace(prompt).logits[-1].argmax())).text for model in (first, last)]
    assert said[0] != " Paris"
    assert said[1] == " Paris"


def test_the_last_snapshot_is_the_shipped_model():
    whole = load("tiny-lm").network.state_dict()
    last = load("tiny-lm", snapshot=len(card_of("tiny-lm")["snapshots"]) - 1).network.state_dict()
    assert all(torch.equal(tensor, last[name]) for name, tensor in whole.items())


@pytest.mark.parametrize("number", [-1, 99])
def test_a_snapshot_that_is_not_there_is_refused(number):
    with pytest.raises(UnknownModel, match="0 to"):
        load("tiny-lm", snapshot=number)
    with pytest.raises(UnknownModel, match="none"):
        load("tiny-lm-none", snapshot=0)


def test_a_damaged_model_is_refused(tmp_path, monkeypatch):
    folder = tmp_path / "tiny-lm"
    folder.mkdir()
    for path in (ASSETS / "tiny-lm").iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(cards, "ASSETS", tmp_path)
    weights = folder / "model.safetensors"
    data = bytearray(weights.read_bytes())
    data[-1] ^= 1
    weights.write_bytes(bytes(data))
    with pytest.raises(DamagedWeights, match="SHA-256"):
        load("tiny-lm")


def test_all_assets_together_are_small():
    assert sum(path.stat().st_size for path in ASSETS.parent.rglob("*") if path.is_file()) < 90e6


def test_a_bundled_model_loads_in_a_moment():
    load("tiny-lm")  # the first call checks the file and imports what it needs
    started = time.process_time()
    load("tiny-lm")
    assert time.process_time() - started < 5


def test_bundled_models_are_available():
    names = {card.name for card in available()}
    assert names.issuperset(TINY)
