"""The BERT family: post-norm encoders with LayerNorm and learned positions. BERT, MiniLM, RoBERTa, XLM-R, DistilBERT.

Devlin et al. (2019), arXiv:1810.04805. The `architectures` of config.json say which answer is read off the encoder:
masked words, classes of a text or of each token with their labels, the start and the end of an answer, or none. Other
output layers of the file are not read.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from torch import Tensor

from model.config import TransformerConfig
from model.config_values import Activation
from model.errors import DamagedWeights
from model.zoo.family import Family, Named
from model.zoo.values.common_values import ENCODER, IS_DECODER
from model.zoo.values.hub_values import activation, ends_as, label_scores, labels_of
from model.zoo.values.known_values import KnownValues, Only

NAMES: dict[str, str | None] = {
    "embeddings.word_embeddings.weight": "encoder.embed.tokens.weight",
    "embeddings.position_embeddings.weight": "encoder.embed.positions.weight",
    "embeddings.token_type_embeddings.weight": "encoder.embed.segments.weight",
    "embeddings.position_ids": None,  # 0, 1, 2, ...
    "embeddings.LayerNorm.weight": "encoder.embed.norm.gain",
    "embeddings.LayerNorm.bias": "encoder.embed.norm.bias",
    "encoder.layer.{}.attention.self.query.weight": "encoder.blocks.{}.self_attn.query.weight",
    "encoder.layer.{}.attention.self.query.bias": "encoder.blocks.{}.self_attn.query.bias",
    "encoder.layer.{}.attention.self.key.weight": "encoder.blocks.{}.self_attn.key.weight",
    "encoder.layer.{}.attention.self.key.bias": "encoder.blocks.{}.self_attn.key.bias",
    "encoder.layer.{}.attention.self.value.weight": "encoder.blocks.{}.self_attn.value.weight",
    "encoder.layer.{}.attention.self.value.bias": "encoder.blocks.{}.self_attn.value.bias",
    "encoder.layer.{}.attention.output.dense.weight": "encoder.blocks.{}.self_attn.out.weight",
    "encoder.layer.{}.attention.output.dense.bias": "encoder.blocks.{}.self_attn.out.bias",
    "encoder.layer.{}.attention.output.LayerNorm.weight": "encoder.blocks.{}.attn_norm.gain",
    "encoder.layer.{}.attention.output.LayerNorm.bias": "encoder.blocks.{}.attn_norm.bias",
    "encoder.layer.{}.intermediate.dense.weight": "encoder.blocks.{}.ffn.expand.weight",
    "encoder.layer.{}.intermediate.dense.bias": "encoder.blocks.{}.ffn.expand.bias",
    "encoder.layer.{}.output.dense.weight": "encoder.blocks.{}.ffn.contract.weight",
    "encoder.layer.{}.output.dense.bias": "encoder.blocks.{}.ffn.contract.bias",
    "encoder.layer.{}.output.LayerNorm.weight": "encoder.blocks.{}.ffn_norm.gain",
    "encoder.layer.{}.output.LayerNorm.bias": "encoder.blocks.{}.ffn_norm.bias",
    "qa_outputs.weight": "token_head.weight",
    "qa_outputs.bias": "token_head.bias",
}
OF_BERT = {
    "pooler.dense.weight": "transform.dense.weight",
    "pooler.dense.bias": "transform.dense.bias",
    "classifier.weight": "text_head.weight",
    "classifier.bias": "text_head.bias",
    "cls.seq_relationship.weight": None,  # whether one text follows another, which no page asks
    "cls.seq_relationship.bias": None,
    "cls.predictions.bias": "output_bias",
    "cls.predictions.transform.dense.weight": "words.transform.dense.weight",
    "cls.predictions.transform.dense.bias": "words.transform.dense.bias",
    "cls.predictions.transform.LayerNorm.weight": "words.transform.norm.gain",
    "cls.predictions.transform.LayerNorm.bias": "words.transform.norm.bias",
    "cls.predictions.decoder.weight": "unembed.weight",
    "cls.predictions.decoder.bias": "output_bias",
}
OF_ROBERTA = {
    "pooler.dense.weight": None,  # of the first files; their answers are not read off it
    "pooler.dense.bias": None,
    "classifier.weight": "token_head.weight",
    "classifier.bias": "token_head.bias",
    "classifier.dense.weight": "transform.dense.weight",
    "classifier.dense.bias": "transform.dense.bias",
    "classifier.out_proj.weight": "text_head.weight",
    "classifier.out_proj.bias": "text_head.bias",
    "lm_head.bias": "output_bias",
    "lm_head.dense.weight": "words.transform.dense.weight",
    "lm_head.dense.bias": "words.transform.dense.bias",
    "lm_head.layer_norm.weight": "words.transform.norm.gain",
    "lm_head.layer_norm.bias": "words.transform.norm.bias",
    "lm_head.decoder.weight": "unembed.weight",
    "lm_head.decoder.bias": "output_bias",
}


def with_first_names(names: dict[str, str | None]) -> dict[str, str | None]:
    """The names of tensors, and those of the first checkpoints, which call a norm's gain and bias gamma and beta."""
    old = {"LayerNorm.weight": "LayerNorm.gamma", "LayerNorm.bias": "LayerNorm.beta"}
    ends = {name: next((end for end in old if name.endswith(end)), "") for name in names}
    return names | {name.removesuffix(end) + old[end]: names[name] for name, end in ends.items() if end}


