"""The story of one cell of the Heads page, beside the picture: numbers, words, code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from pages.attention.heads_parts.heads_view import HeadsView
from pages.shared import state
from viz.shared.style import isolate, markdown_text, number, percent

if TYPE_CHECKING:
    from model.analysis.weight_story import Story

ORDER = {1: "the best", 2: "the second best", 3: "the third best"}


def panel(shown: HeadsView) -> None:
    """What lies between the singled-out query, its key and their weight; or how to single out one."""
    story = shown.story
    with st.container(border=True):
        if story is None:
            st.markdown(":gray[Click a query and then a key, or a cell of the matrix, for the sum behind its weight.]")
            return
        query, key = names(shown)
        st.markdown(f"#### :blue[{query}] → :orange[{key}] :gray[weight] {number(story.weight)}")
        st.markdown(in_words(shown))
        st.markdown(_sum(shown, story))
        if state.get("heads_view") != "Query-key":
            st.button(
                f"See its {story.d_head} products",
                on_click=state.put,
                kwargs={"heads_view": "Query-key", "heads_query": story.query, "heads_key": story.key},
                type="tertiary",
                icon=":material/bar_chart:",
                key="heads products",
            )
        code(shown)


def code(shown: HeadsView) -> None:
    """The runnable snippet that repeats the weight from the sentence."""
    from model.analysis.weight_story import snippet

    assert shown.story is not None
    run = shown.run
    st.code(snippet(shown.story, run.trace, run.name, run.text, run.target), language="python", wrap_lines=True)


def names(shown: HeadsView) -> tuple[str, str]:
    """The singled-out query and key, for Markdown."""
    words = shown.query_words[shown.query], shown.key_words[shown.key]
    return isolate(markdown_text(words[0])), isolate(markdown_text(words[1]))


def in_words(shown: HeadsView) -> str:
    """One sentence that says what the weight means. Markdown."""
    story = shown.story
    assert story is not None
    query, key = names(shown)
    if np.isneginf(story.mask):
        return (
            f"**{key}** (token {story.key}) comes after **{query}** (token {story.query}): the mask sets its score to "
            "minus infinity before the softmax, so it gets no weight."
        )
    visible = int((~shown.hidden[story.query]).sum())
    if visible == 1:
        return f"**{query}** can see one token only, **{key}**, so all its attention goes there, whatever the score."
    fit = f"{ORDER[story.rank]} fit" if story.rank in ORDER else f"fit number {story.rank}"
    itself = " (itself)" if not shown.cross and story.query == story.key else ""
    return (
        f"**{query}** gives {percent(story.weight)} of its attention to **{key}**{itself}: of the {visible} keys that "
        f"it can see, {fit} to its query."
    )


def _sum(shown: HeadsView, story: Story) -> str:
    """The table from the dot product to the weight. Markdown."""
    query, key = names(shown)
    mask = "+ 0" if story.mask == 0 else f"+ {number(story.mask)}"
    top, total = number(story.exponential), number(story.total)
    rows = [
        (f"query of :blue[{query}] · key of :orange[{key}]", number(story.raw_score)),
        (f"÷ √{story.d_head}" if story.scaled else "not scaled", number(story.score)),
        ("mask", mask),
        (f"exp(score − {number(story.shift)})" if story.shift else "exp(score)", top),
        ("÷ sum of the row", total),
        ("**weight**", f"**{number(story.weight)}**"),
    ]
    first, *others = [f"| {name} | {value} |" for name, value in rows]
    return "\n".join([first, "|:--|--:|", *others])
