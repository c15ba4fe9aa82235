"""What the words of Heads say of heads of SmolLM2, on every fortieth of the project's own texts."""

from __future__ import annotations

import pytest

from model import Model, survey
from model.surveys.rules import Previous, SameEarlier
from model.texts.collection import Collection
from model.texts.own import own_texts


@pytest.mark.slow
def test_the_head_of_the_fox_looks_at_earlier_selves_and_is_not_explained_by_that(smollm2: Model) -> None:
    """On all 1,118 texts: 12% of layer 9, head 2, and the largest weight in 57%; 38% and 80% of layer 14, head 3."""
    texts = Collection("sample", own_texts().texts[::40])
    reading = survey(smollm2, texts, rules=[SameEarlier(), Previous()], keep=False)
    fox, best = reading.score(SameEarlier(), 9, 2), reading.ranked(SameEarlier())[0]
    assert 0.45 < fox.hits < 0.7
    assert 3 * fox.chance_beyond < fox.share_beyond < 0.2
    assert (best.layer, best.head) == (14, 3)
    assert best.share_beyond > 2 * fox.share_beyond
    assert best.hits > 0.7
    before = reading.ranked(Previous())[0]
    assert (before.layer, before.head) == (16, 0)
    assert before.share_beyond > 0.8
