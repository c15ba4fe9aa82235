"""The linear map x W^T + b, where a transformer spends most of its time."""

from __future__ import annotations

from typing import TypeVar

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from model.network.graph_builder import GraphBuilder

Network = TypeVar("Network", bound=nn.Module)

# The operator is torch's own, used by its compiler; where a build has none, torch.nn.functional does the same. On
# Intel's processors that is quicker.
ON_INTEL = "Intel" in str(torch.cpu.get_capabilities().get("cpu_name"))
_ONEDNN = torch.backends.mkldnn.is_available() and hasattr(torch.ops.mkldnn, "_linear_pointwise") and not ON_INTEL


def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x W^T + b: x (..., d_in), weight (d_out, d_in), bias (d_out,) -> (..., d_out).

    Float32 on a CPU goes to oneDNN. torch would take MKL, which uses half of the vector width on AMD processors:
    oneDNN took 0.4 to 0.7 of its time there (16 to 256 rows of SmolLM2's layers). On Intel's it uses the whole width: a
    trace of GPT-2's shape took 0.8 of the time that it took with oneDNN. oneDNN's operator has no gradient.
    """
    if _ONEDNN and x.dtype == torch.float32 and x.device.type == "cpu" and not torch.is_grad_enabled():
        return torch.ops.mkldnn._linear_pointwise(x, weight, bias, "none", [], "")
    return F.linear(x, weight, bias)


class Linear(nn.Linear):
    """torch's layer, computed by `linear`."""

    def reset_parameters(self) -> None:
        """Nothing where a checkpoint will give the weights: torch would take a while to draw numbers that are none."""
        if not self.weight.is_meta:
            super().reset_parameters()

    def forward(self, x: Tensor) -> Tensor:
        """x (..., d_in) -> (..., d_out)."""
        return linear(x, self.weight, self.bias)

    def store_transposed(self) -> None:
        """Stores W^T row after row in memory. The numbers stay the same.

        oneDNN multiplies by W^T. Otherwise it rearranges W in every product, which took a third of the time of 16 to 64
        rows. MKL takes W either way.
        """
        if _ONEDNN:
            self.weight.data = self.weight.data.mT.contiguous().mT


def linear_weights(graph: GraphBuilder, layer: nn.Linear) -> dict[str, str]:
    """The weights of a linear map by their letters in its equation."""
    weights = {"weight": graph.weight(layer.weight, "outputs", "inputs")}
    return weights if layer.bias is None else weights | {"bias": graph.weight(layer.bias, "outputs")}


def transposed_names(network: nn.Module) -> set[str]:
    """The weights that `store_transposed` stores anew."""
    modules = network.named_modules() if _ONEDNN else ()
    return {f"{name}.weight" for name, module in modules if isinstance(module, Linear)}


def copy_out(weight: Tensor, transposed: bool) -> Tensor:
    """The weight in float32 and in memory of its own, at once as `store_transposed` would store it.

    Where nothing is transposed it stays as the file has it, since that is the quickest to copy.
    """
    return _copy_transposed(weight.float()).mT if transposed else weight.to(torch.float32, copy=True)


def _copy_transposed(matrix: Tensor) -> Tensor:
    """A copy of the transposed matrix, stored row by row: (rows, columns) -> (columns, rows).

    torch's `channel_shuffle` puts the first channels of all groups first, then the second ones. With a row for each
    group this is the transpose. It uses vector instructions, and takes half the time of a copy of `matrix.mT`.
    """
    if matrix.stride(0) < matrix.stride(1):  # its columns lie in memory, as GPT-2's files have them
        return torch.empty(matrix.mT.shape).copy_(matrix.mT)
    (rows, columns), count = matrix.shape, matrix.numel()
    channels = matrix.contiguous().as_strided(
        (1, count, 1, 1), (count, 1, count, count)
    )  # (pictures, channels, height, width)
    return F.channel_shuffle(channels, groups=rows).as_strided((columns, rows), (rows, 1))


def store_transposed(network: Network) -> Network:
    """The same network, whose linear maps are stored as oneDNN multiplies by them."""
    for module in network.modules():
        if isinstance(module, Linear):
            module.store_transposed()
    return network
