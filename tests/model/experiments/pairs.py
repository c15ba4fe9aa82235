"""Small networks, and pairs of prompts that differ in one token."""

from __future__ import annotations

from typing import Any

import torch

from model.config import TransformerConfig
from model.edits.activations import Patch
from model.edits.edit import Change
from model.edits.parts import ablate
from model.experiments.sentence_pair import Prompt
from model.network.transformer import Transformer

CLEAN, CORRUPTED = torch.tensor([3, 1, 4, 1, 5, 9]), torch.tensor([3, 1, 4, 2, 5, 9])
SOURCES = torch.tensor([2, 7, 1, 8]), torch.tensor([2, 7, 3, 8])
NETWORKS = {
    "decoder": (0, 3, {}),
    "encoder of classes": (2, 0, {"text_labels": tuple("abcdefghijkl"), "norm_position": "post"}),
    "decoder, post-norm": (0, 2, {"norm_position": "post"}),
    "grouped queries, rotary": (0, 2, {"n_heads": 4, "n_kv_heads": 2, "positions": "rotary", "d_model": 16}),
    "translator": (2, 2, {}),
}

EDITS = {
    "none": (),
    "a muted head": (ablate("decoder.1.self_attn", 2),),
    "a stream that is put": (Patch("decoder.1.resid_in", 4, "").with_values(torch.ones(1, 12)),),
    "all streams doubled": (Change("decoder.*.resid_in", lambda x: 2 * x),),
}


def make(n_encoder_layers: int, n_decoder_layers: int, **values: Any) -> Transformer:
    torch.manual_seed(0)
    shape = {"vocab_size": 20, "d_model": 12, "n_heads": 3, "d_ff": 16, "max_length": 32} | values
    layers = {"n_encoder_layers": n_encoder_layers, "n_decoder_layers": n_decoder_layers}
    return Transformer(TransformerConfig(**shape, **layers)).eval()


def prompts_of(network: Transformer) -> tuple[Prompt, Prompt]:
    """Two prompts that differ in one token; with an encoder, in one of the source."""
    if network.encoder is None or network.decoder is None:
        return Prompt(CLEAN), Prompt(CORRUPTED)
    return Prompt(CLEAN, SOURCES[0]), Prompt(CLEAN, SOURCES[1])
