"""The real models, loaded once for each test process. Missing ones fail the test with the command that gets them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
import torch
from hypothesis import settings

from model import GlassformerError, Model, load

# The same examples in every run, and no example is judged by the time that it takes.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")


@cache
def loaded(name: str) -> Model:
    try:
        return load(name)
    except GlassformerError as error:
        pytest.fail(str(error), pytrace=False)


@pytest.fixture(scope="session")
def smollm2() -> Model:
    return loaded("smollm2-135m")


@pytest.fixture(scope="session")
def minilm() -> Model:
    return loaded("minilm-l6")


@pytest.fixture
def loads_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """`model.load` gives code that is run as a text, a snippet, the models of this process."""
    monkeypatch.setattr("model.load", loaded)


@pytest.fixture
def inference() -> Iterator[None]:
    """As the app runs its models: without gradients, by the quicker kernels."""
    with torch.inference_mode():
        yield
