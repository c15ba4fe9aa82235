"""ELECTRA: a BERT that was trained to find replaced words. Clark et al. (2020), arXiv:2003.10555.

Read is the network with its head for masked words (of a generator), for classes of a text or of each token, for the
start and the end of an answer, or without an answer (the discriminator, whose own head is left). The embeddings of the
small models are narrower than the layers (`embedding_size`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from model.config import TransformerConfig
from model.zoo import bert
from model.zoo.values.known_values import KnownValues

NAMES = (
    bert.NAMES
    | {name: ours for name, ours in bert.OF_ROBERTA.items() if name.startswith("classifier.")}
    | {
        "embeddings_project.weight": "encoder.embed.widen.weight",
        "embeddings_project.bias": "encoder.embed.widen.bias",
        "generator_predictions.dense.weight": "words.transform.dense.weight",
        "generator_predictions.dense.bias": "words.transform.dense.bias",
        "generator_predictions.LayerNorm.weight": "words.transform.norm.gain",
        "generator_predictions.LayerNorm.bias": "words.transform.norm.bias",
        "generator_lm_head.weight": "unembed.weight",
        "generator_lm_head.bias": "output_bias",
    }
)


def configure(values: dict[str, Any]) -> TransformerConfig:
    """The configuration of an ELECTRA. Its embeddings pass a map where they have another width than the layers."""
    width = 0 if values["embedding_size"] == values["hidden_size"] else values["embedding_size"]
    return replace(bert.configure(values), embedding_size=width, **bert.answer_of(values, "gelu", "gelu"))


DEFAULTS: dict[str, Any] = {
    **bert.DEFAULTS,
    "embedding_size": 128,
    "hidden_size": 256,
    "num_attention_heads": 4,
    "intermediate_size": 1024,
}
ELECTRA = replace(
    bert.BERT,
    name="ELECTRA",
    config_of=configure,
    names=NAMES,
    prefixes=("electra.",),
    one_of=(),
    head=("generator_predictions.", "classifier.", "qa_outputs."),
    known=bert.KNOWN
    | KnownValues(
        read=("embedding_size",),
        without_effect=("summary_type", "summary_use_proj", "summary_activation", "summary_last_dropout"),
    ),
    defaults=DEFAULTS,
)
