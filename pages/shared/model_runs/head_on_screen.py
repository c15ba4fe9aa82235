"""The head on screen: one attention, layer and head of a run, and the pair of tokens that is singled out in it.

Heads, Scores, Masks and the questions about these pages all choose here, so that they agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pages.shared.server.session_values import of_session
from pages.shared.session import places, state, substitutes
from pages.shared.session.places import Places
from views.head_of_run import NO_PAIR, HeadOfRun, attention_titles, tokens_of
from views.run import Run
from views.usual_head import choose_head, usual_head, usual_layer, usual_token

if TYPE_CHECKING:
    from model.config import TransformerConfig


def read_token(run: Run, stack: str) -> int:
    """The place of the run bar's token in the sentence of a stack; where the choice is open, the usual one."""
    return places.read_query(len(tokens_of(run, stack)), usual_token(run, stack), stack)


def read_attention(config: TransformerConfig) -> tuple[str, str]:
    """The (stack, part) of the chosen kind of attention, or the self-attention of the stack that makes the output."""
    stack, part = places.read_attention(tuple(attention_titles(config)), f"{config.stacks[-1]}.self_attn").split(".")
    return stack, part


def read_head(run: Run, stack: str, part: str, *, needs_pair: bool = True) -> HeadOfRun:
    """The head and the pair of tokens that the reader has chosen for all pages.

    What is left open is what every page proposes. The nearest one replaces a layer or head that does not exist, and the
    page says so unless the choice comes from another page. Without `needs_pair`, the reader may want none. The pair is
    forgotten when the attention changes, unless the pair changes with it.
    """
    from model.analysis.head_steps import Attention

    layer, head = read_layer_and_head(run, stack, part)
    at = Attention(stack, layer, part)
    forget_pair(stack, part)
    places.hide_token_of_other_sentence(stack)
    _mend_pair(HeadOfRun(run, at, head))
    query = state.get("query")
    if needs_pair or query != NO_PAIR:
        query = read_token(run, stack)
    screen = choose_head(run, at, head, query, state.get("key"))
    places.offer(
        Places(
            *(screen.n_layers, run.model.config.n_heads, len(screen.query_tokens)),
            *(screen.query, screen.key),
            *(stack, "encoder" if at.is_cross else "", f"{stack}.{part}"),
        )
    )
    return screen


def read_layer_and_head(run: Run, stack: str, part: str, token: int | None = None) -> tuple[int, int]:
    """The layer and the head that the reader has chosen for all pages; where a choice is open, the usual one.

    `token`: the usual token of the reader's sentence, where the run goes on after it.
    """
    config = run.model.config
    layer = places.read_layer(config.n_layers(stack), usual_layer(config))
    usual = usual_head(run, stack, part, layer, token) if state.get("head") < 0 else 0
    return layer, places.read_head_number(config.n_heads, usual, f"{stack}.{part}")


@dataclass
class PairSession:
    """The attention of the last run, as its stack and its part, and the pair of tokens that was chosen in it."""

    attention: tuple[str, str] | None = None
    pair: tuple[int, int] = (-1, -1)


def forget_pair(stack: str, part: str) -> None:
    """Forgets the pair when the attention changes, unless the pair changes with it."""
    now = (stack, part)
    pair = (substitutes.choice_of("query"), substitutes.choice_of("key"))
    session = of_session(PairSession)
    if session.attention not in (None, now) and pair == session.pair:
        state.put(query=-1, key=-1)
        pair = (-1, -1)
    session.attention, session.pair = now, pair


def _mend_pair(screen: HeadOfRun) -> None:
    """Replaces a query or key that the sentence does not have: by its nearest token, or by the page's choice."""
    counts = {"query": len(screen.query_tokens), "key": len(screen.key_tokens)}
    for name, count in counts.items():
        if state.get(name) < 0:
            return
        if state.get(name) >= count and state.is_carried_over(name):
            substitutes.show_instead(name, -1)
        else:
            state.checked_number(name, 0, count - 1, name.capitalize())
