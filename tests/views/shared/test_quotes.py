"""Tokens in running text: bold words and chips, on the page, in a saved page and where there are no colours."""

from __future__ import annotations

import html
import re

import pytest

from views.shared.quotes import Tone, quote
from viz.documents.page_text import line_of
from viz.shared.style import isolate, plain_text, spell_chips

HOSTILE = ["fox", ".", "a]b[c", "**b** :red[x] $y$", "a -> https://b.c", "\\", "<b>", ":blue-background[x]", "میں"]


def text_of(markdown: str) -> str:
    """The words of Markdown in a saved page."""
    return html.unescape(re.sub(r"<[^>]*>", "", line_of(markdown)))


@pytest.mark.parametrize("tone", ["gray", "blue", "orange"])
@pytest.mark.parametrize("word", HOSTILE)
def test_a_chip_of_any_token_is_that_token_and_its_place(word: str, tone: Tone) -> None:
    chip = quote(word, 7, tone)
    assert text_of(f"{chip} looks") == f"{isolate(word)} 7 looks"
    assert line_of(chip).startswith(f'<span class="is-{tone}-background"><strong>')


def test_a_chip_has_no_dot_for_the_space_before_its_token() -> None:
    assert quote("·fox", 3) == quote("fox", 3)
    assert text_of(quote("·", 3)) == "· 3"


@pytest.mark.parametrize("word", HOSTILE)
def test_without_colours_a_chip_is_spelled_out(word: str) -> None:
    assert text_of(spell_chips(f"{quote(word, 7)} looks")) == f"{isolate(word)} (token 7) looks"


def test_alternative_texts_spell_chips_out() -> None:
    assert plain_text(f"{quote('a*b_[c]', 0)} looks at {quote('.', 12)}") == "a*b_[c] (token 0) looks at . (token 12)"
