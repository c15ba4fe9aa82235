"""The schedule of a training run: the learning rate of each step, and the steps with a snapshot."""

from __future__ import annotations

import math

from model.train.task import Recipe


def learning_rate(step: int, recipe: Recipe) -> float:
    """The learning rate of `step` (from 0).

    It rises linearly over `warmup` steps (Vaswani et al. section 5.3). Then it falls on half a cosine to `final_rate`
    of its peak (Loshchilov and Hutter (2017), eq. 5).
    """
    if step < recipe.warmup:
        return recipe.learning_rate * (step + 1) / recipe.warmup
    share = (step - recipe.warmup) / max(1, recipe.steps - 1 - recipe.warmup)
    fall = recipe.final_rate + (1 - recipe.final_rate) * (1 + math.cos(math.pi * share)) / 2
    return recipe.learning_rate * fall


def snapshot_steps(steps: int, count: int) -> tuple[int, ...]:
    """The numbers of steps after which a snapshot is kept: about `count` of them.

    The first is 0 (untrained). The others are a geometric row from a hundredth of the run to its end. Learning is fast
    at first, so equal ratios show more than equal distances.
    """
    if count < 2:
        return ()
    first = max(1.0, steps / 100)
    ratio = (steps / first) ** (1 / max(1, count - 2))
    return tuple(sorted({0, steps, *(round(first * ratio**k) for k in range(count - 1))}))
