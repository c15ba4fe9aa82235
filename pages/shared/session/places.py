"""The attention, layer and token that the reader has chosen for all pages, as far as the open page has them.

`offered` says what the open page has. `head_on_screen.read_head` reads a head and a pair of tokens in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pages.shared.server.session_values import of_session
from pages.shared.session import state, substitutes
from pages.shared.session.view_session import Places, ViewSession


def offer(places: Places) -> None:
    """Say what this page lets the reader choose. `state.begin` takes it back."""
    of_session(ViewSession).places = places


def offered() -> Places:
    """What the page has offered in this run."""
    return of_session(ViewSession).places


def read_attention(attentions: Sequence[str], usual: str) -> str:
    """The chosen kind of attention, "decoder.cross_attn", if it is one of `attentions`; else `usual`."""
    return state.checked_choice("attention", attentions, "Attention", usual)


def read_layer(layers: int, usual: int) -> int:
    """The chosen layer of `layers`, or `usual` where the choice is open."""
    offer(replace(offered(), layers=layers))
    return _read_number("layer", layers, usual, "Layer")


def read_head_number(heads: int, usual: int, attention: str = "") -> int:
    """The chosen head of `heads` of an attention, or `usual` where the choice is open."""
    offer(replace(offered(), heads=heads, attention=attention))
    return _read_number("head", heads, usual, "Head")


def read_query(tokens: int, usual: int, stack: str) -> int:
    """The chosen query of `tokens`, or `usual` where the choice is open, or where a reader wants none.

    `stack` reads the tokens: "encoder" or "decoder".
    """
    hide_token_of_other_sentence(stack)
    query = _read_number("query", tokens, usual, "Token")
    offer(replace(offered(), queries=tokens, query=query, query_stack=stack, key_stack=""))
    return query


def hide_token_of_other_sentence(stack: str) -> None:
    """Leave the token open on this page where the reader has chosen it in the sentence of the model's other stack."""
    session, hidden = of_session(ViewSession), substitutes.current().get("query")
    if hidden is not None and hidden.only_here:
        return
    if state.get("query") >= 0 and state.is_carried_over("query") and session.token_stack not in (None, stack):
        for name in ("query", "key"):
            substitutes.show_instead(name, -1, only_here=True)
    else:
        session.token_stack = stack


def read_key(tokens: int, usual: int) -> int:
    """The chosen key of `tokens`, or `usual` where the choice is open. That one is of a head, so it stays here."""
    if state.get("key") < 0:
        substitutes.show_instead("key", min(usual, tokens - 1), only_here=True)
    key = state.checked_number("key", 0, tokens - 1, "Token")
    offer(replace(offered(), key=key))
    return key


def borrow(name: str, usual: int) -> None:
    """Use a shared key for another model than the chosen one.

    What the reader has chosen for the chosen model means nothing here: the key is `usual`. What the reader chooses here
    stays here.
    """
    if state.get(name) < 0 or state.is_carried_over(name):
        substitutes.show_instead(name, usual, only_here=True)
    elif substitutes.choice_of(name) == state.get(name):
        substitutes.keep_here(name)


def _read_number(name: str, count: int, usual: int, what: str) -> int:
    if state.get(name) < 0:
        substitute = substitutes.current().get(name)
        only_here = substitute is not None and substitute.only_here
        substitutes.show_instead(name, min(usual, count - 1), only_here=only_here)
    return state.checked_number(name, 0, count - 1, what)
