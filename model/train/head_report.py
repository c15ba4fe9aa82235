"""Which head does which skill? Each head is removed alone, and every skill measured again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from model.config import TransformerConfig
from model.tape import Tape, ablate
from model.train.corpora.lines import Probe

VISIBLE = 0.1  # a head does visible work for a skill if without it the accuracy falls by so much

Measure = Callable[[Sequence[Probe], Tape], float]


def head_report(config: TransformerConfig, measure: Measure, probes: Mapping[str, Sequence[Probe]]) -> dict[str, Any]:
    """Accuracies of a decoder-only model with one head's output set to 0 (Michel et al. 2019, arXiv:1905.10650).

    `accuracy[skill][layer][head]` is what is left of a skill without that head, `whole[skill]` what the whole model
    has, and `visible` lists the heads without which a skill falls by `VISIBLE` or more, the heaviest first.
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
    visible = [entry for fall, entry in sorted(falls, key=lambda pair: -pair[0]) if fall >= VISIBLE]
    return {"questions": len(next(iter(probes.values()))), "whole": whole, "accuracy": without, "visible": visible}
