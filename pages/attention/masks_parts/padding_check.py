"""The reader's sentence in a padded batch beside the same sentence alone."""

from __future__ import annotations

import json

from model.experiments.padded_batch import compare_with_alone
from pages.attention.masks_parts.masked_runs import MaskedRuns
from pages.shared.model_runs import model_turns, traces
from viz.shared.style import number


def describe(runs: MaskedRuns) -> str:
    """The largest difference between the reader's sentence in the batch and alone. Markdown."""
    run, batch, source = runs.screen.run, runs.sentence.batch, runs.sentence.source_batch
    assert batch is not None

    def measure() -> bytes:
        with model_turns.forward_pass():
            return json.dumps(compare_with_alone(run.model, batch, source)).encode()

    rows = [[token.id for token in row] for row in (*batch.tokens, runs.sentence.source)]
    masked, unmasked = json.loads(traces.pack(run, f"padded batch {rows}", measure))
    sentences = (
        f"Run as one batch of {len(rows) - 1} sentences, the model's answer for yours differs from the sentence alone "
        f"by {number(masked)} at most with the padding hidden, and by {number(unmasked)} without."
    )
    if run.model.config.kind == "decoder":
        sentences += " A causal mask already hides padding that stands after the words."
    return sentences
