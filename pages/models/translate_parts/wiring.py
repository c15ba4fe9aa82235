"""The wiring: the encoder's last output feeds every decoder layer. Palaskos (2022), fig. 3.10."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.models.translate_parts.pair import Pair
from pages.shared import figures, layout, state, traces
from viz.models.translate import wiring_figure
from viz.shared.style import number


def show(pair: Pair, depth: str) -> None:
    name, rows, same = _checked(pair)
    memory = pair_memory(pair)[1]
    shape = " × ".join(map(str, memory.shape))
    config = pair.run.model.config
    encoder = [(f"encoder layer {l}", "self-attention, feed-forward") for l in range(config.n_encoder_layers)]
    decoder = [(f"decoder layer {l}", f"cross_attn.k = M W_K, norm {rows[l]['norm of K']:.1f}")
               for l in range(config.n_decoder_layers)]  # fmt: skip
    told = f"{name}, {shape}, norm {number(float(memory.norm()), 2)}"
    figure = wiring_figure(encoder, decoder, told, theme=state.theme())
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
    verdict = "the same tensor, at one place in memory" if same else "NOT one tensor"
    off = max(row["K from memory, largest difference"] for row in rows)
    layout.caption(
        f"All {len(rows)} decoder layers receive {verdict}: `{name}`, {shape}. Multiplied by each layer's own W_K it "
        f"gives that layer's keys (largest difference {number(off)}), so the layers differ in how they read it, not in "
        "what they read."
    )
    figures.export("translation-wiring", figure, lambda: rows, memory=memory)


def pair_memory(pair: Pair) -> tuple[str, Any]:
    """The name and the tensor of the encoder's last output: (source tokens, d_model)."""
    config = pair.run.model.config
    last = f"encoder.{config.n_encoder_layers - 1}.ffn_norm"
    name = "encoder.final_norm" if config.norm_position == "pre" else last
    return name, _trace(pair)[name]


def _trace(pair: Pair) -> Any:
    keep = ("encoder.final_norm", "encoder.*.ffn_norm", "*.cross_attn.memory", "*.cross_attn.k")
    ids = tuple(token.id for token in pair.run.trace.tokens)
    return traces.trace_ids(pair.run.name, ids, keep, source_ids=pair.source_ids)


def _checked(pair: Pair) -> tuple[str, list[dict[str, Any]], bool]:
    """The encoder's output by name, what every decoder layer received, and whether that is one and the same tensor."""
    name, memory = pair_memory(pair)
    trace, decoder = _trace(pair), pair.run.model.on_cpu.network.decoder
    rows, same = [], True
    for layer in range(pair.run.model.config.n_decoder_layers):
        received, keys = trace[f"decoder.{layer}.cross_attn.memory"], trace[f"decoder.{layer}.cross_attn.k"]
        one = received.data_ptr() == memory.data_ptr() and received.shape == memory.shape
        attention = decoder.blocks[layer].cross_attn  # type: ignore[union-attr]
        made = attention.keys_and_values(memory)[0]  # type: ignore[operator,union-attr]
        same = same and one
        rows.append(
            {
                "tensor": f"decoder.{layer}.cross_attn.memory",
                "shape": " × ".join(map(str, received.shape)),
                "norm": float(received.norm()),
                "is the encoder's output": "the same tensor" if one else "another tensor",
                "norm of K": float(keys.norm()),
                "K from memory, largest difference": float((made - keys).abs().max()),
            }
        )
    return name, rows, same
