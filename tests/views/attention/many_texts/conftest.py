"""One head of the tiny model, and its reading of a few texts."""

from __future__ import annotations

import pytest

from model import load, survey
from model.analysis.head_steps import Attention
from model.surveys.reading import Reading
from model.texts.collection import Collection
from views.attention.many_texts.texts import built_in
from views.head_of_run import HeadOfRun, keep
from views.run import make_run


@pytest.fixture(scope="package")
def few_texts() -> Reading:
    whole = built_in("small world", "bank, repetition")
    return survey(load("tiny-lm"), Collection(whole.name, whole.texts[::8]), keep=False)


@pytest.fixture(scope="package")
def one_head() -> HeadOfRun:
    run = make_run(load("tiny-lm"), "the dog sees the cat", keep)
    return HeadOfRun(run, Attention("decoder", 1, "self_attn"), 2)
