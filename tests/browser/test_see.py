"""The See page in a real browser: pictures of one's own by file, pen and clipboard, and patches under the hand."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from model.vision.digits import held_out
from tests.browser.mounting import MountedComponent

OpenApp = Callable[..., Page]
Settle = Callable[[Page], None]
SEVEN = ((0.25, 0.2), (0.75, 0.2), (0.45, 0.85))  # strokes as shares of the pad, pen down all the way
NOISE = np.random.default_rng(0).integers(0, 256, (90, 120, 3)).astype(np.uint8)
HOSTILE = b'<svg xmlns="http://www.w3.org/2000/svg"><script>hacked = 1</script></svg>'


def png(image: Image.Image) -> bytes:
    held = io.BytesIO()
    image.save(held, "PNG")
    return held.getvalue()


def upload(page: Page, name: str, data: bytes) -> None:
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(
        {"name": name, "mimeType": "image/png", "buffer": data}
    )


def fill(canvas: Locator) -> int:
    """A number that changes with what a canvas shows."""
    return canvas.evaluate(
        """canvas => {
            const data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
            let sum = 0;
            for (let at = 0; at < data.length; at++) sum = (sum * 31 + data[at]) | 0;
            return sum;
        }"""
    )


def test_an_uploaded_picture_is_cut_into_patches_and_a_hostile_file_is_refused(
    walk: OpenApp, settle: Settle, tmp_path: Path
) -> None:
    """What else is refused, and in which words: tests/pages/models/test_see.py and tests/model/vision/test_files.py."""
    page = walk("see?see_model=digits-vit&see_source=upload&see_part=patches")
    expect(page.get_by_text("No picture yet")).to_be_visible()
    cut = page.locator(".js-plotly-plot image").first
    address = "image => image.href.baseVal"
    example = cut.evaluate(address)
    whole = png(Image.fromarray(NOISE))
    upload(page, "mine.png", whole)
    mine = page.get_by_text("Your picture: in this session only")
    expect(mine).to_be_visible()
    settle(page)
    uploaded = cut.evaluate(address)
    assert uploaded != example
    upload(page, "drawing.png", HOSTILE)
    expect(page.get_by_role("alert").filter(has_text="This is an SVG")).to_be_visible()
    settle(page)
    assert page.evaluate("window.hacked") is None
    upload(page, "mine.png", whole)
    expect(mine).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    settle(page)
    assert cut.evaluate(address) == uploaded
    large = tmp_path / "large.png"
    large.write_bytes(bytes(17_000_000))
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(large)
    why = page.get_by_role("alert").filter(has_text="File must be 16.0MB or smaller")
    expect(why).to_be_visible()
    box = why.bounding_box()
    assert box is not None
    assert box["height"] > 12, "written out, not only shown to the hand over the file"


def test_the_camera_takes_a_picture(walk: OpenApp, settle: Settle) -> None:
    page = walk("see?see_model=digits-vit&see_source=camera&see_part=patches")
    expect(page.get_by_text("you said no, choose Upload or Paste")).to_be_visible()
    page.wait_for_function(
        "() => document.querySelector('video')?.videoWidth > 0"
    )  # before that there is nothing to take
    page.get_by_role("button", name="Take Photo").click()
    expect(page.get_by_text("Your picture: in this session only")).to_be_visible()
    settle(page)
    page.get_by_role("button", name="Clear photo").click()
    expect(page.get_by_text("No picture yet")).to_be_visible()


def test_a_drawn_digit_is_recognised_until_it_is_cleared(walk: OpenApp, settle: Settle) -> None:
    page = walk("see?see_model=digits-vit&see_source=draw&see_part=answer")
    expect(page.get_by_text("No picture yet")).to_be_visible()
    pad = page.locator(".gf.pad canvas")
    box = pad.bounding_box()
    assert box is not None
    (x, y), *rest = [(box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in SEVEN]
    page.mouse.move(x, y)
    page.mouse.down()
    for x, y in rest:
        page.mouse.move(x, y, steps=6)
    page.mouse.up()
    expect(page.get_by_text("From the class token's last vector alone: 7,")).to_be_visible()
    settle(page)
    page.locator(".gf.pad").get_by_role("button", name="Clear").click()
    expect(page.get_by_text("No picture yet")).to_be_visible()


def test_the_hand_over_a_patch_shows_where_it_looks_without_a_rerun(mount: Callable[..., MountedComponent]) -> None:
    part = mount("models/see.py", "patch_attention", see_model="digits-vit", see_part="attention")
    page = part.page
    picture, atlas = (page.locator(".gf.patches canvas").nth(n) for n in (0, 1))
    said = page.locator(".gf.patches [role=status]")
    expect(said).to_contain_text("The class token in layer")
    before, heads = fill(picture), fill(atlas)
    box = picture.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 3.5 / 7, box["y"] + box["height"] * 2.5 / 7)
    expect(said).to_contain_text("Patch r3 c4 in layer")
    assert fill(picture) != before
    assert fill(atlas) != heads
    page.mouse.move(2, 890)
    expect(said).to_contain_text("The class token in layer")
    assert fill(picture) == before
    assert not part.told
    picture.focus()
    picture.press("ArrowRight")
    expect(said).to_contain_text("Patch r1 c1 in layer")
    expect(page).to_have_url(re.compile("see_patch=0"))


def test_a_pasted_picture_is_read(mount: Callable[..., MountedComponent]) -> None:
    url = {"see_model": "digits-vit", "see_source": "paste", "see_part": "answer"}
    part = mount("models/see.py", "picture_paste", **url)
    place = part.page.get_by_role("textbox", name="Paste a picture here")
    digit = Image.fromarray(255 - held_out()[0][103]).resize((140, 140))  # a two, black on white
    place.evaluate(
        """(place, [kind, text]) => {
            const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0)), data = new DataTransfer();
            if (kind) data.items.add(new File([bytes], "pasted.png", { type: kind }));
            place.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        }""",
        ["image/png", base64.b64encode(png(digit)).decode()],
    )
    expect(part.said).to_contain_text("From the class token's last vector alone: **2**,")
