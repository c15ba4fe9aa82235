"""Activations of another run, put into a run or added to its residual stream.

To put: activation patching, Meng et al. (2022), arXiv:2202.05262. To add the difference of two sentences: Turner et al.
(2023), arXiv:2308.10248, at the first tokens; Rimsky et al. (2024), arXiv:2312.06681, at every token.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from torch import Tensor

from model.errors import EditError
from model.run import Model
from model.tape import Edit

Change = Callable[[Tensor, Tensor], Tensor]  # the old rows and those of the edit, to the new ones
Where = int | Literal["all", "first"]


def patch(
    model: Model, name: str, text: str, token: int | None = None, head: int | None = None, *, target: str | None = None
) -> Edit:
    """Puts what a tensor is in the run of another text into its place: at one token, or at all tokens of that text.

    `name` is on the tape: "decoder.3.resid_in", "decoder.3.self_attn.out", "decoder.3.ffn.out"; with a `head`,
    "decoder.3.self_attn.heads". The decoder of a translator reads `target` in the run of the other text, or its own
    translation. A run that has no such token stays as it is. Raises what `Model.trace` raises; `EditError` for a token
    or a head that the other run lacks.
    """
    values = model.trace(text, keep=name, target=target)[name]  # (tokens, d_model) or (heads, tokens, d_head)
    if head is not None:
        if not 0 <= head < len(values):
            raise EditError(f"{name} has heads 0 to {len(values) - 1}; there is no head {head}.")
        values = values[head]  # (tokens, d_head)
    if token is not None:
        values = values[_existing(values, token, text)][None]
    return edit_tokens(name, values, lambda old, new: new, 0 if token is None else token, head)


def add_difference(
    model: Model, name: str, plus: str, minus: str, strength: float, where: Where = "all", *, target: str | None = None
) -> Edit:
    """Adds `strength` times the difference of two texts' streams, `name`, such as "decoder.3.resid_in".

    "all" adds the difference of their last tokens at every token, also at those that are written later; a number adds
    it at that token. "first" lines both texts up from their first tokens, as far as both go, and adds the difference of
    each pair at the same place. Raises what `Model.trace` raises.
    """
    one, two = (model.trace(text, keep=name, target=target)[name] for text in (plus, minus))  # (tokens, d_model)
    if where == "first":
        count = min(len(one), len(two))
        return edit_tokens(name, strength * (one[:count] - two[:count]), _add, 0)
    last = strength * (one[-1] - two[-1])  # (d_model,)
    if where == "all":
        return Edit(name, lambda stream: stream + last.to(stream))
    return edit_tokens(name, last[None], _add, where)


def edit_tokens(name: str, values: Tensor, change: Change, first: int, head: int | None = None) -> Edit:
    """Changes the tokens from `first` on, one for each row of `values`, (tokens, features). The others stay.

    A tensor may lack some of these tokens, or all. With a `head`, it is (..., heads, tokens, d_head).
    """

    def edit(found: Tensor) -> Tensor:
        begin, end = max(first, 0), min(first + len(values), found.shape[-2])
        if begin >= end:
            return found
        changed = found.clone()
        rows = (changed if head is None else changed[..., head, :, :])[..., begin:end, :]
        rows.copy_(change(rows.clone(), values[begin - first : end - first].to(rows)))
        return changed

    return Edit(name, edit, lambda seen: edit_tokens(name, values, change, first - seen, head))


def _add(old: Tensor, new: Tensor) -> Tensor:
    return old + new


def _existing(values: Tensor, token: int, text: str) -> int:
    """A token of another run, counted from 0."""
    if not 0 <= token < len(values):
        raise EditError(f"“{text}” has tokens 0 to {len(values) - 1}; there is no token {token}.")
    return token
