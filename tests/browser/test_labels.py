"""Labels of tokens as the browser lays them out: none covers another, on a desk and on a phone."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote_plus

import pytest
from playwright.sync_api import Page

TEXT = "the dog sees the cat and the old farmer who knew everything laughed loudly in the morning"
WORDS = TEXT.split()
VIEWS = {
    "join": "positions?positions_part=join",
    "stream": "block?block_part=stream",
    "compare": "heads?heads_view=Compare",
    "matrix": "heads?heads_view=Matrix",
    "cheat": "masks?masks_part=cheat",
    "surprise": "predict?predict_view=surprise&predict_tokens=1",
    "lens": "predict?predict_view=lens&predict_tokens=1",
}
# Each axis of each chart: its labels as rectangles with their turn. Those of one axis are turned alike, so they are
# compared in the turned frame. A line's box is higher than its letters: only a height of the type's size counts.
COVERED = """() => {
  const found = [];
  for (const axis of document.querySelectorAll(".js-plotly-plot g[class*=axislayer]")) {
    const boxes = [...axis.querySelectorAll("g[class$=tick] text")].filter((text) => text.textContent).map((text) => {
      const { a, b, e, f } = text.getCTM();
      const box = text.getBBox(), size = parseFloat(getComputedStyle(text).fontSize), scale = Math.hypot(a, b);
      const middle = [box.x + box.width / 2, box.y + box.height / 2];
      const point = new DOMPoint(...middle).matrixTransform(text.getCTM());
      const turn = Math.atan2(b, a);
      const along = point.x * Math.cos(turn) + point.y * Math.sin(turn);
      const across = point.y * Math.cos(turn) - point.x * Math.sin(turn);
      return { text: text.textContent, along, across, wide: box.width * scale, high: size * scale };
    });
    boxes.forEach((one, i) => boxes.slice(i + 1).forEach((other) => {
      const apart = Math.abs(one.along - other.along) >= (one.wide + other.wide) / 2 - 1 ||
        Math.abs(one.across - other.across) >= (one.high + other.high) / 2 - 1;
      if (!apart) found.push(`${one.text} / ${other.text}`);
    }));
  }
  return found;
}"""
DRAWN = '() => document.querySelectorAll(".js-plotly-plot g[class$=tick] text").length > 3'


@pytest.mark.parametrize("view", VIEWS)
def test_labels_do_not_cover_each_other(view: str, walk: Callable[..., Page], settle: Callable[[Page], None]) -> None:
    sentence = quote_plus(" ".join((WORDS * 4)[:56]))
    page = walk(f"{VIEWS[view]}&model=tiny-lm&text={sentence}", width=1366, height=1400)
    page.wait_for_function(DRAWN)
    page.wait_for_function("() => document.fonts.ready.then(() => true)")
    assert page.evaluate(COVERED) == []
    page.set_viewport_size({"width": 390, "height": 844})
    settle(page)
    page.wait_for_function(DRAWN)
    page.wait_for_function(f"() => ({COVERED})().length === 0")
