"""A survey of all heads, against a plain batched forward of `transformers` that returns its attentions, on the same
texts in the same batches. And the memory that it takes beside the model.

`python -m tests.benchmarks.survey [TEXTS]` reads so many texts, of 8 to 40 tokens; 1,000 are asked for.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from typing import Any

import torch

from model import load, survey
from model.graph.batch import fill_up
from model.process_memory import held_bytes
from model.surveys.rows import TextRow, batches
from model.texts.collection import Collection
from model.texts.own import own_texts
from tests.benchmarks.row import Row, table
from tests.model.zoo import reference

TEXTS = 1000
LENGTHS = range(8, 41)  # tokens
LIMIT = 1.15
BYTES = 700_000_000
TURNS = 10  # the two read a part of the texts each by turns, so that what else the machine does falls on both


def main(count: int = TEXTS) -> list[Row]:
    model = load("smollm2-135m")
    texts = [text for text in own_texts().texts if len(model.tokens_of(text.content)) in LENGTHS][:count]
    collections = [Collection("part", tuple(texts[turn::TURNS])) for turn in range(TURNS)]
    survey(model, ["The first run of a process takes longer."], keep=False)
    held, most = held_bytes(), 0

    def watch(step: str, share: float) -> None:
        nonlocal most
        most = max(most, held_bytes())

    survey(model, Collection("all", tuple(texts)), keep=False, progress=watch)
    theirs = reference.smollm2(model.card)
    taken = [0.0, 0.0]
    for collection in collections:
        rows = [TextRow(place, model.tokens_of(text.content)) for place, text in enumerate(collection.texts)]
        began = time.perf_counter()
        survey(model, collection, keep=False)
        taken[0] += time.perf_counter() - began
        began = time.perf_counter()
        forward(theirs, rows)
        taken[1] += time.perf_counter() - began
    what = f"survey, {model.card.name}, {len(texts):,} texts"
    return [
        Row(what, taken[0], taken[1], "transformers eager, batches", "s", LIMIT),
        Row(f"{what}, memory", (most - held) / 1e6, BYTES / 1e6, "budget", "MB"),
    ]


@torch.inference_mode()
def forward(network: Any, rows: Sequence[TextRow]) -> None:
    """One pass of each batch, with all attentions."""
    for batch in batches(rows):
        ids, are_real = fill_up([[token.id for token in row.tokens] for row in batch])
        network(input_ids=ids, attention_mask=are_real.long(), output_attentions=True)


if __name__ == "__main__":
    print(table(main(*map(int, sys.argv[1:]))))
