"""The Heads page in a real browser: lines under the hand and the keyboard, cells and their story, links, themes."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from model import Model
from tests.browser.mounting import MountedComponent
from tests.browser.run_bar import run_sentence
from tests.pages.conftest import components
from viz.shared.style import number

OpenApp = Callable[..., Page]
Settle = Callable[[Page], None]
SENTENCE = "George drove to the bank"  # [CLS] george drove to the bank [SEP]
HOSTILE = "<script>window.hacked = 1</script> <img src=x onerror=hacked=1> **bold** $x$"


def heads(text: str = SENTENCE, **url: object) -> str:
    values = {"model": "minilm-l6", "text": text, "layer": 2, "head": 4} | url
    return "heads?" + "&".join(f"{name}={quote(str(value))}" for name, value in values.items())


@pytest.fixture
def mounted(mount: Callable[..., MountedComponent]) -> Callable[..., MountedComponent]:
    """`mounted(component="attention_lines", text=SENTENCE, **keys)`: a component of Heads, alone."""

    def visit(component: str = "attention_lines", text: str = SENTENCE, **keys: object) -> MountedComponent:
        given = {"model": "minilm-l6", "text": text, "layer": 2, "head": 4} | keys
        return mount("attention/heads.py", component, **given)

    return visit


Mounted = Callable[..., MountedComponent]


def lines(page: Page) -> Locator:
    return page.locator(".gf.lines")


def query(page: Page, word: str) -> Locator:
    return lines(page).get_by_role("listbox", name="Queries").get_by_role("option", name=word, exact=True)


def key(page: Page, word: str) -> Locator:
    return lines(page).get_by_role("listbox", name="Keys").get_by_role("option", name=word, exact=True)


def said(page: Page) -> Locator:
    """What a screen reader is told."""
    return lines(page).locator("p[role=status]")


def head(page: Page, number: int) -> Locator:
    return lines(page).get_by_role("button", name=f"Head {number}", exact=True)


def ink(page: Page) -> int:
    """How many pixels of the isolated lines are drawn."""
    count = (
        lines(page)
        .locator("canvas")
        .nth(1)
        .evaluate(
            """canvas => {
            const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            let drawn = 0;
            for (let at = 3; at < data.length; at += 4) drawn += data[at] > 0;
            return drawn;
        }"""
        )
    )
    return int(count)


def in_url(page: Page, name: str) -> str | None:
    return parse_qs(urlsplit(page.url).query).get(name, [None])[0]


def test_a_typed_sentence_shows_its_lines_and_hostile_text_is_text(walk: OpenApp) -> None:
    page = walk(heads(query=2))
    expect(query(page, "george")).to_be_visible()
    run_sentence(page, HOSTILE)
    expect(query(page, "script").first).to_be_visible()
    expect(query(page, "george")).to_have_count(0)
    assert ink(page) > 0
    page.get_by_role("radio", name="Matrix").click()
    expect(page.locator(".js-plotly-plot .ytick text", has_text="script").first).to_be_visible()
    assert page.evaluate("window.hacked") is None
    assert page.locator(".gf script, .gf img, .js-plotly-plot script").count() == 0


def test_hover_isolates_a_token_without_asking_the_page_and_clicks_pin_two(mounted: Mounted, minilm: Model) -> None:
    part = mounted(query=-2)
    page = part.page
    before = ink(page)
    query(page, "drove").hover()
    expect(query(page, "drove")).to_have_class(re.compile("here"))
    expect(lines(page).locator("canvas").first).to_have_css("opacity", "0.16")
    assert ink(page) > before
    page.mouse.move(5, 890)
    expect(query(page, "drove")).not_to_have_class(re.compile("here"))
    assert not part.told
    weight = float(minilm.trace(SENTENCE)["encoder.2.self_attn.weights"][4, 2, 5])
    query(page, "drove").click()
    expect(query(page, "drove")).to_have_attribute("aria-selected", "true")
    key(page, "bank").click()
    expect(part.said).to_contain_text(f"[**bank** :small[5]] :gray[weight] {number(weight, 2)}")
    expect(page).to_have_url(re.compile("query=2.*key=5"))


def test_a_token_that_the_bar_has_chosen_is_shown_before_the_server_answers(mounted: Mounted) -> None:
    part = mounted(query=-2)  # the component stands alone: nobody answers
    choose = "place => dispatchEvent(new CustomEvent('glassformer chosen token', {detail: {role: 'query', place}}))"
    part.page.evaluate(choose, 2)
    expect(query(part.page, "drove")).to_have_attribute("aria-selected", "true")
    expect(said(part.page)).to_contain_text("drove looks most at")
    part.page.evaluate(choose, None)
    expect(lines(part.page).locator("[aria-selected=true]")).to_have_count(0)
    assert not part.told


def test_heads_are_toggled_and_soloed_and_the_last_one_stays(mounted: Mounted) -> None:
    page = mounted().page
    head(page, 4).click()  # alone, it cannot be switched off
    expect(head(page, 4)).to_have_attribute("aria-pressed", "true")
    head(page, 7).click()
    expect(head(page, 7)).to_have_attribute("aria-pressed", "true")
    expect(head(page, 4)).to_have_attribute("aria-pressed", "true")
    expect(page).to_have_url(re.compile("heads_shown=4%2C7"))
    head(page, 9).dblclick()
    expect(head(page, 9)).to_have_attribute("aria-pressed", "true")
    expect(head(page, 4)).to_have_attribute("aria-pressed", "false")
    expect(head(page, 7)).to_have_attribute("aria-pressed", "false")
    expect(page).to_have_url(re.compile("head=9"))


def test_threshold_hidden_tokens_and_layout(mounted: Mounted) -> None:
    page = mounted(query=2).page
    drawn = ink(page)
    lines(page).get_by_role("slider", name="Hide weights below").fill("0.5")
    assert ink(page) < drawn
    lines(page).get_by_role("checkbox", name="special tokens").check()
    expect(query(page, "[CLS]")).to_have_count(0)
    expect(key(page, "[SEP]")).to_have_count(0)
    lines(page).get_by_role("button", name="lay across").click()
    expect(query(page, "drove")).to_have_css("writing-mode", "vertical-rl")
    expect(page).to_have_url(re.compile("heads_least=0.5&heads_hide=special&heads_layout=across"))


def test_lines_by_keyboard_are_told_in_words(mounted: Mounted) -> None:
    page = mounted(query=1).page
    query(page, "george").focus()
    page.keyboard.press("ArrowDown")
    expect(query(page, "drove")).to_be_focused()
    expect(said(page)).to_contain_text("Head 4: drove looks most at")
    page.keyboard.press("ArrowRight")
    expect(key(page, "drove")).to_be_focused()
    expect(said(page)).to_contain_text("drove is looked at most by")
    table = lines(page).get_by_role("table")
    expect(table.get_by_role("row")).to_have_count(8)


def click_cell(page: Page, row: int, column: int, size: int) -> None:
    """Click a cell of the matrix, found by the plot's own axes."""
    place = page.locator(".js-plotly-plot").evaluate(
        """(plot, [row, column]) => {
            const { xaxis, yaxis } = plot._fullLayout, box = plot.getBoundingClientRect();
            return [box.left + xaxis._offset + xaxis.d2p(column), box.top + yaxis._offset + yaxis.d2p(row)];
        }""",
        [row, column],
    )
    page.mouse.click(*place)


