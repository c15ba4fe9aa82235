"""The app on a GPU: every page, the line that tells the device, and what happens when its memory is full.

The GPU is `tests.model.standin`: what a page forgets to bring to the CPU is an error there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import streamlit as st
import torch
from streamlit.testing.v1 import AppTest

import model
from model import Model
from pages.catalogue import BY_URL
from pages.shared.elements.page import page_of
from pages.shared.model_runs import model_choice, model_turns, traces
from pages.shared.server.session_values import of_session
from pages.shared.session import view_apart
from pages.shared.session.key_texts import to_text
from tests.model import standin
from tests.model.devices import OTHER, lend, on_the_standin
from tests.pages.conftest import components, messages, run_page
from tests.pages.views import PART_VIEWS
from tests.pages.views import View as Link
from views.plain import plain_view

# What the parts of these pages show with other models.
MORE = {
    "positions": [{"model": "tiny-lm-learned", "positions_source": "model"}],
    "see": [{"see_model": "digits-vit", "see_part": part} for part in ("answer", "place")],
    "why": [
        {
            "model": "tiny-encoder",
            "text": "The food is not good",
            "why_text2": "The food is very good",
            "why_part": part,
        }
        for part in ("account", "tokens", "cause", "patching", "steer")
    ],
    "bench": [{"model": "tiny-encoder"}, {"model": "en-ur"}],
}
URLS = [*dict.fromkeys(link.page for link in PART_VIEWS), "practise"]


def links_of(url: str) -> list[Link]:
    """The views of a page, with a model that turns positions."""
    model = {"model": "en-ur" if url == "translate" else "tiny-lm-rotary", "text": "I am a robot"}
    links = [Link(url, model | link.state) for link in PART_VIEWS if link.page == url]
    return [*links, *(Link(url, model | state) for state in MORE.get(url, []))]


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A server on a GPU, that has opened nothing yet."""
    lend(monkeypatch)
    monkeypatch.setenv("GLASSFORMER_DEVICE", OTHER)
    _forget()
    yield monkeypatch
    _forget()


def _forget() -> None:
    st.cache_resource.clear()
    st.cache_data.clear()


def device_of(app: AppTest) -> str:
    header, _ = components(app)["run_bar"]
    return dict(header["facts"])["Computed on"]


def full(app: AppTest) -> list[str]:
    return [each.value for each in app.warning]


@pytest.mark.slow
@pytest.mark.parametrize("url", URLS)
def test_a_page_with_its_controls_is_drawn_from_a_gpu(gpu, url: str) -> None:
    app = run_page(BY_URL[url].file.removeprefix("pages/"), **(links_of(url) or [Link(url)])[0].values)
    assert not app.error, app.error[0].value
    assert OTHER in device_of(app)
    assert not full(app)


@pytest.mark.slow
@pytest.mark.parametrize("link", [link for url in URLS for link in links_of(url)], ids=str)
def test_every_part_of_every_page_is_made_on_a_gpu(gpu, link: Link) -> None:
    """At each depth but Code, which has no numbers."""
    page = page_of(link.page)
    assert page is not None
    with view_apart.opened(link.page, {name: to_text(value) for name, value in link.values.items()}):
        card = model_choice.read()
        view = page.open_part.view()
        for depth in ("Picture", "Numbers", "Formula"):
            assert plain_view(view, depth), depth
        assert OTHER in traces.model(card.name).place.title
        assert of_session(model_turns.FullGpu).asked is None


@pytest.fixture
def cpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A server on the CPU, also where a GPU is."""
    monkeypatch.setenv("GLASSFORMER_DEVICE", "cpu")
    _forget()
    yield monkeypatch
    _forget()


def test_the_run_bar_tells_the_device_on_the_cpu_too(cpu) -> None:
    app = run_page("block/block.py", model="tiny-lm")
    assert device_of(app) == "CPU"
    assert not full(app)


def test_the_run_bar_tells_where_numbers_are_less_exact(cpu) -> None:
    cpu.setenv("GLASSFORMER_DTYPE", "float16")
    app = run_page("block/block.py", model="tiny-lm")
    assert device_of(app) == "CPU, in float16, where a tensor is off by up to 2% of its size"


def test_a_device_that_is_not_here_is_one_message_that_names_the_choices(monkeypatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setenv("GLASSFORMER_DEVICE", "cuda")
    _forget()
    app = run_page("block/block.py", model="tiny-lm")
    (told,) = messages(app)
    assert "torch finds no cuda device on this machine" in told
    assert "GLASSFORMER\\_DEVICE" in told
    _forget()


@on_the_standin
def test_where_the_gpus_memory_is_full_the_page_is_drawn_on_the_cpu_and_says_so(gpu) -> None:
    view = {"model": "tiny-lm", "text": "I am a robot"}
    assert OTHER in device_of(run_page("attention/heads.py", **view))
    gpu.setattr(standin.BACKEND, "limit", 1000)
    app = run_page("attention/heads.py", **(view | {"text": "I like you"}))
    assert not app.error
    (told,) = full(app)
    assert "The GPU's memory is full: this is computed on the CPU" in told
    assert device_of(app) == "CPU"
    gpu.setattr(standin.BACKEND, "limit", float("inf"))
    assert full(app.run())  # the same sentence stays there, and its trace is found again
    app.session_state["text"] = "The dog is cool"
    app.run()
    assert OTHER in device_of(app)
    assert not full(app)


@on_the_standin
@pytest.mark.slow
@pytest.mark.parametrize("page", ["attention/heads.py", "models/predict.py", "learning/training.py", "models/see.py"])
def test_a_model_that_does_not_fit_into_the_gpu_is_opened_on_the_cpu(gpu, page: str) -> None:
    gpu.setattr(standin.BACKEND, "limit", 1000)
    app = run_page(page, model="tiny-lm", text="I am a robot")
    assert not app.error
    assert full(app)
    assert device_of(app) == "CPU"


class Full(torch.nn.Module):
    """A network whose every run needs more memory than there is."""

    def __init__(self, network: torch.nn.Module) -> None:
        super().__init__()
        self.network, self.config = network, network.config

    def forward(self, *_: Any) -> None:
        raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")


def test_a_network_that_runs_out_of_memory_is_run_again_on_the_cpu(monkeypatch) -> None:
    _forget()
    real, asked = model.load, []

    def load(name: str, *more: Any, device: str = "auto", **how: Any) -> Model:
        asked.append(device)
        opened = real(name, *more, device=device, **how)
        return opened if device == "cpu" else Model(Full(opened.network), opened.tokenizer, opened.card)  # type: ignore[arg-type]

    monkeypatch.setattr("model.engine.choice.load", load)
    app = run_page("attention/heads.py", model="tiny-lm", text="I am a robot")
    assert asked == ["auto", "cpu"]
    assert not app.error
    assert full(app)
    _forget()


def test_one_run_at_a_time_on_a_gpu(gpu) -> None:
    assert model_turns.turns()._places == 1
    gpu.setenv("GLASSFORMER_DEVICE", "cpu")
    gpu.setattr("os.cpu_count", lambda: 8)
    _forget()
    assert model_turns.turns()._places == 4
