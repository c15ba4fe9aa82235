"""Many texts of Heads under the hand: a point is clicked, and its head is the one of all pages."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect

OpenApp = Callable[..., Page]
PLACES = """plot => {
  const box = plot.querySelector('.nsewdrag').getBoundingClientRect();
  const { xaxis, yaxis } = plot._fullLayout;
  const { x, y, customdata } = plot.data[0];
  const read = (values) => Array.from(values._inputArray ?? values);
  const [xs, ys] = [read(x), read(y)];
  const place = ys.indexOf(Math.max(...ys));
  return [box.x + xaxis.d2p(xs[place]), box.y + yaxis.d2p(ys[place]), customdata[place]];
}"""


def test_a_clicked_point_chooses_its_head_for_all_pages(walk: OpenApp) -> None:
    page = walk("heads?model=tiny-lm&heads_view=Many%20texts&layer=0&head=3&heads_kinds=bank")
    chart = page.locator(".st-key-heads-of-texts .js-plotly-plot")
    expect(chart).to_be_visible()
    expect(page.get_by_text("layer 0, head 3 is").first).to_be_visible()
    x, y, (layer, head) = chart.evaluate(PLACES)
    page.mouse.click(x, y)
    expect(page.get_by_text(f"layer {layer}, head {head} is").first).to_be_visible()
    url = parse_qs(urlsplit(page.url).query)
    assert (url["layer"], url["head"]) == ([str(layer)], [str(head)])
    assert url["heads_view"] == ["Many texts"], "the reader stays there"
