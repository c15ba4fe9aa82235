"""Each removal equals a whole run with one edit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, replace
from itertools import islice
from typing import Any

import pytest
import torch
from torch import Tensor

from model import Model
from model.analysis.attribution import Account, account_of, keep_for_account
from model.edits.edit import Change
from model.edits.parts import ablate
from model.errors import ModelMismatch
from model.experiments import row_batches
from model.experiments.part_removal import Removal, RemovalSweep, Values, keep_for_removal, mean_values, values_at
from model.experiments.surgery import edit_model
from model.network.transformer import Stack, Transformer
from model.tape import Trace
from tests.conftest import loaded
from tests.model.networks import VARIANTS, network, small_model

DECODERS = [name for name, (kind, _) in VARIANTS.items() if kind != "encoder"]
TEXT, PLACE = "I am a robot you like", 2
GAVE = "While Lucy and Omar walked to the park, Omar gave a box to"


def run(model: Model, text: str = TEXT, position: int = PLACE, **asked: Any) -> tuple[Trace, Account]:
    keep = (*keep_for_account(model.config), *keep_for_removal(model.config), "logits")
    trace = model.trace(text, keep=keep, target="I am a" if model.config.kind == "encoder-decoder" else None)
    return trace, account_of(model, trace, position=position, **asked)


def whole_run(model: Model, trace: Trace, account: Account, name: str, values: Values) -> tuple[float, float]:
    """The answer and the probability of a whole run in which one part is replaced at the position."""
    tensor, _, head = name.rpartition(".") if ".heads." in name else (f"{name}.out", "", "")
    tensor = name if "embed." in name else tensor
    ffn, _, expert = name.partition(".experts.")
    if expert:  # its weight becomes 0
        tensor = f"{ffn}.gates"

    def swap(x: Tensor) -> Tensor:
        x, new = x.clone(), values.get(tensor)
        if expert:
            x[account.position, int(expert)] = 0
        elif head:
            x[int(head), account.position] = 0 if new is None else new[int(head)]
        else:
            x[account.position] = 0 if new is None else new
        return x

    kept = "text_logits" if model.network.decoder is None else "logits"
    found = model.trace_tokens(trace.tokens, trace.source_tokens, keep=kept, edits=[Change(tensor, swap)])[kept]
    logits = found if model.network.decoder is None else found[account.position]
    answer = logits[account.token] - (0 if account.against is None else logits[account.against])
    return float(answer), float(logits.softmax(-1)[account.token])


def all_of(sweep: RemovalSweep) -> list[Removal]:
    return [removal for place in sweep.run() for removal in place]


def assert_equal_to_whole_runs(model: Model, trace: Trace, account: Account, values: Values) -> list[Removal]:
    removals = all_of(RemovalSweep(model, trace, account, values))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_batches, "MOST_NUMBERS", 1)  # so each row has a batch of its own
        alone = all_of(RemovalSweep(model, trace, account, values))
    assert [each.name for each in alone] == [each.name for each in removals]
    for each, other in zip(alone, removals, strict=True):
        assert astuple(each)[1:] == pytest.approx(astuple(other)[1:], abs=1e-5)
    for each in removals:
        answer, after = whole_run(model, trace, account, each.name, values)
        assert each.fall == pytest.approx(account.value - answer, abs=1e-4)
        assert each.after == pytest.approx(after, abs=1e-5)
    return removals


@pytest.mark.parametrize("name", DECODERS)
def test_zeros_in_the_place_of_a_part(name: str) -> None:
    model = small_model(name)
    trace, account = run(model, against=5)
    removals = assert_equal_to_whole_runs(model, trace, account, {})
    whole = {f"decoder.{layer}.ffn" for layer in range(model.config.n_decoder_layers)}  # with all its experts
    parts = {part for part in account.parts if not part.endswith(("bias", "segments"))}
    assert {each.name for each in removals} == parts | whole
    for each in removals:
        direct = sum(part for name, part in account.parts.items() if f"{name}.".startswith(f"{each.name}."))
        assert each.direct == pytest.approx(direct, abs=1e-5)
        assert each.before == pytest.approx(float(trace.logits[PLACE].softmax(-1)[account.token]), abs=1e-5)


@pytest.mark.parametrize("name", ["paper", "Llama", "GPT-2", "concatenated", "GPT-NeoX"])
def test_the_mean_and_another_run_in_its_place(name: str) -> None:
    model = small_model(name)
    trace, account = run(model)
    other, _ = run(model, "you like a river road the")
    for values in (mean_values(model.config, [trace, other]), values_at(model.config, other, PLACE)):
        assert_equal_to_whole_runs(model, trace, account, values)


def test_the_same_run_in_its_place_changes_nothing() -> None:
    model = small_model("GPT-2")
    trace, account = run(model)
    for each in all_of(RemovalSweep(model, trace, account, values_at(model.config, trace, PLACE))):
        assert each.direct == pytest.approx(0, abs=1e-6)
        assert each.fall == pytest.approx(0, abs=1e-5)
        assert each.after == pytest.approx(each.before, abs=1e-6)


def test_the_mean_is_over_all_tokens_of_all_runs() -> None:
    model = small_model("Llama")
    traces = [run(model, text)[0] for text in (TEXT, "the dog is cool")]
    means = mean_values(model.config, traces)
    rows = torch.cat([trace["decoder.1.ffn.out"] for trace in traces])  # (tokens of both, d_model)
    torch.testing.assert_close(means["decoder.1.ffn.out"], rows.mean(0))
    assert means["decoder.0.self_attn.heads"].shape == (4, 4)
    with pytest.raises(ValueError, match="at least one run"):
        mean_values(model.config, [])


def test_a_last_layer_that_acts_only_directly_is_on_the_diagonal() -> None:
    """Without norms nothing but the layers above stands between a part and the logit; above the last there is none."""
    small = small_model("plain decoder")
    model = replace(small, network=network("decoder", norm="none", norm_position="pre"))
    trace, account = run(model)
    last = [each for each in all_of(RemovalSweep(model, trace, account)) if each.name == "decoder.1.ffn"]
    assert [each.fall for each in last] == pytest.approx([each.direct for each in last], abs=1e-4)


def test_edits_of_the_model_stay() -> None:
    model = edit_model(small_model("Llama"), edits=[ablate("decoder.0.self_attn", 1)])
    trace, account = run(model)
    removals = assert_equal_to_whole_runs(model, trace, account, {})
    silent = next(each for each in removals if each.name == "decoder.0.self_attn.heads.1")
    assert silent.fall == pytest.approx(0, abs=1e-6)


def test_a_stopped_sweep_has_done_only_what_was_asked() -> None:
    model = small_model("Llama")
    sweep = RemovalSweep(model, *run(model))
    assert sweep.places == ["decoder.1", "decoder.0", "embed"]
    (first,) = islice(sweep.run(), 1)
    assert all(each.name.startswith("decoder.1.") for each in first)


def test_each_layer_of_a_long_text_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its trace makes layers when they are looked at, and keeps one."""
    model = small_model("Llama")
    kept, account = run(model)
    one_layer = sum(tensor.nbytes for name, tensor in kept.tensors.items() if name.startswith("decoder.0."))
    keep, made = (*keep_for_account(model.config), *keep_for_removal(model.config)), list[int]()
    run_layer = Transformer.run_layer

    def count(network: Transformer, stack: str, layer: int, *rest: Any) -> Tensor:
        made.append(layer)
        return run_layer(network, stack, layer, *rest)

    monkeypatch.setattr(Transformer, "run_layer", count)
    on_demand = model.trace_on_demand(TEXT, max_bytes=one_layer).keeping(keep)
    found, expected = (all_of(RemovalSweep(model, trace, account)) for trace in (on_demand, kept))
    assert made == [1, 0]
    assert [each.name for each in found] == [each.name for each in expected]
    assert [each.fall for each in found] == pytest.approx([each.fall for each in expected], abs=1e-6)


