"""The values of edits that take activations of other sentences (`model.edits.activations`), from runs of these."""

from __future__ import annotations

from torch import Tensor

from model.edits.activations import ALL, FIRST, NO_HEAD, Add, Patch, Where
from model.errors import EditError
from model.run import Model


def patch(
    model: Model, name: str, text: str, token: int | None = None, head: int | None = None, *, target: str | None = None
) -> Patch:
    """Puts what a tensor is in the run of another text into its place: at one token, or at all tokens of that text.

    `name` is on the tape: "decoder.3.resid_in", "decoder.3.self_attn.out", "decoder.3.ffn.out"; with a `head`,
    "decoder.3.self_attn.heads". The decoder of a translator reads `target` in the run of the other text, or its own
    translation. A run that has no such token stays as it is. Raises what `take` raises.
    """
    where: Where = ALL if token is None else token
    edit = Patch(name, where, text, NO_HEAD if head is None else head, target)
    return edit.with_values(_patched(edit, model))


def add_difference(
    model: Model, name: str, plus: str, minus: str, strength: float, where: Where = ALL, *, target: str | None = None
) -> Add:
    """Adds `strength` times the difference of two texts' streams, `name`, such as "decoder.3.resid_in".

    "all" adds the difference of their last tokens at every token, also at those that are written later; a number adds
    it at that token. "first" lines both texts up from their first tokens, as far as both go, and adds the difference of
    each pair at the same place. Raises what `take` raises.
    """
    edit = Add(name, where, plus, minus, strength, target)
    return edit.with_values(_difference(edit, model))


def take(edit: Patch | Add, model: Model) -> Patch | Add:
    """The edit with its values, from one run of each of its sentences.

    Raises what `Model.trace` raises; `EditError` for a token or a head that the other run lacks.
    """
    if isinstance(edit, Patch):
        return edit.with_values(_patched(edit, model))
    return edit.with_values(_difference(edit, model))


def _patched(edit: Patch, model: Model) -> Tensor:
    """(tokens, features)"""
    values = _run(model, edit.text, edit)  # (tokens, d_model) or (heads, tokens, d_head)
    if edit.head != NO_HEAD:
        if not 0 <= edit.head < len(values):
            raise EditError(f"{edit.name} has heads 0 to {len(values) - 1}; there is no head {edit.head}.")
        values = values[edit.head]  # (tokens, d_head)
    if not isinstance(edit.where, int):
        return values
    if not 0 <= edit.where < len(values):
        raise EditError(f"“{edit.text}” has tokens 0 to {len(values) - 1}; there is no token {edit.where}.")
    return values[edit.where][None]


def _difference(edit: Add, model: Model) -> Tensor:
    """(d_model,) for every token, otherwise (tokens, d_model)"""
    plus, minus = (_run(model, text, edit) for text in (edit.plus, edit.minus))  # (tokens, d_model)
    if edit.where == FIRST:
        count = min(len(plus), len(minus))
        return plus[:count] - minus[:count]
    last = plus[-1] - minus[-1]
    return last if edit.where == ALL else last[None]


def _run(model: Model, text: str, edit: Patch | Add) -> Tensor:
    return model.trace(text, keep=edit.tensors(), target=edit.target)[edit.name]
