"""What the Heads page shows now: the state of the page, checked against the model and the sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from pages.shared import state, traces
from pages.shared.traces import Run
from viz.shared.tokens import words

if TYPE_CHECKING:
    from model.analysis.weight_story import Story
    from model.config import TransformerConfig
    from model.tokens.tokenizer import Token

KEEP = ("*.weights", "*.q", "*.k", "*.mask")
TITLES = {
    ("encoder", "self_attn"): "Self-attention",
    ("decoder", "self_attn"): "Masked self-attention",
    ("decoder", "cross_attn"): "Cross-attention",
}
FIRST_HEADS = {"smollm2-135m": (9, 2)}  # finds the noun of a pronoun; other models: the head that says most


@dataclass(frozen=True)
class HeadsView:
    """One head of one attention of one run. `query` and `key` are the singled-out pair; -1 where there is none."""

    run: Run
    stack: str
    attention: str
    layer: int
    head: int
    query: int
    key: int

    def path(self, layer: int | None = None) -> str:
        return f"{self.stack}.{self.layer if layer is None else layer}.{self.attention}"

    @property
    def cross(self) -> bool:
        return self.attention == "cross_attn"

    @property
    def layers(self) -> int:
        return self.run.model.config.n_layers(self.stack)

    @property
    def heads(self) -> int:
        return self.run.model.config.n_heads

    @property
    def queries(self) -> Sequence[Token]:
        return tokens_of(self.run, self.stack)

    @property
    def keys(self) -> Sequence[Token]:
        return self.run.trace.source_tokens if self.cross else self.queries

    @cached_property
    def query_words(self) -> list[str]:
        return words(self.queries)

    @cached_property
    def key_words(self) -> list[str]:
        return words(self.keys)

    def all_weights(self, layer: int | None = None) -> NDArray[Any]:
        """(heads, queries, keys) of a layer."""
        return self.run.trace[f"{self.path(layer)}.weights"].numpy()

    @cached_property
    def weights(self) -> NDArray[Any]:
        """(queries, keys) of the head."""
        return self.all_weights()[self.head]

    @cached_property
    def scores(self) -> NDArray[Any]:
        """The head's scaled scores before the mask: (queries, keys)."""
        from model.analysis.weight_story import scores_of

        return scores_of(self.run.trace, self.path(), self.head, self.run.model.config.scale_scores).numpy()

    @cached_property
    def hidden(self) -> NDArray[np.bool_]:
        """True where the mask forbids a query to look: (queries, keys)."""
        return np.isneginf(self.run.trace[f"{self.path()}.mask"].numpy())

    @cached_property
    def story(self) -> Story | None:
        """Of the singled-out pair, if there is one."""
        from model.analysis.weight_story import tell

        if self.query < 0:
            return None
        scaled = self.run.model.config.scale_scores
        return tell(self.run.trace, self.path(), self.head, self.query, self.key, scaled)

    @property
    def place(self) -> str:
        """ "layer 9, head 2", with the name of the attention where a model has several."""
        where = f"layer {self.layer}, head {self.head}"
        return where if len(attentions(self.run.model.config)) == 1 else f"{attention_name(self)}, {where}"


def tokens_of(run: Run, stack: str) -> Sequence[Token]:
    """The tokens that a stack reads."""
    return run.trace.source_tokens if stack == "encoder" and run.trace.source_tokens else run.trace.tokens


def attentions(config: TransformerConfig) -> list[tuple[str, str]]:
    """Every (stack, attention) of a model."""
    pairs = [(stack, "self_attn") for stack in config.stacks]
    return [*pairs, ("decoder", "cross_attn")] if len(config.stacks) == 2 else pairs


def attention_name(shown: HeadsView) -> str:
    return name_of(shown.stack, shown.attention, shown.run.model.config)


def name_of(stack: str, attention: str, config: TransformerConfig) -> str:
    title = TITLES[stack, attention]
    return f"{stack.capitalize()} {title[0].lower()}{title[1:]}" if len(config.stacks) == 2 else title


