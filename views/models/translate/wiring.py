"""The wiring: the encoder's last output feeds every decoder layer. Palaskos (2022), fig. 3.10."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
from torch import Tensor

from model.analysis.encoder_memory import KEEP, MemoryUse, encoder_output_name, memory_uses
from model.cached_property import cached_property
from model.network.attention import MultiHeadAttention
from model.tape import Trace
from views.models.translate.translation import Translation
from views.parts import Chart, DataTable, Draw, Files
from viz.documents.page_parts import Group
from viz.models.translate import wiring_figure
from viz.shared.style import number


@dataclass(frozen=True)
class Wiring(Translation):
    """What each decoder layer receives of the encoder."""

    @cached_property
    def _trace(self) -> Trace:
        ids = tuple(token.id for token in self.pair.run.trace.tokens)
        return self.pair.run.of_tokens(ids, KEEP, self.pair.source_ids)

    @property
    def memory(self) -> Tensor:
        """The final encoder output: (source tokens, d_model)."""
        return self._trace[encoder_output_name(self.pair.config)]

    @cached_property
    def uses(self) -> list[MemoryUse]:
        """One for each decoder layer."""
        return memory_uses(self.pair.run.model.on_cpu.network, self._trace)

    def picture(self) -> Group:
        alt = "The final encoder output feeds every decoder layer"
        return Group([Chart(self._draw(), alt, key="translate wiring", tells_numbers=True)], key="wide wiring")

    def _draw(self) -> Draw:
        config, rows = self.pair.config, self._rows()
        encoder = [(f"encoder layer {l}", "self-attention, feed-forward") for l in range(config.n_encoder_layers)]
        decoder = [(f"decoder layer {l}", f"K = M W_K, norm {number(rows[l]['norm of K'], 2)}")
                   for l in range(config.n_decoder_layers)]  # fmt: skip
        description = f"encoder output, {self._shape()}, norm {number(float(self.memory.norm()), 2)}"
        return partial(wiring_figure, encoder, decoder, description)

    def _shape(self) -> str:
        return " × ".join(map(str, self.memory.shape))

    def table(self) -> DataTable:
        return DataTable(lambda: pd.DataFrame(self._rows()))

    def _rows(self) -> list[dict[str, Any]]:
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
            for layer, use in enumerate(self.uses)
        ]

    def caption(self) -> str:
        is_same = all(use.is_output for use in self.uses)
        verdict = "the same tensor, at one place in memory" if is_same else "NOT one tensor"
        difference = max(use.difference for use in self.uses)
        return (
            f"All {len(self.uses)} decoder layers receive {verdict}: the encoder output, {self._shape()}. Multiplied "
            f"by each layer's own W_K it gives that layer's keys (largest difference {number(difference)}), so the "
            "layers differ in how they read it, not in what they read."
        )

    def files(self) -> Files:
        draw = self._draw()
        return Files("translation-wiring", draw, draw, self._rows, lambda: {"memory": self.memory})

    def code(self) -> Sequence[Any]:
        return (MultiHeadAttention,)
