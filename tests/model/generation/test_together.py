"""Translations that are written together are those of each sentence alone."""

from __future__ import annotations

import pytest
import torch

from model import Model, load
from model.generation import together
from model.generation.together import translate_together
from model.network.kv_cache import KVCache
from tests.model.networks import small_model

SENTENCES = (
    "I am here",
    "the cat sees the dog",
    "a robot",
    "where is the book",
    "the small boy gave the old man a cup of tea",
)


@pytest.fixture(scope="module")
def translator() -> Model:
    return load("en-ur")


def write(model: Model, most: int | None = None) -> list[list[int] | None]:
    writer, sources = model.output_tokenizer, [[token.id for token in model.tokens_of(text)] for text in SENTENCES]
    limit = model.config.max_length - 1 if most is None else most
    return translate_together(model.network, sources, writer.sequence_start, writer.ends, limit)


@pytest.mark.slow
def test_they_are_those_of_each_sentence_alone(translator: Model) -> None:
    found = write(translator)
    assert found == [list(translator.translate_ids(translator.tokens_of(text))) for text in SENTENCES]
    assert len({len(ids) for ids in found if ids}) > 2, "they end at different steps"


def test_they_end_at_the_limit(translator: Model) -> None:
    assert [ids[:2] for ids in write(translator) if ids] == write(translator, most=2)


def test_where_no_token_leads_for_sure_nothing_is_said(translator: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "CERTAIN_LEAD", 1e3)
    assert write(translator) == [None] * len(SENTENCES)


def test_scores_that_are_no_numbers_give_nothing() -> None:
    model = small_model("Marian")
    with torch.no_grad():
        model.network.output_bias[0] = torch.nan
    sources = [[1, 2], [3]]
    assert translate_together(model.network, sources, 0, (), 4) == [None, None]


def test_a_cache_keeps_the_rows_that_are_named() -> None:
    cache = KVCache()
    k, v = torch.arange(6.0).view(3, 1, 2, 1), torch.ones(3, 1, 2, 1)
    cache.extend("0.self_attn", k, v)
    cache.keep_rows([2, 0])
    found, _ = cache.extend("0.self_attn", k[:2, :, :0], v[:2, :, :0])
    assert found.flatten().tolist() == [4, 5, 0, 1]
