"""The ablation sweep, against one full forward pass for each head, in the same run and on the same weights."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Iterator

import torch
from torch import Tensor

from model import Model, load
from model.edits.parts import ablate
from model.experiments.head_ablation import AblationSweep, embedding_change, next_token_loss
from model.run import ids_of
from model.tape import Tape
from tests.benchmarks.row import Row, table

NAMES = ("tiny-lm", "tiny-encoder", "en-ur", "smollm2-135m")
TEXTS = {
    9: "The quick brown fox jumps over the lazy dog",
    45: "The quick brown fox jumps over the lazy dog . " * 4 + "The weather is cool .",
}
LIMIT = 1 / 3
ROUNDS = 3
LAYERS = 6  # of a deep model, spread evenly from first to last: all heads of all layers would take minutes


def main() -> list[Row]:
    return [row(load(name), length, text) for name in NAMES for length, text in TEXTS.items()]


def row(model: Model, length: int, text: str) -> Row:
    tokens = model.tokens_of(text)
    source = None
    if model.config.kind == "encoder-decoder":
        source, tokens = ids_of(tokens), model.target_tokens(tokens, None)
    ids = ids_of(tokens)
    chosen = _chosen(AblationSweep(model.network, ids, source).attentions)
    ours, theirs = [], []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for _ in _only(AblationSweep(model.network, ids, source), chosen):
            pass
        ours.append(time.perf_counter() - start)
        start = time.perf_counter()
        for attention in chosen:
            for head in range(model.config.n_heads):
                one_pass(model, ids, source, attention, head)
        theirs.append(time.perf_counter() - start)
    what = f"ablation sweep, {model.card.name}, about {length} tokens"
    return Row(what, statistics.median(ours) * 1000, statistics.median(theirs) * 1000, "a pass a head", "ms", LIMIT)


def _chosen(attentions: list[str]) -> list[str]:
    if len(attentions) <= 2 * LAYERS:
        return attentions
    return [attentions[round(place * (len(attentions) - 1) / (LAYERS - 1))] for place in range(LAYERS)]


def _only(sweep: AblationSweep, chosen: list[str]) -> Iterator[object]:
    """The sweep of some of the attentions."""

    class Part(AblationSweep):
        @property
        def attentions(self) -> list[str]:
            return chosen

    return Part(sweep.network, sweep.ids, sweep.source).run()


@torch.inference_mode()
def one_pass(model: Model, ids: Tensor, source: Tensor | None, attention: str, head: int) -> Tensor:
    """The measure without one head, by running the whole model."""
    network, tape = model.network, Tape(edits=(ablate(attention, head),))
    if network.decoder is None:
        hidden = network.encode(ids, tape)
        return embedding_change(hidden, hidden)
    memory = None if source is None else network.encode(source, tape)
    return next_token_loss(network, network.decode(ids, memory, tape), ids)


if __name__ == "__main__":
    print(table(rows := main()))
    sys.exit(not all(row.within for row in rows))
