"""A tiny checkpoint that reads 4,096 tokens. Its tensors are made on demand, as those of a larger model are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from model import Model, load
from model.zoo import cards
from pages.shared.model_runs import recorded_run
from tests.model.zoo import tiny_families
from tests.model.zoo.opened import card_of_files

NAME = "long"
COUNT = 1024


@contextmanager
def installed(folder: Path) -> Iterator[None]:
    """The app has the checkpoint in `folder`, and the bundled models."""
    for bundled in cards.ASSETS.iterdir():
        (folder / bundled.name).symlink_to(bundled)
    tiny_families.make("llama", folder / NAME, max_position_embeddings=4096)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cards, "ASSETS", folder)
        patch.setattr(cards, "REAL", (*cards.REAL, card_of_files(folder / NAME)))
        patch.setattr(recorded_run, "MAX_KEPT_BYTES", 1_000_000)
        yield


def model() -> Model:
    return load(NAME)


def text(count: int = COUNT) -> str:
    """A text of exactly so many tokens."""
    tokenizer = model().tokenizer
    ids = [token.id for token in tokenizer.encode("the dog sees the cat and the fox jumps over it " * 400)]
    found = tokenizer.decode(ids[:count])
    assert len(tokenizer.encode(found)) == count
    return found
