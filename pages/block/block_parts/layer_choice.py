"""Which stack, layer and token the Block page shows: the keys of the page, checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from pages.shared.model_runs import head_on_screen, traces
from pages.shared.model_runs.head_on_screen import read_attention
from pages.shared.model_runs.recorded_run import LookAtRun
from pages.shared.session import places
from views.layer.layer_of_run import LayerOfRun
from views.run import Run
from views.usual_head import usual_layer

if TYPE_CHECKING:
    from model.config import TransformerConfig


def read_layer(parts: Iterable[str]) -> LayerOfRun:
    """The chosen layer. The run has recorded the tensors `parts` of it, such as `ffn.*`."""
    run = traces.current(keep=lambda config: _tensor_names(config, parts))
    return LayerOfRun(run, read_stack(run.config), _read_layer_number(run.config))


def with_token(place: LayerOfRun) -> LayerOfRun:
    """The same layer, with the token of the run bar."""
    return replace(place, token=head_on_screen.read_token(place.run, place.stack))


def read_run(keep: Callable[[str], Iterable[str]], look: LookAtRun | None = None) -> LayerOfRun:
    """The run for a part that shows all layers: its formulas alone are about the chosen layer and token.

    `keep` gives the names of the tensors to record, for the name of a stack. `look` is that of `RunHook`.
    """
    run = traces.current(keep=lambda config: tuple(keep(read_stack(config))), look=look)
    return of_formulas(run)


def mark(run: Run) -> LayerOfRun:
    """The chosen layer and token. The run bar marks both."""
    return with_token(LayerOfRun(run, read_stack(run.config), _read_layer_number(run.config)))


def of_formulas(run: Run) -> LayerOfRun:
    """The chosen layer and token, which the run bar marks only once a formula of them is drawn (`mark`)."""
    offered = places.offered()
    place = mark(run)
    places.offer(offered)
    return place


def read_stack(config: TransformerConfig) -> str:
    return read_attention(config)[0]


def _read_layer_number(config: TransformerConfig) -> int:
    return places.read_layer(config.n_layers(read_stack(config)), usual_layer(config))


def _tensor_names(config: TransformerConfig, parts: Iterable[str]) -> tuple[str, ...]:
    return tuple(f"{read_stack(config)}.{_read_layer_number(config)}.{part}" for part in parts)
