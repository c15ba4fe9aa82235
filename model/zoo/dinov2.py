"""DINOv2 (Oquab et al. 2023, arXiv:2304.07193) from an ONNX graph: pre-norm ViTs with layer scale.

The weights of the linear layers are anonymous constants of the graph. But the name of each MatMul that uses one is the
path of its module (`model.zoo.onnx_graph`).
"""

from __future__ import annotations

import re
from pathlib import Path

import onnx
import torch
from torch import Tensor

from model.config import TransformerConfig
from model.network.saliency_head import SaliencyHead
from model.zoo.checkpoint import Checkpoint
from model.zoo.files import Progress, damaged
from model.zoo.onnx_graph import module_of, numbers
from model.zoo.stored_names import rename
from model.zoo.vit import DINOV2, DINOV2_PICTURE

HEADS = 6
BACKBONE = "backbone."  # before the names of the family


def open_dinov2(path: Path, graph: onnx.GraphProto) -> Checkpoint:
    """The model in a graph. Raises `DamagedWeights`."""
    try:
        stored = tensors(graph)
        saliency = saliency_head({name: stored.pop(name) for name in list(stored) if name.startswith("decoder.")})
        config = config_of(stored)
        bare = {name.removeprefix(BACKBONE): tensor for name, tensor in stored.items()}
        names = rename(DINOV2.name, DINOV2.names, bare)
        fitted = dict(pair for theirs, ours in names.items() for pair in DINOV2.fit(ours, bare[theirs], config))
    except Exception as error:  # a tensor's type or shape may be wrong in any way, for NumPy and for PyTorch
        raise damaged(path, "has not the tensors of this family", error) from error

    def weights(progress: Progress, dtype: torch.dtype = torch.float32) -> dict[str, Tensor]:
        progress("Reading the weights", 1.0)
        return {name: weight.to(dtype) for name, weight in fitted.items()}

    nbytes = sum(weight.nbytes for weight in fitted.values())
    return Checkpoint(path, DINOV2.name, config, (path,), nbytes, weights, saliency=saliency)


def tensors(graph: onnx.GraphProto) -> dict[str, Tensor]:
    """Every weight of the graph, under its module's path.

    A MatMul computes x W with W (in, out), but a linear layer stores W^T. The graph has two constants for the position
    vectors, the class token's and the patches'. They are joined here, as in the files of the hub: (1, 1 + 37 x 37,
    d_model).
    """
    stored = {each.name: numbers(each) for each in graph.initializer}
    named = {name: tensor for name, tensor in stored.items() if not name.startswith("onnx::")}
    positions = {}
    for node in graph.node:
        anonymous = [name for name in node.input if name.startswith("onnx::") and name in stored]
        for name in anonymous:
            if node.op_type == "MatMul":
                named[module_of(node.name) + ".weight"] = stored[name].mT.contiguous()
            elif module_of(node.name) == BACKBONE + "embeddings" and node.op_type in ("Concat", "Reshape"):
                positions[node.op_type] = stored[name]  # (1, 1, d_model) and (1, 37 x 37, d_model)
    named[BACKBONE + "embeddings.position_embeddings"] = torch.cat((positions["Concat"], positions["Reshape"]), dim=1)
    return named


def config_of(stored: dict[str, Tensor]) -> TransformerConfig:
    """The configuration, read off the weights. They do not show the number of heads: only the graph's reshapes do."""
    width, channels, patch_size, _ = stored[BACKBONE + "embeddings.patch_embeddings.projection.weight"].shape
    layers = {int(found[1]) for name in stored if (found := re.match(r"backbone\.encoder\.layer\.(\d+)\.", name))}
    values = {
        "hidden_size": width,
        "num_hidden_layers": len(layers),
        "num_attention_heads": HEADS,
        "mlp_ratio": len(stored[BACKBONE + "encoder.layer.0.mlp.fc1.bias"]) / width,
        "patch_size": patch_size,
        "num_channels": channels,
    }
    return DINOV2.configure(values)


def saliency_head(stored: dict[str, Tensor]) -> SaliencyHead:
    """The saliency head, from the tensors `decoder.*` of the file."""
    head = SaliencyHead(size=DINOV2_PICTURE)
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
