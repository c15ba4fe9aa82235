"""The same generation with and without a KV cache: what each step computes again, and how long that takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter

import torch

from model.config import TransformerConfig
from model.cost.formulas import FLOAT_BYTES, attention_costs, feed_forward_cost, output_cost
from model.generation.steps import generate
from model.network.transformer import Transformer


@dataclass(frozen=True)
class RaceStep:
    """One step. `computed` tokens pass through all layers, `reused` ones lie in the cache. `multiplications` are those
    of this step's matrix products, `cache_bytes` what the cache holds after it."""

    computed: int
    reused: int
    multiplications: int
    cache_bytes: int


def race_steps(config: TransformerConfig, prompt: int, steps: int, cache: bool) -> tuple[RaceStep, ...]:
    """Every step of generating behind `prompt` tokens with a decoder-only model, by formula.

    Without the cache step i runs over all prompt + i tokens, with it over the one that is new, whose query still meets
    every key. Only the last position asks for next-token scores.
    """
    made = []
    for step in range(steps):
        keys = prompt + step
        queries = 1 if cache and step else keys
        layer = [*attention_costs(config, queries, keys), feed_forward_cost(config, queries)]
        kept = 0
        if cache:  # keys and values of old tokens are not made again
            layer[0] = attention_costs(config, queries, queries)[0]
            kept = 2 * keys * config.kv_heads * config.head_width * config.n_decoder_layers * FLOAT_BYTES
        total = config.n_decoder_layers * sum(cost.multiplications for cost in layer)
        total += output_cost(config, 1).multiplications
        made.append(RaceStep(queries, keys - queries, total, kept))
    return tuple(made)


def time_steps(network: Transformer, ids: Sequence[int], steps: int, cache: bool) -> Iterator[tuple[int, float]]:
    """Greedy generation behind `ids`: each step's token and its seconds on this machine, both ways at full width."""
    before = perf_counter()
    for step in generate(network, torch.tensor(ids), steps, cache=cache, half_width=False):
        now = perf_counter()
        yield step.chosen, now - before
        before = perf_counter()
