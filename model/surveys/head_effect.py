"""What one head does to the outcome of many texts: the words that it makes likelier, and the loss without it.

The texts of a reading run once more, with the head and without it. The head is chosen by the reader, so this is no part
of the survey of all heads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import torch
from torch import Tensor

from model.analysis.change import turn
from model.analysis.circuits.head_matrices import output_rows
from model.analysis.head_steps import Attention
from model.device import PLAIN, to_cpu, within_memory
from model.edits.edit import Edit
from model.edits.parts import ablate
from model.generation.surprise import losses
from model.process_memory import FreeMemory
from model.run import Model
from model.surveys.batch_run import sight_of
from model.surveys.effect import HeadEffect
from model.surveys.places import draw_lots
from model.surveys.reading import Reading
from model.surveys.rows import TextRow
from model.surveys.runs import batches_to_run, network_inputs, rows_again, with_texts
from model.surveys.survey import GROWTH_BYTES, never
from model.surveys.writing import Writing
from model.tape import Tape
from model.zoo.files import Progress, no_progress

TAKING = "Taking the head away"


def head_effect(
    model: Model,
    reading: Reading,
    layer: int,
    head: int,
    attention: str = "",
    *,
    begun: HeadEffect | None = None,
    progress: Progress = no_progress,
    stop: Callable[[], bool] = never,
) -> HeadEffect:
    """What a head does to the outcome of the texts of a reading, which `model` has read.

    Batches of texts come in an order that is drawn by lot, so that those of a part are a fair sample of all. `stop` is
    asked before each. What it ended goes on as `begun` of the next call. Michel et al. (2019), arXiv:1905.10650,
    section 3, take heads away. Raises `ModelMismatch` for a reading of another model, and for a head that is not there;
    `DeviceFull`.
    """
    effect = HeadEffect.none(reading, layer, head, attention, model.config.d_model) if begun is None else begun.copy()
    rows = rows_again(model, reading, np.flatnonzero(reading.read & ~effect.done).tolist())
    run = _EffectRun(model, reading.edits, effect)
    free, done, many = FreeMemory(GROWTH_BYTES), int(effect.done.sum()), max(int(reading.read.sum()), 1)
    batches = batches_to_run(model.network, reading.edits, rows)
    lots = draw_lots(np.array([batch[0].number for batch in batches], dtype=np.int64))
    for place in np.argsort(lots).tolist():
        if stop():
            break
        run.run(batches[place])
        effect.done[[row.number for row in batches[place]]] = True
        free.bound()
        done += len(batches[place])
        progress(TAKING, done / many)
    return effect


class _EffectRun:
    """Runs texts with a head and without it, and adds what it does to an effect."""

    def __init__(self, model: Model, edits: tuple[Edit, ...], effect: HeadEffect) -> None:
        stack, part = effect.attention.split(".")
        self._model, self._network, self._edits, self._effect = model, model.network, edits, effect
        self._at, self._head = Attention(stack, effect.layer, part), effect.head
        self._w_o = output_rows(model, self._at)[effect.head]
        self._writing = Writing.of(model, self._at, effect.head)

    @torch.inference_mode()
    def run(self, rows: Sequence[TextRow]) -> None:
        """Add what the head does to a batch of `batches_to_run`."""
        kept = (f"{self._at.path}.weights", f"{self._at.path}.v", *(self._writing.names if self._writing else ()))
        tape = Tape(kept, self._edits)
        with within_memory():
            whole = self._hidden(rows, tape)
            without = self._hidden(rows, Tape((), (*self._edits, ablate(self._at.path, self._head))))
            self._add_rises(rows, whole, without)
            recorded = with_texts(self._network, self._edits, to_cpu(tape.records))
        self._add_longest(rows, recorded)
        if self._writing is not None:
            self._add_written(rows, self._writing.added(recorded))

    def _hidden(self, rows: Sequence[TextRow], tape: Tape) -> Tensor:
        """What the last stack gives: (texts, tokens, d_model)."""
        network = self._network
        ids, source, tape, is_real, source_is_real = network_inputs(network, self._edits, rows, tape)
        if network.decoder is None:
            hidden = network.encode(ids, tape, is_real)
        else:
            memory = None if source is None else network.encode(source, tape, source_is_real)
            hidden = network.decode(ids, memory, tape, is_real, source_is_real)
        return hidden if hidden.dim() == 3 else hidden[None]

    def _add_rises(self, rows: Sequence[TextRow], whole: Tensor, without: Tensor) -> None:
        """`whole` and `without`: what the last stack gives with the head and without it, (texts, tokens, d_model)."""
        effect, numbers = self._effect, [row.number for row in rows]
        if effect.is_encoder:
            pairs = [
                [each[place, : len(row.tokens)].mean(0) for each in (whole, without)] for place, row in enumerate(rows)
            ]
            effect.rises[numbers] = [float(turn(before, after)) for before, after in pairs]
            return
        begins = effect.reading.tokens[effect.reading.last_stack].begins
        wanted = torch.tensor([token.id for row in rows for token in row.tokens[1:]])
        places = np.concatenate([np.arange(begins[row.number] + 1, begins[row.number + 1]) for row in rows])
        for hidden, found in ((whole, effect.before), (without, effect.after)):
            predicting = torch.cat([hidden[place, : len(row.tokens) - 1] for place, row in enumerate(rows)])
            found[places] = PLAIN.take(losses(self._network, predicting, wanted)).numpy()
        for number in numbers:
            own = slice(begins[number] + 1, begins[number + 1])
            if own.start < own.stop:
                effect.rises[number] = (effect.after[own] - effect.before[own]).mean()

    def _add_longest(self, rows: Sequence[TextRow], recorded: Mapping[str, Tensor]) -> None:
        """Offer the places where weight x |v W_O| is large."""
        config, at = self._model.config, self._at
        window = config.window_of(at.stack, at.layer) if at.part == "self_attn" else None
        sight = replace(sight_of(config, rows, at.stack, at.part), window=window)
        weights = recorded[f"{at.path}.weights"][:, self._head]  # (texts, queries, keys)
        values = recorded[f"{at.path}.v"][:, config.kv_head_of(self._head)]  # (texts, keys, d_head)
        lengths = weights * (values @ self._w_o).norm(dim=-1)[:, None]
        compared = lengths.flatten()[sight.compared]
        kept = self._effect.longest
        best = compared.topk(min(kept.ranks.shape[1], len(compared)))
        best_at = best.indices[best.values > 0]
        ranks = -compared[best_at].double().numpy()
        groups = np.zeros(len(best_at), np.int64)
        kept.offer(groups, ranks, sight.places[best_at.numpy()], weights.flatten()[sight.compared][best_at].numpy())

    def _add_written(self, rows: Sequence[TextRow], added: Tensor) -> None:
        """`added`: what the head adds at each query, (texts, queries, d_model), some of it padding."""
        for place, row in enumerate(rows):
            self._effect.written[:] += added[place, : len(row.tokens)].double().sum(0).numpy()
            self._effect.queries[0] += len(row.tokens)
