"""The weights of an ONNX graph, under the names of the modules that use them.

The weights of linear layers are anonymous constants of a graph. But the name of each node that uses one is the path of
its module. A file is only read: the graph is never run, and no code of a package that carries it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

from model.zoo.files import build_from, damaged
from model.zoo.weight_files import Result, Stored, check_numbers

LINEAR, TABLE = "MatMul", "Gather"  # the nodes whose constant is the weight of a module
NOT_WEIGHTS = ("_scale", "_zero_point", "_quantized")  # ends of the names of what quantised numbers are made of


def read_graph(path: Path) -> onnx.GraphProto:
    """The graph in an ONNX file: weights and graph in one, all of which is read. Raises `DamagedWeights`."""
    try:
        return onnx.load(path, load_external_data=False).graph  # the file names no other file
    except Exception as error:  # protobuf raises its own error types
        raise damaged(path, "cannot be read", error) from error


def module_of(node: str) -> str:
    """The module of a node: "/backbone/encoder/layer.0/mlp/fc1/MatMul" -> "backbone.encoder.layer.0.mlp.fc1"."""
    return node.strip("/").rpartition("/")[0].replace("/", ".")


def numbers(constant: onnx.TensorProto) -> Tensor:
    """A constant of a graph, in memory of its own."""
    return torch.from_numpy(numpy_helper.to_array(constant).copy())


class GraphTensors:
    """The weights of a graph, by the paths of their modules. Quantised ones become float32: (q - zero) * scale.

    A MatMul computes x W with W (in, out), but a linear layer stores W^T. So `tensors` has (out, in).
    """

    def __init__(self, path: Path, graph: onnx.GraphProto) -> None:
        self._path = path
        self._constants = {each.name: each for each in graph.initializer}
        self._quantised = {
            node.output[0]: tuple(node.input)
            for node in graph.node
            if node.op_type == "DequantizeLinear" and all(name in self._constants for name in node.input)
        }
        self._places = self._named(graph)
        self.tensors = {name: self._describe(*place) for name, place in self._places.items()}

    def _named(self, graph: onnx.GraphProto) -> dict[str, tuple[str, bool]]:
        """Module path -> the constant, and whether it is transposed."""
        anonymous = "onnx::"
        places = {
            name: (name, False) for name in self._constants if not name.startswith((anonymous, "/"))
            if not name.endswith(NOT_WEIGHTS)
        }  # fmt: skip
        for node in graph.node:
            if node.op_type not in (LINEAR, TABLE):
                continue
            for name in node.input:
                if name in self._quantised or (name.startswith(anonymous) and name in self._constants):
                    places[module_of(node.name) + ".weight"] = (name, node.op_type == LINEAR)
        return places

    def _stored(self, name: str) -> onnx.TensorProto:
        return self._constants[self._quantised[name][0] if name in self._quantised else name]

    def _describe(self, name: str, transposed: bool) -> Stored:
        stored = self._stored(name)
        shape = tuple(stored.dims[::-1] if transposed else stored.dims)
        return Stored(self._path, shape, onnx.TensorProto.DataType.Name(stored.data_type))

    def read(self, names: Iterable[str], use: Callable[[str, Tensor], Result]) -> Iterator[Result]:
        """What `use` makes of each of these tensors in float32. Raises `DamagedWeights`."""
        for name in names:
            yield use(name, check_numbers(name, build_from(self._path, self._read, name)))

    def _read(self, name: str) -> Tensor:
        constant, transposed = self._places[name]
        if constant in self._quantised:
            q, scale, zero = (numbers(self._constants[each]) for each in self._quantised[constant])
            weight = (q.float() - zero.float()) * scale
        else:
            weight = numbers(self._constants[constant]).float()
        return weight.mT if transposed else weight
