"""What a translator writes of the texts of a survey: its own greedy translations, many at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import torch

from model.generation.together import translate_together
from model.run import Model
from model.surveys.rows import TextRow, batches
from model.surveys.runs import run_alone


def translate_rows(
    model: Model, rows: Sequence[TextRow], stop: Callable[[], bool], tell_translated: Callable[[float], None]
) -> list[TextRow] | None:
    """Rows whose tokens a translator reads, as what it reads (`source`) and what it writes of it. In the same order.

    `stop` is asked before each batch, and `tell_translated` gets the share that is done. None where it was stopped.
    """
    found: dict[int, TextRow] = {}
    for batch in batches(rows):
        if stop():
            return None
        tell_translated(len(found) / len(rows))
        for row, ids in zip(batch, _translate(model, batch), strict=True):
            writer = model.output_tokenizer
            own = writer.tokens([writer.sequence_start, *(id for id in ids if id not in writer.ends)])
            found[row.number] = replace(row, tokens=own, source=row.tokens)
    return [found[row.number] for row in rows]


def _translate(model: Model, rows: Sequence[TextRow]) -> list[list[int]]:
    """The ids that the model writes of each row, the same as alone. Numbers of half width are too rough to be sure."""
    writer, network = model.output_tokenizer, model.network
    together: list[list[int] | None] = [None] * len(rows)
    if not run_alone(network, ()) and model.place.dtype is torch.float32:
        sources = [[token.id for token in row.tokens] for row in rows]
        together = translate_together(network, sources, writer.sequence_start, writer.ends, model.config.max_length - 1)
    return [
        list(model.translate_ids(row.tokens)) if ids is None else ids for row, ids in zip(rows, together, strict=True)
    ]
