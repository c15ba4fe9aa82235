"""Which layer the Block page shows, of which stack, and which token is singled out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import state, traces
from pages.shared.head_on_screen import tokens_of
from pages.shared.traces import Run
from viz.shared.tokens import labels

if TYPE_CHECKING:
    from torch import Tensor, nn

    from model.config import TransformerConfig


@dataclass(frozen=True)
class LayerOfRun:
    """One layer of one run."""

    run: Run
    stack: str
    layer: int

    @property
    def config(self) -> TransformerConfig:
        return self.run.model.config

    @property
    def tokens(self) -> list[str]:
        """The tokens of the stack, as they are shown."""
        return labels(tokens_of(self.run, self.stack))

    def tensor(self, name: str) -> Tensor:
        """A recorded tensor of this layer, `ffn.out`."""
        return self.run.trace[f"{self.stack}.{self.layer}.{name}"]

    def module(self, name: str) -> nn.Module:
        """The network's own part, `attn_norm`, where traces are."""
        return self.run.model.on_cpu.network.get_submodule(f"{self.stack}.blocks.{self.layer}.{name}")


def choose_layer(parts: Iterable[str]) -> LayerOfRun:
    """The layer that the controls choose, with the tensors `parts` of it recorded (`ffn.*`)."""
    run = traces.current(keep=lambda config: _tensor_names(config, parts))
    config = run.model.config
    stack, layer = _read_stack(config), _read_layer(config)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if len(config.stacks) > 1:
            st.selectbox("Stack", config.stacks, key="block_stack", format_func=str.capitalize, width=180)
        st.number_input("Layer", 0, config.n_layers(stack) - 1, key="block_layer", width=118)
    return LayerOfRun(run, stack, layer)


def choose_stack(keep: Callable[[str], tuple[str, ...]]) -> LayerOfRun:
    """All layers of the chosen stack; `keep` names what is recorded of it, given the stack's name."""
    run = traces.current(keep=lambda config: keep(_read_stack(config)))
    config = run.model.config
    stack = _read_stack(config)
    if len(config.stacks) > 1:
        st.selectbox("Stack", config.stacks, key="block_stack", format_func=str.capitalize, width=180)
    return LayerOfRun(run, stack, 0)


def choose_token(place: LayerOfRun, width: int = 230) -> int:
    """The token that is singled out; the last one to begin with."""
    tokens = place.tokens
    last = len(tokens) - 1
    token = last if state.get("block_token") < 0 else state.within("block_token", 0, last, "Token")
    state.put(block_token=token)
    st.selectbox("Token", range(last + 1), key="block_token", format_func=lambda i: f"{i}  {tokens[i]}", width=width)
    return token


def _read_stack(config: TransformerConfig) -> str:
    return state.among("block_stack", config.stacks, "Stack", config.stacks[-1])


def _read_layer(config: TransformerConfig) -> int:
    return state.within("block_layer", 0, config.n_layers(_read_stack(config)) - 1, "Layer")


def _tensor_names(config: TransformerConfig, parts: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{_read_stack(config)}.{_read_layer(config)}.{part}" for part in parts)
