"""What is left of the tokens and of the gradient at each depth of the trained network, and of untrained ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from torch import Tensor

from model.analysis.token_differences import differences_by_depth
from model.experiments.gradients import fresh, gradient_by_depth, narrow
from model.experiments.layerwise_gradient import Watch, record_streams
from model.network.transformer import Transformer
from model.run import ids_of
from views.run import Run

WIDTH = 64  # features of the untrained networks; a narrow stream keeps many layers quick
UNTRAINED = {  # name: with skips, with norms
    "untrained": (True, True),
    "untrained, no skips": (False, True),
    "untrained, no norms": (True, False),
    "untrained, neither": (False, False),
}


@dataclass(frozen=True)
class DepthLines:
    """Two numbers of each layer of one network, the first layer first."""

    differences: list[float]  # `token_difference` of the stream before the layer
    gradients: list[float]  # the norm of the gradient there


@dataclass(frozen=True)
class Prepared:
    """A network, the ids that its last stack reads, and the residual streams of its run over them."""

    network: Transformer
    ids: Tensor
    streams: Mapping[str, Tensor]

    @property
    def n_layers(self) -> int:
        return self.network.config.n_layers(self.network.config.stacks[-1])

    def measure(self, watch: Watch = iter) -> DepthLines:
        """Both lines. `watch` goes through the layers as the gradient does."""
        norms = gradient_by_depth(self.network, self.ids, self.streams, watch)
        return DepthLines(differences_by_depth(self.network.config, self.streams).tolist(), norms.tolist())


def names_of(run: Run) -> tuple[str, ...]:
    """The names of the networks: the trained one of a run first."""
    return f"{run.model.card.title}, trained", *UNTRAINED


def prepare(run: Run, name: str, layers: int) -> Prepared:
    """One of the networks. `layers`: of an untrained one."""
    trace, network = run.trace, run.model.network
    ids, source = ids_of(trace.tokens), ids_of(trace.source_tokens) if trace.source_tokens else None
    if name not in UNTRAINED:
        return Prepared(network, ids, trace.tensors)
    network = fresh(narrow(run.model.config, WIDTH), layers, *UNTRAINED[name])
    return Prepared(network, ids, record_streams(network, ids, source))


def measure_all(run: Run, layers: int) -> dict[str, DepthLines]:
    """The lines of all networks, by their names."""
    return {name: prepare(run, name, layers).measure() for name in names_of(run)}
