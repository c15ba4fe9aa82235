"""Every model on every device gives what it gives on the CPU.

The devices are the GPUs of this machine. Where no GPU is, `tests.model.standin` takes its place. A tensor that was made
on the wrong device is an error there. So every line that a GPU would run is still run.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from model import load, survey
from model.cost.timing import measure
from model.device import PLAIN, Placement, choose, copy_to, to_cpu
from model.errors import DeviceFull
from model.generation.steps import generate
from model.network import transformer
from model.network.positions import rotation
from model.tape import Tape
from model.vision.features import shapes
from model.vision.model import load_vision
from tests.model import networks, standin
from tests.model.devices import (
    CLOSE,
    OTHER,
    OTHERS,
    TEXT,
    VISION,
    WRITERS,
    apart,
    lend,
    off,
    on,
    on_the_standin,
    pairs,
    read,
    same,
    trace_of,
)

pytestmark = pytest.mark.slow  # every model runs twice


@pytest.fixture(autouse=True)
def _lent(monkeypatch: pytest.MonkeyPatch) -> None:
    lend(monkeypatch)


@pytest.mark.parametrize(("name", "device"), pairs([*TEXT, *VISION], OTHERS))
def test_a_trace_is_the_same(name: str, device: str) -> None:
    there = on(device, name)
    assert there.place.device.type == device
    same(trace_of(there).tensors, trace_of(on("cpu", name)).tensors)


def test_a_survey_is_the_same() -> None:
    texts = ["the dog sees the cat", "a cat sees the dog and the dog sees a cat", "the small dog"]
    here, there = (survey(on(device, "tiny-lm"), texts, keep=False) for device in ("cpu", OTHER))
    for name in here.tally().measures:
        np.testing.assert_allclose(there.measure(name), here.measure(name), atol=CLOSE)
    assert [(place.number, place.query, place.key) for place in there.strongest("decoder.self_attn", 1, 0)] == [
        (place.number, place.query, place.key) for place in here.strongest("decoder.self_attn", 1, 0)
    ]


@pytest.mark.parametrize(("name", "device"), pairs(WRITERS, OTHERS))
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


@pytest.mark.parametrize(("name", "device"), pairs([*TEXT, *VISION], ("cpu", *OTHERS)))
def test_half_widths_are_off_by_as_much_as_is_said(name: str, device: str) -> None:
    wanted = trace_of(on("cpu", name))
    for dtype, most in (("float16", 0.02), ("bfloat16", 0.15)):
        model = on(device, name, dtype)
        found = trace_of(model)
        assert model.place == Placement(model.place.device, getattr(torch, dtype))
        assert {tensor.dtype for tensor in found.tensors.values()} == {torch.float32}
        assert max(off(found[tensor], wanted[tensor]) for tensor in wanted.tensors) < most
        if name in WRITERS:
            assert len(list(model.generate("I am a robot", max_new_tokens=2, keep="*.weights"))) <= 2


@on_the_standin
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
    model = on(OTHER, name)
    assert model.on_cpu is model.on_cpu
    assert model.on_cpu.place == PLAIN
    assert on("cpu", name).on_cpu is on("cpu", name)
    same(trace_of(model.on_cpu).tensors, trace_of(on("cpu", name)).tensors)


def test_memory_counts_the_copy_once_it_is_made() -> None:
    model = load("tiny-lm", device=OTHER)
    weights = model.nbytes
    assert weights == load("tiny-lm", device="cpu").nbytes > 1_000_000
    assert model.on_cpu.nbytes == weights
    assert model.nbytes == 2 * weights


@on_the_standin
def test_a_pass_is_timed_until_the_device_has_finished() -> None:
    before = standin.BACKEND.waits
    (timing,) = measure(on(standin.KIND, "tiny-lm").network, [8], repeats=2)
    assert standin.BACKEND.waits == before + 3  # one to warm up
    assert timing.kept_bytes == next(measure(on("cpu", "tiny-lm").network, [8], repeats=1)).kept_bytes


@pytest.mark.parametrize("name", sorted(networks.VARIANTS))
def test_every_choice_of_a_configuration_is_the_same(name: str) -> None:
    network = networks.variant(name)
    there = copy_to(network, choose(OTHER, "float32"))
    with torch.inference_mode():
        tapes = [Tape("*"), Tape("*")]
        for each, tape in zip((there, network), tapes, strict=True):
            each(*networks.inputs(network), tape)
    same(to_cpu(tapes[0].records), tapes[1].records)


@on_the_standin
def test_a_tensor_that_is_made_on_the_wrong_device_is_found(monkeypatch) -> None:
    """The tests above rest on this: without one of the moves to the device, the run fails."""
    model = on(standin.KIND, "tiny-lm-rotary")

    def forgetful(*args: Any) -> torch.Tensor:
        class Stays(torch.Tensor):
            def to(self, *_: Any, **__: Any) -> torch.Tensor:  # type: ignore[override]
                return self.as_subclass(torch.Tensor)

        return rotation(*args).as_subclass(Stays)

    monkeypatch.setattr(transformer, "rotation", forgetful)
    with pytest.raises(RuntimeError, match="meets a tensor of the CPU"):
        model.trace("I am a robot")
