"""Questions about masks: which cells are hidden, and what one word may look at."""

from __future__ import annotations

import torch
from torch import Tensor

from model.questions.question import Choice, Labels, NoQuestion, Question, distinct, make_question


def hidden_cells(hidden: Tensor, words_repeat: bool = True) -> Question:
    """Which cells a mask hides. `hidden` (queries, keys) is true there; `words_repeat`: the keys are the queries.

    Raises `NoQuestion` for a mask of none of the usual shapes, and for fewer than three queries or keys.
    """
    queries, keys = hidden.shape
    if min(queries, keys) < 3:
        raise NoQuestion("Three words at least make a mask with a shape. Write a longer sentence.")
    whole = torch.ones(queries, keys, dtype=torch.bool, device=hidden.device)
    last = int((~hidden).any(0).nonzero().max()) + 1 if (~hidden).any() else 0  # behind it no query sees a key
    columns = whole & (torch.arange(keys, device=hidden.device) >= last)
    shapes = {
        "Those right of the diagonal: keys that come after the query": whole.triu(1),
        "Those left of the diagonal: keys that come before the query": whole.tril(-1),
        "None of them": ~whole,
        "Those on the diagonal: a word and itself" if words_repeat else "Those on the diagonal": whole.tril(0).triu(0),
    }
    if 0 < last < keys:
        shapes[f"The last {keys - last} columns"] = columns
    off = {label: int((shape != hidden).sum()) for label, shape in shapes.items()}
    right = next((label for label, wrong in off.items() if wrong == 0), None)
    if right is None:
        raise NoQuestion("This mask has a shape of its own. Ask what one of its words may look at.")
    reason = {
        0: "A word may look at itself and at what stands before it, never ahead: what it must predict stands there.",
        2: "Every query may look at every key: nothing is added to any score.",
        4: "The last columns are padding, which only fills up the batch.",
    }.get(list(shapes).index(right), "The mask is minus infinity there.")
    count = int(hidden.sum())
    return make_question(
        "hidden cells",
        "Which cells will the mask hide?",
        Choice(right, 0.0, f"{count} cells"),
        (
            Choice(label, float(wrong), f"{wrong} of {hidden.numel()} cells wrong")
            for label, wrong in off.items()
            if wrong
        ),
        f"{count} of {hidden.numel()} cells are hidden. {reason}",
    )


def visible_keys(hidden: Tensor, query: int, queries: Labels, keys: Labels) -> Question:
    """Which keys one query may look at. `hidden` (queries, keys). Raises `NoQuestion` for fewer than three keys."""
    names, asking = distinct(keys), distinct(queries)[query]
    if len(names) < 3:
        raise NoQuestion("Three words at least leave something to choose from. Write a longer sentence.")
    seen = frozenset((~hidden[query]).nonzero().flatten().tolist())
    everything = frozenset(range(len(names)))
    later = frozenset(key for key in everything if key >= query)
    others = [seen - {query}, later, everything, everything - seen, frozenset({query}), seen - {min(seen, default=0)}]
    return make_question(
        "visible keys",
        f"Which words may “{asking}” look at?",
        Choice(_span(seen, names), 0.0, f"{len(seen)} of {len(names)}"),
        (
            Choice(_span(other, names), float(len(other ^ seen)), f"wrong for {len(other ^ seen)} of {len(names)}")
            for other in others
            if other != seen
        ),
        f"In the row of “{asking}” the mask is 0 for {len(seen)} of {len(names)} keys and minus infinity for the rest, "
        "whose weights the softmax makes exactly 0."
        if len(seen) < len(names)
        else f"In the row of “{asking}” the mask is 0 everywhere: all {len(names)} keys can be seen.",
    )


def _span(keys: frozenset[int], names: Labels) -> str:
    """A set of keys in words."""
    if not keys:
        return "none of them"
    if len(keys) == len(names):
        return f"all {len(names)}"
    found = sorted(keys)
    if len(found) == 1:
        return f"only {names[found[0]]}"
    if found[-1] - found[0] + 1 == len(found):
        return f"{names[found[0]]} to {names[found[-1]]} ({len(found)} tokens)"
    listed = ", ".join(names[key] for key in found[:5])
    return f"{listed} and {len(found) - 5} more" if len(found) > 5 else listed
