"""The engine that sends runs to Ray Serve."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from itertools import islice
from threading import Lock
from typing import Any, cast

import ray
from ray import serve
from ray.exceptions import RayError, RayTaskError
from ray.serve.exceptions import RayServeException
from ray.serve.handle import DeploymentHandle
from ray.serve.schema import LoggingConfig
from torch import Tensor

from model.engine.gathering import Gathering
from model.engine.packing import PackedTensors
from model.engine.ray_server import CALLS_OF_REPLICA, ModelReplica
from model.errors import EngineGone, EngineSettingError, GlassformerError
from model.generation.steps import GenerationStep, StepsRequest
from model.graph.batch import MAX_BATCH_TOKENS, length
from model.graph.run_request import RunRequest
from model.location import SEARCHED

APP = "glassformer"
TRIES = 3
RUN_SECONDS = 60.0  # for one try; a replica that starts anew loads its model in it
MOST_REPLICAS, GPUS = "GLASSFORMER_ENGINE_REPLICAS", "GLASSFORMER_ENGINE_GPUS"
CALLS_UNDER_WAY = 4  # in a replica on average; with more, another one starts, which loads the model when it is asked
CPUS_OF_REPLICA = 0.5  # what Ray reserves, so that two replicas fit beside its own processes on two cores
QUIET = LoggingConfig(log_level="WARNING", enable_access_log=False)  # the log would name every run

# Tensors of a run are never written to, and Ray hands their memory over as it is.
warnings.filterwarnings("ignore", message="The given NumPy array is not writable", category=UserWarning)


class RayEngine:
    """Runs on the replicas of one Ray Serve application. Many threads can share it."""

    def __init__(self, handle: DeploymentHandle[Any]) -> None:
        # Each handle finds replicas in threads of its own, so there is one for each model and kind of answer.
        self._handle_of = cache(lambda name, stream: handle.options(multiplexed_model_id=name, stream=stream))
        self._gathering_of = cache(lambda name: Gathering(partial(self._record, name), length, MAX_BATCH_TOKENS))

    def record(self, name: str, request: RunRequest) -> Mapping[str, Tensor]:
        """The kept tensors of one run. They may share memory with Ray's store: never write to them."""
        found: PackedTensors = self._gathering_of(name).ask(request)
        return found.unpack()

    def _record(self, name: str, requests: Sequence[RunRequest]) -> Sequence[PackedTensors | GlassformerError]:
        """The tensors of each run, or why there are none, in one call."""
        handle = self._handle_of(name, False)
        for tries_left in reversed(range(TRIES)):
            with _forgive(tries_left):
                found = handle.record.remote(name, requests).result(timeout_s=RUN_SECONDS)
                # The store keeps an answer while any part of it is used: a run in a cache must not hold the others.
                return (
                    found
                    if len(found) == 1
                    else [run.copy() if isinstance(run, PackedTensors) else run for run in found]
                )
        raise AssertionError("the last try returns or raises")

    def steps(self, name: str, request: StepsRequest) -> Generator[GenerationStep, None, None]:
        """The steps. After a replica's end another one makes them from the start, and those that were given are left
        out: the same seed chooses the same tokens."""
        handle = self._handle_of(name, True)
        given = 0
        for tries_left in reversed(range(TRIES)):
            with _forgive(tries_left):
                made = cast("Iterator[GenerationStep]", handle.steps.remote(name, request))
                for step in islice(made, given, None):
                    given += 1
                    yield step
                return


@contextmanager
def _forgive(tries_left: int) -> Iterator[None]:
    """Passes over the end of a replica while there are tries left, then raises `EngineGone`.

    An error of the run itself is raised as it is.
    """
    try:
        yield
    except RayTaskError as error:
        raise (error.cause if isinstance(error.cause, GlassformerError) else error) from None
    except (RayError, RayServeException, TimeoutError) as error:
        if not tries_left:
            raise EngineGone(
                "The machines that run the models do not answer. Please try again in a minute, and tell who runs this "
                f"app if it stays so ({type(error).__name__})."
            ) from error


_connecting = Lock()


def connect(address: str) -> RayEngine:
    """The engine at an address: "" starts Ray on this machine, "auto" or "HOST:PORT" joins a cluster.

    The first process of a cluster starts the application. Raises `EngineGone` where there is no such cluster.
    """
    options = _options()
    with _connecting:
        for tries_left in reversed(range(TRIES)):
            try:
                if not ray.is_initialized():
                    _start(address)
                return RayEngine(_application(options))
            except (RayError, ConnectionError, RuntimeError, ValueError) as error:
                if tries_left and ray.is_initialized():
                    continue  # two processes that start the application at one moment hinder each other
                why = str(error).rstrip(".")
                raise EngineGone(
                    f"No Ray cluster answers at “{address or 'this machine'}”: {why}. Start one with `ray start "
                    "--head`, or set GLASSFORMER_ENGINE to another address, or to local."
                ) from error
    raise AssertionError("the last try returns or raises")


def _application(options: Mapping[str, Any]) -> DeploymentHandle[Any]:
    """That of the cluster, started if there is none."""
    try:
        return serve.get_app_handle(APP)
    except RayServeException:
        serve.start(proxy_location="Disabled")  # Nobody asks over HTTP, so no process waits for it.
        deployment = serve.deployment(name="models", **options)(ModelReplica)
        return serve.run(deployment.bind(), name=APP, route_prefix=None, logging_config=QUIET)


def _start(address: str) -> None:
    # Without an address, Ray would join a cluster that was started here before, even one that is dead.
    place = {"address": address} if address else {"address": "local", "include_dashboard": False}
    # The replicas import what this process imports: a container has the real models in a folder of this path.
    paths = filter(None, (str(SEARCHED), os.environ.get("PYTHONPATH")))
    variables = {"env_vars": {"PYTHONPATH": os.pathsep.join(paths)}}
    ray.init(**place, namespace=APP, log_to_driver=False, configure_logging=False, runtime_env=variables)


def _options() -> dict[str, Any]:
    """How many replicas there are, and the share of a GPU that each takes. Raises `EngineSettingError`."""
    most, gpus = _number(MOST_REPLICAS, os.cpu_count() or 1, int), _number(GPUS, 0.0, float)
    return {
        "autoscaling_config": {
            "min_replicas": 1,
            "max_replicas": max(1, int(most)),
            "target_ongoing_requests": CALLS_UNDER_WAY,
        },
        "max_ongoing_requests": CALLS_OF_REPLICA,
        "ray_actor_options": {"num_cpus": CPUS_OF_REPLICA, "num_gpus": gpus},
    }


def _number(name: str, usual: float, kind: Callable[[str], float]) -> float:
    text = os.environ.get(name, "").strip()
    try:
        value = kind(text) if text else usual
    except ValueError:
        value = -1
    if value < 0:
        raise EngineSettingError(f"{name} is {text!r}. Set it to a number of 0 or more, or leave it out.")
    return value
