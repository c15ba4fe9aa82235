"""The weights of attention summed by who says the keys: by turn, or by role.

A text without turns is cut at its control tokens: [SEP] divides what an encoder for pairs reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor

from model.chat.turns import ROLES
from model.tokens.tokenizer import Token

TEMPLATE, CONTROL = "template", "control tokens"


@dataclass(frozen=True)
class TokenGroup:
    """Tokens of one origin, by their places. `role`: who says them; "" for a text without turns and for `TEMPLATE`,
    what a chat template puts around the turns."""

    title: str
    role: str
    places: tuple[int, ...]


def groups_of(tokens: Sequence[Token], by_role: bool = False) -> tuple[TokenGroup, ...]:
    """All tokens in groups: each turn, or all turns of a role; and what stands around them."""
    names: list[tuple[object, ...]] = _of_turns(tokens) if has_turns(tokens) else _of_segments(tokens)
    found: dict[tuple[object, ...], list[int]] = {}
    for place, name in enumerate(names):
        found.setdefault(name[:1] if by_role else name, []).append(place)
    order = sorted(found, key=lambda name: (name[0] in (TEMPLATE, CONTROL), found[name][0]))
    counts = {name[0]: sum(other[0] == name[0] for other in order) for name in order}
    seen: dict[object, int] = {}
    groups = []
    for name in order:
        what = str(name[0])
        seen[what] = seen.get(what, 0) + 1
        title = f"{what} {seen[what]}" if counts[what] > 1 else what
        groups.append(TokenGroup(title, what if what in ROLES else "", tuple(found[name])))
    return tuple(groups)


def _of_turns(tokens: Sequence[Token]) -> list[tuple[object, ...]]:
    saids = [token.said for token in tokens]
    return [(TEMPLATE,) if said is None or said.is_frame else (said.role, said.turn) for said in saids]


def _of_segments(tokens: Sequence[Token]) -> list[tuple[object, ...]]:
    before = [False, *(token.special for token in tokens)]
    numbers = [0]
    for was_special, is_special in pairwise(before):
        numbers.append(numbers[-1] + (was_special and not is_special))
    return [(CONTROL,) if token.special else ("text", n) for token, n in zip(tokens, numbers[1:], strict=True)]


def has_turns(tokens: Iterable[Token]) -> bool:
    """Whether the tokens are those of a conversation."""
    return any(token.said is not None for token in tokens)


def queries_from(tokens: Sequence[Token], which: str) -> tuple[int, ...]:
    """The places that are asked: of the last "question" or "answer", or "all". () where there is none.

    Those of an answer are the places that wrote its tokens: each stands before the token that it wrote.
    """
    if which == "all":
        return tuple(range(len(tokens)))
    role = "user" if which == "question" else "assistant"
    said = [(place, token.said) for place, token in enumerate(tokens) if token.said is not None]
    turns = [each.turn for _, each in said if each.role == role]
    if not turns:
        return ()
    last = turns[-1]
    text = [place for place, each in said if each.turn == last and not each.is_frame]
    if role == "user":
        return tuple(text)
    if not text:  # the answer is to come
        return (len(tokens) - 1,)
    return tuple(range(text[0] - 1, text[-1] + 1))


def sum_groups(weights: Tensor, groups: Sequence[TokenGroup]) -> Tensor:
    """The weight that each query gives to each group: (..., queries, keys) -> (..., queries, groups)."""
    return torch.stack([weights[..., list(group.places)].sum(-1) for group in groups], -1)
