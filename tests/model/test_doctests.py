"""The examples in the docstrings of the public names run as they stand."""

from __future__ import annotations

import doctest
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch

import glassformer
from model import Model, load
from model.adopted import release
from model.zoo import cards
from tests.model.adding.conftest import empty_machine, hub, hub_of_session
from tests.model.adding.hub_server import HubServer, repository_of
from tests.model.zoo import tiny_families

__all__ = ["empty_machine", "hub", "hub_of_session"]  # fixtures
NAMES = [name for name in glassformer.__all__ if name != "views"]
METHODS = ["trace", "trace_batch"]
OF_THE_HUB = ["add", "load"]  # their examples fetch a model


@pytest.fixture(autouse=True)
def in_memory() -> Iterator[None]:
    """What an example adopts is gone after it."""
    yield
    for name in [*cards.IN_MEMORY]:
        release(load(name))


@pytest.fixture
def hub_with_gpt2(hub: HubServer, tmp_path: Path) -> None:
    """The hub has a tiny GPT-2 under its name, and this machine has added nothing."""
    folder = tmp_path / "gpt2"
    folder.mkdir()
    tiny_families.make("gpt2", folder)
    hub.repositories["openai-community/gpt2"] = repository_of(folder)


def check(named: object, name: str) -> None:
    """Runs the examples of one docstring, and shows what differs."""
    docstring = named.__doc__ or ""
    assert "from glassformer import" in docstring, f"{name} has no example that begins as a reader does"
    with torch.random.fork_rng(devices=()):
        found = doctest.DocTestParser().get_doctest(docstring, {}, name, None, None)
        told: list[str] = []
        failed = doctest.DocTestRunner(verbose=False).run(found, out=told.append).failed
    assert not failed, "".join(told)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in OF_THE_HUB])
def test_the_example_of_a_public_name_runs(name: str) -> None:
    check(getattr(glassformer, name), name)


@pytest.mark.slow
@pytest.mark.parametrize("name", OF_THE_HUB)
def test_so_does_that_of_a_name_that_fetches_a_model(name: str, hub_with_gpt2: None) -> None:
    check(getattr(glassformer, name), name)


@pytest.mark.parametrize("name", METHODS)
def test_so_does_that_of_a_method(name: str) -> None:
    check(getattr(Model, name), name)
