"""The replicas on Ray Serve that hold models and make their runs."""

from __future__ import annotations

import asyncio
import os
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

from ray import serve

from model.engine.gathering import Gathering
from model.engine.packing import PackedTensors, pack
from model.engine.step_batch import read_together
from model.errors import GlassformerError
from model.generation.steps import GenerationStep, NewToken, Read, StepsRequest
from model.graph.batch import record_together
from model.graph.run_request import RunRequest
from model.loading import load
from model.network.transformer import Transformer
from model.process_memory import keep_freed_memory
from model.run import Model

MODELS_OF_REPLICA = 4
CALLS_OF_REPLICA = 16  # at once: calls for runs, and generations; with more, Ray asks another replica
STEPS_TOGETHER = 16  # in one batch; one batch at a time, because two of half the size took 1.5 times the processor time
CALLS_TOGETHER = 4  # each has runs of at most MAX_BATCH_TOKENS, or a longer one
BATCHES_AT_ONCE = 2  # Ray gives torch one thread for each: two such batches took less time than one on two threads

Runs = list[PackedTensors | GlassformerError]


@dataclass(frozen=True)
class HeldModel:
    """A loaded model, and the steps of its generations under way."""

    model: Model
    steps: Gathering[NewToken, Read]


class ModelReplica:
    """Holds some models, those asked for last. Their runs are made together where they come together, and so are the
    steps of generations."""

    def __init__(self) -> None:
        keep_freed_memory()
        self._writers = ThreadPoolExecutor(CALLS_OF_REPLICA, "writer")  # one for each generation

    @serve.multiplexed(max_num_models_per_replica=MODELS_OF_REPLICA)
    async def model(self, name: str) -> HeldModel:
        """The loaded model. It is loaded where the replica is, by its name there."""
        loaded = await asyncio.to_thread(load, name)
        read = partial(read_together, loaded.network)
        return HeldModel(loaded, Gathering(read, size=lambda _: 1, most=STEPS_TOGETHER, calls_at_once=1))

    async def record(self, name: str, requests: Sequence[RunRequest]) -> Runs:
        """The kept tensors of each run, or why there are none. Ray hands them over without a copy on one machine."""
        return await self._record_batch(((await self.model(name)).model, requests))

    # No call waits for others. Those that come while runs are made go together in the next batch.
    @serve.batch(max_batch_size=CALLS_TOGETHER, batch_wait_timeout_s=0.0, max_concurrent_batches=BATCHES_AT_ONCE)
    async def _record_batch(self, calls: Sequence[tuple[Model, Sequence[RunRequest]]]) -> list[Runs]:
        return await asyncio.to_thread(record_all, calls)

    async def steps(self, name: str, request: StepsRequest) -> AsyncIterator[GenerationStep]:
        """The steps as they are made. Who leaves early ends them."""
        held, loop = await self.model(name), asyncio.get_running_loop()
        with closing(request.steps(held.model.network, held.steps.ask)) as steps:
            while (step := await loop.run_in_executor(self._writers, next, steps, None)) is not None:
                # A part of a larger tensor would travel with all of it.
                alone = {name: tensor.clone() for name, tensor in step.tensors.items()}
                yield replace(step, logits=step.logits.clone(), tensors=alone)

    async def pid(self) -> int:
        """The number of the replica's process."""
        return os.getpid()


def record_all(calls: Sequence[tuple[Model, Sequence[RunRequest]]]) -> list[Runs]:
    """The tensors of each run of each call, or why there are none. Runs of one model are made together."""
    calls_of: dict[int, list[int]] = defaultdict(list)
    for place, (model, _) in enumerate(calls):
        calls_of[id(model)].append(place)
    results: list[Runs] = [[]] * len(calls)
    for places in calls_of.values():
        network = calls[places[0]][0].network
        runs = iter(_record_together(network, [request for place in places for request in calls[place][1]]))
        for place in places:
            results[place] = list(islice(runs, len(calls[place][1])))
    return results


def _record_together(network: Transformer, requests: Sequence[RunRequest]) -> Runs:
    try:
        return [pack(tensors) for tensors in record_together(network, requests)]
    except GlassformerError as error:
        return [error] * len(requests)