def test_a_cell_opens_its_story_and_its_snippet_holds(walk: OpenApp, settle: Settle, minilm: Model) -> None:
    page = walk(heads(heads_view="Matrix"), height=1400)
    expect(page.locator(".js-plotly-plot .nsewdrag").first).to_be_visible()
    weight = float(minilm.trace(SENTENCE)["encoder.2.self_attn.weights"][4, 3, 6])
    click_cell(page, 3, 6, 7)
    expect(page.get_by_role("heading", name=f"to 3 → [SEP] 6 weight {number(weight, 2)}")).to_be_visible()
    expect(page.get_by_text("of the 7 keys that it can see")).to_be_visible()
    settle(page)
    code = page.get_by_test_id("stCode").locator("code").inner_text()
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "snippet", "exec"), {})
    assert float(printed.getvalue()) == pytest.approx(weight, abs=1e-5)


def test_the_atlas_previews_a_head_and_opens_it_by_key_and_by_click(mounted: Mounted) -> None:
    """A head that is opened is shown by its lines: the atlas is gone."""
    part = mounted("heads_atlas", heads_view="All heads")
    board = part.page.locator(".gf.atlas").get_by_role("application")
    expect(board).to_have_attribute("aria-label", re.compile("Now: Layer 2, head 4"))
    board.focus()
    part.page.keyboard.press("ArrowRight")
    expect(part.page.locator(".gf.atlas .preview")).to_contain_text("Layer 3, head 4")
    part.page.keyboard.press("ArrowDown")
    expect(part.page.locator(".gf.atlas").get_by_role("status")).to_contain_text("Layer 3, head 5: previous token")
    part.page.keyboard.press("Enter")
    expect(part.page).to_have_url(re.compile("layer=3&head=5"))
    assert "attention_lines" in components(part.app)
    part = mounted("heads_atlas", heads_view="All heads")
    box = board.bounding_box()
    assert box is not None
    step = (box["width"] - 22) / 6
    board.click(position={"x": 22 + 5.5 * step, "y": 18 + 0.5 * step})
    expect(part.page).to_have_url(re.compile("layer=5&head=0"))


