"""Questions about masks: the hidden cells, and the keys that one word may look at."""

from __future__ import annotations

import torch
from torch import Tensor

from model.questions.question import Choice, Labels, NoQuestion, Question, distinct, make_question

LATER, NONE = "Those right of the diagonal: keys that come after the query", "None of them"
WINDOW = "Those right of the diagonal, and those far left of it"
BOTH_WAYS = "Those far from the diagonal, on both sides"


def hidden_cells(hidden: Tensor, words_repeat: bool = True) -> Question:
    """Asks which cells a mask hides. `hidden` (queries, keys) is True for them.

    `words_repeat` says whether the keys are the same words as the queries. Raises `NoQuestion` for a mask of an unusual
    shape, and for fewer than three queries or keys.
    """
    queries, keys = hidden.shape
    if min(queries, keys) < 3:
        raise NoQuestion("Three words at least make a mask with a shape. Write a longer sentence.")
    whole = torch.ones(queries, keys, dtype=torch.bool, device=hidden.device)
    last = int((~hidden).any(0).nonzero().max()) + 1 if (~hidden).any() else 0  # no query sees a key from here on
    columns = whole & (torch.arange(keys, device=hidden.device) >= last)
    shapes = {
        LATER: whole.triu(1),
        "Those left of the diagonal: keys that come before the query": whole.tril(-1),
        NONE: ~whole,
        "Those on the diagonal: a word and itself" if words_repeat else "Those on the diagonal": whole.tril(0).triu(0),
    }
    if 0 < last < keys:
        shapes[f"The last {keys - last} columns"] = columns
    if words_repeat:
        shapes |= {label: shape for label, shape in _windows(hidden).items() if shape.equal(hidden)}
    off = {label: int((shape != hidden).sum()) for label, shape in shapes.items()}
    right = next((label for label, wrong in off.items() if wrong == 0), None)
    if right is None:
        raise NoQuestion("This mask has a shape of its own. Ask what one of its words may look at.")
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
        f"{count} of {hidden.numel()} cells are hidden. {_why(right, hidden)}",
    )


def _windows(hidden: Tensor) -> dict[str, Tensor]:
    """What windows hide of which the last word sees as many keys as under the mask: (queries, keys) each."""
    whole, width = torch.ones_like(hidden), int((~hidden[-1]).sum())
    far = whole.tril(-width)
    return {WINDOW: whole.triu(1) | far, BOTH_WAYS: whole.triu(width) | far} if 0 < width < len(hidden) else {}


def _why(shape: str, hidden: Tensor) -> str:
    """Why a mask hides the cells of that shape."""
    width = int((~hidden[-1]).sum())
    if shape.startswith("The last "):
        return "The last columns are padding, which only fills up the batch."
    return {
        LATER: "A word may look at itself and at what stands before it, never ahead: it must predict what is there.",
        NONE: "Every query may look at every key: nothing is added to any score.",
        WINDOW: f"A window of {width}: a word may look at itself and at the {width - 1} before it.",
        BOTH_WAYS: f"A window of {width}: a word may look at itself and at the {width - 1} on each side.",
    }.get(shape, "The mask is minus infinity there.")


def visible_keys(hidden: Tensor, query: int, queries: Labels, keys: Labels) -> Question:
    """Asks which keys a query may look at. `hidden` (queries, keys). Raises `NoQuestion` for fewer than three keys."""
    names, asking = distinct(keys), distinct(queries)[query]
    if len(names) < 3:
        raise NoQuestion("Three words at least leave something to choose from. Write a longer sentence.")
    visible = frozenset((~hidden[query]).nonzero().flatten().tolist())
    everything = frozenset(range(len(names)))
    later = frozenset(key for key in everything if key >= query)
    first = min(visible, default=0)
    others = [visible - {query}, later, everything, everything - visible, frozenset({query}), visible - {first}]
    return make_question(
        "visible keys",
        f"Which words may “{asking}” look at?",
        Choice(_write_keys(visible, names), 0.0, f"{len(visible)} of {len(names)}"),
        (
            Choice(_write_keys(other, names), float(wrong), f"wrong for {wrong} of {len(names)}")
            for other in others
            if (wrong := len(other ^ visible))
        ),
        f"In the row of “{asking}” the mask is 0 for {len(visible)} of {len(names)} keys and minus infinity for the "
        "rest, whose weights the softmax makes exactly 0."
        if len(visible) < len(names)
        else f"In the row of “{asking}” the mask is 0 everywhere: all {len(names)} keys can be seen.",
    )


def _write_keys(keys: frozenset[int], names: Labels) -> str:
    """A set of keys in words."""
    if not keys:
        return "none of them"
    if len(keys) == len(names):
        return f"all {len(names)}"
    ordered = sorted(keys)
    if len(ordered) == 1:
        return f"only {names[ordered[0]]}"
    if ordered[-1] - ordered[0] + 1 == len(ordered):
        return f"{names[ordered[0]]} to {names[ordered[-1]]} ({len(ordered)} tokens)"
    first_names = ", ".join(names[key] for key in ordered[:5])
    return f"{first_names} and {len(ordered) - 5} more" if len(ordered) > 5 else first_names
