"""CLIP: two towers in one file, one for pictures and one for texts, and what compares their vectors.

Radford et al. (2021), arXiv:2103.00020. The tower of pictures is a ViT with a norm before its layers. In that of texts
a token sees the ones before it alone, and the last one, which ends the text, is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from torch import Tensor

from model.config import TransformerConfig
from model.errors import DamagedWeights
from model.zoo.family import Family, Named
from model.zoo.values.common_values import ENCODER
from model.zoo.values.hub_values import activation
from model.zoo.values.known_values import KnownValues, Only, check_values, in_json
from model.zoo.vit import side_of

PICTURES, TEXTS = "vision", "text"  # the towers, as config.json calls them
END = 49407  # the token that ends a text, where the vocabulary has more tokens after it
OLDER_END = 2  # the eos_token_id of older files, which stands for the token of the largest id
LAYERS = "{tower}_model.encoder.layers.{{}}."
BLOCK = "encoder.blocks.{}."


def _linear(theirs: str, ours: str, gain: str = "weight") -> dict[str, str | None]:
    return {f"{theirs}.weight": f"{ours}.{gain}", f"{theirs}.bias": f"{ours}.bias"}


def layer_names(tower: str) -> dict[str, str | None]:
    """The names of the tensors of a tower's layers."""
    layer = LAYERS.format(tower=tower)
    parts = {"q_proj": "query", "k_proj": "key", "v_proj": "value", "out_proj": "out"}
    names: dict[str, str | None] = {}
    for theirs, ours in parts.items():
        names |= _linear(f"{layer}self_attn.{theirs}", f"{BLOCK}self_attn.{ours}")
    return {
        **names,
        **_linear(f"{layer}layer_norm1", f"{BLOCK}attn_norm", "gain"),
        **_linear(f"{layer}layer_norm2", f"{BLOCK}ffn_norm", "gain"),
        **_linear(f"{layer}mlp.fc1", f"{BLOCK}ffn.expand"),
        **_linear(f"{layer}mlp.fc2", f"{BLOCK}ffn.contract"),
    }


OF_PICTURES: dict[str, str | None] = {
    "vision_model.embeddings.class_embedding": "encoder.embed.patches.class_token",
    "vision_model.embeddings.patch_embedding.weight": "encoder.embed.patches.project.weight",
    "vision_model.embeddings.position_embedding.weight": "encoder.embed.positions.weight",
    **_linear("vision_model.pre_layrnorm", "encoder.embed.norm", "gain"),
    **layer_names(PICTURES),
    **_linear("vision_model.post_layernorm", "encoder.final_norm", "gain"),
    "visual_projection.weight": "shared_vector.project.weight",
    "logit_scale": "similarity.log_scale",
}
OF_TEXTS: dict[str, str | None] = {
    "text_model.embeddings.token_embedding.weight": "encoder.embed.tokens.weight",
    "text_model.embeddings.position_embedding.weight": "encoder.embed.positions.weight",
    **layer_names(TEXTS),
    **_linear("text_model.final_layer_norm", "encoder.final_norm", "gain"),
    "text_projection.weight": "shared_vector.project.weight",
}
PLACES: dict[str, str | None] = {  # of older files: the numbers 0, 1, 2 ...
    f"{tower}_model.embeddings.position_ids": None for tower in (PICTURES, TEXTS)
}


def only(names: Mapping[str, str | None], others: Mapping[str, str | None]) -> dict[str, str | None]:
    """The names of one tower; the tensors of the other one are dropped."""
    return {**PLACES, **dict.fromkeys(others), **names}


# The values of a tower that has none of its own.
TOWER: dict[str, Any] = {"hidden_act": "quick_gelu", "layer_norm_eps": 1e-5, "num_hidden_layers": 12}
DEFAULTS: dict[str, dict[str, Any]] = {
    PICTURES: {
        **TOWER,
        **{"hidden_size": 768, "intermediate_size": 3072, "num_attention_heads": 12},
        **{"image_size": 224, "patch_size": 32, "num_channels": 3},
    },
    TEXTS: {
        **TOWER,
        **{"hidden_size": 512, "intermediate_size": 2048, "num_attention_heads": 8},
        **{"vocab_size": 49408, "max_position_embeddings": 77, "eos_token_id": 49407},
    },
}