def test_a_link_restores_the_whole_view(open_app: OpenApp) -> None:
    """On a server that no browser has visited: test_add_model.py."""
    view: dict[str, Any] = {
        "heads_shown": "3,4",
        "query": 5,
        "key": 0,
        "heads_least": 0.1,
        "heads_hide": "sink",
    }
    page = open_app(heads(**view, heads_layout="across"))
    expect(head(page, 3)).to_have_attribute("aria-pressed", "true")
    expect(head(page, 4)).to_have_attribute("aria-pressed", "true")
    expect(query(page, "bank")).to_have_attribute("aria-selected", "true")
    expect(key(page, "[CLS]")).to_have_attribute("aria-selected", "true")
    expect(lines(page).get_by_role("slider")).to_have_value("0.1")
    expect(lines(page).get_by_role("checkbox", name="first token")).to_be_checked()
    expect(query(page, "bank")).to_have_css("writing-mode", "vertical-rl")
    expect(page.get_by_role("heading", name=re.compile(r"bank 5 → \[CLS\] 0"))).to_be_visible()


def test_switching_the_theme_redraws_lines_and_matrix(open_app: OpenApp) -> None:
    page = open_app(heads(heads_view="Matrix"))
    tick = page.locator(".js-plotly-plot .ytick text").first
    expect(tick).to_have_css("fill", "rgb(26, 34, 48)")
    page.emulate_media(color_scheme="dark")
    expect(tick).to_have_css("fill", "rgb(232, 235, 239)")
    page.get_by_role("radio", name="Lines").click()
    expect(page.locator(".gf.lines.dark")).to_have_count(1)
    expect(query(page, "drove")).to_have_css("color", "rgb(232, 235, 239)")
    page.emulate_media(color_scheme="light")
    expect(page.locator(".gf.lines.dark")).to_have_count(0)
    expect(query(page, "drove")).to_have_css("color", "rgb(26, 34, 48)")


def test_urdu_reads_from_the_right(mounted: Mounted) -> None:
    page = mounted(text="میں ایک روبوٹ ہوں", heads_layout="across").page
    places = lines(page).get_by_role("listbox", name="Queries").get_by_role("option")
    expect(places.first).to_be_visible()
    first, last = places.first.bounding_box(), places.last.bounding_box()
    assert first is not None
    assert last is not None
    assert first["x"] > last["x"]


LM = "heads?model=tiny-lm&text=the+dog+sees+the+cat&layer=1&head=2"
# Both drawings of the lines, as text.
PICTURE = """() => {
  const roots = [...document.querySelectorAll("*")].map((node) => node.shadowRoot).filter(Boolean);
  const drawings = roots.flatMap((root) => [...root.querySelectorAll(".lines .stage canvas")]);
  return drawings.map((canvas) => canvas.toDataURL()).join();
}"""
# The drawing in front of the words, as text, and how many pixels are painted above the small pictures.
FRONT = """() => {
  const roots = [...document.querySelectorAll("*")].map((node) => node.shadowRoot).filter(Boolean);
  return roots.map((root) => root.querySelectorAll(".lines .stage canvas")[1]).find(Boolean).toDataURL();
}"""
MARKS = """() => {
  const roots = [...document.querySelectorAll("*")].map((node) => node.shadowRoot).filter(Boolean);
  const canvas = roots.map((root) => root.querySelectorAll(".atlas .stage canvas")[1]).find(Boolean);
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return data.filter((value, i) => i % 4 === 3 && value > 0).length;
}"""


def bars(page: Page) -> list[str]:
    """The outcomes beside the heads, as a screen reader hears them."""
    return [row.get_attribute("aria-label") or "" for row in page.locator(".gf.outcomes li").all()]