LAYER, BLOCK = "transformer.layer.{}.", "encoder.blocks.{}."
DISTILLED_NAMES = {
    **{name: ours for name, ours in NAMES.items() if name.startswith(("embeddings.", "qa_outputs."))},
    LAYER + "attention.q_lin.weight": BLOCK + "self_attn.query.weight",
    LAYER + "attention.q_lin.bias": BLOCK + "self_attn.query.bias",
    LAYER + "attention.k_lin.weight": BLOCK + "self_attn.key.weight",
    LAYER + "attention.k_lin.bias": BLOCK + "self_attn.key.bias",
    LAYER + "attention.v_lin.weight": BLOCK + "self_attn.value.weight",
    LAYER + "attention.v_lin.bias": BLOCK + "self_attn.value.bias",
    LAYER + "attention.out_lin.weight": BLOCK + "self_attn.out.weight",
    LAYER + "attention.out_lin.bias": BLOCK + "self_attn.out.bias",
    LAYER + "sa_layer_norm.weight": BLOCK + "attn_norm.gain",
    LAYER + "sa_layer_norm.bias": BLOCK + "attn_norm.bias",
    LAYER + "ffn.lin1.weight": BLOCK + "ffn.expand.weight",
    LAYER + "ffn.lin1.bias": BLOCK + "ffn.expand.bias",
    LAYER + "ffn.lin2.weight": BLOCK + "ffn.contract.weight",
    LAYER + "ffn.lin2.bias": BLOCK + "ffn.contract.bias",
    LAYER + "output_layer_norm.weight": BLOCK + "ffn_norm.gain",
    LAYER + "output_layer_norm.bias": BLOCK + "ffn_norm.bias",
    "pre_classifier.weight": "transform.dense.weight",
    "pre_classifier.bias": "transform.dense.bias",
    "classifier.weight": "text_head.weight",
    "classifier.bias": "text_head.bias",
    "vocab_transform.weight": "words.transform.dense.weight",
    "vocab_transform.bias": "words.transform.dense.bias",
    "vocab_layer_norm.weight": "words.transform.norm.gain",
    "vocab_layer_norm.bias": "words.transform.norm.bias",
    "vocab_projector.weight": "unembed.weight",
    "vocab_projector.bias": "output_bias",
}
WORDS = "words."  # before our names of what only masked words need
OF_WORDS, OF_CLASSES = ("ForMaskedLM", "ForPreTraining"), ("ForSequenceClassification",)  # ends of architectures
OF_TOKENS, OF_SPANS = "ForTokenClassification", "ForQuestionAnswering"
SPAN = ("start", "end")  # the order of the rows of qa_outputs


def configure(values: dict[str, Any]) -> TransformerConfig:
    """The configuration in the values of a BERT's `config.json`. Raises `DamagedWeights`, `ConfigError`."""
    return TransformerConfig(
        vocab_size=values["vocab_size"],
        d_model=values["hidden_size"],
        n_heads=values["num_attention_heads"],
        d_ff=values["intermediate_size"],
        n_encoder_layers=values["num_hidden_layers"],
        max_length=values["max_position_embeddings"],
        norm_eps=values["layer_norm_eps"],
        positions="learned",
        n_segments=values["type_vocab_size"],
        embed_scale=False,
        embed_norm=True,
        activation=activation(values["hidden_act"]),
        tied_embeddings=values["tie_word_embeddings"],
        **answer_of(values, activation(values["hidden_act"]), "tanh"),
    )


def answer_of(values: dict[str, Any], of_words: Activation, of_classes: Activation) -> dict[str, Any]:
    """The values of the configuration that say what is read off the encoder, and after which activation.

    Raises `DamagedWeights` for an answer to a question that is no start and end.
    """
    if ends_as(values, *OF_WORDS):
        return {"masked_words": True, "transform": of_words, "output_bias": True}
    if ends_as(values, *OF_CLASSES):
        labels = labels_of(values)
        return {"text_labels": labels, "label_scores": label_scores(values, labels), "transform": of_classes}
    if ends_as(values, OF_TOKENS):
        return {"token_labels": labels_of(values)}
    if ends_as(values, OF_SPANS):
        if len(labels_of(values)) != len(SPAN):
            raise DamagedWeights(
                f"config.json has {len(labels_of(values))} labels (num_labels, id2label), but an answer to a question "
                "has two for each token: where it starts and where it ends."
            )
        return {"token_labels": SPAN, "answer_span": True, "label_scores": "none"}
    return {}


