"""The engine that the environment names, and what a model leaves to it."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager

import pytest
from torch import Tensor

from model import ablate, work_bound
from model import load as load_here
from model.engine import choice
from model.engine.remote_model import RemoteModel
from model.errors import EngineSettingError, TooMuchWork
from model.experiments.surgery import with_edits
from model.generation.steps import GenerationStep, StepsRequest
from model.graph.batch import record_together
from model.graph.run_request import RunRequest
from model.run import Model
from model.work_bound import WorkBound

TEXT = "The dog is hungry because it"
MUTE = ablate("decoder.1.self_attn", 0)


class CountingEngine:
    """Makes runs in this process, and counts them."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def record(self, name: str, request: RunRequest) -> Mapping[str, Tensor]:
        self.asked.append(f"record {name}")
        return record_together(load_here(name).network, [request])[0]

    def steps(self, name: str, request: StepsRequest) -> Generator[GenerationStep, None, None]:
        self.asked.append(f"steps {name}")
        try:
            yield from request.steps(load_here(name).network)
        finally:
            self.asked.append("end of steps")


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> CountingEngine:
    made = CountingEngine()
    monkeypatch.setattr(choice, "engine_here", lambda: made)
    return made


def test_models_run_here_unless_the_environment_says_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    for setting in ("", " local "):
        monkeypatch.setenv(choice.SETTING, setting)
        assert choice.engine_here() is None
    assert type(choice.load("tiny-lm")) is Model


def test_a_setting_that_names_no_engine_says_which_there_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(choice.SETTING, "http://here")
    with pytest.raises(EngineSettingError, match="Set it to local, ray://"):
        choice.engine_here()


def test_ray_that_is_not_installed_is_told_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(choice.SETTING, "ray://nowhere:1")
    monkeypatch.setitem(sys.modules, "model.engine.ray_engine", None)
    with pytest.raises(EngineSettingError, match=r"pip install -r requirements-scale\.txt"):
        choice.engine_here()


def test_runs_and_steps_go_to_the_engine_with_the_same_results(engine: CountingEngine) -> None:
    remote, here = choice.load("en-ur"), load_here("en-ur")
    found, expected = remote.trace("I am here", keep="*"), here.trace("I am here", keep="*")
    assert engine.asked == ["steps en-ur", "end of steps", "record en-ur"], "its translation, then the run"
    assert found.tokens == expected.tokens
    assert set(found.tensors) == set(expected.tensors)
    assert all(bool((found[name] == expected[name]).all()) for name in expected.tensors)
    written, wanted = ([step.token for step in each.generate("I am here", keep="logits")] for each in (remote, here))
    assert written == wanted


def test_runs_that_the_engine_cannot_make_are_made_here(engine: CountingEngine) -> None:
    remote, here = choice.load("tiny-lm"), load_here("tiny-lm")
    assert isinstance(remote, RemoteModel)
    edited = remote.trace(TEXT, keep="logits", edits=[MUTE])
    assert bool((edited.logits == here.trace(TEXT, keep="logits", edits=[MUTE]).logits).all())
    muted = with_edits(remote, [MUTE])
    assert bool((muted.trace(TEXT, keep="logits").logits == edited.logits).all())
    assert [step.chosen for step in muted.generate(TEXT, max_new_tokens=2)]
    assert engine.asked == []


def test_recurrent_networks_moments_of_training_and_named_devices_stay_here(engine: CountingEngine) -> None:
    loaded = (choice.load("en-ur-seq2seq"), choice.load("tiny-lm", device="cpu"), choice.load("en-ur", snapshot=0))
    assert [type(each) for each in loaded] == [Model] * 3


def test_who_waits_for_the_engine_lends_the_turn(engine: CountingEngine) -> None:
    @contextmanager
    def elsewhere() -> Iterator[None]:
        engine.asked.append("lent")
        yield
        engine.asked.append("back")

    remote = choice.load("tiny-lm")
    with work_bound.within(WorkBound(60, 10**9, elsewhere=elsewhere)):
        remote.trace(TEXT, keep="logits")
        assert engine.asked == ["lent", "record tiny-lm", "back"]
        engine.asked.clear()
        assert next(remote.generate(TEXT, max_new_tokens=9)).chosen
    lent = "lent", "steps tiny-lm", "back"
    assert tuple(engine.asked) == (*lent, "end of steps"), "who leaves early ends the steps at the engine"


def test_work_of_the_engine_is_bounded_too(engine: CountingEngine) -> None:
    remote = choice.load("tiny-lm")
    with pytest.raises(TooMuchWork, match="more than 1,000 bytes"), work_bound.within(WorkBound(60, 1000)):
        remote.trace(TEXT, keep="logits")
    ticks = iter(range(0, 1000, 3))
    bound = WorkBound(8, 10**9, clock=lambda: float(next(ticks)))
    with pytest.raises(TooMuchWork, match="after 8 seconds"), work_bound.within(bound):
        list(remote.generate(TEXT, max_new_tokens=30))
    assert engine.asked[-1] == "end of steps"
