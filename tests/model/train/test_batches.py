"""Processes that train together draw the batches by turns: the same batches, in the same order, each drawn once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import torch

from model.train.batches import TURN, Batches
from model.train.processes import Processes


def gathered(world):
    """`Processes.merge` of `world` threads, which call it together. Each gets the entries of all, of the same call."""
    parts, full, taken = [], Barrier(world), Barrier(world, lambda: parts.clear())

    def merge(processes, mine):
        parts.append(mine)
        full.wait(10)
        merged = {key: value for part in parts for key, value in part.items()}
        taken.wait(10)
        return merged

    return merge


@pytest.mark.parametrize("first", [0, 5, TURN, 3 * TURN + 1])
@pytest.mark.parametrize("world", [1, 2, 3])
def test_every_process_gets_the_batches_of_one_that_trains_alone(make_task, world, first):
    steps = range(first, first + 2 * TURN)
    drawn = []
    threads = type("Threads", (Processes,), {"merge": gathered(world)})

    def at_steps(rank):
        task = make_task()
        batches = Batches(task, 3, threads(rank, world))
        task.batch = lambda seed, step, draw=task.batch: drawn.append(step) or draw(seed, step)
        return [batches.at(step) for step in steps]

    with ThreadPoolExecutor(world) as pool:
        every = list(pool.map(at_steps, range(world)))
    alone = [make_task().batch(3, step) for step in steps]
    for got in every:
        assert all(torch.equal(one.inputs, two.inputs) for one, two in zip(got, alone, strict=True))
    assert len(drawn) == len(set(drawn))


def test_each_turn_is_as_long_as_the_others(make_task):
    world = 3
    turns = [Batches(make_task(), 0, Processes(rank, world)).mine(0) for rank in range(world)]
    assert [len(turn) for turn in turns] == [TURN] * world
    assert sorted(step for turn in turns for step in turn) == list(range(world * TURN))
