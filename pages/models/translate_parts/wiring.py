"""The wiring: the encoder's last output feeds every decoder layer. Palaskos (2022), fig. 3.10."""

from __future__ import annotations

from typing import Any

import streamlit as st

from model.analysis.encoder_memory import KEEP, MemoryUse, encoder_output_name, memory_uses
from model.tape import Trace
from pages.models.translate_parts.pair import Pair
from pages.shared.elements import figures, layout
from pages.shared.model_runs import traces
from pages.shared.session import state
from viz.models.translate import wiring_figure
from viz.shared.style import number


def show(pair: Pair, depth: str) -> None:
    trace, name = _trace(pair), encoder_output_name(pair.run.model.config)
    memory = trace[name]  # (source tokens, d_model)
    uses = memory_uses(pair.run.model.on_cpu.network, trace)
    rows = _rows(uses)
    shape = " × ".join(map(str, memory.shape))
    config = pair.run.model.config
    encoder = [(f"encoder layer {l}", "self-attention, feed-forward") for l in range(config.n_encoder_layers)]
    decoder = [(f"decoder layer {l}", f"K = M W_K, norm {number(rows[l]['norm of K'], 2)}")
               for l in range(config.n_decoder_layers)]  # fmt: skip
    description = f"encoder output, {shape}, norm {number(float(memory.norm()), 2)}"
    figure = wiring_figure(encoder, decoder, description, theme=state.theme())
    if depth == "Numbers":
        st.dataframe(rows, hide_index=True)
    else:
        with st.container(key="wide wiring"):
            figures.chart(
                figure,
                key="translate wiring",
                theme=None,
                config={"displayModeBar": False},
                alt="The final encoder output feeds every decoder layer",
            )
    verdict = "the same tensor, at one place in memory" if all(use.is_output for use in uses) else "NOT one tensor"
    difference = max(use.difference for use in uses)
    layout.caption(
        f"All {len(rows)} decoder layers receive {verdict}: the encoder output, {shape}. Multiplied by each layer's "
        f"own W_K it gives that layer's keys (largest difference {number(difference)}), so the layers differ in how "
        "they read it, not in what they read."
    )
    figures.export("translation-wiring", figure, lambda: rows, memory=memory)


def _trace(pair: Pair) -> Trace:
    ids = tuple(token.id for token in pair.run.trace.tokens)
    return traces.trace_ids(pair.run.model, ids, KEEP, source_ids=pair.source_ids)


def _rows(uses: list[MemoryUse]) -> list[dict[str, Any]]:
    """One row for each decoder layer."""
    return [
        {
            "layer": layer,
            "name": use.name,
            "shape": " × ".join(map(str, use.memory.shape)),
            "norm": float(use.memory.norm()),
            "is the encoder's output": "the same tensor" if use.is_output else "another tensor",
            "norm of K": float(use.keys.norm()),
            "K from memory, largest difference": use.difference,
        }
        for layer, use in enumerate(uses)
    ]
