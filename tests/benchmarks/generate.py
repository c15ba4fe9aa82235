"""Generation with the KV cache against `transformers.generate`, the first token of the bundled models, and what
half-width weights change in the logits."""

from __future__ import annotations

import itertools
import statistics
import sys
import time
from typing import Any

import torch

from model import Model, available, load
from model.generation.half_width import CERTAIN_LEAD, halve, step_logits
from model.generation.steps import generate
from model.network.kv_cache import KVCache
from model.run import ids_of
from tests.benchmarks.row import Row, table
from tests.model.generation.test_steps import PROMPTS
from tests.model.reference import llama_reference

TOKENS = 32
FIRST_TOKEN = 50.0  # milliseconds


def main() -> list[Row]:
    smollm2 = load("smollm2-135m")
    rounds = halve(smollm2.network) is not None  # not where that gains nothing
    return [speed(smollm2), *([rounding(smollm2)] if rounds else []), *first_tokens()]


def speed(model: Model) -> Row:
    """Milliseconds a token, prompt by prompt in turn; the tokens of both are the same or this raises."""
    theirs = llama_reference(model)
    halve(model.network)  # made once, when the first text is written
    taken: tuple[list[float], list[float]] = ([], [])
    for prompt in PROMPTS:
        start = ids_of(model.tokens_of(prompt))
        began = time.perf_counter()
        ours = [step.chosen for step in model.generate(prompt, max_new_tokens=TOKENS)]
        between = time.perf_counter()
        reference = _generate(theirs, start)
        ended = time.perf_counter()
        if ours != reference:
            raise AssertionError(f"other tokens than transformers behind {prompt!r}: {ours} {reference}")
        taken[0].append((between - began) / len(ours) * 1000)
        taken[1].append((ended - between) / len(ours) * 1000)
    ours_median, theirs_median = map(statistics.median, taken)
    return Row("a generated token, SmolLM2", ours_median, theirs_median, "transformers.generate", "ms", 0.5)


@torch.inference_mode()
def _generate(reference: Any, start: torch.Tensor) -> list[int]:
    whole = reference.generate(
        start[None], attention_mask=torch.ones_like(start)[None], max_new_tokens=TOKENS, do_sample=False
    )
    return whole[0, len(start) :].tolist()


@torch.inference_mode()
def rounding(model: Model, likeliest: int = 10) -> Row:
    """By how much half-width weights change the winner's lead over any of the likeliest tokens, at most."""
    narrow, worst = halve(model.network), 0.0
    assert narrow is not None
    for prompt in PROMPTS:
        start, cache = ids_of(model.tokens_of(prompt)), KVCache()
        steps = list(generate(model.network, start, TOKENS, half_width=False, ends=model.tokenizer.ends))
        model.network.decode(start, cache=cache)
        for before, step in itertools.pairwise(steps):
            hidden = narrow.decode(torch.tensor([before.chosen]), cache=cache)[-1]
            top = step.logits.topk(likeliest).indices
            change = (step_logits(model.network, narrow, hidden) - step.logits)[top]
            worst = max(worst, float((change - change[0]).abs().max()))
    return Row("change of a lead by half width", worst, CERTAIN_LEAD, "what counts as close", "", 1.0)


def first_tokens() -> list[Row]:
    """From the text to the first token, of every bundled model that writes."""
    rows = []
    for card in available():
        if not card.bundled or card.kind == "encoder" or not card.ready:
            continue
        model, taken = load(card.name), []
        for _ in range(15):
            began = time.perf_counter()
            next(model.generate("I am a robot", max_new_tokens=1))
            taken.append((time.perf_counter() - began) * 1000)
        rows.append(Row(f"first token, {card.name}", statistics.median(taken), FIRST_TOKEN, "budget", "ms"))
    return rows


if __name__ == "__main__":
    print(table(rows := main()))
    sys.exit(not all(row.within for row in rows))
