"""The app in a real browser: one server and one Chromium for a session of tests, a new visitor for each test.

How a test uses it:

    def test_theme(open_app):
        page = open_app("heads?layer=3", theme="dark", width=390)   # waits until the app has settled
        page.get_by_role("radio", name="Matrix").click()
        expect(page.get_by_role("heading", name="Matrix")).to_be_visible()

To open a page takes a second of the processor and more. `go_inside(page, path)` takes the same visitor to another view
for a third of that; `walk` does so from one test to the next.

No test sleeps: `settle` and Playwright's `expect` wait for what the page shows. `wait_for_function` takes a
function, "() => ...": Playwright would evaluate another text in the page, where the Content-Security-Policy forbids it.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Locator, Page, ViewportSize, expect, sync_playwright

from tests.browser.mounting import MountedComponent, Stage
from tests.browser.tab import WAIT, Tab, Theme
from tests.pages.conftest import open_link

ROOT = Path(__file__).resolve().parents[2]
# Chromium without windows draws the same pages for a sixth less work. Benchmarks measure a browser as readers have it,
# where one is installed.
WINDOWLESS = "chromium-headless-shell"
READERS_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome", WINDOWLESS)
QUICK_BROWSERS = (WINDOWLESS, *READERS_BROWSERS)
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--use-fake-device-for-media-stream",  # a camera that shows a test picture
    "--use-fake-ui-for-media-stream",  # and may be used without asking
]
# A test has a page open for a second: quicker code would cost more than it saves, and so would early collections of
# garbage (MB). Readers' browsers do both, so benchmarks do without this.
SHORT_VISITS = "--js-flags=--no-opt --no-maglev --min-semi-space-size=64 --max-semi-space-size=128"
FAILED = pytest.StashKey[bool]()  # whether a test has failed
START_LIMIT = 60  # seconds until a server must answer
STOP_LIMIT = 30  # seconds until one that is asked to stop must be gone

# A page that was just opened may run again at once, as for the browser's theme, and then puts back what is being typed.
RESTS = """() => {
  const rests = document.querySelector("[data-testid=stApp]").dataset.testScriptState === "notRunning";
  window.restsSince = rests ? window.restsSince ?? performance.now() : undefined;
  return rests && performance.now() - window.restsSince > 250;
}"""
# To another address without loading the page again, as the back button goes. The app writes the address anew at the end
# of its run, without the mark, which is no key of any page. Each mark is another one: the app takes an address whose
# values it knows of another page for a late message of the browser, and stays with what it shows.
MARK = "arriving"
GO_INSIDE = """(path) => {
  history.pushState({}, "", `/${path}${path.includes("?") ? "&" : "?"}MARK=${performance.now()}`);
  dispatchEvent(new PopStateEvent("popstate", { state: {} }));
}""".replace("MARK", MARK)

expect.set_options(timeout=WAIT)


def readers_browser() -> str:
    """The path of a browser as readers have it, or of one without windows where there is no other. For benchmarks."""
    return next(filter(None, map(shutil.which, READERS_BROWSERS)))


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


class Server:
    """`streamlit run serve.py`, in a process of its own, on a free port unless one is named. `folder` has the app."""

    def __init__(self, environment: dict[str, str] | None = None, port: int | None = None, folder: Path = ROOT) -> None:
        port = port or free_port()
        self.url = f"http://127.0.0.1:{port}"
        command = [sys.executable, "-m", "streamlit", "run", "serve.py", "--server.headless=true"]
        self._said, self._heard = tempfile.TemporaryFile(), 0  # noqa: SIM115 - the process writes to it until its end
        self._process = subprocess.Popen(
            [*command, f"--server.port={port}", "--server.address=127.0.0.1"],
            cwd=folder,
            env={**os.environ, "OMP_NUM_THREADS": "1", **(environment or {})},
            stdout=self._said,
            stderr=subprocess.STDOUT,
        )
        self._wait("/_stcore/health")

    def wait_until_ready(self) -> None:
        """A proxy would send it readers now: it can run pages, and knows the rooms of other processes."""
        self._wait("/readyz")

    def _wait(self, path: str) -> None:
        deadline = time.monotonic() + START_LIMIT
        while time.monotonic() < deadline:
            try:
                with urllib.request.urlopen(f"{self.url}{path}", timeout=1):
                    return
            except (urllib.error.URLError, OSError):
                self._stay_alive()
        self.stop()
        raise RuntimeError(f"The app did not answer within {START_LIMIT} s.")

    def _stay_alive(self) -> None:
        """Gives the process a moment; raises if it ends."""
        try:
            code = self._process.wait(0.05)
        except subprocess.TimeoutExpired:
            return
        raise RuntimeError(f"The app stopped with exit code {code}.")

    def mistakes(self) -> str:
        """What the app has printed since this was last asked, if an exception is in it; "" otherwise."""
        size = os.fstat(self._said.fileno()).st_size
        said = os.pread(self._said.fileno(), size - self._heard, self._heard).decode(errors="replace")
        self._heard = size
        return said if "Traceback" in said else ""

    def said(self) -> str:
        """All that the app has printed."""
        return os.pread(self._said.fileno(), os.fstat(self._said.fileno()).st_size, 0).decode(errors="replace")

    @property
    def pid(self) -> int:
        return self._process.pid

    def end(self) -> None:
        """Ask the app to stop, and wait until it has."""
        self._process.terminate()
        self._process.wait(STOP_LIMIT)

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._said.close()


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.stop()


@pytest.fixture
def one_seat_server() -> Iterator[Server]:
    """A server that serves one session at once."""
    running = Server({"GLASSFORMER_MAX_SESSIONS": "1"})
    yield running
    running.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = next(filter(None, map(shutil.which, QUICK_BROWSERS)), None)
    if path is None:
        pytest.fail("No Chromium or Chrome on the PATH: `make test` installs one, or says how.")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=[*QUIET, SHORT_VISITS])
        yield running
        running.close()


@pytest.fixture(scope="session")
def tabs(browser: Browser) -> list[Tab]:
    """Those that tests left behind: visitors of one test have a tab each."""
    return []


@pytest.fixture
def open_app(server: Server, browser: Browser, tabs: list[Tab]) -> Iterator[Callable[..., Page]]:
    """`open_app(path="", theme="light", width=1440, height=900, url=..., kept={}, window={})`: a page of a new visitor,
    settled.

    Each call is another visitor; `kept` is what the visitor's browser kept from before (localStorage), and `window`
    what this window of it kept before the page was loaded again (sessionStorage). At the end of
    the test no page may have met an uncaught JavaScript error or asked for what its Content-Security-Policy forbids,
    nor the server an uncaught exception.
    """
    mistakes: list[str] = []
    used: list[Tab] = []
    listening = ExitStack()

    def visit(
        path: str = "",
        *,
        theme: Theme = "light",
        width: int = 1440,
        height: int = 900,
        url: str = "",
        kept: Mapping[str, str] | None = None,
        window: Mapping[str, str] | None = None,
    ) -> Page:
        tab = tabs.pop() if tabs else Tab(browser)
        used.append(tab)
        origin = url or server.url
        page = tab.visitor(origin, theme, {"width": width, "height": height}, kept or {}, window or {})
        listening.enter_context(tab.listening(mistakes))
        arrive(page, f"{origin}/{path}")
        return page

    yield visit
    listening.close()
    for tab in reversed(used):
        if not tab.page.is_closed():
            tab.leave()
            tabs.append(tab)
    assert not mistakes, f"JavaScript errors: {mistakes}"
    assert not (said := server.mistakes()), said


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if call.when == "call":
        item.stash[FAILED] = report.failed
    return report


@pytest.fixture(scope="module")
def walker(browser: Browser, tabs: list[Tab]) -> Iterator[Tab]:
    """The tab of the visitor of `walk`."""
    tab = tabs.pop() if tabs else Tab(browser)
    yield tab
    tab.leave()
    tabs.append(tab)


@pytest.fixture
def walk(server: Server, walker: Tab, request: pytest.FixtureRequest) -> Iterator[Callable[..., Page]]:
    """`walk(path, width=1440, height=900)`: a view that one visitor reaches inside the app, settled.

    All tests of a file that walk have the same visitor, who keeps the model and the sentence of the view before where
    the path names no other. It is for what a page shows, not for what visitors do. Errors are found as by `open_app`.
    """
    mistakes: list[str] = []

    def go(path: str, *, width: int = 1440, height: int = 900) -> Page:
        size: ViewportSize = {"width": width, "height": height}
        page = walker.page
        if page.url.startswith(server.url):
            page.mouse.move(0, 0)
            page.set_viewport_size(size)
            go_inside(page, path)
        else:
            walker.visitor(server.url, "light", size, {}, {})
            arrive(page, f"{server.url}/{path}")
        return page

    with walker.listening(mistakes):
        yield go
    if request.node.stash.get(FAILED, False):
        walker.leave()  # the next test begins anew
    assert not mistakes, f"JavaScript errors: {mistakes}"
    assert not (said := server.mistakes()), said


@pytest.fixture(scope="session")
def stage(browser: Browser) -> Stage:
    return Stage(browser)


@pytest.fixture
def mount(stage: Stage) -> Iterator[Callable[..., MountedComponent]]:
    """`mount(page, component, theme="light", width=1000, **url)`: see tests/browser/mounting.py."""
    mistakes: list[str] = []

    def hear(error: Error) -> None:
        mistakes.append(str(error))

    def mounted(
        path: str, component: str, *, theme: Theme = "light", width: int = 1000, **url: object
    ) -> MountedComponent:
        app = open_link(path, **{name: str(value) for name, value in url.items()})
        assert not app.exception
        return stage.mount(app, component, theme, width)

    stage.page.set_default_timeout(WAIT)
    stage.page.on("pageerror", hear)
    yield mounted
    stage.page.remove_listener("pageerror", hear)
    assert not mistakes, f"JavaScript errors: {mistakes}"


@pytest.fixture
def asked() -> Callable[[Page], list[str]]:
    """`asked(page)`: what the page asks the server from now on, a WebSocket message each; the list grows."""

    def listen(page: Page) -> list[str]:
        found: list[str] = []
        browser = page.context.new_cdp_session(page)  # Playwright itself tells only of sockets that open later
        browser.on("Network.webSocketFrameSent", lambda event: found.append(event["response"]["payloadData"]))
        browser.send("Network.enable")
        return found

    return listen


@pytest.fixture
def light(open_app: Callable[..., Page]) -> Page:
    """Home at 1440 x 900, light."""
    return open_app()


@pytest.fixture
def dark(open_app: Callable[..., Page]) -> Page:
    """Home at 1440 x 900, dark."""
    return open_app(theme="dark")


@pytest.fixture
def phone(open_app: Callable[..., Page]) -> Page:
    """Home at 390 x 844."""
    return open_app(width=390, height=844)


def arrive(page: Page, url: str) -> None:
    page.goto(url)
    settle(page)
    page.wait_for_function(RESTS)


def go_inside(page: Page, path: str) -> None:
    """The same visitor goes to another view without loading the app again; settled."""
    page.evaluate(GO_INSIDE, path)
    page.wait_for_url(lambda url: MARK not in url)
    settle(page)
    page.wait_for_function(RESTS)


def settle(page: Page) -> None:
    """Wait until the title is drawn, the script has run, and no element is left over from the run before.

    After an action, first `expect` what it changes: the script may not have started yet.
    """
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-connection-state", "CONNECTED")
    expect(page.get_by_role("heading", level=1, include_hidden=True).first).to_be_attached()  # a question may cover it
    expect(app).to_have_attribute("data-test-script-state", "notRunning")
    expect(page.locator('[data-stale="true"]')).to_have_count(0)


def live(page: Page) -> Locator:
    """What the present run has drawn, to look for a field in it.

    Where a run puts other fields, the old ones stay beside them for a moment. A locator that finds both raises at once.
    """
    return page.locator('[data-stale="false"]')


@pytest.fixture(name="settle")
def settle_fixture() -> Callable[[Page], None]:
    """`settle`, for test modules: a conftest cannot be imported."""
    return settle


@pytest.fixture
def follow_link(server: Server) -> Callable[[Page, str], None]:
    """`follow_link(page, path)`: the same visitor opens another link in the same tab; settled."""
    return lambda page, path: arrive(page, f"{server.url}/{path}")
