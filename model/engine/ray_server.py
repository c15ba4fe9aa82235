"""The replicas on Ray Serve that hold models and make their runs."""

from __future__ import annotations

import asyncio
import os
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray
from ray import serve
from torch import Tensor

from model.engine.batch import record_together
from model.errors import GlassformerError
from model.generation.steps import Step, StepsRequest
from model.run import Model, RunRequest, load

MOST_TOGETHER = 16  # runs of one batch
BATCH_WAIT_SECONDS = 0.002  # for more runs to come
MODELS_OF_REPLICA = 4

Arrays = dict[str, NDArray[Any]]


class ModelReplica:
    """Holds some models, those asked for last, and makes their runs: together where they come together."""

    @serve.multiplexed(max_num_models_per_replica=MODELS_OF_REPLICA)
    async def model(self, name: str) -> Model:
        """The loaded model. It is loaded where the replica is, by its name there."""
        return await asyncio.to_thread(load, name)

    async def record(self, name: str, request: RunRequest) -> Arrays:
        """The kept tensors of one run as arrays, which Ray hands to a process of the same machine without a copy."""
        made = await self._record_batch((await self.model(name), request))
        if isinstance(made, GlassformerError):
            raise made
        return made

    @serve.batch(max_batch_size=MOST_TOGETHER, batch_wait_timeout_s=BATCH_WAIT_SECONDS)
    async def _record_batch(self, asked: Sequence[tuple[Model, RunRequest]]) -> list[Arrays | GlassformerError]:
        return await asyncio.to_thread(record_all, asked)

    async def steps(self, name: str, request: StepsRequest) -> AsyncIterator[Step]:
        """The steps as they are made. Who leaves early ends them."""
        model = await self.model(name)
        with closing(request.steps(model.network)) as steps:
            while (step := await asyncio.to_thread(next, steps, None)) is not None:
                yield replace(step, logits=step.logits.clone())  # as a part of a larger tensor, all of it would travel

    async def pid(self) -> int:
        """The number of the replica's process."""
        return os.getpid()


def record_all(asked: Sequence[tuple[Model, RunRequest]]) -> list[Arrays | GlassformerError]:
    """The tensors of each run, or why there are none. Runs of one model are made together."""
    places: dict[int, list[int]] = defaultdict(list)
    for place, (model, _) in enumerate(asked):
        places[id(model)].append(place)
    results: list[Arrays | GlassformerError] = [{}] * len(asked)
    for of_model in places.values():
        network = asked[of_model[0]][0].network
        try:
            made: Sequence[Any] = [
                {name: as_array(tensor) for name, tensor in tensors.items()}
                for tensors in record_together(network, [asked[place][1] for place in of_model])
            ]
        except GlassformerError as error:
            made = [error] * len(of_model)
        for place, result in zip(of_model, made, strict=True):
            results[place] = result
    return results


def as_array(tensor: Tensor) -> NDArray[Any]:
    """The numbers of a tensor, which stands alone in memory."""
    return tensor.contiguous().numpy()
