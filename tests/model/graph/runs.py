"""Runs to explain: one of every variant of `tests.model.networks` and of every model that there is."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cache
from typing import Any

import torch
from hypothesis import strategies as st

from model import Edit, Trace, available
from model.graph.nodes import Index
from model.network.transformer import Transformer
from model.tape import Origin, Tape
from model.tokens.tokenizer import Token
from tests.model.devices import LARGE, on, trace_of
from tests.model.networks import PICTURES, VARIANTS, inputs, small_network

SMALL = (*VARIANTS, *PICTURES)
BUNDLED = tuple(card.name for card in (*available(), *available("vision")) if card.name not in LARGE)


def text_configs() -> st.SearchStrategy[dict[str, Any]]:
    """The changes of a configuration of text, in every combination: also of models that nobody has."""
    choices: dict[str, tuple[Any, ...]] = {
        "n_kv_heads": (None, 1, 2),
        "d_head": (None, 6),
        "norm": ("layer", "rms", "none"),
        "norm_position": ("pre", "post", "output", "both"),
        "positions": ("sinusoidal", "learned", "rotary", "alibi", "none"),
        "n_segments": (0, 2),
        "activation": ("relu", "gelu", "gelu_tanh", "silu"),
        "rotary_width": (None, 2),
        "rotary_gain": (1.0, 1.25),
        **dict.fromkeys(("qkv_bias", "out_bias"), (None, True, False)),
        "target_vocab_size": (None, 19),
        **dict.fromkeys(
            ("bias", "scale_scores", "residual", "embed_scale", "embed_norm", "gated", "norm_bias"), (True, False)
        ),
        "score_width": (None, 5.0),
        "token_scale": (None, 3.5),
        "logit_scale": (None, 0.4),
        **dict.fromkeys(("score_cap", "logit_cap"), (None, 1.5)),
        **dict.fromkeys(("tied_embeddings", "layer_scale"), (True, False)),
    }
    mixes = st.sampled_from(({}, {"position_mix": "concat", "d_position": 6}))
    norms = st.sampled_from(({}, {"qk_norm": True}, {"qk_norm": True, "qk_norm_whole": True}))  # of queries and keys
    made = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in choices.items()})
    return st.tuples(made, mixes, norms).map(lambda parts: {**parts[0], **parts[1], **parts[2]})


def tokens(ids: Iterable[int]) -> tuple[Token, ...]:
    return tuple(Token(int(id), "", b"") for id in ids)


def run_small(made: Transformer, edits: tuple[Edit, ...] = ()) -> Trace:
    """A run that keeps everything, of a network without a tokenizer."""
    written, source = inputs(made)
    tape = Tape("*", edits)
    with torch.inference_mode():
        made(written, source, tape)
    if made.config.image_size:
        return Trace(tokens(range(made.config.max_length)), tape.records, (), Origin(made, edits, written))
    return Trace(tokens(written), tape.records, () if source is None else tokens(source), Origin(made, edits))


@cache
def run(name: str) -> Trace:
    """A run of a variant, or of a model that there is."""
    return run_small(small_network(name)) if name in SMALL else trace_of(on("cpu", name))


def network_of(trace: Trace) -> Transformer:
    assert trace.origin is not None
    assert isinstance(trace.origin.network, Transformer)
    return trace.origin.network


def random_cell(shape: Iterable[int], name: str, seed: int) -> Index:
    """A cell of the tensor of that name and shape: another one for each name and seed."""
    chance = random.Random(f"{name} {seed}")
    return tuple(chance.randrange(length) for length in shape)
