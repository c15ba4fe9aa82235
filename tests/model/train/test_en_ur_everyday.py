"""en-ur-everyday: the shipped translator against its task and against what its card says."""

from __future__ import annotations

import json

import pytest
import torch

from model import Model, load
from model.train.en_ur import EnglishUrdu
from model.train.registry import make_task

NAME = "en-ur-everyday"


@pytest.fixture(scope="module")
def task() -> EnglishUrdu:
    return make_task(NAME)


@pytest.fixture(scope="module")
def shipped() -> Model:
    return load(NAME)


def test_the_shipped_tokenizer_and_shape_are_those_of_the_task(task, shipped):
    assert json.loads(shipped.tokenizer.backend.to_str()) == json.loads(task.tokenizer.to_str())
    assert shipped.config == task.config


@pytest.mark.slow
@torch.no_grad()
def test_shipped_weights_do_on_a_sample_what_the_card_says(task, shipped):
    told = shipped.card.details["metrics"]
    assert told["alignment"] >= 0.9
    found = task.evaluate(shipped.network, 200)
    assert found["exact_match"] == pytest.approx(told["exact_match"], abs=0.05)
    assert found["chrf"] == pytest.approx(told["chrf"], abs=1.5)
    assert found["alignment"] == pytest.approx(told["alignment"], abs=0.03)
    assert found["loss"] == pytest.approx(told["loss"], abs=0.03)


def test_it_gets_more_everyday_sentences_right_than_the_translator_of_the_small_world(shipped):
    own, other = (model.card.details["everyday"]["right"] for model in (shipped, load("en-ur")))
    assert own > 2 * other


@pytest.mark.slow
def test_an_unseen_name_is_spelled_and_an_unknown_word_does_not_stop_it(shipped):
    for text in ("Kashmala is my sister.", "The zorblax is here.", "کتاب robot 漢字 x=1;"):
        tokens = shipped.target_tokens(shipped.tokens_of(text), None)
        assert shipped.tokenizer.decode([token.id for token in tokens]).isprintable()
