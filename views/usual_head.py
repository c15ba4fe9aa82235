"""The head, the layer and the token that every page and every notebook proposes where the reader leaves them open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from views.head_of_run import NO_PAIR, HeadOfRun, tokens_of
from views.run import Run

if TYPE_CHECKING:
    from model.analysis.head_steps import Attention
    from model.config import TransformerConfig


def usual_layer(config: TransformerConfig) -> int:
    """The layer that every page proposes: a third of the way up."""
    return max(config.n_layers(stack) for stack in config.stacks) // 3


def usual_token(run: Run, stack: str) -> int:
    """The token that every page proposes: the one whose word is asked for, or the last word of the stack's sentence."""
    from model.analysis.asked_place import asked_place
    from model.analysis.telling import last_word

    config = run.model.config
    if stack == config.stacks[-1] and config.answers_places:
        return asked_place(run.model, run.trace)
    return last_word(tokens_of(run, stack))


def usual_head(run: Run, stack: str, part: str, layer: int, token: int | None = None) -> int:
    """The head that every page proposes: the one of the layer that tells most at the usual token, or at `token`."""
    from model.analysis.telling import telling_head_at

    weights = run.trace[f"{stack}.{layer}.{part}.weights"]  # (heads, queries, keys)
    return telling_head_at(weights, usual_token(run, stack) if token is None else token, cross=part == "cross_attn")


def choose_head(run: Run, at: Attention, head: int, query: int = -1, key: int = -1) -> HeadOfRun:
    """The head and the pair that the reader asks for. A number that does not exist, such as -1, is chosen for them."""
    config = run.model.config
    if not 0 <= at.layer < config.n_layers(at.stack):
        at = at.in_layer(min(usual_layer(config), config.n_layers(at.stack) - 1))
    if not 0 <= head < config.n_heads:
        head = usual_head(run, at.stack, at.part, at.layer)
    screen = HeadOfRun(run, at, head)
    return screen if query == NO_PAIR else HeadOfRun(run, at, head, *_choose_pair(screen, query, key))


def _choose_pair(screen: HeadOfRun, query: int, key: int) -> tuple[int, int]:
    """The query and the key that the reader asks for. One that does not exist is the usual token, or the key that tells
    most of the query."""
    from model.analysis.telling import telling_key

    queries, keys = screen.weights.shape
    if not 0 <= query < queries:
        query, key = usual_token(screen.run, screen.at.stack), -1
    if not 0 <= key < keys:
        key = telling_key(screen.weights[query], query, screen.at.is_cross)
    return query, key
