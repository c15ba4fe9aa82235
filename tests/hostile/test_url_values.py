"""Every key of the table with every kind of hostile value, on its page: nothing raises, and the state stays valid."""

from __future__ import annotations

import time

import pytest

from pages.catalogue import PAGES
from pages.shared.model_runs import traces
from pages.shared.session import key_texts
from pages.shared.session.keys import KEYS
from tests.hostile.url_values import MODEL_KEYS, VALUES, accepted_kinds, few_links, find_fault, keys_of, start

MAX_SECONDS = 40.0  # of the processor, for one link


@pytest.fixture(autouse=True)
def small_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """A link without a model is read by one that is quick."""
    monkeypatch.setattr(traces, "PREFERRED_MODELS", ("tiny-lm",))


@pytest.mark.slow
@pytest.mark.parametrize("page", [entry.url for entry in PAGES])
def test_hostile_values_reach_a_page_and_leave_it_valid(page: str) -> None:
    app = start(page)
    for link in few_links(page):
        began = time.process_time()
        assert not find_fault(app, link)
        assert time.process_time() - began < MAX_SECONDS, link


def test_each_value_that_a_key_takes_meets_its_page() -> None:
    met = {(name, kind) for entry in PAGES for link in few_links(entry.url) for name, kind in link.kinds.items()}
    pages = {name: entry.url for entry in PAGES for name in keys_of(entry.url)}
    assert set(pages) == set(KEYS)
    for name, page in pages.items():
        kinds = set(accepted_kinds(name, page))
        assert name in MODEL_KEYS or kinds <= {kind for key, kind in met if key == name}, name
    assert {kind for name, kind in met if name == "text"} == set(VALUES)


@pytest.mark.parametrize("kind", VALUES)
def test_every_key_takes_or_refuses_every_value_at_once(kind: str) -> None:
    began = time.process_time()
    for page in (entry.url for entry in PAGES):
        for name in keys_of(page):
            assert len(key_texts.find_fault(name, page, VALUES[kind])) < 300
    assert time.process_time() - began < 10
