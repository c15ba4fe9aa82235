"""The skills of each head. Each head is removed alone, and then every skill is measured again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from corpora.lines import Probe
from model.config import TransformerConfig
from model.edits.parts import ablate
from model.tape import Tape

VISIBLE_FALL = 0.1  # a head counts as visible for a skill if the accuracy falls by this much without it

Measure = Callable[[Sequence[Probe], Tape], float]


def head_report(config: TransformerConfig, measure: Measure, probes: Mapping[str, Sequence[Probe]]) -> dict[str, Any]:
    """Accuracies of a decoder-only model with one head's output set to 0 (Michel et al. 2019, arXiv:1905.10650).

    `accuracy[skill][layer][head]` is the accuracy without that head, `whole[skill]` that of the whole model. `visible`
    lists the heads without which a skill falls by `VISIBLE_FALL` or more, the largest fall first.
    """
    whole = {skill: measure(asked, Tape()) for skill, asked in probes.items()}
    without = {
        skill: [
            [measure(asked, Tape(edits=[ablate(f"decoder.{layer}.self_attn", head)])) for head in range(config.n_heads)]
            for layer in range(config.n_decoder_layers)
        ]
        for skill, asked in probes.items()
    }
    falls = [
        (whole[skill] - left, {"skill": skill, "layer": layer, "head": head, "whole": whole[skill], "without": left})
        for skill, layers in without.items()
        for layer, heads in enumerate(layers)
        for head, left in enumerate(heads)
    ]
    visible = [entry for fall, entry in sorted(falls, key=lambda pair: -pair[0]) if fall >= VISIBLE_FALL]
    return {"questions": len(next(iter(probes.values()))), "whole": whole, "accuracy": without, "visible": visible}
