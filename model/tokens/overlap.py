"""Which tokens of two tokenizers stand for the same characters of a text. Characters are their common ground.

first:    The | cap | ital | of          overlaps(first, second)[1] == (1,)
second:   The | capital | of             overlaps(second, first)[1] == (1, 2)
"""

from __future__ import annotations

from collections.abc import Sequence

from model.tokens.tokenizer import Tokenizer

Span = tuple[int, int]  # the first character, and the one after the last; empty for a token that stands nowhere


def spans_of(tokenizer: Tokenizer, text: str) -> tuple[Span, ...]:
    """The characters of each token of a text. A token that was put around the text has none, and neither has the space
    before a word, which some tokenizers count to it and others do not. Raises `UnreadableText`."""
    return tuple(_without_space(placed.span, text) for placed in tokenizer.place(text))


def _without_space(span: Span, text: str) -> Span:
    start, end = span
    inside = text[start:end]
    return (end - len(inside.lstrip()), start + len(inside.rstrip())) if inside.strip() else span


def overlaps(first: Sequence[Span], second: Sequence[Span]) -> tuple[tuple[int, ...], ...]:
    """For each span of `first`, the places in `second` of those with which it has a character in common."""
    return tuple(
        tuple(place for place, (start, end) in enumerate(second) if max(start, begin) < min(end, stop))
        for begin, stop in first
    )


def common_groups(first: Sequence[Span], second: Sequence[Span]) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """The smallest groups of tokens of both that stand for the same characters, in the order of the text.

    A token that overlaps none of the other side is in no group.
    """
    groups: list[tuple[list[int], list[int]]] = []
    of_second: dict[int, int] = {}  # the group of each token of `second` that has one
    for place, others in enumerate(overlaps(first, second)):
        if not others:
            continue
        known = next((of_second[other] for other in others if other in of_second), len(groups))
        if known == len(groups):
            groups.append(([], []))
        groups[known][0].append(place)
        groups[known][1].extend(other for other in others if other not in of_second)
        of_second |= dict.fromkeys(others, known)
    return tuple((tuple(mine), tuple(sorted(others))) for mine, others in groups)
