"""A training that is watched: its loss and its heads, in a small part of its time."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from transformers import GPT2Config, GPT2LMHeadModel

from model import GlassformerError, adopt
from tests.conftest import loaded
from views.by_page import training, watch
from views.by_page.watch import Watch
from views.head_tiles import tiles_of

SENTENCES = ["the dog sees the cat", "the boy"]


class Clock:
    """The time in seconds, which goes on by `tick` with each look at it."""

    def __init__(self, tick: float) -> None:
        self.now, self.tick = 0.0, tick

    def perf_counter(self) -> float:
        self.now += self.tick
        return self.now


@pytest.fixture
def network() -> Any:
    torch.manual_seed(0)
    size = {"n_layer": 2, "n_head": 2, "n_embd": 16, "vocab_size": 1127, "bos_token_id": 0, "eos_token_id": 0}
    return GPT2LMHeadModel(GPT2Config(**size))


@pytest.fixture
def watched(network: Any) -> Watch:
    return training.Watch(adopt(network, loaded("tiny-lm").tokenizer), SENTENCES, every=10)


def test_it_looks_once_in_so_many_steps_and_sees_the_weights_of_then(
    watched: Watch, network: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "time", Clock(0.0))
    seen: list[int] = []
    watched.observe(lambda change: seen.append(change.new), "seen")
    before = watched.view()
    assert before.loss.caption() == "Before the first step."
    with torch.no_grad():
        network.transformer.h[0].attn.c_attn.weight.mul_(8)
    for step in range(25):
        watched.step(torch.tensor(5.0 - step / 10, requires_grad=True))
    assert seen == [10, 20]
    after = watched.view()
    assert after.loss.losses[0] == 5.0
    assert len(after.loss.losses) == 20
    of_layer = "decoder", "self_attn"
    assert tiles_of(after.heads.head.run, *of_layer) != tiles_of(before.heads.head.run, *of_layer)
    watched.sentence = 1
    assert len(watched.view().heads.head.queries) == 3


def test_looks_that_would_take_more_than_their_share_wait(watched: Watch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "time", Clock(1.0))  # a step takes a second, and so does a look
    seen: list[int] = []
    watched.observe(lambda change: seen.append(change.new), "seen")
    for _ in range(300):
        watched.step(1.0)
    assert seen == [10, 99, 147, 195, 243, 291], "the first look is free, since its cost is not known"


def test_its_picture_has_the_curve_and_the_heads(watched: Watch) -> None:
    bundle = watched._repr_mimebundle_()
    assert "heads_atlas" in bundle["text/html"]
    assert 'data-key="heads atlas"' in bundle["text/html"].replace("&quot;", '"')
    assert bundle["image/png"]


@pytest.mark.parametrize("sentences", [[], "the dog"])
def test_it_needs_a_list_of_sentences(network: Any, sentences: Any) -> None:
    with pytest.raises(GlassformerError, match="list of sentences"):
        Watch(adopt(network, loaded("tiny-lm").tokenizer), sentences)


def test_a_sentence_that_is_not_there_is_told(watched: Watch) -> None:
    watched.sentence = 2
    with pytest.raises(GlassformerError, match="There is no sentence 2: there are 2, from 0"):
        watched.view()
