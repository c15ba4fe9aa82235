"""The same generation with and without a KV cache: the work of each step, by formula and in seconds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch

from model.config import TransformerConfig
from model.cost.formulas import FLOAT_BYTES, attention_costs, feed_forward_cost, output_cost
from model.generation.steps import generate
from model.network.transformer import Transformer
from model.work_bound import working_seconds


@dataclass(frozen=True)
class RaceStep:
    """One step. `computed` tokens pass through all layers; `reused` tokens lie in the cache.

    `multiplications` counts those of this step's matrix products. `cache_bytes` is the size of the cache after it.
    """

    computed: int
    reused: int
    multiplications: int
    cache_bytes: int


def race_steps(config: TransformerConfig, prompt: int, steps: int, cache: bool) -> tuple[RaceStep, ...]:
    """The steps of a generation after `prompt` tokens with a decoder-only model, by formula.

    Without the cache, step i computes all prompt + i tokens. With it, a step computes only the new token, whose query
    still meets every key. Only the last position computes next-token scores.
    """
    race = []
    for step in range(steps):
        keys = prompt + step
        queries = 1 if cache and step else keys
        layer = [*attention_costs(config, queries, keys), feed_forward_cost(config, queries)]
        cache_bytes = 0
        if cache:  # keys and values of old tokens are not computed again
            layer[0] = attention_costs(config, queries, queries)[0]
            cache_bytes = 2 * keys * config.kv_heads * config.head_width * config.n_decoder_layers * FLOAT_BYTES
        total = config.n_decoder_layers * sum(cost.multiplications for cost in layer)
        total += output_cost(config, 1).multiplications
        race.append(RaceStep(queries, keys - queries, total, cache_bytes))
    return tuple(race)


def time_steps(network: Transformer, ids: Sequence[int], steps: int, cache: bool) -> Iterator[tuple[int, float]]:
    """Greedy generation after `ids`: each step's token and its seconds on this machine.

    It uses full-width weights with and without the cache, so that only the cache makes a difference.
    """
    before = working_seconds()
    for step in generate(network, torch.tensor(ids), steps, cache=cache, half_width=False):
        yield step.chosen, working_seconds() - before
        before = working_seconds()
