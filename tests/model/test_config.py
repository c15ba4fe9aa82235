from __future__ import annotations

import json

import pytest

from model.config import TransformerConfig
from model.config_values import CHOICES
from model.errors import ConfigError
from tests.model.networks import BERT, LLAMA, SHAPE, VARIANTS, config


def test_defaults_are_the_papers() -> None:
    plain = config("encoder-decoder")
    assert (plain.positions, plain.position_mix, plain.norm, plain.norm_position) == (
        "sinusoidal",
        "add",
        "layer",
        "post",
    )
    assert (plain.activation, plain.gated, plain.tied_embeddings, plain.embed_scale) == ("relu", False, True, True)
    assert plain.kv_heads == plain.n_heads
    assert plain.head_width == plain.d_model // plain.n_heads


def test_query_heads_share_key_heads_in_groups() -> None:
    assert [config("decoder").kv_head_of(head) for head in range(4)] == [0, 1, 2, 3]
    grouped = config("decoder", n_kv_heads=2)
    assert [grouped.kv_head_of(head) for head in range(4)] == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("kind", "stacks"),
    [("encoder", ("encoder",)), ("decoder", ("decoder",)), ("encoder-decoder", ("encoder", "decoder"))],
)
def test_kind_follows_from_the_layers(kind: str, stacks: tuple[str, ...]) -> None:
    made = config(kind)
    assert made.kind == kind
    assert made.stacks == stacks
    assert all(made.n_layers(stack) > 0 for stack in stacks)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"n_decoder_layers": 0}, "needs a layer"),
        ({"n_decoder_layers": -1}, "negative"),
        ({"vocab_size": 0}, "vocab_size is 0"),
        ({"max_length": 0}, "max_length is 0"),
        ({"n_heads": 3}, "does not divide into 3 heads"),
        ({"n_kv_heads": 3}, "multiple of n_kv_heads"),
        ({"n_kv_heads": 0}, "n_kv_heads is 0"),
        ({"d_head": 0}, "d_head is 0"),
        ({"positions": "rotary", "d_head": 3}, "must be even"),
        ({"d_model": 15, "n_heads": 3}, "must be even"),
        ({"position_mix": "concat"}, "0 < d_position < d_model"),
        ({"position_mix": "concat", "d_position": 16}, "0 < d_position < d_model"),
        ({"d_position": 4}, "leave d_position at 0"),
        ({"position_base": 1.0}, "greater than 1"),
        ({"positions": "absolute"}, "must be one of sinusoidal, learned, rotary, relative, alibi, none"),
        ({"positions": "relative", "relative_buckets": 3}, "relative_buckets is 3; relative positions need at least 4"),
        ({"positions": "relative", "relative_reach": 16}, "relative_reach is 16; it must be greater than 16"),
        ({"norm": "batch"}, "must be one of layer, rms, none"),
        ({"activation": "mish"}, "must be one of relu, gelu, gelu_tanh, gelu_quick, silu, tanh"),
        ({"transform": "tanh"}, "before masked words or text_labels"),
        ({"masked_words": True, "transform": "gelu"}, "encoder-only models of text"),
        ({"text_labels": ("a",)}, "encoder-only"),
        ({"embedding_size": 8, "embed_norm": True}, "embedding_size is for encoders of text"),
        ({"shared_layers": True, "scores_by_layer": True}, "layers that are all alike"),
        ({"dropout": 1.0}, "below 1"),
    ],
)
def test_values_that_describe_no_transformer_are_named(changes: dict, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        config("decoder", **changes)


def test_every_choice_that_the_type_names_can_be_built() -> None:
    for name, choices in CHOICES.items():
        for choice in choices:
            extra = {"d_position": 6} if choice == "concat" else {}
            is_of_answers = name in ("transform", "label_scores")
            kind = "encoder" if is_of_answers else "decoder"
            extra |= {"text_labels": ("a", "b")} if is_of_answers else {}
            assert getattr(config(kind, **{name: choice}, **extra), name) == choice


@pytest.mark.parametrize("variant", VARIANTS)
def test_survives_json(variant: str) -> None:
    kind, changes = VARIANTS[variant]
    made = config(kind, **changes)
    assert TransformerConfig.from_dict(json.loads(json.dumps(made.to_dict()))) == made


def test_unknown_and_missing_values_are_named() -> None:
    with pytest.raises(ConfigError, match="n_layer"):
        TransformerConfig.from_dict({**SHAPE, "n_layer": 3})
    with pytest.raises(ConfigError, match="d_ff"):
        TransformerConfig.from_dict({name: value for name, value in SHAPE.items() if name != "d_ff"})
    with pytest.raises(ConfigError, match="vocab_size is 'many'; it must be a whole number"):
        TransformerConfig.from_dict({**SHAPE, "vocab_size": "many"})


def test_widths() -> None:
    concat = config("decoder", position_mix="concat", d_position=6)
    assert (concat.token_width, concat.position_width) == (10, 6)
    assert not concat.shares_output_table
    added = config("decoder")
    assert (added.token_width, added.position_width) == (16, 16)
    assert added.shares_output_table
    assert config("decoder", **LLAMA).position_width == 0
    assert config("encoder", **BERT).position_width == 16
    assert config("decoder", d_head=6).head_width == 6
    narrow = config("encoder", **BERT, embedding_size=6, masked_words=True, transform="gelu")
    assert (narrow.token_width, narrow.position_width, narrow.transform_width) == (6, 6, 6)
    assert narrow.shares_output_table


def test_the_kinds_of_positions() -> None:
    kinds = ("sinusoidal", "learned", "rotary", "none")
    configs = [config("decoder", positions=kind) for kind in kinds]
    assert [each.has_positions for each in configs] == [True, True, True, False]
    assert [each.has_position_vectors for each in configs] == [True, True, False, False]
    assert [each.adds_positions for each in configs] == [True, True, False, False]
    assert not config("decoder", position_mix="concat", d_position=6).adds_positions
