"""The translations that a translator writes with all heads, and without some."""

from __future__ import annotations

import json
from collections.abc import Sequence

from model.analysis.head_steps import Attention
from pages.shared.model_runs import model_turns, traces
from views.attention.combine import muted as muted_heads
from views.attention.combine.muted import mute
from views.run import Run


def translate_twice(run: Run, attention: Attention, muted: Sequence[int], everywhere: bool) -> tuple[str, str] | None:
    """Both translations of the run's sentence, kept for all readers. None where there is nothing to compare."""
    if not muted or run.config.kind != "encoder-decoder":
        return None
    edit = mute(attention, muted, everywhere)

    def translate() -> bytes:
        return json.dumps(muted_heads.translate_twice(run, edit, model_turns.forward_pass)).encode()

    name = f"translations without {edit}"
    whole, without = json.loads(traces.pack(run, name, translate))
    return whole, without
