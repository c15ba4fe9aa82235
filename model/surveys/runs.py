"""Texts of a survey as runs of a network: in batches, or one by one where an edit is of one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

from torch import Tensor

from model.device import to_cpu, within_memory
from model.edits.edit import Edit
from model.graph.batch import can_batch, fill_up
from model.network.transformer import Transformer
from model.run import Model
from model.surveys.reading import Reading
from model.surveys.rows import TextRow, batches, marked_places
from model.tape import AllRecorded, Tape


def rows_again(model: Model, reading: Reading, numbers: Iterable[int]) -> list[TextRow]:
    """Texts of a reading by number, as it has read them: a translator's own translations are not written again.

    Raises `ModelMismatch` for a reading of another model.
    """
    reading.made_of.check(model)
    rows = []
    for number in numbers:
        own, *source = (reading.tokens[stack].ids_of(number) for stack in reversed(model.config.stacks))
        read = model.tokenizer.tokens(source[0]) if source else ()
        tokens = (model.output_tokenizer if source else model.tokenizer).tokens(own)
        rows.append(TextRow(number, tokens, read, marked_places(model, reading.collection.texts[number])))
    return rows


def run_alone(network: Transformer, edits: Sequence[Edit]) -> bool:
    """Whether each text runs alone: an edit changes the tensor of one sentence."""
    return bool(edits) or not can_batch(network)


def batches_to_run(network: Transformer, edits: Sequence[Edit], rows: Sequence[TextRow]) -> list[list[TextRow]]:
    """The rows that run together."""
    return [[row] for row in rows] if run_alone(network, edits) else list(batches(rows))


def network_inputs(
    network: Transformer, edits: Sequence[Edit], rows: Sequence[TextRow], tape: Tape
) -> tuple[Tensor, Tensor | None, Tape, Tensor | None, Tensor | None]:
    """What `Transformer.forward` takes of rows that run together. A row that runs alone has no batch axis."""
    ids, are_real = fill_up([[token.id for token in row.tokens] for row in rows])
    source, source_is_real = None, None
    if rows[0].source:
        source, source_is_real = fill_up([[token.id for token in row.source] for row in rows])
    if run_alone(network, edits):
        return ids[0], None if source is None else source[0], tape, None, None
    return ids, source, tape, are_real, source_is_real


def record_rows(
    network: Transformer, edits: Sequence[Edit], rows: Sequence[TextRow], names: Sequence[str]
) -> dict[str, Tensor]:
    """The tensors of these names of rows that run together, on the CPU: (texts, ...) each. The run ends after the last
    of them. Raises `DeviceFull`."""
    tape = Tape(names, edits, ends_after=len(names))
    with within_memory(), suppress(AllRecorded):
        network(*network_inputs(network, edits, rows, tape))
    return with_texts(network, edits, to_cpu(tape.records))


def with_texts(network: Transformer, edits: Sequence[Edit], recorded: dict[str, Tensor]) -> dict[str, Tensor]:
    """Recorded tensors with an axis of texts, also those of a text that ran alone."""
    return {name: tensor[None] for name, tensor in recorded.items()} if run_alone(network, edits) else recorded
