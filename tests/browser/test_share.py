"""A saved page in a browser without a network: it draws, it stays what it was, and it asks for nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Browser, Page, expect

from pages.shared.elements.page import page_of
from pages.shared.model_runs import model_choice
from pages.shared.session import view_apart
from viz.documents.page_html import write_page

HEADS = "heads?model=tiny-lm&text=the+dog+%3Cb%3Esees%3C%2Fb%3E+the+cat"
PAINTED = """canvas => {
  const { width, height } = canvas;
  const colours = new Set(new Uint32Array(canvas.getContext("2d").getImageData(0, 0, width, height).data.buffer));
  return colours.size;
}"""


FONTS = "document.fonts.ready.then(() => [...document.fonts].map((face) => [face.family, face.status]))"


@pytest.fixture
def save(walk: Callable[..., Page], tmp_path: Path) -> Callable[..., tuple[Path, str]]:
    """`save(path, what)`: a file of a view, named as in its menu, and the link that the menu shows."""

    def made(path: str, what: str = "Page that works alone") -> tuple[Path, str]:
        page = walk(path)
        page.get_by_role("button", name="Share this view").click()
        link = page.get_by_test_id("stPopoverBody").get_by_test_id("stCode").inner_text()
        with page.expect_download() as download:
            page.get_by_role("button", name=what).click()
        file = tmp_path / download.value.suggested_filename
        download.value.save_as(file)
        page.keyboard.press("Escape")
        return file, link.strip()

    return made


@pytest.fixture
def open_alone(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a file in a browser without a network. It must log nothing and ask for nothing but itself."""
    contexts, logged, asked = [], [], []

    def opened(file: Path, theme: str = "light", width: int = 1280) -> Page:
        context = browser.new_context(
            color_scheme=theme, viewport={"width": width, "height": 900}, reduced_motion="reduce"
        )
        contexts.append(context)
        context.set_offline(True)
        page = context.new_page()
        page.on("console", lambda message: logged.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: logged.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        expect(page.locator("html")).to_have_attribute("data-ready", "yes")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert logged == []
    assert {url for url in asked if not url.startswith(("file:", "blob:", "data:"))} == set()


def test_heads_alone(save: Callable[..., tuple[Path, str]], open_alone: Callable[..., Page]) -> None:
    file, link = save(HEADS)
    assert "/heads?model=tiny-lm&text=the+dog+%3Cb%3Esees%3C%2Fb%3E+the+cat" in link
    assert file.stat().st_size < 120_000
    for theme in ("light", "dark"):
        page = open_alone(file, theme)
        expect(page.get_by_role("heading", name="Heads", level=1)).to_be_visible()
        expect(page.get_by_role("link", name="Open the view")).to_have_attribute("href", link)
        expect(page.locator("dd").nth(1)).to_have_text("the dog <b>sees</b> the cat")
        canvas = page.locator("canvas").first
        expect(canvas).to_be_visible()
        assert canvas.evaluate(PAINTED) > 10
        page.get_by_text("dog", exact=True).first.click()  # nothing listens, and nothing breaks
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(15, 18, 22)"


def test_figures_and_equations_alone(save: Callable[..., tuple[Path, str]], open_alone: Callable[..., Page]) -> None:
    file, _ = save("block?model=tiny-lm&block_part=orders&depth=Formula")
    page = open_alone(file, "dark", 390)
    expect(page.locator(".main-svg").first).to_be_visible()
    assert page.locator(".scatterlayer .trace").count() >= 2
    text = page.locator(".xtick text").first
    assert text.evaluate("node => getComputedStyle(node).fill") == "rgb(151, 163, 177)"  # muted, in the dark
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    equations = page.locator("math")
    expect(equations).not_to_have_count(0)
    assert max(equation.bounding_box()["height"] for equation in equations.all()) > 20
    assert page.evaluate(FONTS) == [["Equations", "loaded"]]


@pytest.mark.parametrize("hand", ["naskh", "nastaliq"])
def test_urdu_and_signs_alone(
    save: Callable[..., tuple[Path, str]], open_alone: Callable[..., Page], hand: str
) -> None:
    file, _ = save(f"translate?model=en-ur&text=I+am+a+robot&urdu={hand}&depth=Picture")
    assert file.stat().st_size < (122_000 if hand == "naskh" else 260_000)
    page = open_alone(file)
    expect(page.locator(".gf.translation .target .out").first).to_contain_text("میں")
    assert ["Urdu", "loaded"] in page.evaluate(FONTS)
    tall = page.get_by_label("Layer", exact=True).bounding_box()["height"]
    assert tall < 34, "the font of Urdu gives no other words its height"


def test_the_notebook_of_a_view(save: Callable[..., tuple[Path, str]]) -> None:
    file, link = save("masks?model=tiny-lm&text=the+dog+sees+the+cat&masks_part=ways&layer=2", "Notebook")
    assert file.suffix == ".ipynb"
    cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
    assert link in "".join(cells[0]["source"])
    code = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    assert '"the dog sees the cat"' in code
    assert "layer=2" in code


@pytest.mark.parametrize(("width", "height"), [(1366, 768), (390, 844)])
def test_the_whole_menu_is_on_the_screen(open_app: Callable[..., Page], width: int, height: int) -> None:
    """Its entries come a moment after it, when its place is chosen."""
    page = open_app(f"{HEADS}&layer=1", width=width, height=height)
    if width < 500:
        page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_test_id("stSidebarContent").evaluate("(sidebar) => { sidebar.scrollTop = sidebar.scrollHeight; }")
    page.get_by_role("button", name="Share this view").click()
    menu = page.get_by_test_id("stPopoverBody")
    expect(menu.get_by_test_id("stCode")).to_be_in_viewport(ratio=1)
    expect(menu.get_by_role("button", name="Page that works alone")).to_be_in_viewport(ratio=1)


def test_the_map_alone(save: Callable[..., tuple[Path, str]], open_alone: Callable[..., Page]) -> None:
    """The tiles that were seen are in the file, and so is the sum of the number that was chosen."""
    file, _ = save("?model=tiny-lm&text=The+dog+is+here&home_at=decoder.2.self_attn.weights:1,3,0")
    assert file.stat().st_size < 1_000_000
    page = open_alone(file)
    why = page.get_by_role("complementary", name="Why this number")
    expect(why).to_contain_text("Layer 2 › Self-attention › Head 1 › weights: here (query 3), The (key 0)")
    expect(why).to_contain_text("masked scores: here (query 3), dog (key 1)")


@pytest.mark.parametrize("link", ["heads?heads_view=All+heads", "positions?positions_part=heatmap"])
def test_a_picture_that_is_hidden_when_it_begins_is_drawn_once_it_is_shown(
    link: str, open_alone: Callable[..., Page], tmp_path: Path
) -> None:
    """As in a lecture whose keys are pressed quickly: a scene is left before its picture is there."""
    page_name, _, query = link.partition("?")
    with view_apart.opened(page_name, {"model": "tiny-lm", "text": "the dog sees", **dict(parse_qsl(query))}):
        model_choice.read()
        body = page_of(page_name).show().parts()  # type: ignore[union-attr]
    file = tmp_path / "hidden.html"
    file.write_text(write_page("A view", body, {}, "", "light").replace("<body>", "<body hidden>"))
    page = open_alone(file)
    page.evaluate("document.body.hidden = false")
    canvas = page.locator(".component canvas").first
    expect(canvas).to_be_visible()
    page.wait_for_function(f"canvas => ({PAINTED})(canvas) > 3", arg=canvas.element_handle())
