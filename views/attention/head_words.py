"""What is said in words of one head, and of the weight of its singled-out pair. Markdown."""

from __future__ import annotations

import numpy as np

from views.head_of_run import HeadOfRun
from views.shared.quotes import quote
from viz.shared.style import number, percent, upper_first

RANKS = {1: "the best", 2: "the second best", 3: "the third best"}
MIN_SINK = 0.1  # weight on the first token from which the caption mentions it


def pair_names(head: HeadOfRun) -> tuple[str, str]:
    """The singled-out query and key as chips."""
    query, key = head.queries[head.query], head.keys[head.key]
    return quote(query, head.query, "blue"), quote(key, head.key, "orange")


def describe_weight(head: HeadOfRun) -> str:
    """One sentence about the weight of the singled-out pair."""
    story = head.story
    assert story is not None
    query, key = pair_names(head)
    if np.isneginf(story.mask):
        return (
            f"{key} {_why_hidden(head)} {query}: the mask sets its score to "
            "minus infinity before the softmax, so it gets no weight."
        )
    visible = int((~head.hidden[story.query]).sum())
    if visible == 1:
        return f"{query} can see one token only, {key}, so all its attention goes there, whatever the score."
    fit = f"{RANKS[story.rank]} fit" if story.rank in RANKS else f"fit number {story.rank}"
    itself = " (itself)" if not head.at.is_cross and story.query == story.key else ""
    return (
        f"{query} gives {percent(story.weight)} of its attention to {key}{itself}: of the {visible} keys that "
        f"it can see, {fit} to its query."
    )


def _why_hidden(head: HeadOfRun) -> str:
    """Why the mask hides the singled-out key from its query: it stands after it, or outside its window."""
    story, at = head.story, head.at
    assert story is not None
    has_window = head.config.window_of(at.stack, at.layer) is not None
    is_outside = has_window and (at.stack == "encoder" or story.key < story.query)
    return "is outside the window of" if is_outside else "comes after"


def describe_head(head: HeadOfRun) -> str:
    """The strongest key of the singled-out query. Without a query, the key that gets most attention."""
    place = upper_first(head.place)
    weights = head.weights.numpy()
    if head.query >= 0:
        row = weights[head.query]  # (keys,)
        best = int(row.argmax())
        query, key = quote(head.queries[head.query], head.query), quote(head.keys[best], best)
        sentence = f"{place}: {query} looks most at {key} ({number(float(row[best]), 2)})"
        if best and row[0] >= MIN_SINK:
            sentence += f"; {number(float(row[0]), 2)} rests on the first token, where heads park what they do not use"
        return sentence + "."
    seen_by = (~head.hidden.numpy()).sum(0)  # (keys,): how many queries see each key
    received = weights.sum(0) / np.maximum(seen_by, 1)
    best = int(received.argmax())
    return (
        f"{place}: {quote(head.keys[best], best)} receives most, "
        f"{percent(float(received[best]))} of the attention of the tokens that can see it, on average."
    )
