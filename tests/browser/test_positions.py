"""The Positions page in a real browser: deep links, what the hand moves, and that the numbers are the library's."""

import re
from collections.abc import Callable

import torch
from playwright.sync_api import Page, expect

from model.network.positions import sinusoidal

TEXT = "model=minilm-l6&text=the%20dog%20bites%20the%20man"
LINK = "positions?" + TEXT + "&positions_part="

PARTS = {
    "heatmap": ("Heatmap", "Pair 0 turns once in 6.3 words"),
    "table": ("Worked table", "Row 3, robot"),
    "circles": ("Circles", "turns every hand by its own fixed angle"),
    "distance": ("Distance", "Only the distance counts"),
    "rotary": ("Rotary", "Same q, same k, only moved apart"),
    "join": ("Add or concatenate", "p makes the stream 576 wide instead of 512"),
    "order": ("Does order matter?", "the words only change places"),
    "requirements": ("Requirements", "the number beside each sign decides"),
}


def test_every_part_is_drawn_on_a_phone_too(open_app: Callable[..., Page]) -> None:
    page = open_app(LINK + "requirements", width=390, height=844, theme="dark")
    expect(page.get_by_role("radio", name="Requirements", exact=True)).to_be_checked()
    for part, (label, seen) in PARTS.items():
        page.get_by_role("radiogroup", name="Part").get_by_role("radio", name=label, exact=True).click()
        expect(page.get_by_text(seen).first).to_be_visible()
        expect(page).to_have_url(re.compile(f"positions_part={part}"))
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, part


def facts(page: Page):
    return page.locator(".heatmap .facts")


def test_a_cell_tells_its_story(open_app: Callable[..., Page]) -> None:
    page = open_app(LINK + "heatmap&positions_d=8&positions_base=100.0")
    board = page.locator(".heatmap canvas").first
    expect(facts(page)).to_contain_text("t = 1")
    board.focus()
    for key in ["ArrowDown"] * 2 + ["ArrowRight"] * 3:
        board.press(key)
    value = float(sinusoidal(torch.tensor([3]), 8, 100.0)[0, 3])
    expect(facts(page)).to_contain_text("t = 3 (bites)")
    expect(facts(page)).to_contain_text("cos(ω₁ t)")
    expect(facts(page)).to_contain_text(f"{value:.4f}".replace("-", "−"))


def test_pointing_marks_a_cell_and_clicking_shows_its_waves(open_app: Callable[..., Page]) -> None:
    page = open_app(LINK + "heatmap&positions_d=8&positions_pairs=1")
    board = page.locator(".heatmap canvas").first
    expect(page.locator(".wave")).to_have_count(1)
    box = board.bounding_box()
    assert box is not None
    board.hover(position={"x": box["width"] - 10, "y": box["height"] - 10})
    expect(facts(page)).to_contain_text("feature 7")
    board.click(position={"x": box["width"] - 10, "y": box["height"] - 10})
    expect(page.locator(".wave")).to_have_count(2)
    expect(page).to_have_url(re.compile("positions_pairs=1%2C3"))


def test_dragging_the_shift_turns_the_hands(open_app: Callable[..., Page]) -> None:
    page = open_app(LINK + "circles&positions_phi=0.0")
    slider = page.get_by_role("slider", name="Shift φ, in words")
    typed = page.get_by_role("spinbutton", name="Shift φ, typed")
    expect(typed).to_have_value("0")
    clocks = page.locator(".circles .main canvas")
    before = clocks.evaluate("canvas => canvas.toDataURL()")
    box = slider.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] / 2, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.75 * box["width"], middle, steps=5)
    page.mouse.up()
    expect(typed).not_to_have_value("0")
    expect(page).to_have_url(re.compile(r"positions_phi=[3-5]"))
    assert clocks.evaluate("canvas => canvas.toDataURL()") != before
    error = page.locator(".circles .error").inner_text().replace("−", "-")
    assert float(error) < 1e-12


def test_a_shift_out_of_range_is_refused_beside_its_control(open_app: Callable[..., Page]) -> None:
    page = open_app(LINK + "circles&positions_phi=2.0")
    typed = page.get_by_role("spinbutton", name="Shift φ, typed")
    expect(typed).to_have_value("2")
    typed.fill("400")
    typed.press("Tab")
    expect(page.get_by_text("The shift can be −8 to 8 words")).to_be_visible()
    expect(page).to_have_url(re.compile(r"positions_phi=2\.0"))


def test_play_runs_in_the_browser_and_tells_the_server_at_the_end(open_app: Callable[..., Page]) -> None:
    page = open_app(LINK + "circles&positions_phi=6.0")
    page.get_by_role("button", name="Play").click()
    typed = page.get_by_role("spinbutton", name="Shift φ, typed")
    expect(typed).to_have_value("7")  # with reduced motion, one word a second
    expect(page).to_have_url(re.compile(r"positions_phi=6\.0"))
    expect(typed).to_have_value("8")
    expect(page.get_by_role("button", name="Play")).to_be_visible()
    expect(page).to_have_url(re.compile(r"positions_phi=8\.0"))


def test_the_circle_in_space_turns_by_keys(open_app: Callable[..., Page]) -> None:
    page = open_app(LINK + "circles&positions_view=space")
    canvas = page.get_by_role("application", name=re.compile("The circle round the embedding"))
    expect(canvas).to_be_visible()
    before = canvas.evaluate("canvas => canvas.toDataURL()")
    canvas.press("ArrowLeft")
    assert canvas.evaluate("canvas => canvas.toDataURL()") != before


def test_moving_a_position_moves_score_angle_and_diagonal_together(open_app: Callable[..., Page]) -> None:
    page = open_app(LINK + "distance&positions_d=8&positions_base=100.0&positions_places=1,3")
    readout, handle = page.locator(".distance .readout"), page.get_by_role("slider", name="Position t")
    expect(readout).to_contain_text("t − s = −2")
    matrix, angle = page.locator(".matrix canvas"), page.locator(".angle canvas")
    pictures = [canvas.evaluate("canvas => canvas.toDataURL()") for canvas in (matrix, angle)]
    handle.press("ArrowRight")
    p = sinusoidal(torch.arange(4), 8, 100.0)
    expect(readout).to_contain_text("t − s = −1")
    expect(readout).to_contain_text(f"p(t)·p(s) = {float(p[2] @ p[3]):.2f}")
    cosine = p[2] @ p[3] / 4
    expect(readout).to_contain_text(f"angle {float(torch.rad2deg(torch.arccos(cosine))):.1f}°")
    for canvas, before in zip((matrix, angle), pictures, strict=True):
        assert canvas.evaluate("canvas => canvas.toDataURL()") != before
    expect(page).to_have_url(re.compile("positions_places=2%2C3"))


def test_dragging_over_the_matrix_chooses_both(open_app: Callable[..., Page]) -> None:
    page = open_app(LINK + "distance&positions_distance=rotary&positions_rows=length&positions_length=64")
    matrix = page.locator(".matrix canvas")
    expect(page.locator(".distance .readout")).to_contain_text("t − s")
    box = matrix.bounding_box()
    assert box is not None
    matrix.click(position={"x": box["width"] - 2, "y": 2})
    expect(page.locator(".distance .readout")).to_contain_text("t − s = −63")
