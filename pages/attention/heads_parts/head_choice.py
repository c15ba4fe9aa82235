"""Which head and pair the Heads page shows, and what it is compared with: the keys of the page, checked."""

from __future__ import annotations

from model import GlassformerError
from pages.shared.model_runs import traces
from pages.shared.model_runs.head_on_screen import read_attention, read_head
from pages.shared.session import state
from views.head_of_run import KEEP, HeadOfRun
from views.run import Run


def read(run: Run) -> HeadOfRun:
    """The head and the pair that the reader has chosen. Others replace those that do not exist here."""
    return read_head(run, *read_attention(run.model.config), needs_pair=False)


def other_head(screen: HeadOfRun) -> HeadOfRun:
    """The head that Compare sets beside the chosen one: at first the next head of the same layer."""
    if state.get("heads_layer2") < 0:
        state.put(heads_layer2=screen.at.layer)
    if state.get("heads_head2") < 0:
        state.put(heads_head2=(screen.head + 1) % screen.config.n_heads)
    layer = state.checked_number("heads_layer2", 0, screen.n_layers - 1, "Layer")
    head = state.checked_number("heads_head2", 0, screen.config.n_heads - 1, "Head")
    return HeadOfRun(screen.run, screen.at.in_layer(layer), head)


def other_sentence(screen: HeadOfRun, text: str) -> HeadOfRun:
    """The same head over another sentence. Raises `GlassformerError` where it cannot be run or has another length."""
    run = screen.run
    made = traces.run(run.model, text, KEEP)
    other = HeadOfRun(made, screen.at, screen.head)
    if _lengths(screen) != _lengths(other):
        raise GlassformerError(
            f"To be subtracted, both sentences need as many tokens: the first has {_lengths(screen)}, the second "
            f"{_lengths(other)}. Change words, not the number of tokens."
        )
    return other


def _lengths(screen: HeadOfRun) -> str:
    """The numbers of queries and of keys in words, as one number where they are the same."""
    queries, keys = len(screen.query_tokens), len(screen.key_tokens)
    return str(queries) if queries == keys else f"{queries} queries and {keys} keys"
