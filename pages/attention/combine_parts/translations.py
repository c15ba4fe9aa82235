"""The translations that a translator writes with all heads, and without some."""

from __future__ import annotations

import json
from collections.abc import Sequence

from model.analysis.head_steps import Attention
from model.experiments.surgery import edit_model
from pages.shared.model_runs import model_turns, traces
from views.attention.combine.muted import mute
from views.run import Run


def translate_twice(run: Run, attention: Attention, muted: Sequence[int], everywhere: bool) -> tuple[str, str] | None:
    """Both translations of the run's sentence, kept for all readers. None where there is nothing to compare."""
    model = run.model
    if not muted or model.config.kind != "encoder-decoder":
        return None
    edit = mute(attention, muted, everywhere)

    def translate() -> bytes:
        source, written = model.tokens_of(run.text), []
        for each in (model, edit_model(model, edits=[edit])):
            with model_turns.forward_pass():
                written.append(model.output_tokenizer.decode(list(each.translate_ids(source))))
        return json.dumps(written).encode()

    whole, without = json.loads(traces.pack(run, f"translations without {edit}", translate))
    return whole, without
