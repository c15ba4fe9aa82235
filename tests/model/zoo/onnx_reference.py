"""The graph of dinov2-s run by onnxruntime, with its intermediate results exposed: what parity tests compare with."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray

LAYERS = range(12)
_LAYER = "/backbone/encoder/layer.{layer}"

# Our name of a tensor -> the graph's name of the same.
EMBED = {
    "embed.out": "/backbone/embeddings/Add_output_0",
    "embed.positions": "/backbone/embeddings/Concat_6_output_0",
    "embed.tokens": "/backbone/embeddings/Concat_1_output_0",
}
OF_LAYER = {
    "attn_norm": "/norm1/Add_1_output_0",
    "self_attn.out": "/attention/output/dense/Add_output_0",
    "attn_scaled": "/layer_scale1/Mul_output_0",
    "resid_mid": "/Add_output_0",
    "ffn_norm": "/norm2/Add_1_output_0",
    "ffn.hidden": "/mlp/fc1/Add_output_0",
    "ffn.activated": "/mlp/activation/Mul_1_output_0",
    "ffn.out": "/mlp/fc2/Add_output_0",
    "ffn_scaled": "/layer_scale2/Mul_output_0",
    "resid_out": "/Add_1_output_0",
}
WEIGHTS = {
    f"encoder.{n}.self_attn.weights": _LAYER.format(layer=n) + "/attention/attention/Softmax_output_0" for n in LAYERS
}
END = {"final_norm": "/backbone/layernorm/Add_1_output_0", "saliency": "output_importance"}
NAMES = (
    EMBED
    | {f"encoder.{n}.{ours}": _LAYER.format(layer=n) + theirs for n in LAYERS for ours, theirs in OF_LAYER.items()}
    | WEIGHTS
    | END
)


class Reference:
    """A session that gives back the named tensors, by our names and without the batch axis."""

    def __init__(self, path: Path, names: Iterable[str], threads: int = 0) -> None:
        self.names = tuple(names)
        graph = onnx.load(path)
        del graph.graph.output[:]  # what leads to no other output is then left out of the run
        graph.graph.output.extend(onnx.ValueInfoProto(name=NAMES[name]) for name in self.names)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        self.session: Any = onnxruntime.InferenceSession(
            graph.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )

    def __call__(self, pixels: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
        found = self.session.run([NAMES[name] for name in self.names], {"input_image": pixels[None]})
        return {name: array[0] for name, array in zip(self.names, found, strict=True)}
