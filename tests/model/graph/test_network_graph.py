"""The graph names exactly what a run records, in its order, and exactly the weights of the network."""

from __future__ import annotations

import pytest

from model.graph.network_graph import make_graph
from model.graph.nodes import PIXELS
from model.graph.operations import OPERATIONS
from model.graph.recording import Recording
from model.names import TABLE, describe
from tests.model.devices import LARGE
from tests.model.graph.runs import BUNDLED, SMALL, network_of, run
from tests.model.networks import config

ALL = [*SMALL, *BUNDLED, *(pytest.param(name, marks=pytest.mark.slow) for name in LARGE)]


@pytest.mark.parametrize("name", ALL)
def test_every_recorded_name_is_in_the_graph_and_every_name_of_the_graph_is_recorded(name: str) -> None:
    trace = run(name)
    graph = make_graph(network_of(trace).config)
    assert list(graph.tensors) == list(trace.tensors)
    recording = Recording.of(trace)
    assert {name: recording.shape(name) for name in graph.tensors} == {
        name: tuple(tensor.shape) for name, tensor in trace.tensors.items()
    }


@pytest.mark.parametrize("name", ALL)
def test_every_weight_of_the_network_is_in_the_graph_and_is_read(name: str) -> None:
    network = network_of(run(name))
    graph = make_graph(network.config)
    wanted = {name: tuple(weight.shape) for name, weight in network.named_parameters()}
    assert {name: graph[name].shape for name in graph.weights} == wanted
    assert {name: len(graph[name].axes) for name in graph.weights} == {name: len(wanted[name]) for name in wanted}
    assert [name for name in graph.weights if not graph.consumers[name]] == []


@pytest.mark.parametrize("name", SMALL)
def test_what_an_operation_reads_stands_before_it(name: str) -> None:
    graph = make_graph(network_of(run(name)).config)
    seen: set[str] = set()
    for node in graph.nodes.values():
        assert {each.name for each in node.inputs} <= seen
        assert len({each.name for each in node.inputs}) == len(node.inputs)
        seen.add(node.name)


def test_every_entry_of_the_table_of_names_and_every_operation_is_in_some_graph() -> None:
    graphs = [make_graph(network_of(run(name)).config) for name in SMALL]
    patterns = {describe(name).pattern for graph in graphs for name in graph.tensors}
    assert patterns == {entry.pattern for entry in TABLE}
    assert {graph[name].operation for graph in graphs for name in graph.tensors} == set(OPERATIONS)


def test_one_graph_is_made_for_equal_configurations() -> None:
    assert make_graph(config()) is make_graph(config())
    assert make_graph(config()) is not make_graph(config(gated=True))


def test_a_wrong_name_is_an_error_with_the_nearest_one() -> None:
    graph = make_graph(config())
    with pytest.raises(KeyError, match=r"Did you mean decoder\.0\.self_attn\.weights"):
        graph["decoder.0.self_attn.weigths"]
    assert "logits" in graph
    assert PIXELS not in graph


def test_the_inputs_of_one_layer() -> None:
    graph = make_graph(config(norm_position="pre", n_kv_heads=2, positions="rotary"))

    def reads(name: str) -> list[str]:
        return [each.name for each in graph[f"decoder.1.{name}"].inputs]

    assert reads("resid_in") == ["decoder.0.resid_out"]
    assert reads("self_attn.q") == ["decoder.1.self_attn.q_unrotated"]
    assert reads("self_attn.v")[:2] == ["decoder.1.attn_norm", "decoder.blocks.1.self_attn.value.weight"]
    assert reads("self_attn.heads") == ["decoder.1.self_attn.weights", "decoder.1.self_attn.v"]
    assert reads("resid_mid") == ["decoder.1.resid_in", "decoder.1.self_attn.out"]
    assert [node.name for node in graph.consumers["decoder.1.attn_norm"]] == [
        f"decoder.1.self_attn.{name}" for name in ("q_unrotated", "k_unrotated", "v")
    ]
    assert [node.name for node in graph.consumers["decoder.embed.tokens.weight"]] == ["embed.tokens", "logits"]
