"""See, in Chromium: a hand that moves over a picture or over its heads at every frame, and what travels for it.

At every frame the pointer is on another patch, so at every frame the overlay and all 72 heads of dinov2-s are drawn
anew.
"""

from __future__ import annotations

import statistics
from typing import Any

from playwright.sync_api import Page, expect, sync_playwright

from model.vision.model import load_vision
from pages.models.see_parts.source import example, run_edited
from tests.benchmarks.row import Row
from tests.browser.conftest import QUIET, Server, readers_browser, settle
from views.models.see.attention import all_weights, queries_and_keys
from viz.models.patch_heads import MAX_BYTES, pack_heads

FRAMES = 150
FRAME = 1000 / 30  # milliseconds
PICTURES = ("flower", "pagoda", "shapes")

# One pointer event a frame; the page draws in a callback of that frame, this one's comes after it.
MOVE = """async (canvas, frames) => {
  const box = canvas.getBoundingClientRect(), drawn = [], starts = [];
  for (let i = 0; i < frames; i++) {
    const clientX = box.left + box.width * ((i * 0.37 + 0.05) % 1);
    const clientY = box.top + box.height * ((i * 0.61 + 0.1) % 1);
    canvas.dispatchEvent(new PointerEvent("pointermove", { clientX, clientY }));
    await new Promise((done) => requestAnimationFrame((start) => {
      drawn.push(performance.now() - start);
      starts.push(start);
      done();
    }));
  }
  return { drawn, between: starts.slice(1).map((start, i) => start - starts[i]) };
}"""


def main() -> list[Row]:
    rows = [*payload()]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=readers_browser(), args=QUIET)
        server = Server()
        try:
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(f"{server.url}/see?see_model=dinov2-s&see_part=attention")
            settle(page)
            rows += hovers(page)
        finally:
            server.stop()
            browser.close()
    return rows


def payload() -> list[Row]:
    """The message with the picture and the weights of all heads, for the example that packs worst."""
    model = load_vision("dinov2-s")
    view = {"layer": 0, "head": 0, "patch": -1}
    sizes = []
    for name in PICTURES:
        seen = example(model, name)
        run = run_edited(model, seen.square)
        queries, keys = queries_and_keys(run, seen.layers)
        sizes.append(len(pack_heads(seen.square, queries, keys, all_weights(run, seen.layers), seen.side, view)))
    return [Row("payload of all 72 heads and the picture", max(sizes) / 1000, MAX_BYTES / 1000, "budget", "kB")]


def hovers(page: Page) -> list[Row]:
    rows = []
    picture, atlas = (page.locator(".gf.patches canvas").nth(n) for n in (0, 1))
    for canvas, where in ((picture, "over the picture"), (atlas, "over the heads")):
        expect(canvas).to_be_visible()
        canvas.evaluate(MOVE, 20)  # what is compiled, is compiled
        taken: dict[str, Any] = canvas.evaluate(MOVE, FRAMES)
        slow = statistics.quantiles(taken["between"], n=20)[-1]
        rows += [
            Row(f"hand {where}: drawing, median", statistics.median(taken["drawn"]), FRAME, "30 fps", "ms"),
            Row(f"hand {where}: a frame, median", statistics.median(taken["between"]), FRAME, "30 fps", "ms"),
            Row(f"hand {where}: a frame, 95 of 100", slow, FRAME, "30 fps", "ms", 1.5),
        ]
    return rows
