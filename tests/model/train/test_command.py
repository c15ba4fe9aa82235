"""`python -m model.train NAME`: every mistake gets one line that says what to do, and leaves nothing behind."""

from __future__ import annotations

import json

import pytest
import torch

from model.errors import DeviceMissing
from model.train import __main__ as command
from model.train.comparison import compare
from model.train.errors import UnknownTask
from model.train.files import write_json
from model.train.processes import choose_device, choose_precision
from model.train.registry import TASKS, make_task


@pytest.fixture
def run(monkeypatch, make_task, tmp_path, capsys):
    """Runs the command on the alphabet task, in a temporary folder: (exit status, stdout, stderr)."""
    monkeypatch.setattr(command, "make_task", lambda name: make_task())

    def call(*arguments):
        places = ["--output", str(tmp_path / "assets"), "--work", str(tmp_path / "work"), "--quiet"]
        status = command.main(["alphabet", "--device", "cpu", *places, *arguments])
        return status, *capsys.readouterr()

    return call


def test_it_trains_measures_and_writes(run, tmp_path):
    status, out, _ = run()
    assert status == 0
    assert "next" in json.loads(out)
    folder = tmp_path / "assets" / "alphabet"
    assert {"card.json", "config.json", "model.safetensors", "tokenizer.json"} <= {p.name for p in folder.iterdir()}
    assert not (tmp_path / "work" / "alphabet").exists()


def test_evaluate_recomputes_the_card(run, tmp_path):
    run()
    card = json.loads((tmp_path / "assets" / "alphabet" / "card.json").read_text())
    status, out, _ = run("--evaluate")
    assert status == 0
    assert json.loads(out) == card["metrics"]


def test_evaluate_without_a_model_says_so(run):
    status, _, err = run("--evaluate")
    assert status == 2
    assert "cannot be read" in err


def test_steps_can_be_fewer(run, tmp_path):
    run("--steps", "3")
    card = json.loads((tmp_path / "assets" / "alphabet" / "card.json").read_text())
    assert card["training"]["steps"] == 3


@pytest.mark.parametrize("steps", ["0", "-5", "many"])
def test_impossible_steps_are_refused(run, steps):
    with pytest.raises(SystemExit) as refused:
        run("--steps", steps)
    assert refused.value.code == 2


def test_an_unknown_task_is_named_with_the_nearest(capsys):
    assert command.main(["tiny-ml"]) == 2
    err = capsys.readouterr().err
    assert "'tiny-ml'" in err
    assert "Did you mean tiny-lm?" in err
    assert err.count("\n") == 1


def test_an_unknown_task_far_from_all_lists_them():
    with pytest.raises(UnknownTask, match="en-ur") as error:
        make_task("zzz")
    assert "Did you mean" not in str(error.value)
    assert all(name in str(error.value) for name in TASKS)


def test_no_gpu_is_said_before_anything_is_written(capsys, monkeypatch, make_task, tmp_path):
    monkeypatch.setattr(command, "make_task", lambda name: make_task())
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    places = ["--output", str(tmp_path / "assets"), "--work", str(tmp_path / "work")]
    assert command.main(["alphabet", "--device", "cuda", *places]) == 2
    assert "--device cpu" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_auto_takes_the_cpu_where_there_is_no_gpu(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert choose_device("auto") == choose_device("cpu") == torch.device("cpu")
    with pytest.raises(DeviceMissing):
        choose_device("cuda")


def test_a_process_without_a_gpu_of_its_own_says_how_many_there_are(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "set_device", lambda device: None)
    monkeypatch.setenv("LOCAL_RANK", "1")
    assert choose_device("auto") == torch.device("cuda", 1)
    monkeypatch.setenv("LOCAL_RANK", "2")
    with pytest.raises(DeviceMissing, match=r"Process 3 finds no GPU left: this machine has 2\. .*--nproc-per-node 2"):
        choose_device("auto")


def test_a_precision_that_is_asked_for_is_taken():
    cpu = torch.device("cpu")
    assert choose_precision("float32", cpu) is torch.float32
    assert choose_precision("bfloat16", cpu) is torch.bfloat16
    assert choose_precision("auto", cpu) in (torch.float32, torch.bfloat16)


def test_a_stopped_run_can_be_continued(run, monkeypatch, tmp_path):
    whole = json.loads(run()[1])
    original = command.train

    def stopped(task, options):
        original(task, command.replace(options, stop_after=5))
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "train", stopped)
    status, _, err = run()
    assert status == 130
    assert "--resume" in err
    monkeypatch.setattr(command, "train", original)
    status, _, err = run()
    assert status == 2
    assert "--resume" in err
    status, out, _ = run("--resume")
    assert status == 0
    assert {**json.loads(out), "seconds": 0} == {**whole, "seconds": 0}


def test_variants_stand_beside_each_other_in_every_card(tmp_path):
    for name, loss in (("a", 1.0), ("b", 2.0)):
        write_json(tmp_path / name / "card.json", {"title": name, "metrics": {"loss": loss}})
    table = compare(tmp_path, ("a", "b", "c"))
    assert table == {"a": {"loss": 1.0}, "b": {"loss": 2.0}}
    for name in "ab":
        card = json.loads((tmp_path / name / "card.json").read_text())
        assert card == {"title": name, "metrics": table[name], "comparison": table}