def read(run: Run) -> HeadsView:
    """The state of the page, mended where the model or the sentence has no such place."""
    config = run.model.config
    stack = state.among("heads_stack", config.stacks, "Stack", config.stacks[-1])
    allowed = [attention for each, attention in attentions(config) if each == stack]
    attention = state.among("heads_attention", allowed, "Attention", allowed[0])
    _forget_pair(run, stack, attention)
    _choose_head(run, stack, attention)
    layer = state.within("heads_layer", 0, config.n_layers(stack) - 1, "Layer")
    head = state.within("heads_head", 0, config.n_heads - 1, "Head")
    shown = HeadsView(run, stack, attention, layer, head, -1, -1)
    query, key = _pair(shown)
    return HeadsView(run, stack, attention, layer, head, query, key)


def _forget_pair(run: Run, stack: str, attention: str) -> None:
    """A pair chosen in one sentence means nothing in another, unless it was chosen together with it."""
    now = (run.name, run.text, run.target, stack, attention)
    pair = (state.get("heads_query"), state.get("heads_key"))
    before, pair_before = st.session_state.get("_heads_of", (now, pair))
    if before != now and pair == pair_before:
        state.put(heads_query=-1, heads_key=-1)
        pair = (-1, -1)
    st.session_state["_heads_of"] = (now, pair)


def _choose_head(run: Run, stack: str, attention: str) -> None:
    if state.get("heads_layer") >= 0 and state.get("heads_head") >= 0:
        return
    from torch import stack as stacked

    from model.analysis.head_measures import telling_head

    layer, head = FIRST_HEADS.get(run.name, (-1, -1))
    if layer < 0:
        layers = range(run.model.config.n_layers(stack))
        layer, head = telling_head(stacked([run.trace[f"{stack}.{l}.{attention}.weights"] for l in layers]))
    if state.get("heads_layer") < 0:
        state.put(heads_layer=layer)
    if state.get("heads_head") < 0:
        state.put(heads_head=head)


def _pair(shown: HeadsView) -> tuple[int, int]:
    """The singled-out (query, key), or (-1, -1)."""
    import torch

    from model.analysis.head_measures import telling_pair

    wanted = state.get("heads_query")
    if wanted == -2:
        return -1, -1
    if wanted == -1:
        return telling_pair(torch.from_numpy(shown.weights))
    query = state.within("heads_query", 0, len(shown.queries) - 1, "Query")
    if state.get("heads_key") < 0:
        return query, int(shown.weights[query].argmax())
    return query, state.within("heads_key", 0, len(shown.keys) - 1, "Key")


def other_head(shown: HeadsView) -> tuple[int, int]:
    """The (layer, head) that Compare sets beside the chosen one: the next head of the same layer unless told."""
    if state.get("heads_layer2") < 0:
        state.put(heads_layer2=shown.layer)
    if state.get("heads_head2") < 0:
        state.put(heads_head2=(shown.head + 1) % shown.heads)
    layer = state.within("heads_layer2", 0, shown.layers - 1, "Layer")
    return layer, state.within("heads_head2", 0, shown.heads - 1, "Head")


def other_sentence(shown: HeadsView, text: str) -> HeadsView:
    """The same head over another sentence. Raises `GlassformerError` where it cannot be run or has another length."""
    from model import GlassformerError

    run = shown.run
    trace = traces.trace(run.name, text, KEEP)
    other = HeadsView(
        Run(run.name, text, None, run.model, trace), shown.stack, shown.attention, shown.layer, shown.head, -1, -1
    )
    ours, theirs = (len(shown.queries), len(shown.keys)), (len(other.queries), len(other.keys))
    if ours != theirs:
        raise GlassformerError(
            f"To be subtracted, both sentences need as many tokens: the first has {_lengths(ours)}, the second "
            f"{_lengths(theirs)}. Change words, not the number of tokens."
        )
    return other


def _lengths(counts: tuple[int, int]) -> str:
    queries, keys = counts
    return str(queries) if queries == keys else f"{queries} queries and {keys} keys"
