"""Adding models by folder and by the name of the hub, as a reader does it: by the keyboard, and across a restart."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Server, arrive
from tests.browser.own_server import another_window, own_server
from tests.model.adding.hub_server import HubServer, Repository, repository_of, running_hub
from tests.model.zoo import tiny

pytestmark = pytest.mark.slow

NAME, OTHER = "someone/tiny-llama", "someone/small-llama"
START = "cost?model=tiny-lm&text=I+am+a+robot&cost_view=Growth"
TOKEN = "a-token-of-the-browser-tests"
OpenApp = Callable[..., Page]


@pytest.fixture(scope="module")
def hub() -> Iterator[HubServer]:
    with running_hub() as running:
        yield running


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checkpoint") / "my-model"
    folder.mkdir()
    tiny.llama(folder, hidden_size=128)
    return folder


def put_on_hub(hub: HubServer, name: str, checkpoint: Path) -> Repository:
    """A repository whose files wait for its gate."""
    hub.repositories[name] = made = repository_of(checkpoint)
    made.gate = Event()
    return made


@pytest.fixture(scope="module")
def settings(hub: HubServer, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A machine that has added nothing, and asks the hub of the test."""
    machine = tmp_path_factory.mktemp("machine")
    homes = {"HF_HOME": str(machine / "hub"), "XDG_DATA_HOME": str(machine / "data")}
    return {"HF_ENDPOINT": hub.url, "GLASSFORMER_LOCAL_TOKEN": TOKEN, **homes}


class Machine:
    """A server of this machine, and another one in its place after it has ended."""

    server: Server

    def __init__(self, settings: dict[str, str]) -> None:
        self._settings, self.server = settings, own_server(settings)

    def restart(self) -> None:
        assert self.server.mistakes() == ""
        self.server.end()
        self.server = own_server(self._settings)


@pytest.fixture(scope="module")
def machine(settings: dict[str, str]) -> Iterator[Machine]:
    running = Machine(settings)
    yield running
    assert running.server.mistakes() == ""
    running.server.stop()


def open_dialog(page: Page) -> None:
    """By the keyboard alone."""
    page.locator(".gf.runbar [data-id=model]").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menu", name="Models")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Add a model…")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Add a model")).to_be_visible()


def open_local(open_app: OpenApp, machine: Machine, **how: int) -> Page:
    """A visitor whose browser has the token; the address shows nothing of it."""
    page = open_app(f"local?token={TOKEN}", url=machine.server.url, **how)
    assert "token" not in page.url
    arrive(page, f"{machine.server.url}/{START}")
    return page


def look(page: Page, name: str) -> None:
    field = page.get_by_role("textbox", name="Name on the hub")
    field.fill(name)
    field.press("Enter")


def model_button(page: Page, title: str):
    return page.get_by_role("button", name=f"Model: {title}")


def test_by_the_name_of_the_hub_with_progress_cancel_and_restart(
    open_app: OpenApp, machine: Machine, hub: HubServer, checkpoint: Path
) -> None:
    repository = put_on_hub(hub, NAME, checkpoint)
    page = open_local(open_app, machine)
    open_dialog(page)
    look(page, NAME)
    dialog = page.get_by_role("dialog", name="Add a model")
    expect(dialog.get_by_text("apache-2.0")).to_be_visible()
    dialog.get_by_role("button", name="Add", exact=True).press("Enter")
    expect(dialog.get_by_text(re.compile("Downloading .+ of"))).to_be_visible()
    dialog.get_by_role("button", name="Cancel").press("Enter")
    expect(dialog.get_by_role("button", name="Add", exact=True)).to_be_visible()
    repository.gate.set()
    dialog.get_by_role("button", name="Add", exact=True).press("Enter")
    expect(dialog.get_by_text("tiny-llama is ready.")).to_be_visible()
    expect(page).to_have_url(re.compile("model=tiny-lm&"))
    dialog.get_by_role("button", name="Use it now").press("Enter")
    expect(dialog).to_have_count(0)
    expect(model_button(page, "tiny-llama")).to_be_visible()
    expect(page).to_have_url(re.compile(r"model=someone%2Ftiny-llama%40c0ffee00&.*cost_view=Growth"))
    expect(page.get_by_role("radio", name="Growth")).to_be_checked()
    machine.restart()
    arrive(page, f"{machine.server.url}/heads?model={NAME}@c0ffee00&text=I+am+a+robot")
    expect(page.get_by_text("Page not found")).to_have_count(0)  # the first link that the new server gets
    expect(model_button(page, "tiny-llama")).to_be_visible()
    expect(page.locator(".gf.lines")).to_be_visible()
    open_dialog(page)
    page.get_by_role("button", name="Remove").press("Enter")
    expect(page.get_by_role("button", name="Remove")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.get_by_text(f"python -m glassformer add {NAME}@c0ffee00")).to_be_visible()
    expect(model_button(page, "tiny-llama")).to_have_count(0)


def test_a_browser_without_the_token_is_told_how_to_become_local(open_app: OpenApp, machine: Machine) -> None:
    page = open_app(START, url=machine.server.url)
    open_dialog(page)
    dialog = page.get_by_role("dialog", name="Add a model")
    expect(dialog.get_by_text("open the address that the start printed")).to_be_visible()
    expect(dialog.get_by_role("textbox")).to_have_count(0)


def test_a_folder_of_this_machine(open_app: OpenApp, machine: Machine, checkpoint: Path) -> None:
    page = open_local(open_app, machine, width=390, height=844)
    open_dialog(page)
    look(page, str(checkpoint))
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("button", name="Use it now").click()
    expect(model_button(page, "my-model")).to_be_visible()
    expect(page).to_have_url(re.compile("model=folder%3Amy-model&"))
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_two_sessions_share_a_download(open_app: OpenApp, machine: Machine, hub: HubServer, checkpoint: Path) -> None:
    repository = put_on_hub(hub, OTHER, checkpoint)
    first = open_local(open_app, machine)
    second = another_window(first, first.url)
    for page in (first, second):
        open_dialog(page)
        look(page, OTHER)
        page.get_by_role("button", name="Add", exact=True).click()
        expect(page.get_by_role("button", name="Cancel")).to_be_visible()
    first.goto("about:blank")  # the other one still waits
    repository.gate.set()
    expect(second.get_by_text("small-llama is ready.")).to_be_visible()
    assert repository.asked.count("GET model.safetensors") == 1
