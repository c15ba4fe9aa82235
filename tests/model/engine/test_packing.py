"""Tensors of a run travel as one array, and come back as they were."""

from __future__ import annotations

import pickle

import torch

from model.engine.packing import pack
from model.graph.batch import record_together
from model.loading import load
from tests.model.graph.test_batch import request
from tests.model.networks import variant


def test_every_tensor_of_a_run_comes_back_the_same() -> None:
    made = variant("Llama")
    for tensors in record_together(made, [request(made, length, 0) for length in (5, 2, 3)]):
        found = pickle.loads(pickle.dumps(pack(tensors))).unpack()
        assert list(found) == list(tensors)
        assert all(torch.equal(found[name], tensor) for name, tensor in tensors.items())


def test_a_tensor_with_two_names_is_packed_once() -> None:
    model = load("tiny-lm")
    tensors = dict(model.trace("The cat", keep=("*.resid_in", "*.resid_out")).tensors)
    packed = pack(tensors)
    stream = tensors["decoder.0.resid_in"]
    layers = model.config.n_decoder_layers
    assert len(tensors) == 2 * layers
    assert packed.numbers.size == (layers + 1) * stream.numel(), "what leaves a layer enters the next"


def test_parts_and_tensors_of_no_axis_are_packed_too() -> None:
    whole = torch.arange(12.0).view(3, 4)
    tensors = {"column": whole[:, 1], "turned": whole.mT, "number": torch.tensor(7.0), "none": torch.empty(0, 4)}
    found = pack(tensors).unpack()
    assert all(torch.equal(found[name], tensor) for name, tensor in tensors.items())


def test_a_copy_has_memory_of_its_own() -> None:
    packed = pack({"x": torch.ones(3)})
    copy = packed.copy()
    packed.numbers[:] = 0
    assert copy.unpack()["x"].tolist() == [1, 1, 1]
