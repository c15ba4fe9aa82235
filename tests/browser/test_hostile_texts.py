"""User text in the browser: it stays text, is copied as it was written, and never ends a connection."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

from playwright.sync_api import Page, expect

from tests.browser.run_bar import edit

TEXTS = (
    "https://example.org HTTP://Example.org/a?b=c#d www.example.org/x",
    "a@b.example mailto:a@b.example xmpp:a@b.example ftp://a.example",
    "-> a -> b <- c <-> d -- e >= f <= g ~= h --> i --- j ->@x ->",
    ":material/home: :material_home: :streamlit: :smile: :+1: :help[x]",
    ":red[x] :red-badge[x] :small[] $x$ $$y$$ `c` __b__ _i_ ~~s~~ \\(x\\)",
    "<b>t</b> <https://e.org> [l](https://e.org) ![i](//e.org/i.png) &amp;",
    "[^1] [^1]: x | a | b | 1. x # x > x - x === \\\\ \\$ [x]: //e.org",
)
# As the reader selects and copies them.
COPIED = """(labels) => labels.map((label) => {
  getSelection().selectAllChildren(label);
  return getSelection().toString().trim();
})"""


def test_user_text_is_shown_and_copied_as_it_was_written(open_app: Callable[..., Page]) -> None:
    page = open_app(f"slide?{urlencode({'slide_title': 'T', 'slide_text': chr(10).join(TEXTS)})}")
    paragraphs = page.locator(".st-key-written-slide p")
    expect(paragraphs).to_have_count(len(TEXTS))
    assert paragraphs.evaluate_all(COPIED) == list(TEXTS)
    assert paragraphs.locator("a, img, code, strong, em, del, svg, [role=img], .katex").count() == 0


def test_half_a_character_in_a_field_is_replaced_before_it_is_sent(open_app: Callable[..., Page]) -> None:
    page = open_app("tokens?model=tiny-lm")
    sentence = edit(page)
    sentence.evaluate("""(field) => {
      field.focus();
      field.select();
      document.execCommand("insertText", false, "a \\ud800 fox 🦊");
    }""")
    expect(sentence).to_have_value("a \ufffd fox 🦊")
    sentence.press("Enter")
    page.wait_for_url("**text=a+%EF%BF%BD+fox+%F0%9F%A6%8A*")
