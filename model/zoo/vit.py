"""Vision transformers: ViT, DeiT with and without its distillation token; DINOv2 with and without registers.

Dosovitskiy et al. (2021), arXiv:2010.11929; Touvron et al. (2020), arXiv:2012.12877; Oquab et al. (2023),
arXiv:2304.07193; Darcet et al. (2023), arXiv:2309.16588. A classification head reads the class token and gives its
labels. That of DINOv2 reads the mean of the patches too, which no value of the configuration says, so it is left. A
DeiT that was taught by another network has a second head, which reads the distillation token. Its logits are the mean
of both.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F

from model.config import TransformerConfig
from model.errors import DamagedWeights
from model.zoo.family import Family, Named
from model.zoo.values.common_values import ENCODER
from model.zoo.values.hub_values import activation, ends_as, label_scores, labels_of
from model.zoo.values.known_values import KnownValues, Only

CLASSIFIER = "ForImageClassification"  # ends the name of an architecture with labels
TAUGHT = CLASSIFIER + "WithTeacher"  # ends that of one with two heads
DINOV2_PICTURE = 224  # pixels a side, as its preparation crops them; its position table is made for more

EMBEDDING: dict[str, str | None] = {
    "embeddings.cls_token": "encoder.embed.patches.class_token",
    "embeddings.mask_token": None,  # stands for hidden patches, in training alone
    "embeddings.patch_embeddings.projection.weight": "encoder.embed.patches.project.weight",
    "embeddings.patch_embeddings.projection.bias": "encoder.embed.patches.project.bias",
    "embeddings.position_embeddings": "encoder.embed.positions.weight",
    "layernorm.weight": "encoder.final_norm.gain",
    "layernorm.bias": "encoder.final_norm.bias",
}
LAYER, BLOCK = "encoder.layer.{}.", "encoder.blocks.{}."


def _linear(theirs: str, ours: str, gain: str = "weight") -> dict[str, str | None]:
    return {f"{LAYER}{theirs}.weight": f"{BLOCK}{ours}.{gain}", f"{LAYER}{theirs}.bias": f"{BLOCK}{ours}.bias"}


ATTENTION = {
    **_linear("attention.attention.query", "self_attn.query"),
    **_linear("attention.attention.key", "self_attn.key"),
    **_linear("attention.attention.value", "self_attn.value"),
    **_linear("attention.output.dense", "self_attn.out"),
}
VIT_NAMES = {
    **EMBEDDING,
    **ATTENTION,
    **_linear("layernorm_before", "attn_norm", "gain"),
    **_linear("layernorm_after", "ffn_norm", "gain"),
    **_linear("intermediate.dense", "ffn.expand"),
    **_linear("output.dense", "ffn.contract"),
    "pooler.dense.weight": None,  # of a head that no classifier has
    "pooler.dense.bias": None,
    "classifier.weight": "image_head.weight",
    "classifier.bias": "image_head.bias",
}
DEIT_NAMES = {
    **VIT_NAMES,
    "embeddings.distillation_token": "encoder.embed.patches.distillation_token",
    "cls_classifier.weight": "image_head.weight",
    "cls_classifier.bias": "image_head.bias",
    "distillation_classifier.weight": "distillation_head.weight",
    "distillation_classifier.bias": "distillation_head.bias",
}
DINOV2_NAMES = {
    **EMBEDDING,
    **ATTENTION,
    **_linear("norm1", "attn_norm", "gain"),
    **_linear("norm2", "ffn_norm", "gain"),
    **_linear("mlp.fc1", "ffn.expand"),
    **_linear("mlp.fc2", "ffn.contract"),
    **_linear("mlp.weights_in", "ffn.gate_and_up"),  # of ViT-g, whose feed-forward is gated
    **_linear("mlp.weights_out", "ffn.contract"),
    LAYER + "layer_scale1.lambda1": BLOCK + "attn_gain",
    LAYER + "layer_scale2.lambda1": BLOCK + "ffn_gain",
    "classifier.weight": None,
    "classifier.bias": None,
}
REGISTERS = "encoder.embed.patches.registers"


def configure(values: dict[str, Any]) -> TransformerConfig:
    """The configuration in the values of a ViT's config.json. Raises `DamagedWeights`."""
    return _configure(values, values["image_size"], values["intermediate_size"], **_labels(values))