def test_one_press_mutes_the_head_and_one_undoes_it(walk: OpenApp, settle: Settle) -> None:
    page = walk(LM, width=1366, height=768)
    run_bar = page.locator(".gf.runbar")
    expect(page.locator(".gf.outcomes li").nth(3)).to_be_visible()
    whole = bars(page)
    assert "with all heads" not in "".join(whole)
    run_bar.get_by_role("button", name="Mute this head").click()
    sign = run_bar.get_by_role("button", name="Layer 1, head 2 muted")
    expect(sign).to_be_visible()
    expect(page.locator(".gf.outcomes")).to_contain_text("→")
    settle(page)
    shares = [re.fullmatch(r"(.+) (\S+|under \S+), with all heads (.+)", row) for row in bars(page)]
    assert any(each and each[2] != each[3] for each in shares), "the likeliest next tokens change"
    assert "edits=decoder.1.self_attn.2" in page.url
    box = lines(page).bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 768, "the picture is in one view, below the sign"
    sign.click()
    expect(sign).to_have_count(0)
    settle(page)
    assert bars(page) == whole
    assert "edits" not in page.url


def test_m_mutes_and_undo_of_the_bar_undoes(walk: OpenApp, settle: Settle) -> None:
    page = walk(LM)
    sign = page.locator(".gf.runbar .sign")
    page.keyboard.press("m")
    expect(sign).to_have_count(1)
    settle(page)
    page.get_by_role("button", name="The run before").click()
    expect(sign).to_have_count(0)
    settle(page)
    page.keyboard.press("m")
    expect(sign).to_have_count(1)
    settle(page)
    page.keyboard.press("m")
    expect(sign).to_have_count(0)


def test_another_layer_is_on_screen_before_the_server_answers(walk: OpenApp, settle: Settle) -> None:
    page = walk(LM)
    expect(query(page, "sees")).to_be_visible()
    settle(page)
    layer, head = (page.get_by_role("combobox", name=name) for name in ("Layer", "Head"))
    for choice, value in ((layer, "3"), (head, "0")):
        before = page.evaluate(PICTURE)
        choice.evaluate("(select, value) => { select.value = value; select.onchange(); }", value)
        at_once = page.evaluate(PICTURE)
        assert at_once != before
        page.wait_for_url(re.compile(r"layer=3.*head=0" if choice is head else "layer=3"))
        settle(page)
        assert page.evaluate(PICTURE) == at_once, "the server's answer shows the same"
        expect(choice).to_have_value(value)


def test_pointing_at_a_token_of_the_bar_shows_it_in_all_heads(walk: OpenApp, settle: Settle) -> None:
    page = walk(LM)
    expect(query(page, "sees")).to_be_visible()
    settle(page)
    chip = page.locator(".gf.runbar .chip")
    stage = lines(page).locator(".stage canvas.moves")
    before = page.evaluate(FRONT)
    chip.nth(3).hover()
    expect(stage).to_have_css("opacity", "0")  # the lines give way to the cells
    expect(said(page)).to_contain_text("sees looks most at")
    assert page.evaluate(FRONT) != before
    page.mouse.move(5, 5)
    expect(stage).not_to_have_css("opacity", "0")
    assert page.evaluate(FRONT) == before
    chip.nth(4).focus()
    page.keyboard.press("ArrowLeft")
    expect(stage).to_have_css("opacity", "0")


def test_pointing_at_a_token_of_the_bar_leaves_its_row_of_the_matrix(walk: OpenApp) -> None:
    page = walk(f"{LM}&heads_view=Matrix")
    expect(page.locator(".st-key-heads-matrix .heatmaplayer image").first).to_be_attached()
    page.locator(".gf.runbar .chip").nth(3).hover()
    veils = page.locator(".gf-row-veil")
    expect(veils).to_have_count(2)
    above, below = veils.nth(0).bounding_box(), veils.nth(1).bounding_box()
    assert above is not None
    assert below is not None
    rows = page.locator(".gf.runbar .chip").count()
    row = below["y"] - above["y"] - above["height"]  # pixels
    assert above["height"] == pytest.approx(3 * row, abs=1)
    assert below["height"] == pytest.approx((rows - 4) * row, abs=1)
    page.mouse.move(5, 5)
    expect(veils).to_have_count(0)


def test_in_all_heads_only_the_row_of_the_token_stays(walk: OpenApp) -> None:
    page = walk(f"{LM}&heads_view=All+heads")
    atlas = page.locator(".gf.atlas")
    expect(atlas).to_be_visible()
    before = page.evaluate(MARKS)
    page.locator(".gf.runbar .chip").nth(3).hover()
    page.wait_for_function(f"() => ({MARKS})() > {before} + 1000")
    page.mouse.move(5, 5)
    page.wait_for_function(f"() => ({MARKS})() === {before}")
