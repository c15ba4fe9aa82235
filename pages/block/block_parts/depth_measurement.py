"""The gradient at each depth: measured at once, or over a long text at the reader's wish."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.shared.model_runs import measurements, model_turns
from pages.shared.session.last_made import keep_last
from views.layer.depth_lines import UNTRAINED, DepthLines, measure_all, names_of, prepare
from views.layer.layer_of_run import LayerOfRun
from views.layer.skip_connections import SkipConnections, derivatives_of
from views.run import Run
from views.run_spec import RunSpec
from views.shared import long_text
from viz.shared.style import markdown_text


def measured(run: Run, layers: int) -> Mapping[str, DepthLines]:
    """The lines of the trained model and of the untrained ones. Of a long text, those that the reader has measured."""
    return _kept(run, layers) if _is_long(run) else _measure_at_once(run.spec, layers, run)


def derivatives(place: LayerOfRun, feature: int) -> tuple[float, float]:
    """Those of `derivatives_of`, with a turn at the processor."""
    with model_turns.forward_pass():
        return derivatives_of(place, feature)


def measure(view: SkipConnections) -> None:
    """The button that measures the lines of a long text, and the measurement. The page runs again after it."""
    run, layers = view.depths.run, view.depths.layers
    if not _is_long(run):
        return
    lines, names = _kept(run, layers), names_of(run)
    with st.container(horizontal=True, vertical_alignment="bottom", width="content"):
        title = "Measure again" if len(lines) == len(names) else "Follow the gradients"
        start = measurements.measure_button(title, lines, ":material/undo:")
        stop = st.empty()
    if start:
        with measurements.watch(stop, "Following the gradients") as bar:
            for name in names:
                key = (run.spec, layers if name in UNTRAINED else None)
                lines[name] = keep_last(f"_block {name}", key, partial(_follow, run, name, layers, bar))
        st.rerun()


def _is_long(run: Run) -> bool:
    return max(len(run.trace.tokens), len(run.trace.source_tokens)) > long_text.MOST_TOKENS


def _kept(run: Run, layers: int) -> dict[str, DepthLines]:
    """The lines of a long text that the session keeps."""
    lines: dict[str, DepthLines] = keep_last("gradients by depth", (run.spec, layers), dict)
    return lines


@st.cache_data(show_spinner="Following the gradient", max_entries=64)
def _measure_at_once(spec: RunSpec, layers: int, _run: Run) -> dict[str, DepthLines]:
    """The lines of a short text. `spec` is read by Streamlit's cache."""
    with model_turns.forward_pass():
        return measure_all(_run, layers)


def _follow(run: Run, name: str, layers: int, bar: DeltaGenerator) -> DepthLines:
    """The lines of one network, with a turn at the processor for each layer. The session keeps the last ones, so that
    the trained one is not measured again with the next depth."""
    with model_turns.forward_pass():
        prepared = prepare(run, name, layers)
    return prepared.measure(partial(measurements.in_turns, count=prepared.n_layers, bar=bar, what=markdown_text(name)))