def configure_deit(values: dict[str, Any]) -> TransformerConfig:
    """As `configure`, of a DeiT with a distillation token. It has one head or two."""
    labels = _labels(values)
    return _configure(
        values,
        values["image_size"],
        values["intermediate_size"],
        **labels,
        distillation_token=True,
        distillation_head=bool(labels["image_labels"]) and ends_as(values, TAUGHT),
    )


def configure_dinov2(values: dict[str, Any]) -> TransformerConfig:
    """As `configure`, of a DINOv2, which reads pictures of 224 pixels."""
    return _configure(values, DINOV2_PICTURE, **_feed_forward(values), layer_scale=True)


def configure_registers(values: dict[str, Any]) -> TransformerConfig:
    """As `configure_dinov2`, of one with registers."""
    registers = values["num_register_tokens"]
    return _configure(values, DINOV2_PICTURE, **_feed_forward(values), layer_scale=True, n_registers=registers)


def _feed_forward(values: dict[str, Any]) -> dict[str, Any]:
    """The feed-forward networks of a DINOv2. Gated, as in ViT-g, they have two thirds of the width, in eights."""
    width = int(values["hidden_size"] * values["mlp_ratio"])
    if not values["use_swiglu_ffn"]:
        return {"d_ff": width}
    return {"d_ff": (int(width * 2 / 3) + 7) // 8 * 8, "gated": True, "activation": "silu"}


def _configure(values: dict[str, Any], picture: int, d_ff: int, **more: Any) -> TransformerConfig:
    picture, patch = (
        side_of(name, size) for name, size in (("image_size", picture), ("patch_size", values["patch_size"]))
    )
    return TransformerConfig(
        vocab_size=0,
        d_model=values["hidden_size"],
        n_heads=values["num_attention_heads"],
        d_ff=d_ff,
        n_encoder_layers=values["num_hidden_layers"],
        max_length=1 + more.get("distillation_token", 0) + more.get("n_registers", 0) + (picture // patch) ** 2,
        d_head=values.get("head_dim"),
        qkv_bias=values["qkv_bias"],
        norm_position="pre",
        norm_eps=values["layer_norm_eps"],
        positions="learned",
        embed_scale=False,
        activation=more.pop("activation", None) or activation(values["hidden_act"]),
        image_size=picture,
        patch_size=patch,
        channels=values["num_channels"],
        **more,
    )


def side_of(name: str, size: Any) -> int:
    """The side of a square, which may be given as height and width. Raises `DamagedWeights` for another shape."""
    sides = tuple(size) if isinstance(size, list | tuple) else (size, size)
    if len(sides) != 2 or sides[0] != sides[1] or type(sides[0]) is not int or sides[0] < 1:
        raise DamagedWeights(
            f"config.json has {name} = {repr(size)[:60]}. Only square pictures in square patches are read here."
        )
    return sides[0]


def _labels(values: dict[str, Any]) -> dict[str, Any]:
    """The labels of the classes, none where the checkpoint has no classifier, and what their logits are shown as."""
    labels = labels_of(values) if ends_as(values, CLASSIFIER, TAUGHT) else ()
    return {"image_labels": labels, "label_scores": label_scores(values, labels)}


def fit(name: str, tensor: Tensor, config: TransformerConfig) -> Iterable[Named]:
    """The tensors in the shapes of our modules."""
    if name.endswith(("class_token", "distillation_token")):
        yield name, tensor.flatten()
    elif name.endswith("project.weight"):
        yield name, tensor.flatten(1)  # (d_model, C P P)
    elif name == "encoder.embed.positions.weight":
        yield name, tensor[0]  # (S + N, d_model)
    else:
        yield name, tensor


def fit_dinov2(name: str, tensor: Tensor, config: TransformerConfig) -> Iterable[Named]:
    """As `fit`, with the positions resized to the grid of the configuration, and the gate apart from what it gates.

    Registers have no position: their rows of the table are 0.
    """
    if name == "encoder.embed.positions.weight":
        table = resize_positions(tensor[0], config.patches_a_side, antialias=config.n_registers > 0)
        yield name, torch.cat((table[:1], table.new_zeros(config.n_registers, table.shape[1]), table[1:]))
    elif name == REGISTERS:
        yield name, tensor[0]  # (R, d_model)
    elif ".gate_and_up." in name:
        for part, rows in zip(("expand", "up"), tensor.chunk(2), strict=True):
            yield name.replace("gate_and_up", part), rows
    else:
        yield from fit(name, tensor, config)


def resize_positions(positions: Tensor, side: int, antialias: bool = False) -> Tensor:
    """Resizes position vectors to another number of patches: (1 + n^2, d_model) -> (1 + side^2, d_model).

    The grid is resized like a picture, with cubic interpolation. The class token's vector stays. A grid of the right
    size stays as it is. The graph of `model.zoo.dinov2` does the same in each run (cubic, half_pixel, a = -0.75).
    `antialias` makes a smaller grid of means, as models with registers do.
    """
    if len(positions) == 1 + side**2:
        return positions
    first, rest = positions[:1], positions[1:]
    grid = rest.unflatten(0, (round(len(rest) ** 0.5), -1)).movedim(-1, 0)[None]  # (1, d_model, n, n)
    grid = F.interpolate(grid, (side, side), mode="bicubic", align_corners=False, antialias=antialias)
    return torch.cat((first, grid[0].flatten(1).mT))


DEFAULTS: dict[str, Any] = {
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
    "hidden_act": "gelu",
    "layer_norm_eps": 1e-12,
    "image_size": 224,
    "patch_size": 16,
    "num_channels": 3,
    "qkv_bias": True,
}
OF_DINOV2 = {key: value for key, value in DEFAULTS.items() if key not in ("intermediate_size", "image_size")} | {
    "mlp_ratio": 4,
    "layer_norm_eps": 1e-6,
    "patch_size": 14,
    "use_swiglu_ffn": False,
}
KNOWN = ENCODER | KnownValues(
    read=(*DEFAULTS, "head_dim"),
    without_effect=("encoder_stride", "pooler_output_size", "pooler_act", "tie_word_embeddings"),
)
KNOWN_OF_DINOV2 = ENCODER | KnownValues(
    read=(*OF_DINOV2, "head_dim"),
    without_effect=(
        "image_size",  # the table of positions shows it
        *("layerscale_value", "_out_features", "_out_indices", "out_features", "out_indices", "stage_names"),
        *("apply_layernorm", "reshape_hidden_states", "use_mask_token", "tie_word_embeddings", "intermediate_size"),
    ),
    refused={
        "num_register_tokens": Only((0, None), "learnt tokens stand between the class token and the patches"),
    },
)
VIT = Family("ViT", configure, VIT_NAMES, prefixes=("vit.",), fit=fit, known=KNOWN, defaults=DEFAULTS)
DEIT = replace(VIT, name="DeiT", config_of=configure_deit, names=DEIT_NAMES, prefixes=("deit.",))
DINOV2 = Family(
    "DINOv2",
    configure_dinov2,
    DINOV2_NAMES,
    prefixes=("dinov2.",),
    fit=fit_dinov2,
    known=KNOWN_OF_DINOV2,
    defaults=OF_DINOV2,
)
DINOV2_REGISTERS = replace(
    DINOV2,
    name="DINOv2 with registers",
    config_of=configure_registers,
    names=DINOV2_NAMES | {"embeddings.register_tokens": REGISTERS},
    prefixes=("dinov2_with_registers.",),
    known=KNOWN_OF_DINOV2 | KnownValues(read=("num_register_tokens",)),
    defaults=OF_DINOV2 | {"num_register_tokens": 4, "patch_size": 16},
)
