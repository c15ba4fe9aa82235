"""The choices of the Block page: the stack, the layer and the token that it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from model.graph.explain import Explanation, explain
from pages.shared.model_runs import head_on_screen, traces
from pages.shared.model_runs.head_on_screen import read_attention, usual_layer
from pages.shared.model_runs.recorded_run import LookAtRun
from pages.shared.session import places, state
from views.head_of_run import tokens_of
from views.run import Run
from viz.shared.tensor_titles import title_in_layer
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
        """The labels of the tokens that the stack reads."""
        return labels(tokens_of(self.run, self.stack))

    def tensor(self, name: str) -> Tensor:
        """A recorded tensor of this layer, `ffn.out`."""
        return self.run.trace[f"{self.stack}.{self.layer}.{name}"]

    def title(self, name: str) -> str:
        """The name of one of its tensors in words."""
        return title_in_layer(name, self.config.gated)

    def explain(self, name: str, *index: int) -> Explanation:
        """Where a number of this layer comes from, as the map tells it."""
        trace = self.run.trace.with_network(self.run.model.network)  # cached traces hold no model
        return explain(trace, f"{self.stack}.{self.layer}.{name}", index)

    def module(self, name: str) -> nn.Module:
        """The layer's module, such as `attn_norm`, on the CPU as traces are."""
        return self.run.model.on_cpu.network.get_submodule(f"{self.stack}.blocks.{self.layer}.{name}")


def choose_layer(parts: Iterable[str]) -> LayerOfRun:
    """Draw the controls of stack and layer. The run has recorded the tensors `parts` of the layer, such as `ffn.*`."""
    run = traces.current(keep=lambda config: _tensor_names(config, parts))
    config = run.model.config
    stack, layer = _read_stack(config), _read_layer(config)
    _choose_stack(config, stack)
    return LayerOfRun(run, stack, layer)


def choose_stack(keep: Callable[[str], tuple[str, ...]], look: LookAtRun | None = None) -> LayerOfRun:
    """Draw the control of the stack, for a part that shows all its layers. `layer` is 0.

    `keep` gives the names of the tensors to record, for the name of a stack. `look` is that of `traces.trace`.
    """
    run = traces.current(keep=lambda config: keep(_read_stack(config)), look=look)
    config = run.model.config
    stack = _read_stack(config)
    _choose_stack(config, stack)
    return LayerOfRun(run, stack, 0)


def read_token(place: LayerOfRun) -> int:
    """The index of the run bar's token."""
    return head_on_screen.read_token(place.run, place.stack)


def _choose_stack(config: TransformerConfig, stack: str) -> None:
    """Draw the control of the stack where the model has two."""
    if len(config.stacks) > 1:
        st.session_state["block stack"] = stack
        st.selectbox(
            "Stack", config.stacks, key="block stack", format_func=str.capitalize, on_change=_take_stack, width=180
        )


def _take_stack() -> None:
    state.put(attention=f"{st.session_state['block stack']}.self_attn")


def _read_stack(config: TransformerConfig) -> str:
    return read_attention(config)[0]


def _read_layer(config: TransformerConfig) -> int:
    return places.read_layer(config.n_layers(_read_stack(config)), usual_layer(config))


def _tensor_names(config: TransformerConfig, parts: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{_read_stack(config)}.{_read_layer(config)}.{part}" for part in parts)
