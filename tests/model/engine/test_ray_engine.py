"""Models on a real Ray: the same numbers, streamed steps, and a replica that is killed in the middle of a run."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import pytest

from model import load as load_here
from model.engine import choice
from model.engine.remote_model import RemoteModel
from model.errors import EngineGone, EngineSettingError
from model.generation.steps import GenerationStep, StepsRequest
from model.graph.run_request import RunRequest
from model.run import Model

# Ray itself uses what pydantic and others will remove one day.
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::DeprecationWarning")]

R = TypeVar("R")
TEXTS = ("The dog is hungry because it", "The cat", "The king walked to the old house and")


@pytest.fixture(scope="module")
def remote() -> Iterator[Model]:
    """A model on a Ray that is started for this module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(choice.SETTING, choice.RAY)
        patch.setenv("GLASSFORMER_ENGINE_REPLICAS", "1")
        yield choice.load("tiny-lm")
    import ray  # only now: the engine sets how it starts

    ray.shutdown()
    logging.getLogger("ray.serve").disabled = True  # its threads would tell of the end until the process ends


@pytest.fixture(scope="module")
def here() -> Model:
    return load_here("tiny-lm")


def as_a_page_does(work: Callable[[], R]) -> R:
    """In a thread of its own: Playwright leaves a running loop in the thread of the tests, where Ray must not wait."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(work).result()


def pid_of_replica() -> int:
    from ray import serve

    pid: int = serve.get_app_handle("glassformer").pid.remote().result()
    return pid


def check_traces(remote: Model, here: Model) -> None:
    """Many readers at once, with texts of several lengths."""
    with ThreadPoolExecutor(6) as readers:
        found = list(readers.map(lambda text: remote.trace(text, keep="*"), TEXTS * 2))
    for trace, text in zip(found, TEXTS * 2, strict=True):
        expected = here.trace(text, keep="*")
        assert set(trace.tensors) == set(expected.tensors)
        for name, tensor in expected.tensors.items():
            assert bool(
                (trace[name] - tensor).nan_to_num().abs().max()
                <= 1e-5 * max(1.0, tensor.nan_to_num(neginf=0).abs().max())
            )


def test_many_readers_get_the_numbers_of_a_run_here(remote: Model, here: Model) -> None:
    check_traces(remote, here)


def test_a_replica_holds_several_models_and_loads_again_those_that_it_dropped(remote: Model) -> None:
    from model.engine.ray_server import MODELS_OF_REPLICA

    names = ("tiny-lm", "tiny-encoder", "en-ur", "tiny-lm-rotary", "tiny-lm-learned")
    assert len(names) > MODELS_OF_REPLICA
    for name in (*names, names[0]):
        expected = load_here(name).trace(TEXTS[0], keep="*.weights")
        found = as_a_page_does(partial(choice.load(name).trace, TEXTS[0], keep="*.weights"))
        assert set(found.tensors) == set(expected.tensors)
        for weights in expected.tensors:
            assert float((found[weights] - expected[weights]).abs().max()) <= 1e-5


def test_the_tensors_of_a_run_alone_stay_in_the_memory_of_rays_store(remote: Model) -> None:
    assert isinstance(remote, RemoteModel)
    requests = [RunRequest((1, 2, 3), (), ("*",))]
    [packed] = as_a_page_does(partial(remote.engine._record, "tiny-lm", requests))  # type: ignore[attr-defined]
    assert not packed.numbers.flags.owndata, "it was copied"
    assert not packed.numbers.flags.writeable


def test_steps_come_one_by_one_and_may_be_left(remote: Model, here: Model) -> None:
    asked = {"max_new_tokens": 6, "temperature": 0.9, "seed": 3, "keep": "decoder.0.self_attn.weights"}
    expected = list(here.generate(TEXTS[0], **asked))  # type: ignore[arg-type]

    def read_one_and_leave() -> GenerationStep:
        steps = remote.generate(TEXTS[0], **asked)  # type: ignore[arg-type]
        first = next(steps)
        steps.close()  # type: ignore[attr-defined]
        return first

    assert as_a_page_does(read_one_and_leave).token == expected[0].token
    found = as_a_page_does(lambda: list(remote.generate(TEXTS[0], **asked)))  # type: ignore[arg-type]
    assert [step.token for step in found] == [step.token for step in expected]
    assert found[-1].stop == expected[-1].stop
    assert found[2].trace is not None
    assert (
        found[2].trace["decoder.0.self_attn.weights"].shape == expected[2].tensors["decoder.0.self_attn.weights"].shape
    )


def test_many_readers_write_at_once_and_each_gets_its_own_steps(remote: Model, here: Model) -> None:
    keep = "decoder.1.self_attn.weights"
    with ThreadPoolExecutor(6) as readers:
        written = list(readers.map(lambda text: list(remote.generate(text, max_new_tokens=8, keep=keep)), TEXTS * 2))
    for found, text in zip(written, TEXTS * 2, strict=True):
        expected = list(here.generate(text, max_new_tokens=8, keep=keep))
        assert [step.token for step in found] == [step.token for step in expected]
        for step, wanted in zip(found, expected, strict=True):
            assert step.trace is not None
            assert float((step.trace[keep] - wanted.tensors[keep]).abs().max()) <= 1e-5


def test_a_replica_that_dies_in_the_middle_is_replaced_and_nothing_is_lost(remote: Model, here: Model) -> None:
    def write_while_the_replica_dies() -> list[int]:
        steps = remote.generate(TEXTS[0], max_new_tokens=12)
        written = [next(steps).chosen for _ in range(3)]
        os.kill(pid_of_replica(), signal.SIGKILL)
        return written + [step.chosen for step in steps]

    assert as_a_page_does(write_while_the_replica_dies) == [
        step.chosen for step in here.generate(TEXTS[0], max_new_tokens=12)
    ]
    check_traces(remote, here)


class DyingReplicas:
    """A handle whose first replicas end after some steps."""

    def __init__(self, deaths: int) -> None:
        self.deaths_left, self.steps = deaths, self

    def options(self, **_: object) -> DyingReplicas:
        return self

    def remote(self, _: str, request: StepsRequest) -> Iterator[GenerationStep]:
        for step in request.steps(load_here("tiny-lm").network):
            if step.index == 3 and self.deaths_left:
                from ray.exceptions import ActorDiedError

                self.deaths_left -= 1
                raise ActorDiedError
            yield step


@pytest.mark.parametrize(("deaths", "comes_through"), [(2, True), (3, False)])
def test_steps_are_made_again_elsewhere_and_none_twice_or_the_reader_is_told(deaths: int, comes_through: bool) -> None:
    from model.engine.ray_engine import RayEngine

    request = StepsRequest((1, 2, 3), 6)
    steps = RayEngine(DyingReplicas(deaths)).steps("tiny-lm", request)  # type: ignore[arg-type]
    if comes_through:
        assert [step.index for step in steps] == [0, 1, 2, 3, 4, 5]
    else:
        with pytest.raises(EngineGone, match="try again in a minute"):
            list(steps)


def test_an_address_without_a_cluster_and_a_number_that_is_none_are_told(
    remote: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    from model.engine import ray_engine

    monkeypatch.setenv("GLASSFORMER_ENGINE_GPUS", "half")
    with pytest.raises(EngineSettingError, match="GLASSFORMER_ENGINE_GPUS is 'half'"):
        ray_engine.connect("")
    monkeypatch.delenv("GLASSFORMER_ENGINE_GPUS")
    monkeypatch.setattr("ray.is_initialized", lambda: False)
    monkeypatch.setattr("ray.init", refuse)
    with pytest.raises(EngineGone, match=r"No Ray cluster answers at “10\.0\.0\.1:6379”"):
        ray_engine.connect("10.0.0.1:6379")


def test_the_environment_sets_how_many_replicas_there_are_and_their_share_of_a_gpu(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from model.engine import ray_engine

    monkeypatch.setenv(ray_engine.MOST_REPLICAS, "5")
    monkeypatch.setenv(ray_engine.GPUS, "0.25")
    options = ray_engine._options()
    scaling = options["autoscaling_config"]
    assert (scaling["min_replicas"], scaling["max_replicas"]) == (1, 5)
    assert scaling["target_ongoing_requests"] < options["max_ongoing_requests"], "more start before one is full"
    assert options["ray_actor_options"]["num_gpus"] == 0.25


def test_replicas_find_the_project_and_the_packages_of_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    from model import location
    from model.engine import ray_engine

    started: dict[str, Any] = {}
    monkeypatch.setattr("ray.init", started.update)
    monkeypatch.setenv("PYTHONPATH", "/models")
    ray_engine._start("")
    assert started["address"] == "local", "a Ray of its own, also beside a cluster"
    paths = started["runtime_env"]["env_vars"]["PYTHONPATH"]
    assert paths.split(os.pathsep) == [str(location.SEARCHED), "/models"]


def test_who_is_hindered_by_another_process_that_starts_the_application_tries_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from ray.exceptions import ActorDiedError

    from model.engine import ray_engine

    tries: list[str] = []

    def find(name: str) -> DyingReplicas:
        tries.append(name)
        if len(tries) < ray_engine.TRIES:
            raise ActorDiedError
        return DyingReplicas(0)

    monkeypatch.setattr("ray.is_initialized", lambda: True)
    monkeypatch.setattr("ray.serve.get_app_handle", find)
    steps = list(ray_engine.connect("auto").steps("tiny-lm", StepsRequest((1, 2, 3), 6)))
    assert len(steps) == 6
    assert tries == [ray_engine.APP] * ray_engine.TRIES


def refuse(**_: object) -> None:
    raise ConnectionError("refused")
