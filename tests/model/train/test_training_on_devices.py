"""Training, live training and its snapshots on every device give what they give on the CPU (tests/model/devices.py)."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from model import load
from model.device import PLAIN, Placement, choose, copy_to, to_cpu
from model.experiments import snapshots
from model.seeding import seeded
from model.train import digits, en_ur
from model.train.live import LiveRun
from model.train.live_tasks import NAMES, Setup, Switches
from model.train.loop import descend, make_optimizer
from model.train.registry import TASKS, make_task
from model.train.task import Task
from model.zoo import cards
from tests.model import standin
from tests.model.devices import CLOSE, OTHERS, apart, lend, on, on_the_standin

pytestmark = pytest.mark.slow  # every model runs twice

# One of each kind of task: the variants of a task are measured by the same lines.
MEASURED = {kind: name for name, kind in TASKS.items() if (cards.ASSETS / name).exists()}.values()
# The gradient of a ReLU jumps at zero. Among the million of a whole batch some stand there within rounding.
PARTS = 8  # one of so many parts of a batch is trained on


@pytest.fixture(autouse=True)
def _lent(monkeypatch: pytest.MonkeyPatch) -> None:
    lend(monkeypatch)
    monkeypatch.setattr(en_ur, "POOL_BATCHES", 1)  # batches that are made together, of which one is looked at


@pytest.mark.parametrize("device", OTHERS)
@pytest.mark.parametrize("name", TASKS)
def test_a_step_of_training_is_the_same(name: str, device: str) -> None:
    task = make_task(name)
    with seeded(0):
        network = task.make(task.config).eval()  # without dropout, which every device draws in its own way
    there, found = copy_to(network, choose(device, "float32")), []
    batch = task.batch(0, 1).share(0, PARTS)
    for each in (network, there):
        place, optimizer, gradients = Placement.of(each), make_optimizer(each, task.recipe), {}
        total, count = task.loss(each, batch.to(place.device))

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
@pytest.mark.parametrize("name", MEASURED)
def test_what_is_held_out_is_measured_to_the_same(name: str, device: str, monkeypatch: pytest.MonkeyPatch) -> None:
    by_hand = en_ur.EnglishUrdu.by_hand
    monkeypatch.setattr(en_ur.EnglishUrdu, "by_hand", lambda task: by_hand(task)[:8])
    monkeypatch.setattr(digits, "RANDOM_ORDERS", 3)
    task = make_task(name)
    with torch.no_grad():
        here, there = (task.evaluate(on(place, name).network, 8) for place in ("cpu", device))
    assert there == pytest.approx(here, rel=1e-3)
    if type(task).measures is not Task.measures:
        here, there = (dict(task.measures(on(place, name).network, 8)) for place in ("cpu", device))
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


@on_the_standin
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
