"""The account of one token beyond its run, what its parts cost to open, its routes, a head's circuits, the account of a
score, all parts taken away, and patching.

`budget` is that of the account: 50 ms beyond the run of 16 tokens. The removal of all parts is compared with one whole
run for each.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from model import Model, load
from model.analysis.attribution import Account, account_of, keep_for_account
from model.analysis.circuits.composition import SIDES, compose
from model.analysis.circuits.looked_for import looked_for
from model.analysis.circuits.written import copying, written
from model.analysis.flow_routes import flow_routes, keep_for_routes
from model.analysis.head_steps import Attention
from model.analysis.neuron_parts import keep_for_neurons, neuron_parts, written_tokens
from model.analysis.score_account import keep_for_score, score_account, weights_without
from model.analysis.source_tokens import keep_for_sources, token_parts
from model.edits.edit import Edit
from model.edits.parts import ablate
from model.experiments.part_removal import RemovalSweep, keep_for_removal
from model.experiments.patching import Patching
from model.experiments.sentence_pair import Prompt, Site, record_pair, sites_of
from model.network.transformer import Transformer
from model.run import ids_of
from model.tape import Trace
from model.tokens.tokenizer import Token
from tests.benchmarks.row import Row, table
from viz.models.paths import RouteGraph, routes_figure
from viz.shared.tokens import words

NAME, TOKENS = "smollm2-135m", 16
TEXT = "The quick brown fox jumps over the lazy dog and then it sleeps in the"
BUDGET_MS, REMOVAL_LIMIT, PATCHING_LIMIT, PICTURE_SECONDS = 50.0, 1 / 3, 1 / 3, 1.0
ROUTES_MS, REDRAWN_MS = 400.0, 100.0  # every edge above the lowest threshold, once; the picture at another threshold
CIRCUITS_MS, CIRCUITS_MB = 500.0, 64.0  # a vocabulary x vocabulary matrix of SmolLM2 would take 9,664 MB
SCORE_TOKENS, SCORE_MS = 64, 300.0
NAMED = 6  # tokens of each end of the vocabulary
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
        *keep_for_routes(model.config),
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
        Row(f"the routes to a token, {what}", _median_ms(lambda: flow_routes(model, trace)), ROUTES_MS, "budget", "ms"),
        _redrawn(model, trace, what),
        *_circuits(model, tokens, what),
        _score(model),
        _removal(model, trace, account, what),
        _patched_heads(model, tokens, what),
        _patched_picture(load("tiny-lm")),
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


def _redrawn(model: Model, trace: Trace, what: str) -> Row:
    """The figure of the routes at the usual threshold, from edges that are found already."""
    routes, tokens = flow_routes(model, trace), words(trace.tokens)

    def redraw() -> None:
        kept = routes.above(0.04)
        names = [stage.name for stage in kept.stages]
        graph = RouteGraph(names, tokens, (), kept.edges.numpy(), kept.importance.numpy(), kept.names)
        routes_figure(graph).to_json()

    return Row(f"the routes at another threshold, {what}", _median_ms(redraw), REDRAWN_MS, "budget", "ms")


def _score(model: Model) -> Row:
    """Of the last layer, over the mean of all keys, with every weight without a part."""
    at = Attention("decoder", model.config.n_decoder_layers - 1, "self_attn")
    tokens = model.tokens_of(TEXT * 5)[:SCORE_TOKENS]
    trace, last = model.trace_tokens(tokens, keep=keep_for_score(model.config, at)), SCORE_TOKENS - 1

    def work() -> None:
        score_account(model, trace, at, 3, last, 20, "mean")
        weights_without(model, trace, at, 3, last, 20)

    return Row(
        f"account of a score, {model.card.title}, {SCORE_TOKENS} tokens", _median_ms(work), SCORE_MS, "budget", "ms"
    )


def _circuits(model: Model, tokens: tuple[Token, ...], what: str) -> Iterator[Row]:
    """All circuits of the last layer's last head, which has the most heads before it; and the largest tensors."""
    config, ids = model.config, ids_of(tokens).tolist()
    at, head = Attention("decoder", config.n_decoder_layers - 1, "self_attn"), config.n_heads - 1

    def work() -> None:
        looked_for(model, at, head, ids[-1:], ids, NAMED)
        written(model, at, head, ids, NAMED)
        copying(model, at, head)
        for side in SIDES:
            compose(model, at, head, side)

    yield Row(f"a head's circuits, {what}", _median_ms(work), CIRCUITS_MS, "budget", "ms")
    yield Row(f"their largest tensor, {what}", _largest_tensor(work) / 1e6, CIRCUITS_MB, "budget", "MB")


class _Sizes(TorchDispatchMode):
    """Remembers the bytes of the largest tensor that any operation made. A view of another one takes no memory."""

    largest = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        made = func(*args, **(kwargs or {}))
        known = {each.untyped_storage().data_ptr() for each in tree_leaves(args) if isinstance(each, Tensor)}
        for each in tree_leaves(made):
            if isinstance(each, Tensor) and each.untyped_storage().data_ptr() not in known:
                self.largest = max(self.largest, each.nbytes)
        return made


def _largest_tensor(work: Callable[[], object]) -> int:
    with _Sizes() as sizes:
        work()
    return sizes.largest


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


def _patched_heads(model: Model, tokens: tuple[Token, ...], what: str) -> Row:
    """Every head patched at every token, in every sixth layer, against a whole run for each; some are measured."""
    network, ids = model.network, ids_of(tokens)
    patching = _patching(network, ids, ids.flip(0))
    site = Site("decoder", "self_attn.heads")
    layers, heads = patching.shape(site)
    start = time.perf_counter()
    measured = range(2, layers, 6)  # their mean depth is that of all layers
    for layer in measured:
        for head in range(heads):
            patching.run_head(site, layer, head)
    ours = (time.perf_counter() - start) / len(measured) * layers
    start = time.perf_counter()
    with torch.inference_mode():
        for _ in range(RUNS):
            network(ids)
    theirs = (time.perf_counter() - start) / RUNS * layers * heads * len(ids)
    return Row(f"all heads patched at each token, {what}", ours, theirs, "a run a patch", "s", PATCHING_LIMIT)


def _patched_picture(model: Model) -> Row:
    """All parts of a small model, and the estimate."""
    ids = ids_of(model.tokens_of(TEXT)[:TOKENS])
    start = time.perf_counter()
    patching = _patching(model.network, ids, ids.flip(0))
    shares = [list(patching.run(site)) for site in sites_of(model.network)]
    assert len(patching.estimates) == len(shares)
    taken = time.perf_counter() - start
    return Row(f"the whole patching picture, {model.card.title}", taken, PICTURE_SECONDS, "budget", "s")


def _patching(network: Transformer, clean: Tensor, corrupted: Tensor) -> Patching:
    pair = record_pair(network, Prompt(clean), Prompt(corrupted))
    return Patching(network, pair, *pair.telling_tokens())


if __name__ == "__main__":
    print(table(rows := main()))
    sys.exit(not all(row.within for row in rows))
