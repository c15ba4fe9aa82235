"""Training, A real model, in a real browser: its steps are fetched, stopped, resumed and moved through; a restart."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from huggingface_hub import constants
from playwright.sync_api import Page, expect

from model import add
from tests.browser.conftest import arrive, live
from tests.browser.own_server import own_server
from tests.model.adding.hub_server import running_hub
from tests.model.adding.tiny_training import NAME, make_steps, publish

pytestmark = pytest.mark.slow

STEPS = (0, 1, 2, 1000)
VIEW = f"training?model={NAME}@c0ffee00&text=I+am+a+robot&training_part=published"
# The marked step of the loss, and the weights of the first head.
DRAWN = """() => {
  const plots = [...document.querySelectorAll('[data-testid="stMain"] .js-plotly-plot')];
  return {
    mark: plots[1].data.find((trace) => trace.name === "shown").x[0],
    heads: JSON.stringify(plots[3].data[0].z),
  };
}"""


def add_here(machine: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the model to a machine, in this process. The library of the hub reads its settings when it is imported."""
    with monkeypatch.context() as patched:
        for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
            patched.setenv(name, machine[name])
        patched.setattr(constants, "HF_HUB_CACHE", machine["HF_HUB_CACHE"])
        patched.setattr(constants, "ENDPOINT", machine["HF_ENDPOINT"])
        add(NAME)


def test_it_is_fetched_stopped_played_and_there_after_a_restart(
    open_app: Callable[..., Page],
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with running_hub() as hub:
        repository = publish(hub, make_steps(tmp_path_factory.mktemp("neox"), STEPS))
        step = repository.revisions["step2"]
        step.gate = Event()
        homes = {name: str(tmp_path / name) for name in ("HF_HUB_CACHE", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
        machine = {"HF_ENDPOINT": hub.url, "GLASSFORMER_MODELS_ALLOWED": "*", **homes}
        add_here(machine, monkeypatch)
        server = own_server(machine)
        page = open_app(VIEW, url=server.url)
        main = page.get_by_test_id("stMain")
        main.get_by_role("button", name="Look for published steps").press("Enter")
        main.get_by_role("button", name="Fetch and measure 4 steps").press("Enter")
        expect(main.get_by_text(re.compile("2 of 4 steps. Step 2: Downloading"))).to_be_visible()
        main.get_by_role("button", name="Stop").press("Enter")
        again = main.get_by_role("button", name="Fetch and measure 2 steps")
        expect(again).to_be_visible()
        step.gate.set()
        again.press("Enter")
        expect(page).to_have_url(re.compile(f"training_checkpoint={len(STEPS) - 1}"))
        page.wait_for_function("() => document.querySelectorAll('[data-testid=stMain] .js-plotly-plot').length === 4")
        last = page.evaluate(DRAWN)
        assert last["mark"] == STEPS[-1]
        slider = live(page).get_by_role("slider", name="Step of training")
        slider.focus()
        slider.press("ArrowLeft")
        expect(page).to_have_url(re.compile(f"training_checkpoint={len(STEPS) - 2}"))
        page.wait_for_function(f"heads => ({DRAWN})().heads !== heads", arg=last["heads"])
        assert page.evaluate(DRAWN)["mark"] == STEPS[-2]
        link, drawn = page.url.partition("/training")[2], page.evaluate(DRAWN)
        assert server.mistakes() == ""
        server.end()
        hub.repositories.clear()
        server = own_server(machine)
        arrive(page, f"{server.url}/training{link}")
        page.wait_for_function("() => document.querySelectorAll('[data-testid=stMain] .js-plotly-plot').length === 4")
        assert page.evaluate(DRAWN) == drawn, "what was measured is there without the hub"
        assert server.mistakes() == ""
        server.stop()
