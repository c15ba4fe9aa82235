"""ALBERT: a BERT whose layers all have the same weights, and whose embeddings are narrower than they.

Lan et al. (2020), arXiv:1909.11942. The file holds one layer, which is used as often as `num_hidden_layers` says.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from model.config import TransformerConfig
from model.zoo import bert
from model.zoo.values.common_values import ENCODER
from model.zoo.values.known_values import KnownValues, Only

LAYER, BLOCK = "encoder.albert_layer_groups.0.albert_layers.0.", "encoder.blocks.0."
BOTH = (("weight", "weight"), ("bias", "bias"))
OF_NORMS = (("weight", "gain"), ("bias", "bias"))
NAMES: dict[str, str | None] = {
    **{name: ours for name, ours in bert.NAMES.items() if name.startswith(("embeddings.", "qa_outputs."))},
    "encoder.embedding_hidden_mapping_in.weight": "encoder.embed.widen.weight",
    "encoder.embedding_hidden_mapping_in.bias": "encoder.embed.widen.bias",
    **{
        f"{LAYER}{theirs}.{kind}": f"{BLOCK}{ours}.{end}"
        for theirs, ours, ends in (
            *((f"attention.{part}", f"self_attn.{part}", BOTH) for part in ("query", "key", "value")),
            ("attention.dense", "self_attn.out", BOTH),
            ("attention.LayerNorm", "attn_norm", OF_NORMS),
            ("ffn", "ffn.expand", BOTH),
            ("ffn_output", "ffn.contract", BOTH),
            ("full_layer_layer_norm", "ffn_norm", OF_NORMS),
        )
        for kind, end in ends
    },
    "pooler.weight": "transform.dense.weight",
    "pooler.bias": "transform.dense.bias",
    "classifier.weight": "text_head.weight",
    "classifier.bias": "text_head.bias",
    "predictions.dense.weight": "words.transform.dense.weight",
    "predictions.dense.bias": "words.transform.dense.bias",
    "predictions.LayerNorm.weight": "words.transform.norm.gain",
    "predictions.LayerNorm.bias": "words.transform.norm.bias",
    "predictions.decoder.weight": "unembed.weight",
    "predictions.decoder.bias": "output_bias",
    "predictions.bias": "output_bias",
    "sop_classifier.classifier.weight": None,  # whether two texts are in their order, which no page asks
    "sop_classifier.classifier.bias": None,
}


def configure(values: dict[str, Any]) -> TransformerConfig:
    """The configuration in the values of a config.json."""
    return replace(bert.configure(values), embedding_size=values["embedding_size"], shared_layers=True)


DEFAULTS: dict[str, Any] = {
    **bert.DEFAULTS,
    "vocab_size": 30000,
    "embedding_size": 128,
    "hidden_size": 4096,
    "num_attention_heads": 64,
    "intermediate_size": 16384,
    "hidden_act": "gelu_new",
    "bos_token_id": 2,
    "eos_token_id": 3,
}
ALBERT = replace(
    bert.BERT,
    name="ALBERT",
    config_of=configure,
    names=NAMES,
    prefixes=("albert.",),
    one_of=(("predictions.decoder.bias", "predictions.bias"),),
    head=("predictions.", "classifier.", "qa_outputs."),
    known=ENCODER
    | KnownValues(
        read=DEFAULTS,
        without_effect=(
            "classifier_dropout_prob",
            # Notes of the first files.
            *("down_scale_factor", "gap_size", "layers_to_keep", "net_structure_type", "num_memory_blocks"),
        ),
        refused={
            "num_hidden_groups": Only((1,), "groups of layers have weights of their own"),
            "inner_group_num": Only((1,), "a layer has several attentions"),
            "position_embedding_type": bert.LEARNED,
        },
    ),
    defaults=DEFAULTS,
)
