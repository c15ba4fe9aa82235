"""The loop: it learns, it is seeded, a killed run ends as an unbroken one, several processes step as one."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from model.network.transformer import Transformer
from model.train.errors import CheckpointError
from model.train.loop import Run, make_optimizer, train
from model.train.schedule import learning_rate, snapshot_steps
from model.train.task import Batch, Recipe

ROOT = Path(__file__).resolve().parents[3]


def weights(network):
    return {name: parameter.detach() for name, parameter in network.named_parameters()}


def same(one, other):
    return all(torch.equal(tensor, weights(other)[name]) for name, tensor in weights(one).items())


@pytest.mark.slow
def test_training_lowers_the_loss_and_learns_the_alphabet(make_task, tmp_path):
    task = make_task(steps=80, dropout=0.0)
    network, progress = train(task, Run(tmp_path, quiet=True))
    assert progress.curve[-1][1] < 0.5 * progress.curve[0][1]
    assert task.evaluate(network)["next"] == 1.0
    assert not network.training


@pytest.mark.slow
def test_the_seed_decides_the_result(make_task, tmp_path):
    runs = [train(make_task(), Run(tmp_path / f"{i}", seed=seed, quiet=True))[0] for i, seed in enumerate((3, 3, 4))]
    assert same(runs[0], runs[1])
    assert not same(runs[0], runs[2])


@pytest.mark.parametrize("killed_after", [4, 6, 11])
def test_a_killed_run_ends_as_an_unbroken_one(make_task, tmp_path, killed_after):
    whole, whole_progress = train(make_task(), Run(tmp_path / "whole", quiet=True))
    broken = Run(tmp_path / "broken", quiet=True)
    train(make_task(), replace(broken, stop_after=killed_after))
    resumed, progress = train(make_task(), replace(broken, resume=True))
    assert same(whole, resumed)
    assert progress.curve == whole_progress.curve
    assert progress.snapshots == whole_progress.snapshots
    assert progress.tokens == whole_progress.tokens
    for entry in progress.snapshots:
        assert (tmp_path / "broken" / entry["file"]).read_bytes() == (tmp_path / "whole" / entry["file"]).read_bytes()


def test_an_unfinished_run_is_not_overwritten_by_accident(make_task, tmp_path):
    train(make_task(), Run(tmp_path, quiet=True, stop_after=4))
    with pytest.raises(CheckpointError, match="--resume"):
        train(make_task(), Run(tmp_path, quiet=True))
    _, progress = train(make_task(), Run(tmp_path, quiet=True, restart=True))
    assert progress.step == 12


def test_snapshots_are_float16_with_a_loss_and_measures(make_task, tmp_path):
    from safetensors.torch import load_file

    _, progress = train(make_task(), Run(tmp_path, quiet=True))
    assert [entry["step"] for entry in progress.snapshots] == list(snapshot_steps(12, 4))
    for entry in progress.snapshots:
        tensors = load_file(tmp_path / entry["file"])
        assert {tensor.dtype for tensor in tensors.values()} == {torch.float16}
        assert 0 <= entry["metrics"]["next"] <= 1
    assert progress.snapshots[0]["loss"] is None
    assert progress.snapshots[-1]["loss"] < progress.snapshots[1]["loss"]


def test_only_matrices_outside_the_embedding_decay(make_task):
    network = Transformer(make_task().config)
    decaying, free = make_optimizer(network, make_task().recipe).param_groups
    assert decaying["weight_decay"] > 0
    assert free["weight_decay"] == 0
    assert all(parameter.ndim == 2 for parameter in decaying["params"])
    table = dict(network.named_parameters())["decoder.embed.tokens.weight"]
    assert any(parameter is table for parameter in free["params"])
    assert len(decaying["params"]) + len(free["params"]) == len(list(network.parameters()))


def test_the_rate_rises_then_falls_to_its_end():
    recipe = Recipe(steps=100, learning_rate=1.0, warmup=10, final_rate=0.1)
    rates = [learning_rate(step, recipe) for step in range(100)]
    assert rates[0] == pytest.approx(0.1)
    assert rates[9] == rates[10] == pytest.approx(1.0)
    assert rates[99] == pytest.approx(0.1)
    assert rates[:10] == sorted(rates[:10])
    assert rates[10:] == sorted(rates[10:], reverse=True)


@given(st.integers(20, 10**5), st.integers(3, 20))
def test_snapshots_stand_apart_by_equal_ratios(steps, count):
    row = snapshot_steps(steps, count)
    assert row[0] == 0
    assert row[-1] == steps
    assert list(row) == sorted(set(row))
    assert len(row) <= count
    assert steps < 2000 or len(row) == count


def test_processes_share_every_row_once():
    rows = torch.arange(7)[:, None]
    batch = Batch(rows, rows, rows, {"more": rows})
    parts = [batch.share(rank, 3) for rank in range(3)]
    for name in ("inputs", "labels", "targets"):
        seen = torch.cat([getattr(part, name) for part in parts]).flatten()
        assert sorted(seen.tolist()) == list(range(7))
    assert torch.equal(parts[1].extras["more"], parts[1].inputs)


TWO_PROCESSES = """
import json, sys
from importlib import import_module
from pathlib import Path

import torch
from torch.distributed.launcher.api import LaunchConfig, elastic_launch

from model.train.loop import Run, train
from model.train.processes import join_processes
from tests.model.train.conftest import Alphabet


def work(folder):
    torch.set_num_threads(1)
    with join_processes(torch.device("cpu")) as processes:
        run = Run(Path(folder), processes=processes, quiet=True)
        network, progress = train(Alphabet(steps=2, dropout=0.0), run)
        norm = sum(float(p.double().norm()) for p in network.parameters())
        return {"world": processes.world, "curve": progress.curve, "norm": norm}


import_module("torch._dynamo")  # Optimisers need it, and it takes a second: once, not in each process.
config = LaunchConfig(1, 1, 2, run_id="two", rdzv_backend="c10d", rdzv_endpoint="localhost:0", start_method="fork")
print(json.dumps(elastic_launch(config, work)(sys.argv[1])[0]))
"""


@pytest.mark.slow
def test_two_processes_step_as_one(make_task, tmp_path):
    """The launcher of `torchrun` starts them, as forks of a process that has imported all."""
    network, progress = train(make_task(steps=2, dropout=0.0), Run(tmp_path / "one", quiet=True))
    done = subprocess.run(
        [sys.executable, "-c", TWO_PROCESSES, str(tmp_path / "two")],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    together = json.loads(done.stdout.strip().splitlines()[-1])
    assert together["world"] == 2
    for one, two in zip(progress.curve, together["curve"], strict=True):
        assert two == pytest.approx(one, abs=2e-5)
    norms = [float(parameter.detach().double().norm()) for parameter in network.parameters()]
    assert together["norm"] == pytest.approx(sum(norms), rel=1e-4)
