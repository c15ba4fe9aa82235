"""Every model on every device gives what it gives on the CPU.

The devices are the GPUs of this machine and `tests.model.standin`, on which a tensor that was made on the wrong device
is an error. So where no GPU is, every line that a GPU would run is still run.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
import torch
from torch import nn

from model import Model, ablate, available, load, replace
from model.analysis.head_parts import head_parts
from model.analysis.head_steps import Attention, keep_for, of_head
from model.analysis.logit_lens import lens_names, logit_lens
from model.cost.cache_race import time_steps
from model.cost.timing import measure
from model.device import PLAIN, Place, choose, copy_to, to_cpu
from model.errors import DeviceFull
from model.experiments import snapshots
from model.experiments.broken_parts import compare
from model.experiments.causality import leak, masked_pass, separate_passes
from model.experiments.gradient_by_distance import gradient_by_distance
from model.experiments.gradients import derivative_of_sum, gradient_by_depth
from model.experiments.head_ablation import AblationSweep
from model.experiments.padded_batch import fill_up, padding_token, run_alone, run_batch
from model.experiments.painted_masks import edit_of, presets
from model.experiments.surgery import edit_model, parts_of
from model.experiments.word_order import effect_of_order
from model.generation.beam import beam_search
from model.generation.steps import generate
from model.generation.teacher_forcing import run_teacher_forced
from model.network import transformer
from model.network.positions import rotation
from model.recurrent.networks import with_torch_cell
from model.run import ids_of
from model.seeding import seeded
from model.tape import Tape
from model.train.live import LiveRun
from model.train.live_tasks import NAMES, Setup, Switches
from model.train.loop import descend, make_optimizer
from model.train.registry import TASKS, make_task
from model.vision.features import shapes
from model.vision.model import VisionModel, blank_patches, load_vision, shuffle_patches, without_positions
from tests.model import networks, standin
from tests.model.devices import CLOSE, OTHERS, apart, lend, off, same

TEXT = [card.name for card in available("encoder", "decoder", "encoder-decoder", "recurrent")]
WRITERS = [card.name for card in available("decoder", "encoder-decoder", "recurrent")]
VISION = [card.name for card in available("vision")]
URDU = "میں ایک روبوٹ ہوں"


@pytest.fixture(autouse=True)
def _lent(monkeypatch: pytest.MonkeyPatch) -> None:
    lend(monkeypatch)


@cache
def on(device: str, name: str, dtype: str = "float32") -> Any:
    return (load_vision if name in VISION else load)(name, device=device, dtype=dtype)


def trace_of(model: Model | VisionModel, **how: Any) -> Any:
    if isinstance(model, VisionModel):
        return model.trace_picture(shapes(), **how)
    translator = model.config.kind == "encoder-decoder"
    return model.trace("I am a robot", target=URDU if translator else None, **how)


def read(model: Model, text: str = "I am a robot") -> tuple[torch.Tensor, torch.Tensor | None]:
    """The ids of the last stack, and those of an encoder before it."""
    source = model.tokens_of(text)
    if model.config.kind != "encoder-decoder":
        return ids_of(source), None
    return ids_of(model.target_tokens(source, URDU)), ids_of(source)


@pytest.mark.parametrize("device", OTHERS)
@pytest.mark.parametrize("name", [*TEXT, *VISION])
def test_a_trace_is_the_same(name: str, device: str) -> None:
    there = on(device, name)
    assert there.place.device.type == device
    same(trace_of(there).tensors, trace_of(on("cpu", name)).tensors)


@pytest.mark.parametrize("device", OTHERS)
@pytest.mark.parametrize("name", WRITERS)
def test_writing_is_the_same_step_by_step(name: str, device: str) -> None:
    here, there = on("cpu", name), on(device, name)
    last, source = read(here)
    start = last if source is None else last[:1]
    for how in ({}, {"cache": False}, {"keep": "*.weights"}):
        steps = [
            list(generate(model.network, start, 5, source=source, half_width=False, **how)) for model in (here, there)
        ]
        for mine, wanted in zip(*reversed(steps), strict=True):
            assert mine.chosen == wanted.chosen
            assert apart(mine.logits, wanted.logits) < CLOSE
            same(mine.tensors, wanted.tensors)
    drawn = {"max_new_tokens": 5, "temperature": 0.8, "top_k": 40, "top_p": 0.9, "seed": 3, "keep": "logits"}
    mine, wanted = (list(model.generate("I am a robot", **drawn)) for model in (there, here))
    assert [step.chosen for step in mine] == [step.chosen for step in wanted]
    assert [step.stages.top_p.device.type for step in mine] == ["cpu"] * len(mine)
    same(mine[-1].trace.tensors, wanted[-1].trace.tensors)


@pytest.mark.parametrize("device", ["cpu", *OTHERS])
@pytest.mark.parametrize("name", [*TEXT, *VISION])
def test_half_widths_are_off_by_as_much_as_is_said(name: str, device: str) -> None:
    wanted = trace_of(on("cpu", name))
    for dtype, most in (("float16", 0.02), ("bfloat16", 0.15)):
        model = on(device, name, dtype)
        found = trace_of(model)
        assert model.place == Place(model.place.device, getattr(torch, dtype))
        assert {tensor.dtype for tensor in found.tensors.values()} == {torch.float32}
        assert max(off(found[tensor], wanted[tensor]) for tensor in wanted.tensors) < most
        if name in WRITERS:
            assert len(list(model.generate("I am a robot", max_new_tokens=2, keep="*.weights"))) <= 2


@pytest.mark.parametrize("device", OTHERS)
@pytest.mark.parametrize("name", list(TASKS))
def test_a_step_of_training_is_the_same(name: str, device: str) -> None:
    task = make_task(name)
    with seeded(0):
        network = task.make(task.config).eval()  # without dropout, which every device draws in its own way
    there, found = copy_to(network, choose(device, "float32")), []
    for each in (network, there):
        place, optimizer, gradients = Place.of(each), make_optimizer(each, task.recipe), {}
        total, count = task.loss(each, task.batch(0, 0).to(place.device))

        def look(seen: nn.Module, gradients: dict[str, torch.Tensor] = gradients) -> None:
            gradients |= {path: PLAIN.take(weights.grad).clone() for path, weights in seen.named_parameters()}

        descend(total / count, each, optimizer, task.recipe, 0, look)
        found.append((float(total.detach()) / count, gradients, to_cpu(dict(each.named_parameters()))))
    (loss, gradients, weights), (wanted_loss, wanted_gradients, wanted_weights) = found[1], found[0]
    assert loss == pytest.approx(wanted_loss, rel=CLOSE)
    largest = max(gradient.abs().max() for gradient in wanted_gradients.values())
    for path, gradient in wanted_gradients.items():
        assert (gradients[path] - gradient).abs().max() < CLOSE * largest, path
        assert (weights[path] - wanted_weights[path]).abs().max() < CLOSE, path


@pytest.mark.parametrize("device", OTHERS)
@pytest.mark.parametrize("name", list(TASKS))
def test_what_is_held_out_is_measured_to_the_same(name: str, device: str) -> None:
    task = make_task(name)
    here, there = (dict(task.measures(on(place, name).network, 16)) for place in ("cpu", device))
    assert there == pytest.approx(here, rel=1e-3)
    with torch.no_grad():
        here, there = (task.evaluate(on(place, name).network, 8) for place in ("cpu", device))
    assert there == pytest.approx(here, rel=1e-3)


@pytest.mark.parametrize("device", OTHERS)
@pytest.mark.parametrize("name", NAMES)
def test_live_training_is_the_same(name: str, device: str) -> None:
    runs = [LiveRun(Setup(name, steps=6), place) for place in ("cpu", device)]
    for run in runs:
        run.work(lambda: True)
        assert run.state == "finished"
        assert not run.had_to_move
    assert runs[1].place.device.type == device
    (here, there) = (run.view() for run in runs)
    assert there.history.loss == pytest.approx(here.history.loss, rel=1e-3)
    for part, norms in here.history.gradients.items():
        assert there.history.gradients[part] == pytest.approx(norms, rel=1e-2)
    assert [look.samples for look in there.looks] == [look.samples for look in here.looks]
    assert apart(there.looks[0].attention, here.looks[0].attention) < CLOSE


@pytest.mark.parametrize("device", OTHERS)
def test_live_training_that_reads_its_own_words_is_the_same(device: str) -> None:
    setup = Setup("reverse", Switches(teacher_forcing=False), steps=2)
    runs = [LiveRun(setup, place) for place in ("cpu", device)]
    for run in runs:
        run.work(lambda: True)
    assert runs[1].view().history.loss == pytest.approx(runs[0].view().history.loss, rel=1e-3)


def test_a_live_run_goes_on_on_the_cpu_when_the_gpus_memory_is_full(monkeypatch) -> None:
    setup = Setup("reverse", steps=8)
    run, wanted = LiveRun(setup, standin.KIND), LiveRun(setup, "cpu")
    wanted.work(lambda: True)
    turns = iter([True] * 3 + [False])
    run.work(lambda: next(turns))
    assert (run.place.device.type, run.view().step) == (standin.KIND, 3)
    monkeypatch.setattr(standin.BACKEND, "limit", 1000)
    run.work(lambda: True)
    assert (run.place, run.had_to_move, run.state, run.view().step) == (PLAIN, True, "finished", 8)
    assert run.view().history.loss == pytest.approx(wanted.view().history.loss, rel=1e-3)
    assert [look.step for look in run.view().looks] == [look.step for look in wanted.view().looks]
    begun = LiveRun(setup, standin.KIND)  # not even the weights fit
    assert (begun.place, begun.had_to_move) == (PLAIN, True)


def test_a_run_that_a_gpu_has_no_memory_for_says_what_to_do(monkeypatch) -> None:
    model, vision = on(standin.KIND, "tiny-lm"), on(standin.KIND, "digits-vit")
    monkeypatch.setattr(standin.BACKEND, "limit", 1000)
    for run in (
        lambda: model.trace("I am a robot"),
        lambda: next(model.generate("I am a robot")),
        lambda: vision.trace_picture(shapes()),
        lambda: load("tiny-lm", device=standin.KIND),
        lambda: load_vision("digits-vit", device=standin.KIND),
    ):
        with pytest.raises(DeviceFull, match='device="cpu"'):
            run()
    same(model.on_cpu.trace("I am a robot").tensors, on("cpu", "tiny-lm").trace("I am a robot").tensors)


@pytest.mark.parametrize("name", ["tiny-lm-rotary", "en-ur", "en-ur-bahdanau", "digits-vit"])
def test_the_copy_on_the_cpu_is_made_once_and_only_where_it_is_needed(name: str) -> None:
    model = on(standin.KIND, name)
    assert model.on_cpu is model.on_cpu
    assert model.on_cpu.place == PLAIN
    assert on("cpu", name).on_cpu is on("cpu", name)
    same(trace_of(model.on_cpu).tensors, trace_of(on("cpu", name)).tensors)


def test_memory_counts_the_copy_once_it_is_made() -> None:
    model = load("tiny-lm", device=standin.KIND)
    weights = model.nbytes
    assert weights == load("tiny-lm", device="cpu").nbytes > 1_000_000
    assert model.on_cpu.nbytes == weights
    assert model.nbytes == 2 * weights


@pytest.mark.parametrize("device", OTHERS)
@pytest.mark.parametrize("name", ["tiny-lm", "tiny-lm-rotary", "en-ur", "tiny-encoder"])
def test_edits_are_the_same(name: str, device: str) -> None:
    here, there = on("cpu", name), on(device, name)
    stack = here.config.stacks[-1]
    at = Attention(stack, 0, "self_attn")
    size = len(read(here)[0])
    mask = torch.zeros(size, size).masked_fill(~presets(size, size)["last 3 only"], float("-inf"))
    for edits in (
        [ablate("*.self_attn", head=[0, 1])],
        [replace(f"{stack}.0.self_attn.out", torch.ones(()))],
        [edit_of(at, mask, every_layer=True)],
        [edit for part in parts_of(here.config) for edit in part.edits],
    ):
        same(trace_of(there, edits=edits).tensors, trace_of(here, edits=edits).tensors)
    for part in parts_of(here.config):
        changed = [edit_model(model, [part], [ablate(f"{stack}.1.self_attn", 0)]) for model in (here, there)]
        same(trace_of(changed[1]).tensors, trace_of(changed[0]).tensors)
        same(trace_of(changed[1].on_cpu).tensors, trace_of(changed[0]).tensors)


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
        assert mine.attention == wanted.attention
        assert (mine.rise - wanted.rise).abs().max() < CLOSE
        assert mine.rise.device.type == "cpu"
    close(*(gradient_by_depth(m.network, ids, source) for m in (there, here)))
    place = f"{here.config.stacks[-1]}.1"
    slopes = [derivative_of_sum(m.network, ids, source, place, 2, 3) for m in (there, here)]
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
        beam_search(m.network, torch.tensor([start]), 12, end, source=ids_of(source), width=3) for m in (there, here)
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
@pytest.mark.parametrize("name", ["tiny-lm", "en-ur"])
def test_a_snapshot_of_training_is_the_same(name: str, device: str) -> None:
    here, there = (load(name, snapshot=1, device=place) for place in ("cpu", device))
    assert there.place.device.type == device
    assert apart(snapshots.head_scores(there), snapshots.head_scores(here)) < 0.02
    assert (
        apart(snapshots.attention(there, "I am a robot", (5, 6)), snapshots.attention(here, "I am a robot", (5, 6)))
        < CLOSE
    )


def test_a_pass_is_timed_until_the_device_has_finished() -> None:
    before = standin.BACKEND.waits
    (timing,) = measure(on(standin.KIND, "tiny-lm").network, [8], repeats=2)
    assert standin.BACKEND.waits == before + 3  # one to warm up
    assert timing.kept_bytes == next(measure(on("cpu", "tiny-lm").network, [8], repeats=1)).kept_bytes


@pytest.mark.parametrize("name", sorted(networks.VARIANTS))
def test_every_choice_of_a_configuration_is_the_same(name: str) -> None:
    network = networks.variant(name)
    there = copy_to(network, choose(standin.KIND, "float32"))
    with torch.inference_mode():
        tapes = [Tape("*"), Tape("*")]
        for each, tape in zip((there, network), tapes, strict=True):
            each(*networks.inputs(network), tape)
    same(to_cpu(tapes[0].records), tapes[1].records)


def test_a_tensor_that_is_made_on_the_wrong_device_is_found(monkeypatch) -> None:
    """What all of the above rests on: take away one move to the device, and the run fails."""
    model = on(standin.KIND, "tiny-lm-rotary")

    def forgetful(*args: Any) -> tuple[torch.Tensor, ...]:
        class Stays(torch.Tensor):
            def to(self, *_: Any, **__: Any) -> torch.Tensor:  # type: ignore[override]
                return self.as_subclass(torch.Tensor)

        return tuple(each.as_subclass(Stays) for each in rotation(*args))

    monkeypatch.setattr(transformer, "rotation", forgetful)
    with pytest.raises(RuntimeError, match="meets a tensor of the CPU"):
        model.trace("I am a robot")
