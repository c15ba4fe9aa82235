"""The account of one token beyond its run, what its parts cost to open, and all parts taken away, on SmolLM2.

`budget` is that of the account: 50 ms beyond the run of 16 tokens. The removal of all parts is compared with one whole
run for each.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

from model import Model, load
from model.analysis.attribution import Account, account_of, keep_for_account
from model.analysis.neuron_parts import keep_for_neurons, neuron_parts, written_tokens
from model.analysis.source_tokens import keep_for_sources, token_parts
from model.experiments.part_removal import RemovalSweep, keep_for_removal
from model.tape import Edit, Trace, ablate
from tests.benchmarks.row import Row, table

NAME, TOKENS = "smollm2-135m", 16
TEXT = "The quick brown fox jumps over the lazy dog and then it sleeps in the"
BUDGET_MS, REMOVAL_LIMIT = 50.0, 1 / 3
REPEATS = 9
NEURONS, WRITTEN = 8, 5
RUNS = 12  # whole runs that are measured, in the place of one for each part


def main() -> list[Row]:
    model = load(NAME)
    tokens = model.tokens_of(TEXT)[:TOKENS]
    keep = (
        *keep_for_account(model.config),
        *keep_for_sources(model.config),
        *keep_for_neurons(model.config),
        *keep_for_removal(model.config),
        "logits",
    )
    trace = model.trace_tokens(tokens, keep=keep)
    account = account_of(model, trace)
    what = f"{model.card.title}, {len(tokens)} tokens"
    return [
        _within_budget(f"account of a token, {what}", lambda: account_of(model, trace)),
        _within_budget(f"parts by token, {what}", lambda: token_parts(model, trace, account)),
        Row(
            f"a feed-forward opened, {what}",
            _median_ms(lambda: _open(model, trace, account)),
            _median_ms(lambda: model.trace_tokens(tokens, keep=keep)),
            "the run itself",
            "ms",
        ),
        _removal(model, trace, account, what),
    ]


def _within_budget(what: str, work: Callable[[], object]) -> Row:
    return Row(what, _median_ms(work), BUDGET_MS, "budget beyond the run", "ms")


def _median_ms(work: Callable[[], object]) -> float:
    work()
    taken = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return 1000 * statistics.median(taken)


def _open(model: Model, trace: Trace, account: Account) -> None:
    found = neuron_parts(model, trace, account, f"decoder.{model.config.n_decoder_layers - 1}.ffn")
    written_tokens(model, account, found, found.largest(NEURONS), WRITTEN)


def _removal(model: Model, trace: Trace, account: Account, what: str) -> Row:
    """All parts taken away, against as many whole runs, of which some are measured."""
    start = time.perf_counter()
    count = sum(len(place) for place in RemovalSweep(model, trace, account).run())
    ours = time.perf_counter() - start
    start = time.perf_counter()
    for number in range(RUNS):
        edit: Edit = ablate(f"decoder.{number}.self_attn", number % model.config.n_heads)
        model.trace_tokens(trace.tokens, keep="logits", edits=[edit])
    theirs = (time.perf_counter() - start) / RUNS * count
    return Row(f"all {count} parts taken away, {what}", ours, theirs, "a run a part", "s", REMOVAL_LIMIT)


if __name__ == "__main__":
    print(table(rows := main()))
    sys.exit(not all(row.within for row in rows))
