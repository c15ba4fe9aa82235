"""The replicas on Ray Serve that hold models and make their runs."""

from __future__ import annotations

import asyncio
import os
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import islice

from ray import serve

from model.engine.batch import record_together
from model.engine.packing import PackedTensors, pack
from model.errors import GlassformerError
from model.generation.steps import Step, StepsRequest
from model.network.transformer import Transformer
from model.run import Model, RunRequest, load

MODELS_OF_REPLICA = 4
CALLS_TOGETHER = 4  # each has runs of at most MAX_BATCH_TOKENS, or a longer one
BATCHES_AT_ONCE = 2  # Ray gives torch one thread for each: two such batches took less time than one on two threads

Runs = list[PackedTensors | GlassformerError]


class ModelReplica:
    """Holds some models, those asked for last, and makes their runs: together where they come together."""

    @serve.multiplexed(max_num_models_per_replica=MODELS_OF_REPLICA)
    async def model(self, name: str) -> Model:
        """The loaded model. It is loaded where the replica is, by its name there."""
        return await asyncio.to_thread(load, name)

    async def record(self, name: str, requests: Sequence[RunRequest]) -> Runs:
        """The kept tensors of each run, or why there are none. Ray hands them over without a copy on one machine."""
        return await self._record_batch((await self.model(name), requests))

    # No call waits for others. Those that come while runs are made go together in the next batch.
    @serve.batch(max_batch_size=CALLS_TOGETHER, batch_wait_timeout_s=0.0, max_concurrent_batches=BATCHES_AT_ONCE)
    async def _record_batch(self, calls: Sequence[tuple[Model, Sequence[RunRequest]]]) -> list[Runs]:
        return await asyncio.to_thread(record_all, calls)

    async def steps(self, name: str, request: StepsRequest) -> AsyncIterator[Step]:
        """The steps as they are made. Who leaves early ends them."""
        model = await self.model(name)
        with closing(request.steps(model.network)) as steps:
            while (step := await asyncio.to_thread(next, steps, None)) is not None:
                yield replace(step, logits=step.logits.clone())  # as a part of a larger tensor, all of it would travel

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
