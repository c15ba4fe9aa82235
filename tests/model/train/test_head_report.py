"""The head report: removed heads are named by layer and number, and only visible work is listed."""

from __future__ import annotations

import torch

from corpora.lines import Probe
from model.config import TransformerConfig
from model.train.head_report import head_report

CONFIG = TransformerConfig(vocab_size=9, d_model=8, n_heads=2, d_ff=8, n_decoder_layers=3, max_length=8)
PROBES = {"copying": [Probe("a", frozenset({" b"}))] * 4, "counting": [Probe("c", frozenset({" d"}))] * 4}


def measure(asked, tape):
    """A model whose copying is done by head 1 of layer 2, and whose counting leans a little on head 0 of layer 0."""

    def removed(layer, head):
        heads = tape.at("decoder", layer, "self_attn")("heads", torch.ones(2, 1, 1))
        return bool(heads[head] == 0)

    if asked[0].prefix == "a":
        return 0.2 if removed(2, 1) else 1.0
    return 0.85 if removed(0, 0) else 0.9


def test_the_report_finds_the_head_that_works():
    report = head_report(CONFIG, measure, PROBES)
    assert report["visible"] == [{"skill": "copying", "layer": 2, "head": 1, "whole": 1.0, "without": 0.2}]
    assert report["accuracy"]["copying"] == [[1.0, 1.0], [1.0, 1.0], [1.0, 0.2]]
    assert report["accuracy"]["counting"][0] == [0.85, 0.9]
    assert report["whole"] == {"copying": 1.0, "counting": 0.9}
    assert report["questions"] == 4


def test_the_whole_model_is_measured_without_edits():
    seen = []

    def watch(asked, tape):
        seen.append(tape.idle)
        return 1.0

    head_report(CONFIG, watch, {"copying": PROBES["copying"]})
    assert seen == [True] + [False] * 6
