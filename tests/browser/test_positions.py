"""The Positions page in a real browser: deep links, what the hand moves, and that the numbers are the library's."""

import re
from collections.abc import Callable

import pytest
import torch
from playwright.sync_api import Locator, Page, expect

from model.network.positions import sinusoidal
from tests.browser.mounting import MountedComponent
from viz.shared.style import number

TEXT = "model=minilm-l6&text=the%20dog%20bites%20the%20man"
LINK = "positions?" + TEXT + "&positions_part="

# The other parts are looked at on a phone in test_access.py.
PARTS = {
    "table": ("Worked table", "The row of"),
    "rotary": ("Rotary", "Same q, same k, only moved apart"),
    "order": ("Does order matter?", "the words only change places"),
}


def test_tables_and_words_are_drawn_on_a_phone_too(open_app: Callable[..., Page]) -> None:
    page = open_app(LINK + "requirements", width=390, height=844, theme="dark")
    expect(page.get_by_role("radio", name="Requirements", exact=True)).to_be_checked()
    for part, (label, seen) in PARTS.items():
        page.get_by_role("radiogroup", name="Part").get_by_role("radio", name=label, exact=True).click()
        expect(page.get_by_text(seen).first).to_be_visible()
        expect(page).to_have_url(re.compile(f"positions_part={part}"))
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, part


Mount = Callable[..., MountedComponent]


@pytest.fixture
def positions(mount: Mount) -> Callable[..., Page]:
    """`positions(part, **keys)`: the component of a part, alone; the keys of the page without its name."""

    def visit(part: str, **keys: object) -> Page:
        values = {f"positions_{name}": value for name, value in keys.items()}
        sentence = {"model": "minilm-l6", "text": "the dog bites the man"}
        return mount("inputs/positions.py", f"position_{part}", **sentence, positions_part=part, **values).page

    return visit


def facts(page: Page) -> Locator:
    return page.locator(".heatmap .facts")


def picture(canvas: Locator) -> str:
    return canvas.evaluate("canvas => canvas.toDataURL()")


def test_a_cell_tells_its_story(positions: Callable[..., Page]) -> None:
    page = positions("heatmap", d=8, base=100.0)
    board = page.locator(".heatmap canvas").first
    expect(facts(page)).to_contain_text("t = 5")  # the token that the run bar proposes
    board.focus()
    for key in ["ArrowUp"] * 2 + ["ArrowRight"] * 3:
        board.press(key)
    value = float(sinusoidal(torch.tensor([3]), 8, 100.0)[0, 3])
    expect(facts(page)).to_contain_text("t = 3 (bites)")
    expect(facts(page)).to_contain_text("cos(ω₁ t)")
    expect(facts(page)).to_contain_text(f"{value:.4f}".replace("-", "−"))


def test_pointing_marks_a_cell_and_clicking_shows_its_waves(positions: Callable[..., Page]) -> None:
    page = positions("heatmap", d=8, pairs=1)
    board = page.locator(".heatmap canvas").first
    expect(page.locator(".wave")).to_have_count(1)
    box = board.bounding_box()
    assert box is not None
    board.hover(position={"x": box["width"] - 10, "y": box["height"] - 10})
    expect(facts(page)).to_contain_text("feature 7")
    board.click(position={"x": box["width"] - 10, "y": box["height"] - 10})
    expect(page.locator(".wave")).to_have_count(2)
    expect(page).to_have_url(re.compile("positions_pairs=1%2C3"))


def test_dragging_the_shift_turns_the_hands(positions: Callable[..., Page]) -> None:
    page = positions("circles", phi=0.0)
    slider = page.get_by_role("slider", name="Shift φ, in words")
    typed = page.get_by_role("spinbutton", name="Shift φ, typed")
    expect(typed).to_have_value("0")
    clocks = page.locator(".circles .main canvas")
    before = picture(clocks)
    box = slider.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.75 * box["width"], middle, steps=5)
    page.mouse.up()
    expect(typed).not_to_have_value("0")
    expect(page).to_have_url(re.compile(r"positions_phi=[3-5]"))
    assert picture(clocks) != before
    power = re.search(r"10⁻(\S+)$", page.locator(".circles .error").inner_text())
    assert power is not None
    assert int(power[1].translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789"))) > 12


def test_a_shift_out_of_range_is_refused_beside_its_control(mount: Mount) -> None:
    part = mount("inputs/positions.py", "position_circles", positions_part="circles", positions_phi=2.0)
    typed = part.page.get_by_role("spinbutton", name="Shift φ, typed")
    expect(typed).to_have_value("2")
    typed.fill("400")
    typed.press("Tab")
    expect(part.page.get_by_text("The shift can be −8 to 8 words")).to_be_visible()
    typed.fill("5")
    typed.press("Tab")
    expect(part.page).to_have_url(re.compile(r"positions_phi=5\.0"))
    assert part.told == [("phi", 5)], "the page never heard of the shift that was refused"


def test_play_runs_in_the_browser_and_tells_the_server_at_the_end(positions: Callable[..., Page]) -> None:
    page = positions("circles", phi=6.0)
    page.get_by_role("button", name="Play").click()
    typed = page.get_by_role("spinbutton", name="Shift φ, typed")
    expect(typed).to_have_value("7")  # with reduced motion, one word a second
    expect(page).to_have_url(re.compile(r"positions_phi=6\.0"))
    expect(typed).to_have_value("8")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect(page).to_have_url(re.compile(r"positions_phi=8\.0"))


def test_the_circle_in_space_turns_by_keys(positions: Callable[..., Page]) -> None:
    page = positions("circles", view="space")
    canvas = page.get_by_role("application", name=re.compile("The circle round the embedding"))
    expect(canvas).to_be_visible()
    before = picture(canvas)
    canvas.press("ArrowLeft")
    assert picture(canvas) != before


def test_moving_a_position_moves_score_angle_and_diagonal_together(positions: Callable[..., Page]) -> None:
    page = positions("distance", d=8, base=100.0, places="1,3")
    readout, handle = page.locator(".distance .readout"), page.get_by_role("slider", name="Position t")
    expect(readout).to_contain_text("t − s = −2")
    canvases = page.locator(".matrix canvas"), page.locator(".angle canvas")
    before = [picture(canvas) for canvas in canvases]
    handle.press("ArrowRight")
    p = sinusoidal(torch.arange(4), 8, 100.0)
    expect(readout).to_contain_text("t − s = −1")
    expect(readout).to_contain_text(f"p(t)·p(s) = {number(p[2] @ p[3])}")
    cosine = p[2] @ p[3] / 4
    expect(readout).to_contain_text(f"angle {float(torch.rad2deg(torch.arccos(cosine))):.1f}°")
    for canvas, as_it_was in zip(canvases, before, strict=True):
        assert picture(canvas) != as_it_was
    expect(page).to_have_url(re.compile("positions_places=2%2C3"))


def test_dragging_over_the_matrix_chooses_both(positions: Callable[..., Page]) -> None:
    page = positions("distance", distance="rotary", rows="length", length=64)
    matrix = page.locator(".matrix canvas")
    expect(page.locator(".distance .readout")).to_contain_text("t − s")
    box = matrix.bounding_box()
    assert box is not None
    matrix.click(position={"x": box["width"] - 2, "y": 2})
    expect(page.locator(".distance .readout")).to_contain_text("t − s = −63")
