"""One head of the model on screen, chosen by the controls of a page: which attention, layer and head."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import streamlit as st

from pages.attention.heads_parts.heads_view import FIRST_HEADS, attentions, name_of, tokens_of
from pages.shared import state, traces
from pages.shared.traces import Run
from viz.shared.tokens import words

if TYPE_CHECKING:
    from model import Edit, Trace
    from model.analysis.head_steps import Attention, HeadSteps
    from model.config import TransformerConfig
    from model.tokens.tokenizer import Token

WEIGHTS = ("*.weights", "*.q", "*.k", "*.mask")  # the same as on the Heads page, so that a run serves both


@dataclass(frozen=True)
class OneHead:
    """A head of a run, and the pair of tokens that is singled out in it."""

    run: Run
    at: Attention
    head: int
    query: int
    key: int

    @property
    def config(self) -> TransformerConfig:
        return self.run.model.config

    @property
    def query_tokens(self) -> Sequence[Token]:
        return tokens_of(self.run, self.at.stack)

    @property
    def key_tokens(self) -> Sequence[Token]:
        return self.run.trace.source_tokens if self.at.part == "cross_attn" else self.query_tokens

    @cached_property
    def queries(self) -> list[str]:
        return words(self.query_tokens)

    @cached_property
    def keys(self) -> list[str]:
        return words(self.key_tokens)

    @property
    def place(self) -> str:
        """ "layer 9, head 2", with the name of the attention where the model has several."""
        where = f"layer {self.at.layer}, head {self.head}"
        if len(attentions(self.config)) == 1:
            return where
        return f"{name_of(self.at.stack, self.at.part, self.config)}, {where}"

    @property
    def identity(self) -> str:
        """A name for this head of this run, by which a component knows that it shows something else."""
        return repr((self.run.name, self.run.text, self.run.target, self.at.path, self.head))

    def trace(self, keep: Iterable[str] = (), edits: Sequence[Edit] = (), edits_name: str = "") -> Trace:
        """The same sentence with everything of this attention recorded, under edits. Raises `GlassformerError`."""
        from model.analysis.head_steps import keep_for

        patterns = (*keep_for(self.config, self.at), *keep)
        run = self.run
        return traces.trace(run.name, run.text, patterns, target=run.target, edits=edits, edits_name=edits_name)

    @cached_property
    def steps(self) -> HeadSteps:
        from model.analysis.head_steps import of_head

        return of_head(self.run.model, self.trace(), self.at, self.head)


def choose(page: str, row: bool = False) -> OneHead:
    """The controls of a page, and what they choose. The page's keys are `<page>_attention`, `_layer`, `_head`,
    `_query` and `_key`; -1 stands for what suits the model. With `row`, a query can be chosen too."""
    from model.analysis.head_steps import Attention

    run = traces.current(keep=WEIGHTS)
    config = run.model.config
    places = [f"{stack}.{part}" for stack, part in attentions(config)]
    usual = places[0] if len(places) == 1 else "decoder.self_attn"
    stack, part = state.among(f"{page}_attention", places, "Attention", usual).split(".")
    _choose_head(page, run, stack, part)
    layer = state.within(f"{page}_layer", 0, config.n_layers(stack) - 1, "Layer")
    head = state.within(f"{page}_head", 0, config.n_heads - 1, "Head")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if len(places) > 1:
            st.selectbox(
                "Attention",
                places,
                key=f"{page}_attention",
                format_func=lambda place: _title(place, config),
                on_change=_other_attention,
                args=(page,),
                width=230,
            )
        st.number_input("Layer", 0, config.n_layers(stack) - 1, key=f"{page}_layer", width=118)
        st.number_input("Head", 0, config.n_heads - 1, key=f"{page}_head", width=118)
        shown = _with_pair(page, OneHead(run, Attention(stack, layer, part), head, -1, -1))
        if row:
            st.session_state[f"{page} row"] = shown.query
            st.selectbox(
                "Query",
                range(len(shown.queries)),
                key=f"{page} row",
                format_func=lambda i: f"{i}  {shown.queries[i]}",
                on_change=_take_row,
                args=(page,),
                width=230,
            )
    return shown


def _take_row(page: str) -> None:
    state.put(**{f"{page}_query": st.session_state[f"{page} row"], f"{page}_key": -1})


def _title(place: str, config: TransformerConfig) -> str:
    stack, part = place.split(".")
    return name_of(stack, part, config)


def _other_attention(page: str) -> None:
    state.put(**{f"{page}_{name}": -1 for name in ("layer", "head", "query", "key")})


def _choose_head(page: str, run: Run, stack: str, part: str) -> None:
    """The head that says most, where the reader has not chosen one."""
    layer, head = state.get(f"{page}_layer"), state.get(f"{page}_head")
    if layer >= 0 and head >= 0:
        return
    found = FIRST_HEADS.get(run.name)
    if found is None:
        from torch import stack as stacked

        from model.analysis.head_measures import telling_head

        layers = range(run.model.config.n_layers(stack))
        found = telling_head(stacked([run.trace[f"{stack}.{l}.{part}.weights"] for l in layers]))
    state.put(**{f"{page}_layer": found[0] if layer < 0 else layer, f"{page}_head": found[1] if head < 0 else head})


def _with_pair(page: str, shown: OneHead) -> OneHead:
    """The same head with the pair that the reader singled out, or its strongest one."""
    from model.analysis.head_measures import telling_pair

    weights = shown.run.trace[f"{shown.at.path}.weights"][shown.head]
    query, key = state.get(f"{page}_query"), state.get(f"{page}_key")
    if query < 0 or query >= weights.shape[0] or key >= weights.shape[1]:
        query, key = telling_pair(weights)
    elif key < 0:
        key = int(weights[query].argmax())
    return OneHead(shown.run, shown.at, shown.head, query, key)
