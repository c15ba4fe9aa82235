"""Edits and experiments on every device give what they give on the CPU (tests/model/devices.py)."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from model import ablate, replace
from model.analysis.attribution import account_of, keep_for_account
from model.analysis.head_parts import head_parts
from model.analysis.head_steps import Attention, keep_for, of_head
from model.analysis.logit_lens import lens_names, logit_lens
from model.cost.cache_race import time_steps
from model.device import PLAIN, to_cpu
from model.edits.patches import blank_patches, shuffle_patches, without_positions
from model.experiments import checkpoints, snapshots
from model.experiments.broken_parts import compare
from model.experiments.causality import leak, masked_pass, separate_passes
from model.experiments.gradient_by_distance import gradient_by_distance
from model.experiments.gradients import derivative_of_sum, gradient_by_depth
from model.experiments.head_ablation import AblationSweep
from model.experiments.input_gradients import gradient_times_input
from model.experiments.layerwise_gradient import record_streams
from model.experiments.padded_batch import fill_up, padding_token, run_alone, run_batch
from model.experiments.painted_masks import edit_of, presets
from model.experiments.part_removal import RemovalSweep, keep_for_removal
from model.experiments.patching import Patching
from model.experiments.sentence_pair import Prompt, record_beside, record_pair, sites_of
from model.experiments.surgery import edit_model, parts_of, with_edits
from model.experiments.word_order import effect_of_order
from model.generation.beam import beam_search
from model.generation.teacher_forcing import run_teacher_forced
from model.graph.on_demand import stream_names
from model.recurrent.networks import with_torch_cell
from model.run import ids_of
from tests.model import standin
from tests.model.devices import CLOSE, OTHERS, apart, lend, on, read, same, trace_of

pytestmark = pytest.mark.slow  # every model runs twice


@pytest.fixture(autouse=True)
def _lent(monkeypatch: pytest.MonkeyPatch) -> None:
    lend(monkeypatch)


@pytest.mark.parametrize("device", OTHERS)
def test_the_measures_of_a_checkpoint_are_the_same(device: str) -> None:
    here, there = on("cpu", "tiny-lm"), on(device, "tiny-lm")
    tokens = here.tokens_of("the dog sees the cat and the")
    expected, found = (checkpoints.measure(each, tokens) for each in (here, there))
    for name in ("losses", "next_shares", "weights", "induction"):
        assert abs(getattr(expected, name) - getattr(found, name)).max() < 2e-3
    assert found.answer.tolist() == expected.answer.tolist()


@pytest.mark.parametrize("device", OTHERS)
@pytest.mark.parametrize("name", ["tiny-lm", "tiny-lm-rotary", "en-ur", "tiny-encoder"])
def test_edits_are_the_same(name: str, device: str) -> None:
    here, there = on("cpu", name), on(device, name)
    stack = here.config.stacks[-1]
    at = Attention(stack, 0, "self_attn")
    size = len(read(here)[0])
    for edits in (
        [ablate("*.self_attn", head=[0, 1])],
        [replace(f"{stack}.0.self_attn.out", torch.ones(()))],
        [edit_of(at, presets(size, size)["last 3 only"], every_layer=True)],
        [edit for part in parts_of(here.config) for edit in part.edits],
    ):
        same(trace_of(there, edits=edits).tensors, trace_of(here, edits=edits).tensors)
    for part in parts_of(here.config):
        changed = [edit_model(model, [part], [ablate(f"{stack}.1.self_attn", 0)]) for model in (here, there)]
        same(trace_of(changed[1]).tensors, trace_of(changed[0]).tensors)
        same(trace_of(changed[1].on_cpu).tensors, trace_of(changed[0]).tensors)
    edited = with_edits(there, [ablate(f"{stack}.1.self_attn", 0)])
    expected = trace_of(with_edits(here, [ablate(f"{stack}.1.self_attn", 0)])).tensors
    same(trace_of(edited).tensors, expected)
    same(trace_of(edited.on_cpu).tensors, expected)
    copies = [next(each.on_cpu.network.parameters()) for each in (edited, there)]
    assert copies[0] is copies[1], "one copy serves both"


@pytest.mark.parametrize("device", OTHERS)
@pytest.mark.parametrize(
    "edits", [shuffle_patches(reversed(range(49))), blank_patches([3, 4], 0.5), without_positions()]
)
def test_edits_of_pictures_are_the_same(edits: Any, device: str) -> None:
    here, there = (trace_of(on(place, "digits-vit"), edits=[edits]) for place in ("cpu", device))
    same(there.tensors, here.tensors)
    model = on(device, "digits-vit")
    assert torch.equal(model.patches.filters, on("cpu", "digits-vit").patches.filters)
    assert torch.equal(model.position_table, on("cpu", "digits-vit").position_table)


@pytest.mark.parametrize("device", OTHERS)
def test_a_map_of_what_stands_out_is_drawn_from_a_trace(device: str) -> None:
    maps = [
        model.saliency(trace_of(model)["final_norm"][1:]) for model in (on("cpu", "dinov2-s"), on(device, "dinov2-s"))
    ]
    assert apart(maps[1], maps[0]) < CLOSE


@pytest.mark.parametrize("device", OTHERS)
@pytest.mark.parametrize("name", ["tiny-lm-rotary", "en-ur", "tiny-encoder"])
def test_experiments_are_the_same(name: str, device: str) -> None:
    here, there = on("cpu", name), on(device, name)
    ids, source = read(here)

    def close(found: torch.Tensor, wanted: torch.Tensor) -> None:
        assert (found.device.type, found.dtype) == ("cpu", wanted.dtype)
        assert apart(found, wanted) < 10 * CLOSE  # a difference of two runs

    for mine, wanted in zip(*(AblationSweep(m.network, ids, source).run() for m in (there, here)), strict=True):
        assert mine.path == wanted.path
        assert (mine.rise - wanted.rise).abs().max() < CLOSE
        assert mine.rise.device.type == "cpu"
    streams = [record_streams(m.network, ids, source) for m in (there, here)]
    if here.network.decoder is not None:
        other = Prompt(ids, source.flip(0)) if source is not None else Prompt(ids.flip(0))
        pairs_of_both = [record_pair(m.network, Prompt(ids, source), other) for m in (there, here)]
        logits, own = pairs_of_both[0].logits[0], to_cpu(streams[0])
        beside = record_beside(there.network, Prompt(ids, source), other, own, logits)
        for run, expected_run in zip(beside.runs, pairs_of_both[1].runs, strict=True):
            for part, tensor in expected_run.items():
                close(run[part], tensor)
        mine, wanted = (Patching(m.network, pair, 5, 7) for m, pair in zip((there, here), pairs_of_both, strict=True))
        for site in sites_of(here.network):
            for shares, expected in zip(mine.run(site), wanted.run(site), strict=True):
                torch.testing.assert_close(shares, expected, atol=1e-3, rtol=1e-2)  # shares: 1 is the whole difference
            torch.testing.assert_close(mine.estimates[site], wanted.estimates[site], atol=1e-3, rtol=1e-2)
            torch.testing.assert_close(mine.run_row(site, 0, 1), wanted.run_row(site, 0, 1), atol=1e-2, rtol=1e-2)
    depths = zip((there, here), streams, strict=True)
    close(*(gradient_by_depth(m.network, ids, of_run) for m, of_run in depths))
    place = f"{here.config.stacks[-1]}.1"
    resid_in = trace_of(here, keep=f"{place}.resid_in")[f"{place}.resid_in"]
    slopes = [derivative_of_sum(m.network, place, resid_in, 2, 3) for m in (there, here)]
    assert slopes[0] == pytest.approx(slopes[1], abs=1e-4)
    at = Attention(here.config.stacks[-1], 1, "self_attn")
    traces = [trace_of(m, keep=keep_for(m.config, at)) for m in (there, here)]
    steps = [of_head(m, t, at, 1) for m, t in zip((there, here), traces, strict=True)]
    close(steps[0].part, steps[1].part)
    close(*(head_parts(m, t, at) for m, t in zip((there, here), traces, strict=True)))
    rows = [here.tokens_of(text) for text in ("I am a robot", "I like you")]
    if here.config.kind != "encoder-decoder":
        batch = fill_up(rows, padding_token(here.tokenizer))
        for masked in (True, False):
            close(*(run_batch(m, batch, masked=masked) for m in (there, here)))
        close(*(run_alone(m, rows[0]) for m in (there, here)))
    if here.network.encoder is not None and name != "en-ur":
        order = torch.randperm(len(ids), generator=torch.Generator().manual_seed(0))
        for positions in (True, False):
            close(*(effect_of_order(m.network, ids, order, positions).shuffled for m in (there, here)))


@pytest.mark.parametrize("device", OTHERS)
def test_experiments_with_a_decoder_are_the_same(device: str) -> None:
    here, there = on("cpu", "tiny-lm-rotary"), on(device, "tiny-lm-rotary")
    tokens = here.tokens_of("I am a robot and I like you")
    lenses = [logit_lens(m.network, m.trace_tokens(tokens, keep=lens_names(m.config)), [1, 3]) for m in (there, here)]
    assert torch.equal(lenses[0].ids, lenses[1].ids)
    assert apart(lenses[0].probabilities, lenses[1].probabilities) < CLOSE
    for causal in (True, False):
        changed = (*tokens[:2], tokens[0], *tokens[3:])
        leaks = [leak(m, tokens, changed, (), causal).change for m in (there, here)]
        assert (leaks[0] - leaks[1]).abs().max() < 1e-3
    together = [masked_pass(m, tokens)[0] for m in (there, here)]
    assert apart(*together) < CLOSE
    assert apart(torch.stack([each.logits for each in separate_passes(there, tokens)]), together[1]) < CLOSE
    raced = [[chosen for chosen, _ in time_steps(m.network, [5, 6], 4, cache=True)] for m in (there, here)]
    assert raced[0] == raced[1]
    ids = torch.tensor([[token.id for token in tokens]] * 2)
    for name in ("tiny-lm-rotary", "tiny-lm-lstm"):
        reach = [gradient_by_distance(on(place, name).network, ids) for place in (device, "cpu")]
        assert apart(*reach) < 1e-3
    if device != standin.KIND:  # it has not the fused cell that torch takes on a GPU
        quick = [with_torch_cell(on(place, "tiny-lm-lstm").network)(ids[0]) for place in (device, "cpu")]
        assert apart(PLAIN.take(quick[0]), quick[1]) < CLOSE
    measured = [list(compare(m, edit_model(m, edits=[ablate("decoder.0.self_attn", 0)]), 20)) for m in (there, here)]
    assert [each.measure for each in measured[0]] == [each.measure for each in measured[1]]
    assert [each.without for each in measured[0]] == pytest.approx([each.without for each in measured[1]], rel=1e-2)


@pytest.mark.parametrize("device", OTHERS)
def test_experiments_with_a_translator_are_the_same(device: str) -> None:
    here, there = on("cpu", "en-ur"), on(device, "en-ur")
    source, writer = here.tokens_of("I am a robot"), here.output_tokenizer
    start, end = writer.sequence_start, writer.end
    assert list(there.translate_ids(source)) == list(here.translate_ids(source))
    trees = [
        beam_search(m.network, torch.tensor([start]), 12, writer.ends, source=ids_of(source), width=3)
        for m in (there, here)
    ]
    assert [node.ids for node in trees[0].finished] == [node.ids for node in trees[1].finished]
    target = list(here.translate_ids(source))[:-1]
    for shifted in (True, False):
        forced = [
            run_teacher_forced(m.network, ids_of(source).tolist(), target, start, end, shifted) for m in (there, here)
        ]
        assert forced[0].predictions == forced[1].predictions
        assert forced[0].losses == pytest.approx(forced[1].losses, rel=1e-3, abs=1e-5)
    rows = [here.tokens_of(text) for text in ("I am a robot", "I like you very much")]
    sources, written = fill_up(rows, padding_token(here.tokenizer)), [writer.tokens([start, *target])] * 2
    batches = [run_batch(m, fill_up(written, padding_token(writer)), sources) for m in (there, here)]
    assert apart(*batches) < CLOSE
    for model in (there, here):
        assert snapshots.answer(model, "I am a robot") == writer.decode(target)


@pytest.mark.parametrize("device", OTHERS)
@pytest.mark.parametrize("name", ["tiny-lm-rotary", "en-ur"])
def test_accounts_are_the_same(name: str, device: str) -> None:
    here, there = on("cpu", name), on(device, name)
    keep = (*keep_for_account(here.config), *keep_for_removal(here.config), *stream_names(here.config), "logits")
    traces = [trace_of(m, keep=keep) for m in (there, here)]
    accounts = [account_of(m, t, position=2) for m, t in zip((there, here), traces, strict=True)]
    assert accounts[0].parts == pytest.approx(dict(accounts[1].parts), abs=1e-3)
    assert max(account.difference for account in accounts) < 1e-3
    sweeps = [RemovalSweep(*each) for each in zip((there, here), traces, accounts, strict=True)]
    falls = [[removal.fall for place in sweep.run() for removal in place] for sweep in sweeps]
    assert falls[0] == pytest.approx(falls[1], abs=1e-3)
    gradients = [
        gradient_times_input(m.network, t.tensors, 2, accounts[1].token)
        for m, t in zip((there, here), traces, strict=True)
    ]
    assert gradients[0].tokens.device.type == "cpu"
    assert apart(gradients[0].tokens, gradients[1].tokens) < 1e-3
