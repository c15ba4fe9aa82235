"""Where one weight of the Heads page comes from, beside the picture: numbers, words, code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import streamlit as st

from model.analysis.weight_story import Story, snippet
from pages.attention.heads_parts import next_words
from pages.shared.model_runs import edited_parts
from pages.shared.session import state
from views.head_of_run import HeadOfRun
from views.shared import quotes
from viz.shared.style import number, percent, upper_first

RANKS = {1: "the best", 2: "the second best", 3: "the third best"}
MIN_SINK = 0.1  # weight on the first token from which the caption mentions it


@contextmanager
def picture_column(screen: HeadOfRun) -> Iterator[None]:
    """The column of the picture. The outcome of the run and the story of the weight stand in the column beside it.

    They are drawn after the picture, so that the picture is on screen first.
    """
    picture, story = st.columns([7, 5], gap="large")
    with picture:
        yield
    with story:
        next_words.show(screen)
        _show_panel(screen)


def _show_panel(screen: HeadOfRun) -> None:
    """The sum behind the weight of the singled-out pair, or how to single one out."""
    story = screen.story
    with st.container(border=True):
        if story is None:
            st.markdown(":gray[Click a query and then a key, or a cell of the matrix, for the sum behind its weight.]")
            return
        query, key = pair_names(screen)
        st.markdown(f"#### {query} → {key} :gray[weight] {number(story.weight, 2)}")
        st.markdown(describe_weight(screen))
        st.markdown(_sum_table(screen, story))
        if state.get("heads_view") != "Query-key":
            st.button(
                f"See its {story.d_head} products",
                on_click=state.put,
                kwargs={"heads_view": "Query-key", "query": story.query, "key": story.key},
                type="tertiary",
                icon=":material/bar_chart:",
                key="heads products",
            )
        show_snippet(screen)


def show_snippet(screen: HeadOfRun) -> None:
    """Python that computes the weight again from the sentence. The head on screen must have a pair."""
    assert screen.story is not None
    run = screen.run
    code = snippet(screen.story, run.name, run.text, run.target)
    st.code(edited_parts.in_code_of(run, code), language="python", wrap_lines=True)


def pair_names(screen: HeadOfRun) -> tuple[str, str]:
    """The singled-out query and key as chips, for Markdown."""
    query, key = screen.queries[screen.query], screen.keys[screen.key]
    return quotes.quote(query, screen.query, "blue"), quotes.quote(key, screen.key, "orange")


def describe_weight(screen: HeadOfRun) -> str:
    """One sentence about the weight of the singled-out pair. Markdown."""
    story = screen.story
    assert story is not None
    query, key = pair_names(screen)
    if np.isneginf(story.mask):
        return (
            f"{key} {_why_hidden(screen)} {query}: the mask sets its score to "
            "minus infinity before the softmax, so it gets no weight."
        )
    visible = int((~screen.hidden[story.query]).sum())
    if visible == 1:
        return f"{query} can see one token only, {key}, so all its attention goes there, whatever the score."
    fit = f"{RANKS[story.rank]} fit" if story.rank in RANKS else f"fit number {story.rank}"
    itself = " (itself)" if not screen.at.is_cross and story.query == story.key else ""
    return (
        f"{query} gives {percent(story.weight)} of its attention to {key}{itself}: of the {visible} keys that "
        f"it can see, {fit} to its query."
    )


def _why_hidden(screen: HeadOfRun) -> str:
    """Why the mask hides the singled-out key from its query: it stands after it, or before its window."""
    story, at = screen.story, screen.at
    assert story is not None
    is_earlier = story.key < story.query and screen.config.window_of(at.stack, at.layer) is not None
    return "is outside the window of" if is_earlier else "comes after"


def describe_head(screen: HeadOfRun) -> str:
    """The strongest key of the singled-out query. Without a query, the key that gets most attention. Markdown."""
    place = upper_first(screen.place)
    weights = screen.weights.numpy()
    if screen.query >= 0:
        row = weights[screen.query]  # (keys,)
        best = int(row.argmax())
        query, key = quotes.quote(screen.queries[screen.query], screen.query), quotes.quote(screen.keys[best], best)
        sentence = f"{place}: {query} looks most at {key} ({number(float(row[best]), 2)})"
        if best and row[0] >= MIN_SINK:
            sentence += f"; {number(float(row[0]), 2)} rests on the first token, where heads park what they do not use"
        return sentence + "."
    seen_by = (~screen.hidden.numpy()).sum(0)  # (keys,): how many queries see each key
    received = weights.sum(0) / np.maximum(seen_by, 1)
    best = int(received.argmax())
    return (
        f"{place}: {quotes.quote(screen.keys[best], best)} receives most, "
        f"{percent(float(received[best]))} of the attention of the tokens that can see it, on average."
    )


def _sum_table(screen: HeadOfRun, story: Story) -> str:
    """The table from the dot product to the weight. Markdown."""
    query, key = pair_names(screen)
    mask = "+ 0" if story.mask == 0 else f"+ {number(story.mask)}"
    rows = [
        (f"query of {query} times key of {key}", number(story.raw_score)),
        (f"÷ √{story.d_head}" if story.scaled else "not scaled", number(story.unbiased)),
        *([] if story.bias is None else [("bias of their distance", f"+ {number(story.bias)}")]),
        ("mask", mask),
        (f"exp(score − {number(story.shift)})" if story.shift else "exp(score)", number(story.exponential)),
        ("÷ sum of the row", number(story.total)),
        ("**weight**", f"**{number(story.weight, 2)}**"),
    ]
    first, *others = [f"| {name} | {value} |" for name, value in rows]
    return "\n".join([first, "|:--|--:|", *others])
