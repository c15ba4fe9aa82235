"""What a head writes at its strongest places on many texts: which words it makes likelier there."""

from __future__ import annotations

import torch
from torch import Tensor

from model.analysis.head_steps import Attention
from model.run import Model
from model.surveys.effect import WordRises, word_rises
from model.surveys.reading import Place, Reading
from model.surveys.runs import batches_to_run, record_rows, rows_again
from model.surveys.writing import Writing


@torch.inference_mode()
def written_at_strongest(
    model: Model, reading: Reading, layer: int, head: int, attention: str = "", *, places: int = 20, words: int = 5
) -> list[tuple[Place, WordRises]]:
    """The strongest places of a head, and the words whose logits its output at the query raises and lowers most there.

    The texts of these places run again, together. Nothing for a head of an encoder, which has no output layer. Raises
    `ModelMismatch` for a reading of another model, and for a head that is not there; `DeviceFull`.
    """
    name = reading.checked_name(attention, layer, head)
    stack, part = name.split(".")
    writing = Writing.of(model, Attention(stack, layer, part), head)
    strongest = reading.strongest(name, layer, head, places)
    if writing is None or not strongest:
        return []
    rows = rows_again(model, reading, sorted({place.number for place in strongest}))
    added: dict[int, Tensor] = {}
    for batch in batches_to_run(model.network, reading.edits, rows):
        recorded = record_rows(model.network, reading.edits, batch, writing.names)
        added |= {row.number: each for row, each in zip(batch, writing.added(recorded), strict=True)}
    vectors = torch.stack([added[place.number][place.query] for place in strongest])  # (places, d_model)
    return list(zip(strongest, word_rises(model, vectors, words), strict=True))