def fit(name: str, tensor: Tensor, config: TransformerConfig) -> Iterable[Named]:
    """The tensors of the encoder, and of the answer that the configuration has."""
    if name.startswith("text_head.") and config.token_labels:
        name = name.replace("text_head.", "token_head.")  # they have one name in the files of BERT and DistilBERT
    of_words = name.startswith(WORDS) or name in ("unembed.weight", "output_bias")
    of_classes = name.startswith(("transform.", "text_head."))
    of_tokens = name.startswith("token_head.")
    if (of_words and not config.masked_words) or (of_classes and not config.text_labels):
        return
    if of_tokens and not config.token_labels:
        return
    yield name.removeprefix(WORDS), tensor


def configure_offset(values: dict[str, Any]) -> TransformerConfig:
    """As `configure`, of RoBERTa: its positions count from after the number of the padding token.

    The padding itself has the position of its number, wherever it stands, and the tokens after it are counted without
    it. So a text with it is refused.
    """
    config = configure(values)
    padding = values["pad_token_id"]
    length = config.max_length - padding - 1
    return replace(config, max_length=length, unplaced_token=padding, **answer_of(values, "gelu", "tanh"))


def last_positions(name: str, tensor: Tensor, config: TransformerConfig) -> Iterable[Named]:
    """As `fit`; of the position table the rows that a text can reach."""
    for ours, fitted in fit(name, tensor, config):
        yield ours, fitted[-config.max_length :] if ours == "encoder.embed.positions.weight" else fitted


def configure_distilled(values: dict[str, Any]) -> TransformerConfig:
    """The configuration in the values of a DistilBERT's `config.json`. Sanh et al. (2019), arXiv:1910.01108."""
    return TransformerConfig(
        vocab_size=values["vocab_size"],
        d_model=values["dim"],
        n_heads=values["n_heads"],
        d_ff=values["hidden_dim"],
        n_encoder_layers=values["n_layers"],
        max_length=values["max_position_embeddings"],
        norm_eps=1e-12,
        positions="learned",
        embed_scale=False,
        embed_norm=True,
        activation=activation(values["activation"]),
        tied_embeddings=values["tie_word_embeddings"],
        **answer_of(values, activation(values["activation"]), "relu"),
    )


DEFAULTS: dict[str, Any] = {
    "vocab_size": 30522,
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
    "hidden_act": "gelu",
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
    "layer_norm_eps": 1e-12,
    "pad_token_id": 0,
    "bos_token_id": None,
    "eos_token_id": None,
    "tie_word_embeddings": True,
}
OF_XLM_ROBERTA = {**DEFAULTS, "pad_token_id": 1, "bos_token_id": 0, "eos_token_id": 2}
OF_DISTILBERT: dict[str, Any] = {
    "vocab_size": 30522,
    "max_position_embeddings": 512,
    "n_layers": 6,
    "n_heads": 12,
    "dim": 768,
    "hidden_dim": 3072,
    "activation": "gelu",
    "pad_token_id": 0,
    "bos_token_id": None,
    "eos_token_id": None,
    "tie_word_embeddings": True,
}
SHORTER = {"hidden_size": "dim", "num_attention_heads": "n_heads", "num_hidden_layers": "n_layers"}
# Of Google's first files: how large a pooler was that no model has.
OF_POOLERS = (
    *("directionality", "pooler_fc_size", "pooler_num_attention_heads", "pooler_num_fc_layers"),
    *("pooler_size_per_head", "pooler_type"),
)
LEARNED = Only(("absolute", None), "the scores are told of distances, and no position is added to a token")
KNOWN = ENCODER | KnownValues(
    read=DEFAULTS,
    without_effect=OF_POOLERS,
    refused={"is_decoder": IS_DECODER, "position_embedding_type": LEARNED},
)
OF_DISTILLED = ENCODER | KnownValues(
    read=(*OF_DISTILBERT, *SHORTER),
    # The formula of the sinusoids is only where training begins: the table is in the file.
    without_effect=("sinusoidal_pos_embds", "qa_dropout", "seq_classif_dropout"),
    refused={"position_embedding_type": LEARNED},
)

BERT = Family(
    "BERT",
    configure,
    with_first_names(NAMES | OF_BERT),
    ("bert.",),
    fit,
    one_of=(("cls.predictions.decoder.bias", "cls.predictions.bias"),),
    head=("cls.predictions.transform.", "classifier.", "qa_outputs."),
    known=KNOWN,
    defaults=DEFAULTS,
)
ROBERTA = Family(
    "RoBERTa",
    configure_offset,
    NAMES | OF_ROBERTA,
    ("roberta.",),
    last_positions,
    one_of=(("lm_head.decoder.bias", "lm_head.bias"),),
    head=("lm_head.dense.", "classifier.", "qa_outputs."),
    known=KNOWN,
    defaults={**OF_XLM_ROBERTA, "vocab_size": 50265},
)
XLM_ROBERTA = replace(ROBERTA, defaults=OF_XLM_ROBERTA)
DISTILBERT = Family(
    "DistilBERT",
    configure_distilled,
    DISTILLED_NAMES,
    ("distilbert.",),
    fit,
    head=("vocab_transform.", "classifier.", "qa_outputs."),
    known=OF_DISTILLED,
    defaults=OF_DISTILBERT,
    synonyms=SHORTER,
)
