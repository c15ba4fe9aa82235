"""Tensors that are made again are those of a run that kept them, to the last bit, and take bounded memory."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import torch

from model import Change, Edit, Model, Trace, ablate, explain, load, process_memory, replace
from model.errors import EditError, ModelMismatch
from model.experiments.surgery import with_edits, without
from model.graph.on_demand import GROWTH_BYTES, TensorsOnDemand, kept_bytes, part_of, run_on_demand, stream_names
from model.network.transformer import Transformer
from model.tape import matcher
from model.vision.model import VisionModel
from tests.model.devices import LARGE, OTHER, URDU, lend, on, same, trace_of
from tests.model.graph.runs import BUNDLED, SMALL, run_small
from tests.model.networks import inputs, small_model, small_network

PLENTY = 10**9


def made_again(network: Transformer, edits: tuple[Edit, ...] = (), max_bytes: int = PLENTY) -> Trace:
    return Trace((), run_on_demand(network, *inputs(network), edits, max_bytes))


def on_demand(model: Model | VisionModel) -> Trace:
    """As `trace_of`."""
    if isinstance(model, VisionModel):
        trace = trace_of(model)
        return model.trace_image_on_demand(trace.origin.pixels)
    translator = model.config.kind == "encoder-decoder"
    return model.trace_on_demand("I am a robot", target=URDU if translator else None)


def equal(made: Trace, kept: Trace) -> None:
    """Asserts the same names in the same order, and the same bits."""
    assert list(made.tensors) == list(kept.tensors)
    assert [name for name, tensor in kept.tensors.items() if not made[name].equal(tensor)] == []


@pytest.mark.parametrize("name", SMALL)
def test_every_tensor_is_the_same_to_the_last_bit(name: str) -> None:
    network = small_network(name)
    equal(made_again(network), run_small(network))


@pytest.mark.parametrize("name", [*BUNDLED, *(pytest.param(name, marks=pytest.mark.slow) for name in LARGE)])
def test_so_it_is_in_every_model_that_there_is(name: str) -> None:
    model = on("cpu", name)
    made, kept = on_demand(model), trace_of(model)
    assert (made.tokens, made.source_tokens) == (kept.tokens, kept.source_tokens)
    equal(made, kept)


@pytest.mark.parametrize("name", SMALL)
def test_tensors_that_are_held_too_are_the_same_and_are_not_made_again(name: str) -> None:
    network = small_network(name)
    made = run_on_demand(network, *inputs(network), (), PLENTY, ("*.weights", "*.ffn.activated"))
    equal(Trace((), made), run_small(network))
    assert any(part.endswith(".weights") for part in made._held)
    assert not any(name.endswith((".weights", ".ffn.activated")) for part in made._made.values() for name in part)


def test_a_look_sees_each_tensor_of_the_layers_while_the_run_is_made() -> None:
    network, seen = small_network("pre-norm translator"), dict[str, torch.Tensor]()
    run_on_demand(network, *inputs(network), (), PLENTY, look=lambda name, each: seen.update({name: each.clone()}))
    kept = run_small(network)
    layers = [name for name in kept.tensors if part_of(name) != ("", 0)]
    assert [name for name in layers if not seen[name].equal(kept[name])] == []


def test_a_run_gives_free_memory_back_before_a_layer_where_the_process_has_grown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    network, order = small_network("Llama"), list[str]()
    held = iter([0, GROWTH_BYTES, GROWTH_BYTES + 1, 7])  # at first, before both layers, and after memory was given back
    monkeypatch.setattr(process_memory, "held_bytes", lambda: next(held))
    monkeypatch.setattr(process_memory, "give_back_memory", lambda: order.append("given back"))
    run_on_demand(network, *inputs(network), (), PLENTY, look=lambda name, _: order.append(name))
    assert order[order.index("given back") + 1] == "decoder.1.resid_in"
    assert next(held, None) is None


def test_one_token_alone_is_the_same() -> None:
    model = small_model("Llama")
    equal(model.trace_on_demand("robot"), model.trace("robot"))


@pytest.mark.parametrize("name", ["one vocabulary", "pre-norm translator", "classifier", "vision"])
def test_edits_are_made_again_and_only_once(name: str) -> None:
    network = small_network(name)
    last = network.config.stacks[-1]
    edits = (
        Change(f"{last}.1.resid_in", lambda x: x * 2),
        Change("*embed.out", lambda x: x + 1),
        Change(f"{last}.1.self_attn.mask", torch.zeros_like),
        Change("*.ffn_norm", lambda x: x - 1),
        Change("*logits", lambda x: x * 3),
        ablate(f"{last}.0.self_attn", 1),
    )
    equal(made_again(network, edits), run_small(network, edits))


def test_a_network_with_edits_of_its_own_makes_them_again() -> None:
    model = small_model("one vocabulary")
    edits = [ablate("decoder.1.cross_attn", 2), Change("encoder.1.ffn.out", torch.zeros_like)]
    edited = with_edits(model, edits)
    equal(edited.trace_on_demand("I am", target="a robot"), edited.trace("I am", target="a robot"))
    equal(made_again(without(model.network, (), edits)), run_small(without(model.network, (), edits)))


def test_a_wrong_edit_is_an_error_of_the_run() -> None:
    with pytest.raises(EditError, match=r"decoder\.99\.resid_in"):
        small_model("Llama").trace_on_demand("I am", edits=[replace("decoder.99.resid_in", torch.zeros(1))])


def test_the_stream_is_held_and_nothing_else() -> None:
    network = small_network("Llama")
    trace = made_again(network)
    held = {name: tensor for name, tensor in run_small(network).tensors.items() if name in stream_names(network.config)}
    assert set(held) == {
        *("embed.tokens", "embed.out", "decoder.0.resid_in", "decoder.0.resid_out", "decoder.1.resid_in", "final_norm")
    }
    assert trace.nbytes == 3 * 7 * 16 * 4  # the stream before each layer, and the final norm
    before = trace.nbytes
    assert trace["decoder.0.resid_in"] is trace["embed.out"]
    assert trace.nbytes == before


class Counted(Transformer):
    """A network that counts the layers that run alone."""

    layers_run: list[tuple[str, int]]

    def run_layer(self, stack: str, layer: int, *args: Any) -> torch.Tensor:
        self.layers_run.append((stack, layer))
        return super().run_layer(stack, layer, *args)


def counted(max_bytes: int) -> tuple[Counted, Trace]:
    network = small_network("plain decoder")
    network.__class__ = Counted
    network.layers_run = []
    return network, made_again(network, max_bytes=max_bytes)


def test_a_layer_is_made_once_while_the_cache_has_room() -> None:
    network, trace = counted(PLENTY)
    for name in ("decoder.1.self_attn.weights", "decoder.1.ffn.out", "decoder.0.self_attn.q", "decoder.1.ffn.out"):
        assert trace[name] is trace[name]
    assert network.layers_run == [("decoder", 1), ("decoder", 0)]


def test_the_cache_never_holds_more_than_its_bytes_and_drops_the_oldest() -> None:
    _, roomy = counted(PLENTY)
    held = roomy.nbytes
    _ = roomy["decoder.0.ffn.out"]
    layer = roomy.nbytes - held
    network, trace = counted(layer + 8)
    for _ in range(2):
        for number in (0, 1):
            assert trace[f"decoder.{number}.ffn.out"] is trace[f"decoder.{number}.ffn.out"]
            assert trace.nbytes <= held + layer + 8
    assert network.layers_run == [("decoder", 0), ("decoder", 1)] * 2


def test_a_part_that_is_larger_than_the_cache_is_made_each_time() -> None:
    _, trace = counted(0)
    held = trace.nbytes
    first, second = trace["decoder.0.ffn.out"], trace["decoder.0.ffn.out"]
    assert first.equal(second)
    assert first is not second
    assert trace.nbytes == held


def test_of_a_layer_that_is_too_large_as_much_is_made_as_can_be_kept() -> None:
    network = small_network("plain decoder")
    trace, kept = made_again(network, max_bytes=6_000), run_small(network)
    assert trace["decoder.1.self_attn.weights"].equal(kept["decoder.1.self_attn.weights"])
    made = set(trace.tensors._made["decoder", 1])
    assert {"decoder.1.self_attn.weights", "decoder.1.self_attn.mask", "decoder.1.ffn.out"} <= made
    assert not made & {"decoder.1.self_attn.scores", "decoder.1.ffn.activated"}, "they are larger than those"
    assert sum(kept[name].nbytes for name in made) <= 6_000
    equal(trace, kept)


@pytest.mark.parametrize("name", ["plain decoder", "masked words"])
def test_the_logits_of_some_positions_are_made_alone(name: str) -> None:
    network = small_network(name)
    trace, kept = made_again(network).keeping("logits"), run_small(network).logits
    held = trace.nbytes
    for places in (-1, 3, slice(2, 5)):
        torch.testing.assert_close(trace.logits_at(places), kept[places])
    assert trace.nbytes == held
    assert trace.logits.equal(kept)
    assert trace.logits_at(3).data_ptr() == trace.logits[3].data_ptr(), "what is there is not made again"
    edited = made_again(network, (Change("logits", lambda logits: logits * 2),))
    torch.testing.assert_close(edited.logits_at(-1), kept[-1] * 2)
    if network.transform is not None:
        edits = (Change("transform.hidden", lambda hidden: hidden * 2),)
        torch.testing.assert_close(made_again(network, edits).logits_at(1), run_small(network, edits).logits[1])
    with pytest.raises(KeyError):
        trace.keeping("*.weights").logits_at(-1)


def test_of_a_trace_that_keeps_some_a_layer_ends_with_the_last_of_them() -> None:
    network, whole = counted(PLENTY)
    kept = whole.keeping(("decoder.*.self_attn.weights",))
    assert list(kept.tensors) == ["decoder.0.self_attn.weights", "decoder.1.self_attn.weights"]
    assert kept["decoder.1.self_attn.weights"].equal(run_small(network)["decoder.1.self_attn.weights"])
    assert list(whole.tensors._made["decoder", 1]) == ["decoder.1.self_attn.weights"]
    equal(kept.keeping("*"), run_small(network))


def test_what_one_view_of_a_trace_has_made_the_others_find() -> None:
    network, whole = counted(PLENTY)
    made = whole.keeping(("*.weights",))["decoder.0.self_attn.weights"]
    assert whole.keeping(("*.q", "*.weights"))["decoder.0.self_attn.weights"] is made
    equal(whole, run_small(network))


def test_a_cached_trace_keeps_no_network_alive() -> None:
    network, whole = counted(PLENTY)
    alone = whole.computed_by(None)
    assert alone["decoder.0.resid_in"] is whole["decoder.0.resid_in"], "it is held"
    with pytest.raises(AssertionError):
        alone["decoder.0.ffn.out"]
    equal(alone.computed_by(network), run_small(network))


def test_the_bytes_of_what_is_kept_are_those_of_a_run() -> None:
    network = small_network("Llama")
    keep = ("*.weights", "*.q", "final_norm")
    kept = [tensor for name, tensor in run_small(network).tensors.items() if matcher(keep)(name)]
    tokens = len(run_small(network)["final_norm"])
    assert kept_bytes(network.config, keep, tokens) == sum(tensor.nbytes for tensor in kept)
    assert kept_bytes(network.config, (), tokens) == 0


def test_many_threads_share_one_run() -> None:
    network = small_network("Llama")
    kept, trace = run_small(network), made_again(network, max_bytes=20_000)
    names = list(kept.tensors) * 4
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda name: trace[name].equal(kept[name]), names))
    assert all(found)


def test_it_is_a_mapping_that_names_everything_without_making_it() -> None:
    network, trace = counted(PLENTY)
    assert isinstance(trace.tensors, TensorsOnDemand)
    assert len(trace.tensors) == len(list(trace.tensors))
    assert "decoder.1.self_attn.weights" in trace
    assert "decoder.2.self_attn.weights" not in trace
    with pytest.raises(KeyError, match=r"Did you mean decoder\.1\.self_attn\.weights"):
        trace["decoder.1.self_attn.weigths"]
    assert network.layers_run == []


def test_the_parts_that_are_made_together() -> None:
    assert part_of("decoder.12.self_attn.q") == ("decoder", 12)
    assert part_of("logits") == part_of("text_logits")


def test_it_can_be_explained() -> None:
    model = load("tiny-lm")
    kept, made = model.trace("The dog is here"), model.trace_on_demand("The dog is here")
    for name, cell in (("decoder.2.self_attn.weights", (1, 3, 2)), ("logits", (3, 5)), ("embed.tokens", (1, 2))):
        assert explain(made, name, cell) == explain(kept, name, cell)


def test_a_recurrent_network_has_no_layers_to_make() -> None:
    with pytest.raises(ModelMismatch, match="Only the tensors of a transformer"):
        load("tiny-lm-rnn").trace_on_demand("The dog is here")


@pytest.mark.parametrize("name", ["tiny-lm-rotary", "en-ur", "digits-vit"])
def test_on_another_device_it_is_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lend(monkeypatch)
    made = on_demand(on(OTHER, name))
    same(dict(made.tensors), trace_of(on("cpu", name)).tensors)
    cell = tuple(length // 2 for length in made["decoder.0.ffn.out" if name != "digits-vit" else "image_logits"].shape)
    explain(made, "decoder.0.ffn.out" if name != "digits-vit" else "image_logits", cell)