def tower_values(
    values: Mapping[str, Any],
    tower: str,
    defaults: Mapping[str, dict[str, Any]],
    unread: Iterable[str] = (),
    refused: Mapping[str, Only] = {},
) -> dict[str, Any]:
    """The values of one tower in those of a config.json. Raises `DamagedWeights` for one that is not read here.

    Some files have them twice, and then the second ones count. `unread` are values that change no number, and those of
    `refused` have one value.
    """
    found = values.get(f"{tower}_config_dict") or values.get(f"{tower}_config") or {}
    if not isinstance(found, dict):
        raise DamagedWeights(f"config.json has {tower}_config = {repr(found)[:60]}, and not the values of a tower.")
    known = ENCODER | KnownValues(read=tuple(defaults[tower]), without_effect=tuple(unread), refused=refused)
    check_values(Path(f"{tower}_config"), found, known)
    return {**defaults[tower], **{key: value for key, value in found.items() if key in defaults[tower]}}


def tower_shape(values: Mapping[str, Any]) -> dict[str, Any]:
    """What both towers have of the same kind."""
    return {
        "d_model": values["hidden_size"],
        "n_heads": values["num_attention_heads"],
        "d_ff": values["intermediate_size"],
        "n_encoder_layers": values["num_hidden_layers"],
        "norm_position": "pre",
        "norm_eps": values["layer_norm_eps"],
        "positions": "learned",
        "embed_scale": False,
        "activation": activation(values["hidden_act"]),
    }


def spare_pixels(values: Mapping[str, Any]) -> int:
    """The pixels a side beyond the patches: 384 pixels in patches of 14 leave 6, at the right and below."""
    return side_of("image_size", values["image_size"]) % side_of("patch_size", values["patch_size"])


def picture_shape(values: Mapping[str, Any]) -> dict[str, Any]:
    """The pictures that a tower reads, and their patches. Raises `DamagedWeights` for others than squares."""
    patch = side_of("patch_size", values["patch_size"])
    picture = side_of("image_size", values["image_size"]) - spare_pixels(values)
    return {
        "vocab_size": 0, "image_size": picture, "patch_size": patch, "channels": values["num_channels"],
        "max_length": (picture // patch) ** 2,
    }  # fmt: skip


def text_shape(values: Mapping[str, Any]) -> dict[str, Any]:
    """The vocabulary of a tower of texts, and its longest text."""
    return {"vocab_size": values["vocab_size"], "max_length": values["max_position_embeddings"], "pooled": "last"}


UNREAD = ("projection_dim",)  # of a tower; that of both together counts


def configure_pictures(values: dict[str, Any]) -> TransformerConfig:
    """The tower of pictures in the values of a config.json. Raises `DamagedWeights`."""
    own = tower_values(values, PICTURES, DEFAULTS, UNREAD)
    pictures = picture_shape(own)
    pictures["max_length"] += 1  # the class token
    shared = values["projection_dim"]
    return TransformerConfig(**tower_shape(own), **pictures, embed_norm=True, patch_bias=False, shared_width=shared)


def configure_texts(values: dict[str, Any]) -> TransformerConfig:
    """The tower of texts. Raises `DamagedWeights`."""
    own = tower_values(values, TEXTS, DEFAULTS, UNREAD)
    if own["eos_token_id"] not in (OLDER_END, END, own["vocab_size"] - 1):
        raise DamagedWeights(
            f"text_config has eos_token_id = {in_json(own['eos_token_id'])}. With it, a text is read off another token "
            "than the one that ends it, which is not done here."
        )
    return TransformerConfig(**tower_shape(own), **text_shape(own), causal=True, shared_width=values["projection_dim"])


def fit(name: str, tensor: Tensor, config: TransformerConfig) -> Iterable[Named]:
    """The tensors in the shapes of our modules. With the scale come the vectors of sentences: there are none yet."""
    if name == "similarity.log_scale":
        yield name, tensor.reshape(1)
        yield "similarity.sentences", tensor.new_zeros(0, config.shared_width)
    elif name == "encoder.embed.patches.project.weight":
        yield name, tensor.flatten(1)  # (d_model, C P P)
    else:
        yield name, tensor


KNOWN = ENCODER | KnownValues(
    read=("vision_config", "text_config", "vision_config_dict", "text_config_dict", "projection_dim"),
    without_effect=("logit_scale_init_value", "tie_word_embeddings"),
)
CLIP_TEXTS = Family(
    "CLIP, texts",
    configure_texts,
    only(OF_TEXTS, OF_PICTURES),
    fit=fit,
    known=KNOWN,
    defaults={"vision_config": None, "text_config": None, "projection_dim": 512},
)
CLIP = replace(
    CLIP_TEXTS,
    name="CLIP",
    config_of=configure_pictures,
    names=only(OF_PICTURES, OF_TEXTS),
    texts=CLIP_TEXTS,
    beyond_patches=lambda values: spare_pixels(tower_values(values, PICTURES, DEFAULTS, UNREAD)),
)
