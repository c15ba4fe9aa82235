"""Why this word in a real browser: from the sum to an opened part, to another token, and to what the parts cause."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

OpenApp = Callable[..., Page]
GAVE = "While+Lucy+and+Omar+walked+to+the+park%2C+Omar+gave+a+box+to"
LINK = f"why?model=tiny-lm&text={GAVE}&why_answer=465&why_against=473"
SUM = re.compile(r"the lead of Lucy over Omar is ([\d.]+) .* parts sum to \1")


def click_cell(page: Page, column: float, row: float, chart: str = "why-account") -> None:
    """Press a place of a chart, at first of the map of parts: the middle of a cell, as a pointer does."""
    place = page.locator(f".st-key-{chart} .js-plotly-plot").evaluate(
        """(plot, [x, y]) => {
          const { xaxis, yaxis } = plot._fullLayout, box = plot.getBoundingClientRect();
          return [box.x + xaxis._offset + xaxis.d2p(x), box.y + yaxis._offset + yaxis.d2p(y)];
        }""",
        [column, row],
    )
    page.mouse.move(*place)
    page.mouse.click(*place)


def test_from_the_sum_to_its_cause(walk: OpenApp) -> None:
    page = walk(LINK)
    main = page.get_by_test_id("stMain")
    expect(main.get_by_text(SUM)).to_be_visible()
    expect(main.get_by_text("Layer 2, feed-forward, by its neurons")).to_be_visible()

    click_cell(page, 2, 3)  # head 2 of layer 2: the embedding is the lowest row
    expect(main.get_by_text("Layer 2, head 2, by the tokens that it reads")).to_be_visible()
    expect(page).to_have_url(re.compile(r"why_opened=decoder\.2\.self_attn\.heads\.2"))

    page.get_by_role("combobox", name="Why", exact=True).fill("Tom")
    page.get_by_role("option", name="Add: Tom").click()
    expect(main.get_by_text(re.compile("the lead of Tom over Omar is"))).to_be_visible()

    page.get_by_role("radio", name="By cause").click()
    expect(main.get_by_text(re.compile("Each point is one part, taken away at"))).to_be_visible()
    expect(page.locator(".st-key-why-cause .js-plotly-plot")).to_be_visible()


def test_from_the_graph_to_a_dropped_edge(walk: OpenApp) -> None:
    page = walk(f"why?model=tiny-lm&text={GAVE}&why_part=paths&why_least=0.05")
    main = page.get_by_test_id("stMain")
    expect(main.get_by_text(re.compile(r"edges lead to the last vector"))).to_be_visible()
    box = page.get_by_role("combobox", name="Open an edge")
    expect(box).to_be_visible()

    click_cell(page, 13, 8, "why-paths")  # the last token after the last feed-forward
    expect(page).to_have_url(re.compile(r"why_route_opened=decoder\.3\.ffn%4013"))
    expect(main.get_by_text("after the feed-forward of layer 3")).to_be_visible()

    page.get_by_role("button", name="Drop this edge").click()
    expect(page).to_have_url(re.compile(r"why_dropped=decoder\.3\.ffn%4013"))
    expect(main.get_by_text("The next tokens with these edges dropped")).to_be_visible()
    page.get_by_role("button", name="Put all back").click()
    expect(main.get_by_text("The next tokens with these edges dropped")).to_be_hidden()