@pytest.mark.parametrize("norm_position", ["pre", "post"])
def test_zeros_in_the_place_of_a_part_of_a_class(norm_position: str) -> None:
    """All tokens of an encoder read the changed row, so each run has them all."""
    small = small_model("classifier")
    model = replace(small, network=network("encoder", norm_position=norm_position, text_labels=("a", "b", "c")))
    trace, account = run(model, position=0, token=1, against=2)
    removals = assert_equal_to_whole_runs(model, trace, account, {})
    assert {each.name for each in removals} == {
        part for part in account.parts if not part.endswith(("bias", "segments"))
    }
    assert any(abs(each.fall - each.direct) > 1e-3 for each in removals), "parts act through other tokens, too"
    assert_equal_to_whole_runs(
        model, trace, account, values_at(model.config, run(model, "you like a river road the", 0)[0], 0)
    )


def test_a_long_text_has_its_rows_in_batches_with_a_turn_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """The 4 heads, the feed-forward and the whole row of a layer; the two pieces of the embedding and the whole row."""
    small = small_model("classifier")
    model = replace(small, network=network("encoder", text_labels=("a", "b", "c")))
    trace, account = run(model, position=0, token=1)
    turns, sizes, run_stack = list[int](), list[int](), Stack.run

    @contextmanager
    def take_turn() -> Iterator[None]:
        turns.append(len(sizes))
        yield
        assert len(sizes) == len(turns), "one batch in each turn"

    def count(stack: Stack, x: Tensor, *rest: Any, **named: Any) -> Tensor:
        sizes.append(len(x))
        return run_stack(stack, x, *rest, **named)

    monkeypatch.setattr(Stack, "run", count)
    tokens, config = len(trace.tokens), model.config
    of_row = tokens * (3 * config.n_heads * tokens + 2 * config.d_ff)
    monkeypatch.setattr(row_batches, "MOST_NUMBERS", 5 * of_row - 1)
    all_of(RemovalSweep(model, trace, account, take_turn=take_turn))
    assert sizes == [4, 2] * config.n_encoder_layers + [3]


def test_a_model_without_an_answer_is_refused() -> None:
    model = small_model("plain decoder")
    trace, account = run(model)
    with pytest.raises(ModelMismatch, match="neither"):
        RemovalSweep(replace(model, network=network("encoder")), trace, account)


def test_the_head_of_tiny_lm_that_brings_a_name_back_is_missed_most() -> None:
    model = loaded("tiny-lm")
    lucy, omar = (model.tokenizer.encode(name)[0].id for name in (" Lucy", " Omar"))
    trace, account = run(model, GAVE, -1, token=lucy, against=omar)
    falls = {each.name: each.fall for each in all_of(RemovalSweep(model, trace, account)) if ".heads." in each.name}
    assert max(falls, key=lambda name: falls[name]) == "decoder.2.self_attn.heads.2"
