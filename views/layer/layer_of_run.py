"""One layer of one run, and the token that is singled out in it: what the views of Block are about."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from torch import Tensor, nn

from model.config import TransformerConfig
from model.graph.explain import Explanation, explain
from model.tape import Trace
from views.head_of_run import tokens_of
from views.run import Run
from viz.shared.tensor_titles import title_in_layer
from viz.shared.tokens import labels


@dataclass(frozen=True)
class LayerOfRun:
    """One layer of one run. `token`: the place of the singled-out token in the sentence that the stack reads."""

    run: Run
    stack: str
    layer: int
    token: int = 0

    @property
    def config(self) -> TransformerConfig:
        return self.run.model.config

    @property
    def tokens(self) -> list[str]:
        """The labels of the tokens that the stack reads."""
        return labels(tokens_of(self.run, self.stack))

    def tensor(self, name: str) -> Tensor:
        """A recorded tensor of this layer, `ffn.out`."""
        return self.run.trace[self.full_name(name)]

    def full_name(self, name: str) -> str:
        """The name of one of its tensors in the run."""
        return f"{self.stack}.{self.layer}.{name}"

    def title(self, name: str) -> str:
        """The name of one of its tensors in words."""
        return title_in_layer(name, self.config.gated)

    def with_tensors(self, parts: Iterable[str]) -> LayerOfRun:
        """The same layer, with the tensors `parts` of it, such as `ffn.*`."""
        trace = self.run.again(tuple(map(self.full_name, parts)))
        return replace(self, run=replace(self.run, trace=trace))

    @property
    def trace_with_network(self) -> Trace:
        """The run with its network, which cached ones do not hold."""
        return self.run.trace.with_network(self.run.model.network)

    def explain(self, name: str, *index: int) -> Explanation:
        """Where a number of this layer comes from, as the map tells it."""
        return explain(self.trace_with_network, self.full_name(name), index)

    def module(self, name: str) -> nn.Module:
        """The layer's module, such as `attn_norm`, on the CPU as traces are."""
        return self.run.model.on_cpu.network.get_submodule(f"{self.stack}.blocks.{self.layer}.{name}")
