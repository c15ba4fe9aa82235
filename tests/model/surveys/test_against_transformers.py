"""A reading is what the attentions of `transformers` give, text by text: measures, places, pairs and distances."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import torch

from model import Model, survey
from model.loading import read_checkpoint
from model.texts.collection import Collection
from model.texts.own import own_texts
from tests.model.surveys.by_hand import Matrices, check_measures, check_places, check_sums
from tests.model.zoo import reference, tiny_families

MANY = own_texts().texts


def check(model: Model, theirs: Any, attention: str, texts: Collection, heads: Sequence[tuple[int, int]]) -> None:
    reading = survey(model, texts, keep=False)
    assert reading.is_whole
    found = []
    for number in reading.read.nonzero()[0].tolist():
        ids = tuple(token.id for token in model.tokens_of(texts.texts[number].content))
        attentions = reference.outputs(theirs, torch.tensor(ids)).attentions
        found.append(Matrices(number, torch.cat(attentions), ids, ids))
    check_measures(reading, attention, found)
    for layer, head in heads:
        check_places(reading, attention, found, layer, head)
        check_sums(reading, attention, found, layer, head)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["llama", "mistral, window"])
def test_of_fifty_texts_and_a_decoder(name: str, tmp_path: Path) -> None:
    theirs = tiny_families.make(name, tmp_path)
    short = [text for text in MANY if len(text.content) < 60][::5][:50]
    assert len(short) == 50
    check(read_checkpoint(tmp_path), theirs, "decoder.self_attn", Collection("fifty", tuple(short)), [(0, 0), (2, 3)])


@pytest.mark.slow
def test_of_an_encoder(minilm: Model) -> None:
    texts = Collection("ten", MANY[::110])
    check(minilm, reference.minilm(minilm.card), "encoder.self_attn", texts, [(0, 0), (5, 11)])


@pytest.mark.slow
def test_of_smollm2(smollm2: Model) -> None:
    texts = Collection("five", MANY[::250])
    check(smollm2, reference.smollm2(smollm2.card), "decoder.self_attn", texts, [(9, 2), (14, 3)])
