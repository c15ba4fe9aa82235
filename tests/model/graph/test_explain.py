"""Every number of every run is explained by terms that make it, and `uses` leads back to where `explain` came from."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model import Change, Trace, ablate, explain, load, uses
from model.errors import ModelMismatch
from model.experiments.surgery import with_edits
from model.graph.network_graph import make_graph
from model.graph.nodes import Cells
from model.graph.recording import Recording
from tests.model.devices import LARGE
from tests.model.graph.runs import BUNDLED, SMALL, network_of, random_cell, run, run_small, text_configs
from tests.model.networks import LAYERS, config, network, small_model, small_network

SEEDS = st.integers(0, 10**6)  # of the cells that are looked at, one of each tensor
LOOK_AT = 8  # of the terms of one number, the first ones
RELATIVE, OF_LARGEST = 1e-4, 1e-5  # float32 loses digits where large terms cancel


def is_made(value: float, total: float, sizes: list[float]) -> bool:
    """Whether the terms make the number."""
    room = RELATIVE * abs(value) + OF_LARGEST * max(map(abs, sizes), default=0.0)
    return value == total or abs(value - total) <= room


def one_of(cells: Cells, recording: Recording, seed: int) -> tuple[int, ...]:
    """One of the cells."""
    shape = recording.shape(cells.name)
    assert shape is not None
    somewhere = random_cell(shape, f"one of {cells.name}", seed)
    return tuple(chosen if isinstance(at, slice) else at for at, chosen in zip(cells.index, somewhere, strict=True))


def check_every_tensor(trace: Trace, seed: int) -> None:
    recording = Recording.of(trace)
    for name in recording.graph.tensors:
        cell = random_cell(trace[name].shape, name, seed)
        found = explain(trace, name, cell)
        assert found.value == float(trace[name][cell])
        sizes = [term.part for term in found.terms if term.index and math.isfinite(term.part)]
        assert is_made(found.value, found.total, sizes), (name, cell, found.value, found.total)
        for each in (each for term in found.terms[:LOOK_AT] for each in term.cells):
            assert any(source.name == each.name and each.index in source for source in found.sources), (name, each)
            assert each.value == recording.cell(each.name, each.index), (name, each)
        for source in found.sources:
            origin = one_of(source, recording, seed)
            assert any(fed.name == name and cell in fed for fed in uses(trace, source.name, origin)), (name, source)


def check_every_use(trace: Trace, seed: int) -> None:
    recording = Recording.of(trace)
    for name in recording.graph.nodes:
        shape = recording.shape(name)
        assert shape is not None
        cell = random_cell(shape, name, seed)
        for fed in uses(trace, name, cell):
            sources = explain(trace, fed.name, one_of(fed, recording, seed)).sources
            assert any(source.name == name and cell in source for source in sources), (name, cell, fed)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SMALL, *BUNDLED])
@settings(max_examples=2)
@given(seed=SEEDS)
def test_the_terms_of_any_number_make_it_and_are_used_for_it(name: str, seed: int) -> None:
    check_every_tensor(run(name), seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", [*SMALL, *BUNDLED])
@settings(max_examples=1)
@given(seed=SEEDS)
def test_what_a_number_is_used_for_names_it_as_a_source(name: str, seed: int) -> None:
    check_every_use(run(name), seed)


@pytest.mark.slow
@settings(max_examples=20)
@given(kind=st.sampled_from(sorted(LAYERS)), changes=text_configs(), seed=SEEDS)
def test_so_it_is_in_every_architecture_that_can_be_configured(kind: str, changes: dict[str, Any], seed: int) -> None:
    made = network(kind, **changes)
    trace = run_small(made)
    graph = make_graph(made.config)
    assert list(graph.tensors) == list(trace.tensors)
    weights = {name: tuple(weight.shape) for name, weight in made.named_parameters()}
    assert {name: graph[name].shape for name in graph.weights} == weights
    check_every_tensor(trace, seed)
    check_every_use(trace, seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
@settings(max_examples=1)  # a cell of each tensor of many like layers
@given(seed=SEEDS)
def test_so_it_is_in_large_models(name: str, seed: int) -> None:
    check_every_tensor(run(name), seed)
    check_every_use(run(name), seed)


@pytest.fixture(scope="module")
def trace() -> Trace:
    return load("tiny-lm").trace("The dog is here")


def test_a_product_of_matrices_is_told_by_its_pairs_the_largest_first(trace: Trace) -> None:
    found = explain(trace, "decoder.1.self_attn.raw_scores", (2, 3, 1))
    q, k = trace["decoder.1.self_attn.q"][2, 3], trace["decoder.1.self_attn.k"][2, 1]
    assert [term.part for term in found.terms] == sorted((q.double() * k).tolist(), key=abs, reverse=True)
    first = found.terms[0]
    assert first.factor is not None
    assert (first.name, first.factor.name) == ("decoder.1.self_attn.q", "decoder.1.self_attn.k")
    assert first.index[:2] == (2, 3)
    assert first.factor.index == (2, 1, first.index[2])
    assert found.words.startswith("decoder.1.self_attn.raw_scores[2, 3, 1] is ")


def test_a_linear_map_names_the_weights_and_the_bias(trace: Trace) -> None:
    found = explain(trace, "decoder.0.ffn.hidden", (2, 5))
    weight = network_of(trace).get_parameter("decoder.blocks.0.ffn.expand.weight")
    terms = {term.factor.index: term.factor.value for term in found.terms if term.factor is not None}
    assert terms == {(5, feature): value for feature, value in enumerate(weight[5].tolist())}
    (bias,) = (term for term in found.terms if term.factor is None)
    assert (bias.name, bias.index) == ("decoder.blocks.0.ffn.expand.bias", (5,))


def test_a_softmax_is_told_by_its_row(trace: Trace) -> None:
    found = explain(trace, "decoder.1.self_attn.weights", (2, 2, 0))
    row = [term for term in found.terms if term.index]
    assert [term.index for term in row] == [(2, 2, key) for key in range(len(trace.tokens))]
    assert [term.value for term in row] == trace["decoder.1.self_attn.masked"][2, 2].tolist()
    assert [term.name for term in found.terms[-2:]] == ["shift", "sum"]
    assert "the 3 keys that query 2 can see" in found.words
    hidden = explain(trace, "decoder.1.self_attn.weights", (2, 2, 3))
    assert hidden.value == hidden.total == 0
    assert "hidden" in hidden.words


def test_a_norm_is_told_by_mean_spread_gain_and_bias(trace: Trace) -> None:
    found = explain(trace, "decoder.1.attn_norm", (2, 7))
    x = trace["decoder.1.resid_in"][2].double()
    terms = {term.name: term.value for term in found.terms}
    assert terms["mean"] == pytest.approx(float(x.mean()))
    assert terms["spread"] == pytest.approx(float((x.var(correction=0) + 1e-5).sqrt()))
    names = ["decoder.1.resid_in", "mean", "spread", "decoder.blocks.1.attn_norm.gain"]
    assert [*terms] == [*names, "decoder.blocks.1.attn_norm.bias"]
    assert found.sources[0] == Cells("decoder.1.resid_in", (2, slice(None)))


def test_a_lookup_is_told_by_the_tokens_row(trace: Trace) -> None:
    found = explain(trace, "embed.tokens", (1, 4))
    (term,) = found.terms
    assert (term.name, term.index) == ("decoder.embed.tokens.weight", (trace.tokens[1].id, 4))
    assert term.factor is not None
    assert term.factor.value == math.sqrt(128)


def test_a_token_that_stands_twice_is_used_twice() -> None:
    trace = load("tiny-lm").trace("The dog is the dog")
    first, last = (place for place, token in enumerate(trace.tokens) if token.text.strip() == "dog")
    found = uses(trace, "decoder.embed.tokens.weight", (trace.tokens[first].id, 3))
    assert [cells for cells in found if cells.name == "embed.tokens"] == [
        Cells("embed.tokens", (first, 3)),
        Cells("embed.tokens", (last, 3)),
    ]


def test_grouped_queries_share_a_key() -> None:
    trace = run("Llama")
    assert uses(trace, "decoder.0.self_attn.k", (1, 4, 2)) == (
        Cells("decoder.0.self_attn.raw_scores", (2, slice(None), 4)),
        Cells("decoder.0.self_attn.raw_scores", (3, slice(None), 4)),
    )


def test_without_a_run_the_graph_alone_says_what_a_number_is_used_for() -> None:
    plain = config("decoder")
    assert uses(plain, "decoder.0.self_attn.q", (1, 4, 2)) == (
        Cells("decoder.0.self_attn.raw_scores", (1, 4, slice(None))),
    )
    table = uses(plain, "decoder.embed.tokens.weight", (7, 3))
    assert table == (Cells("embed.tokens", (slice(None), 3)), Cells("logits", (slice(None), 7)))
    assert uses(plain, "logits", (0, 0)) == ()


def test_a_weight_has_nothing_behind_it(trace: Trace) -> None:
    name = "decoder.blocks.0.ffn.contract.weight"
    found = explain(trace, name, (3, 9))
    assert found.value == found.total == float(network_of(trace).get_parameter(name)[3, 9])
    assert found.terms == found.sources == ()
    assert "training made it" in found.words
    assert uses(trace, name, (3, 9)) == (Cells("decoder.0.ffn.out", (slice(None), 3)),)


def test_the_pixel_behind_a_patch() -> None:
    trace = run("vision")
    assert trace.origin is not None
    assert trace.origin.pixels is not None
    (term,) = explain(trace, "embed.patches", (3, 21)).terms  # the last of 2 x 2 patches of 4 x 4 pixels
    assert (term.name, term.index) == ("pixels", (1, 5, 5))
    assert term.value == float(trace.origin.pixels[1, 5, 5])


@pytest.mark.slow
def test_the_words_of_every_operation_are_sentences() -> None:
    for name in SMALL:
        trace = run(name)
        for tensor in Recording.of(trace).graph.tensors:
            words = explain(trace, tensor, random_cell(trace[tensor].shape, tensor, 0)).words
            assert words.startswith(f"{tensor}[")
            assert words.endswith(".")
            assert "inf " not in words


def test_an_edited_number_says_so() -> None:
    model, path = small_model("plain decoder"), "decoder.1.self_attn"
    trace = model.trace("I am a robot", edits=[ablate(path, 2)])
    silent, other = (explain(trace, f"{path}.heads", (head, 3, 1)) for head in (2, 1))
    assert silent.value == 0 != silent.total
    assert silent.is_edited
    assert "An edit of this run put it there" in silent.words
    assert other.is_edited
    assert other.total == pytest.approx(other.value, rel=1e-4)
    assert not explain(trace, f"{path}.out", (3, 1)).is_edited
    always = with_edits(model, [ablate(path, 2)]).trace("I am a robot")
    assert explain(always, f"{path}.heads", (2, 3, 1)) == silent


def test_a_row_of_hidden_keys_is_zero() -> None:
    hide = Change("*.mask", lambda mask: torch.full_like(mask, -math.inf))
    found = explain(run_small(small_network("plain decoder"), (hide,)), "decoder.0.self_attn.weights", (1, 2, 3))
    assert found.value == found.total == 0


def test_a_tensor_that_was_not_kept_is_made_from_queries_and_keys() -> None:
    model = small_model("Llama")
    whole, path = model.trace("I am a robot"), "decoder.1.self_attn"
    sparse = model.trace("I am a robot", keep=("*.q", "*.k", "*.mask", "*.weights"))
    for name in ("raw_scores", "scores", "masked", "weights"):
        for query, key in ((3, 1), (1, 3)):
            kept, made = (explain(each, f"{path}.{name}", (3, query, key)) for each in (whole, sparse))
            assert made.value == pytest.approx(kept.value, rel=1e-5)
            assert [term.name for term in made.terms] == [term.name for term in kept.terms]
    with pytest.raises(KeyError, match="keep="):
        explain(sparse, f"{path}.out", (0, 0))


@pytest.mark.parametrize("cell", [(0, 0), (4, 0, 0), (0, 0, -1), (0, 4, 0)])
def test_a_cell_that_is_not_there_is_an_error(cell: tuple[int, ...]) -> None:
    trace = small_model("plain decoder").trace("I am a robot")
    for ask in (explain, uses):
        with pytest.raises(IndexError, match=r"decoder\.0\.self_attn\.weights has"):
            ask(trace, "decoder.0.self_attn.weights", cell)


def test_a_name_that_is_not_there_is_an_error_with_the_nearest_one(trace: Trace) -> None:
    for ask in (explain, uses):
        with pytest.raises(KeyError, match=r"Did you mean decoder\.0\.ffn\.hidden"):
            ask(trace, "decoder.0.ffn.hiden", (0, 0))


def test_a_trace_that_does_not_know_its_model_says_so(trace: Trace) -> None:
    lost = Trace(trace.tokens, trace.tensors)
    with pytest.raises(ModelMismatch, match="does not say which model"):
        explain(lost, "logits", (0, 0))
    plain = network_of(trace).config
    assert explain(lost, "decoder.0.resid_mid", (1, 2), plain).value == float(trace["decoder.0.resid_mid"][1, 2])
    with pytest.raises(ModelMismatch, match="does not hold its model"):
        explain(lost, "logits", (0, 0), plain)


def test_a_recurrent_network_cannot_be_explained() -> None:
    trace = load("tiny-lm-rnn").trace("The dog is here")
    with pytest.raises(ModelMismatch, match="Only the numbers of a transformer"):
        explain(trace, "logits", (0, 0))
