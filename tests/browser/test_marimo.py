"""A view in marimo: what a hand does in it reaches the kernel."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.notebooks import KERNEL_LIMIT, Marimo

NOTEBOOK = """
import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo
    from glassformer import load, views

    lines = views.heads.Lines(load("tiny-lm").trace("I am a robot and you know it"), layer=1, head=2)
    lines
    return lines, mo


@app.cell
def _(lines, mo):
    chosen, choose = mo.state(-1)
    lines.observe(lambda change: choose(change.new), "query")
    return (chosen,)


@app.cell
def _(chosen, mo):
    mo.md(f"chosen query: {chosen()}")
"""


@pytest.mark.slow
def test_a_click_comes_back(browser: Browser) -> None:
    server, page = Marimo(NOTEBOOK), browser.new_page()
    try:
        page.goto(server.url)
        lines = page.frame_locator("iframe")
        lines.locator("html[data-ready=yes]").wait_for(timeout=KERNEL_LIMIT)
        lines.locator("[data-spot='query 4']").click()
        expect(page.get_by_text("chosen query: 4")).to_be_visible()
    finally:
        page.close()
        server.stop()
