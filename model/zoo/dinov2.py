"""DINOv2 (Oquab et al. 2023, arXiv:2304.07193) from an ONNX graph: pre-norm ViTs with layer scale.

The weights of the linear layers are anonymous constants of the graph. But the name of each MatMul that uses one is the
path of its module. The code only reads the file. It neither imports the package nor runs the graph.
"""

from __future__ import annotations

import re
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

from model.config import TransformerConfig
from model.network.saliency_head import SaliencyHead
from model.zoo.files import Progress, damaged, no_progress, rename
from model.zoo.vit import resize_positions

IMAGE_SIZE = 224
HEADS = 6

LAYER = "backbone.encoder.layer.{}."
BLOCK = "encoder.blocks.{}."
NAMES = {
    "backbone.embeddings.cls_token": "encoder.embed.patches.class_token",
    "backbone.embeddings.patch_embeddings.projection.weight": "encoder.embed.patches.project.weight",
    "backbone.embeddings.patch_embeddings.projection.bias": "encoder.embed.patches.project.bias",
    "backbone.embeddings.position_embeddings": "encoder.embed.positions.weight",
    LAYER + "norm1.weight": BLOCK + "attn_norm.gain",
    LAYER + "norm1.bias": BLOCK + "attn_norm.bias",
    LAYER + "attention.attention.query.weight": BLOCK + "self_attn.query.weight",
    LAYER + "attention.attention.query.bias": BLOCK + "self_attn.query.bias",
    LAYER + "attention.attention.key.weight": BLOCK + "self_attn.key.weight",
    LAYER + "attention.attention.key.bias": BLOCK + "self_attn.key.bias",
    LAYER + "attention.attention.value.weight": BLOCK + "self_attn.value.weight",
    LAYER + "attention.attention.value.bias": BLOCK + "self_attn.value.bias",
    LAYER + "attention.output.dense.weight": BLOCK + "self_attn.out.weight",
    LAYER + "attention.output.dense.bias": BLOCK + "self_attn.out.bias",
    LAYER + "layer_scale1.lambda1": BLOCK + "attn_gain",
    LAYER + "norm2.weight": BLOCK + "ffn_norm.gain",
    LAYER + "norm2.bias": BLOCK + "ffn_norm.bias",
    LAYER + "mlp.fc1.weight": BLOCK + "ffn.expand.weight",
    LAYER + "mlp.fc1.bias": BLOCK + "ffn.expand.bias",
    LAYER + "mlp.fc2.weight": BLOCK + "ffn.contract.weight",
    LAYER + "mlp.fc2.bias": BLOCK + "ffn.contract.bias",
    LAYER + "layer_scale2.lambda1": BLOCK + "ffn_gain",
    "backbone.layernorm.weight": "encoder.final_norm.gain",
    "backbone.layernorm.bias": "encoder.final_norm.bias",
}


def read_vision(
    path: Path, progress: Progress = no_progress
) -> tuple[TransformerConfig, dict[str, Tensor], SaliencyHead]:
    """Configuration, weights and saliency head of an ONNX file. Raises `DamagedWeights`."""
    try:
        graph = onnx.load(path, load_external_data=False).graph  # the file names no other file
    except Exception as error:  # protobuf raises its own error types
        raise damaged(path, "cannot be read", error) from error
    progress("Reading the weights", 0.5)
    try:
        stored = tensors(graph)
        head = {name: stored.pop(name) for name in list(stored) if name.startswith("decoder.")}
        config = config_of(stored)
        weights = {ours: stored[theirs] for theirs, ours in rename(stored, NAMES).items()}
        weights, saliency = fit_shapes(weights, config), saliency_head(head)
    except Exception as error:  # a tensor's type or shape may be wrong in any way, for NumPy and for PyTorch
        raise damaged(path, "has not the tensors of this family", error) from error
    progress("Reading the weights", 1.0)
    return config, weights, saliency


def tensors(graph: onnx.GraphProto) -> dict[str, Tensor]:
    """Every weight of the graph, under its module's path.

    A MatMul computes x W with W (in, out), but a linear layer stores W^T. The graph has two constants for the position
    vectors, the class token's and the patches'. They are joined here.
    """
    stored = {each.name: torch.from_numpy(numpy_helper.to_array(each).copy()) for each in graph.initializer}
    named = {name: tensor for name, tensor in stored.items() if not name.startswith("onnx::")}
    positions = {}
    for node in graph.node:
        anonymous = [name for name in node.input if name.startswith("onnx::") and name in stored]
        for name in anonymous:
            if node.op_type == "MatMul":
                named[_module(node.name) + ".weight"] = stored[name].mT.contiguous()
            elif _module(node.name) == "backbone.embeddings" and node.op_type in ("Concat", "Reshape"):
                positions[node.op_type] = stored[name][0]  # (1, d_model) and (37 x 37, d_model)
    named["backbone.embeddings.position_embeddings"] = torch.cat((positions["Concat"], positions["Reshape"]))
    return named


def _module(node: str) -> str:
    """The module of a node: "/backbone/encoder/layer.0/mlp/fc1/MatMul" -> "backbone.encoder.layer.0.mlp.fc1"."""
    return node.strip("/").rpartition("/")[0].replace("/", ".")


def config_of(stored: dict[str, Tensor]) -> TransformerConfig:
    """The configuration, read off the weights. They do not show the number of heads: only the graph's reshapes do."""
    d_model, channels, patch_size, _ = stored["backbone.embeddings.patch_embeddings.projection.weight"].shape
    layers = {int(found[1]) for name in stored if (found := re.match(r"backbone\.encoder\.layer\.(\d+)\.", name))}
    return TransformerConfig(
        vocab_size=0,
        d_model=d_model,
        n_heads=HEADS,
        d_ff=len(stored["backbone.encoder.layer.0.mlp.fc1.bias"]),
        n_encoder_layers=len(layers),
        max_length=1 + (IMAGE_SIZE // patch_size) ** 2,
        norm_position="pre",
        norm_eps=1e-6,
        positions="learned",
        embed_scale=False,
        activation="gelu",
        image_size=IMAGE_SIZE,
        patch_size=patch_size,
        channels=channels,
        layer_scale=True,
    )


def fit_shapes(weights: dict[str, Tensor], config: TransformerConfig) -> dict[str, Tensor]:
    """The weights in the shapes of our modules, with the positions resized to the grid of the configuration."""
    patches, positions = "encoder.embed.patches.", "encoder.embed.positions.weight"
    return weights | {
        patches + "class_token": weights[patches + "class_token"].flatten(),
        patches + "project.weight": weights[patches + "project.weight"].flatten(1),  # (d_model, C P P)
        positions: resize_positions(weights[positions], config.patches_a_side),
    }


def saliency_head(stored: dict[str, Tensor]) -> SaliencyHead:
    """The saliency head, from the tensors `decoder.*` of the file."""
    head = SaliencyHead(size=IMAGE_SIZE)
    places = {"decoder.final_conv": "last"}
    for step in range(len(head.steps)):
        places |= {f"decoder.upconv{step + 1}": f"steps.{step}.0", f"decoder.bn{step + 1}": f"steps.{step}.1"}
    state = {}
    for name, tensor in stored.items():
        module, _, part = name.rpartition(".")
        state[f"{places[module]}.{part}"] = tensor
    counts = {name: tensor for name, tensor in head.state_dict().items() if name.endswith("num_batches_tracked")}
    head.load_state_dict(state | counts)
    return head.eval().requires_grad_(False)
