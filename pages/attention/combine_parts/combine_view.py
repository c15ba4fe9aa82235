"""The attention that Concat and W_O shows, all heads of it, and the controls that choose it."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from torch import Tensor

from model.analysis.head_parts import OutputSum, output_sum
from model.analysis.head_steps import Attention
from model.config import TransformerConfig
from pages.shared.elements import layout
from pages.shared.model_runs import head_on_screen
from pages.shared.model_runs.head_on_screen import read_attention, usual_layer
from pages.shared.session import ablation_choice, places, state
from views.head_of_run import attention_titles, tokens_of
from views.run import Run
from viz.shared.tokens import labels

VIEWS = ("Side by side", "Each head's part", "Mute heads")
KEEP = ("*.heads", "*.concat", "*_attn.out")


@dataclass(frozen=True)
class CombineView:
    """One attention of one run. `muted` are the heads that fall silent, `tokens` the labels of the queries."""

    run: Run
    at: Attention
    muted: tuple[int, ...]
    tokens: list[str]

    @property
    def config(self) -> TransformerConfig:
        return self.run.model.config

    @property
    def concat(self) -> Tensor:
        """The outputs of all heads side by side: (queries, heads * d_head)."""
        return self.run.trace[f"{self.at.path}.concat"]

    @property
    def output_sum(self) -> OutputSum:
        return output_sum(self.run.model, self.run.trace, self.at)


def choose_view(run: Run) -> CombineView:
    """Draws the controls and returns the attention that they choose."""
    config = run.model.config
    titles = attention_titles(config)
    stack, part = read_attention(config)
    layer = places.read_layer(config.n_layers(stack), usual_layer(config))
    muted = ablation_choice.read_muted(state.get("combine_muted"), config.n_heads)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.segmented_control(
            "View", VIEWS, key="combine_view", required=True, label_visibility="collapsed", width="content"
        )
        if len(titles) > 1:
            st.selectbox("Attention", tuple(titles), key="attention", format_func=titles.__getitem__, width=230)
    layout.name_part(state.get("combine_view"))
    return CombineView(run, Attention(stack, layer, part), muted, labels(tokens_of(run, stack)))


def read_token(view: CombineView) -> int:
    """The place of the run bar's token."""
    return head_on_screen.read_token(view.run, view.at.stack)
