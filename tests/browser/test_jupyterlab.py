"""Views in JupyterLab: what a hand does in them reaches the kernel, and a saved notebook shows them without one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Error, FrameLocator, expect

from tests.browser.notebooks import FRAMES, JupyterLab, Notebook
from tests.conftest import loaded
from views.by_page.heads import Lines

CELLS = (
    "from traitlets import link\n"
    "from glassformer import load, views\n"
    "run = load('tiny-lm').trace('the cat sees the dog in the park')\n"
    "lines, matrix = views.heads.Lines(run, layer=1, head=2), views.heads.Matrix(run, layer=1, head=2)\n"
    "link((lines, 'query'), (matrix, 'query'))\n"
    "lines",
    "matrix",
    "for head in range(4):\n"
    "    display(views.heads.Lines(run, layer=0, head=head), views.heads.Lines(run, layer=2, head=head))",
)
VIEWS = 10


@pytest.fixture(scope="module")
def lab() -> Iterator[JupyterLab]:
    running = JupyterLab()
    yield running
    running.stop()


def is_ours(error: Error) -> bool:
    """Whether an error is of a frame, or of the script of a widget. JupyterLab has its own where a kernel ends."""
    return "about:srcdoc" in (error.stack or "") or "blob:" in (error.stack or "")


@pytest.fixture
def notebook(lab: JupyterLab, browser: Browser) -> Iterator[Notebook]:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    mistakes: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: mistakes.append(str(error)) if is_ours(error) else None)
    yield Notebook(page, lab)
    context.close()
    assert not mistakes


def chosen_query(frame: FrameLocator) -> str:
    """The word whose lines are kept in a frame of Lines."""
    return frame.locator("[data-spot^=query][aria-selected=true]").inner_text()


@pytest.mark.slow
def test_a_hand_reaches_the_kernel_and_a_saved_notebook_is_alive_without_it(
    lab: JupyterLab, notebook: Notebook
) -> None:
    lab.write("heads.ipynb", CELLS)
    notebook.open("heads.ipynb", has_kernel=True)
    notebook.command("notebook:run-all-cells")
    lines, matrix = notebook.frame(0), notebook.frame(1)
    for place in range(VIEWS):
        notebook.frame(place)

    lines.locator("[data-spot='query 4']").click()
    expect(matrix.locator("pre")).to_contain_text('"mask"][4]')  # the sum of the linked view follows
    assert notebook.printed("print(lines.query, matrix.query)") == "4 4"

    notebook.printed("lines.query = 2")
    expect(lines.locator("[data-spot='query 2']")).to_have_attribute("aria-selected", "true")
    notebook.printed("lines.layer = 9")
    expect(lines.get_by_role("alert")).to_contain_text("layer")
    assert chosen_query(lines) == "cat", "the last picture stays"

    notebook.command("docmanager:save")
    notebook.page.wait_for_function("() => !window.jupyterapp.shell.currentWidget.context.model.dirty")
    notebook.command("kernelmenu:shutdown")
    notebook.command("application:close-all")
    expect(notebook.page.locator(FRAMES)).to_have_count(0)
    notebook.open("heads.ipynb", has_kernel=False)
    lines = notebook.frame(0)
    lines.locator("[data-spot='query 3']").click()
    assert chosen_query(lines) == "sees"
    expect(notebook.frame(VIEWS - 1).locator("[data-spot='query 7']")).to_be_visible()


@pytest.mark.slow
def test_a_stranger_s_notebook_has_still_pictures_until_it_is_trusted(lab: JupyterLab, notebook: Notebook) -> None:
    lines = Lines(loaded("tiny-lm").trace("I am a robot"), layer=1, head=2)
    lab.write("stranger.ipynb", ["lines"], lines._repr_mimebundle_())
    notebook.open("stranger.ipynb", has_kernel=False)
    still = notebook.page.locator(".jp-OutputArea img")
    expect(still).to_be_visible()
    assert still.evaluate("(image) => image.naturalWidth") > 200
    assert notebook.page.locator(".jp-OutputArea iframe").count() == 0

    notebook.command("notebook:trust")
    notebook.page.locator(".jp-Dialog .jp-mod-accept").click()
    frame = notebook.frame(0)
    expect(still).to_have_count(0)
    expect(frame.locator("html")).to_have_attribute("data-theme", "light")
    notebook.command("apputils:change-theme", theme="JupyterLab Dark")
    expect(frame.locator("html")).to_have_attribute("data-theme", "dark")
    expect(frame.locator(".gf.dark").first).to_be_attached()


@pytest.mark.slow
def test_the_kernel_says_where_a_number_of_the_map_comes_from_and_learns_where_a_hand_goes(
    lab: JupyterLab, notebook: Notebook
) -> None:
    cell = "from glassformer import load, views\nmap = views.home.Map(load('tiny-lm').trace('I am'))\nmap"
    lab.write("map.ipynb", [cell])
    notebook.open("map.ipynb", has_kernel=True)
    notebook.command("notebook:run-all-cells")
    frame = notebook.frame(0)
    notebook.printed("map.place = 'decoder.1.self_attn.k:2,1,26'")
    expect(frame.locator(".why")).to_contain_text("This number is")
    frame.get_by_role("button", name="The whole model (0)").click()
    expect(frame.locator(".why")).to_be_hidden()
    asked = (notebook.printed("print(repr(map.place))") for _ in range(400))  # each waits for the kernel
    assert "''" in asked, "the map looks at the whole model again"
