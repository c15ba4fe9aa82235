"""Why this word: every word of every part follows what is asked, a logit or a lead over a rival."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pages.models.why_parts.examples import LUCY_AND_OMAR
from pages.shared.session.keys import DEPTHS, KEYS
from tests.pages.conftest import run_page
from tests.pages.words_on_page import words_of

LEAD = re.compile(r"\blead\b(?! to)|\bleads\b", re.IGNORECASE)
LOGIT = re.compile(r"\blogits?\b", re.IGNORECASE)
# What is true of single logits, whatever is asked, and the idea of the page.
OF_LOGITS = re.compile(
    "A logit is a sum, and so is a lead|the difference of both logits|tokens whose logits it raises|but are no logits"
    r"|classes whose logits it raises|: the logits of \*\*Lucy\*\* and of \*\*Omar\*\*"
)
SETTINGS: dict[str, dict[str, Any]] = {
    "cause": {"why_without": "nothing"},
    "paths": {"why_dropped": "decoder.2.self_attn.2@1>13"},
    "steer": {"edits": "decoder.2.self_attn.2*0.5"},
}
PARTS = KEYS["why_part"].choices


def said(part: str, depth: str, **state: Any) -> list[str]:
    """The words of a part, without what is true of logits whatever is asked."""
    app = run_page(
        "models/why.py", **LUCY_AND_OMAR | {"why_part": part, "depth": depth} | SETTINGS.get(part, {}) | state
    )
    return [OF_LOGITS.sub("", text) for text in words_of(app)]


@pytest.mark.slow
@pytest.mark.parametrize("depth", DEPTHS[:3])
@pytest.mark.parametrize("part", PARTS)
def test_with_a_rival_it_is_the_lead(part: str, depth: str) -> None:
    words = said(part, depth)
    assert not [text for text in words if LOGIT.search(text)]
    assert part == "head" or depth != "Picture" or any(LEAD.search(text) for text in words)


@pytest.mark.slow
@pytest.mark.parametrize("depth", DEPTHS[:3])
@pytest.mark.parametrize("part", [part for part in PARTS if part != "patching"])  # which has a rival of its own
def test_without_a_rival_it_is_the_logit(part: str, depth: str) -> None:
    assert not [text for text in said(part, depth, why_against=-1) if LEAD.search(text)]


def test_the_share_beside_a_lead_names_its_answer() -> None:
    words = "\n".join(said("account", "Picture"))
    assert re.search(
        r"the lead of \*\*Lucy\*\* over \*\*Omar\*\* is [\d.]+ \(\*\*Lucy\*\* [\d.]+%, \*\*Omar\*\* ", words
    )
