"""SigLIP: two towers in one file, as CLIP, whose sentences are judged one by one.

Zhai et al. (2023), arXiv:2303.15343. The tower of pictures has no class token: a probe asks all patches. That of texts
reads its last token, which is mostly one that fills the text up to its longest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from torch import Tensor

from model.config import TransformerConfig
from model.zoo import clip
from model.zoo.clip import PICTURES, TEXTS
from model.zoo.family import Family, Named
from model.zoo.values.common_values import ENCODER
from model.zoo.values.known_values import KnownValues, Only

PROBE = "shared_vector.probe"
HEAD = "vision_model.head"


def _linear(theirs: str, ours: str, gain: str = "weight") -> dict[str, str | None]:
    return {f"{theirs}.weight": f"{ours}.{gain}", f"{theirs}.bias": f"{ours}.bias"}


OF_PICTURES: dict[str, str | None] = {
    **_linear("vision_model.embeddings.patch_embedding", "encoder.embed.patches.project"),
    "vision_model.embeddings.position_embedding.weight": "encoder.embed.positions.weight",
    **clip.layer_names(PICTURES),
    **_linear("vision_model.post_layernorm", "encoder.final_norm", "gain"),
    f"{HEAD}.probe": f"{PROBE}.token",
    f"{HEAD}.attention.in_proj_weight": f"{PROBE}.cross_attn.fused.weight",
    f"{HEAD}.attention.in_proj_bias": f"{PROBE}.cross_attn.fused.bias",
    **_linear(f"{HEAD}.attention.out_proj", f"{PROBE}.cross_attn.out"),
    **_linear(f"{HEAD}.layernorm", f"{PROBE}.ffn_norm", "gain"),
    **_linear(f"{HEAD}.mlp.fc1", f"{PROBE}.ffn.expand"),
    **_linear(f"{HEAD}.mlp.fc2", f"{PROBE}.ffn.contract"),
    "logit_scale": "similarity.log_scale",
    "logit_bias": "similarity.bias",
}
OF_TEXTS: dict[str, str | None] = {
    **{theirs: ours for theirs, ours in clip.OF_TEXTS.items() if theirs != "text_projection.weight"},
    **_linear("text_model.head", "shared_vector.project"),
}
TOWER: dict[str, Any] = {
    **{"hidden_size": 768, "intermediate_size": 3072, "num_hidden_layers": 12, "num_attention_heads": 12},
    **{"hidden_act": "gelu_pytorch_tanh", "layer_norm_eps": 1e-6},
}
DEFAULTS: dict[str, dict[str, Any]] = {
    PICTURES: {**TOWER, "image_size": 224, "patch_size": 16, "num_channels": 3},
    TEXTS: {**TOWER, "vocab_size": 32000, "max_position_embeddings": 64, "projection_size": None},
}
REFUSED = {"vision_use_head": Only((True,), "no probe gathers what the picture shows")}


def configure_pictures(values: dict[str, Any]) -> TransformerConfig:
    """The tower of pictures in the values of a config.json. Raises `DamagedWeights`."""
    own = clip.tower_values(values, PICTURES, DEFAULTS, refused=REFUSED)
    return TransformerConfig(
        **clip.tower_shape(own),
        **clip.picture_shape(own),
        class_token=False,
        pooled="probe",
        shared_width=own["hidden_size"],
        label_scores="sigmoid",
    )


def configure_texts(values: dict[str, Any]) -> TransformerConfig:
    """The tower of texts. Raises `DamagedWeights`."""
    own = clip.tower_values(values, TEXTS, DEFAULTS, ("eos_token_id",))
    width = own["projection_size"] or own["hidden_size"]
    return TransformerConfig(**clip.tower_shape(own), **clip.text_shape(own), shared_width=width, shared_bias=True)


def fit(name: str, tensor: Tensor, config: TransformerConfig) -> Iterable[Named]:
    """As of CLIP; and queries, keys and values of the probe's attention apart."""
    if name == f"{PROBE}.token":
        yield name, tensor[0]  # (1, d_model)
    elif name == "similarity.bias":
        yield name, tensor.reshape(1)
    elif ".fused." in name:
        for part, rows in zip(("query", "key", "value"), tensor.chunk(3), strict=True):
            yield name.replace("fused", part), rows
    else:
        yield from clip.fit(name, tensor, config)


KNOWN = ENCODER | KnownValues(
    read=("vision_config", "text_config"),
    without_effect=("tie_word_embeddings",),
    refused={
        f"{tower}_config_dict": Only((None,), "the values of a tower stand in another place")
        for tower in (PICTURES, TEXTS)
    },
)
SIGLIP_TEXTS = Family(
    "SigLIP, texts",
    configure_texts,
    clip.only(OF_TEXTS, OF_PICTURES),
    fit=fit,
    known=KNOWN,
    defaults={"vision_config": None, "text_config": None},
    pads=True,
)
SIGLIP = replace(
    SIGLIP_TEXTS,
    name="SigLIP",
    config_of=configure_pictures,
    names=clip.only(OF_PICTURES, OF_TEXTS),
    texts=SIGLIP_TEXTS,
    pads=False,
    beyond_patches=lambda values: clip.spare_pixels(clip.tower_values(values, PICTURES, DEFAULTS, refused=REFUSED)),
)
