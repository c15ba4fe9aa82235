"""A survey: a model reads all texts of a collection once, and what every head does on them is counted."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np

from model.edits.edit import Edit
from model.errors import ModelMismatch
from model.network.transformer import Transformer
from model.process_memory import FreeMemory
from model.run import Model
from model.surveys import kept_readings
from model.surveys.batch_run import BatchRun, attention_names, sight_of
from model.surveys.made_of import MadeOf
from model.surveys.pairs import find_frequent
from model.surveys.reading import Reading
from model.surveys.rows import TextRow, batches, read_rows
from model.surveys.rules import VOCABULARY, Rule
from model.surveys.runs import batches_to_run, rows_again
from model.surveys.tally import Tally
from model.surveys.tokens_read import TokensRead
from model.surveys.translations import translate_rows
from model.texts.collection import Collection, Text
from model.zoo.files import Progress, no_progress

TRANSLATING, READING = "Translating the texts", "Reading the texts"
GROWTH_BYTES = 200_000_000  # of the process, before it gives free memory back


def never() -> bool:
    """For callers that stop no survey."""
    return False


def survey(
    model: Model,
    texts: Collection | Iterable[str],
    *,
    edits: Iterable[Edit] = (),
    rules: Sequence[Rule] = VOCABULARY,
    begun: Reading | None = None,
    progress: Progress = no_progress,
    stop: Callable[[], bool] = never,
    keep: bool = True,
) -> Reading:
    """What every head of a model does on many texts, and how far each of the rules explains it.

    All texts run once, in batches of like length, and no matrix is kept. A translator reads its own greedy translation
    of each. A text that the model cannot read, or that is too long, is left out: `Reading.faults` says why.

    `stop` is asked before each batch. A reading that it ended is not `is_whole`. It goes on as `begun` of the next
    survey of the same model, texts, edits and rules. With `keep`, a whole reading is kept on the disk, and the next
    survey of the same takes it from there. Raises `ModelMismatch` for a model that reads no text or has no heads;
    `EditError` for edits that name no tensor; `DeviceFull`.

    >>> from glassformer import load, survey
    >>> reading = survey(load("tiny-lm"), ["the dog sees the cat", "the cat sees the dog"], keep=False)
    >>> place = reading.strongest("decoder.self_attn", layer=1, head=2, count=1)[0]
    >>> place.text, place.query, place.key, round(float(place.weight), 2)
    ('the dog sees the cat', 4, 1, 0.48)
    """
    if not isinstance(model.network, Transformer) or model.config.image_size:
        raise ModelMismatch(f"{model.card.title} has no heads that read text, so there is nothing to survey.")
    collection, edits, rules = as_collection(texts), tuple(edits), tuple(rules)
    made_of = MadeOf.of(model, edits, collection)
    if begun is not None and (begun.made_of, begun.rules) != (made_of, rules):
        raise ModelMismatch("The reading to go on from is of another model, other texts, other edits or other rules.")
    path = kept_readings.path_of(model, edits, collection, rules) if keep else None
    found = None if path is None else kept_readings.read(path, made_of, collection, rules)
    if found is not None:
        return found
    if begun is not None and begun.read.any():
        rows, reading = _go_on(model, begun)
    else:
        rows, reading = _begin(model, collection, made_of, rules, progress, stop)
    run = BatchRun(model.network, edits, rules, reading.tallies)
    reading = read_batches(run, batches_to_run(model.network, edits, rows), reading, progress, stop)
    if path is not None and reading.is_whole:
        kept_readings.write(path, reading)
    return reading


def as_collection(texts: Collection | Iterable[str]) -> Collection:
    """Texts as a collection. Those that are strings have no kinds."""
    if isinstance(texts, Collection):
        return texts
    return Collection("texts", tuple(Text(text, line) for line, text in enumerate(texts, start=1)))


def _begin(
    model: Model,
    collection: Collection,
    made_of: MadeOf,
    rules: tuple[Rule, ...],
    progress: Progress,
    stop: Callable[[], bool],
) -> tuple[list[TextRow], Reading]:
    """The texts as tokens, and a reading of none of them yet."""
    config, many = model.config, len(collection.texts)

    rows, faults = read_rows(model, collection, stop) or ([], ())
    if config.kind == "encoder-decoder":
        rows = translate_rows(model, rows, stop, lambda share: progress(TRANSLATING, share)) or []
    tokens = {
        stack: TokensRead.of({row.number: row.read_by(stack, config) for row in rows}, many) for stack in config.stacks
    }
    tallies = {}
    for stack, attention in attention_names(config):
        shape = config.n_layers(stack), config.n_heads
        sights = (sight_of(config, batch, stack, attention) for batch in batches(rows))
        frequent = find_frequent(sights, shape[0] * shape[1])
        tally = Tally.none(*shape, many, frequent, len(rules), is_cross=attention == "cross_attn")
        tallies[f"{stack}.{attention}"] = tally
    return rows, Reading(made_of, collection, rules, tokens, tallies, np.zeros(many, bool), faults)


def _go_on(model: Model, begun: Reading) -> tuple[list[TextRow], Reading]:
    """The texts that a reading has not read, and a copy of the reading."""
    known = [number for number, _ in begun.faults]
    unread = np.setdiff1d(np.flatnonzero(~begun.read), known).tolist()
    return rows_again(model, begun, unread), replace(
        begun, tallies=copy.deepcopy(begun.tallies), read=begun.read.copy()
    )


def read_batches(
    run: BatchRun, waiting: Sequence[list[TextRow]], reading: Reading, progress: Progress, stop: Callable[[], bool]
) -> Reading:
    """The reading with the batches that were waiting, or with those before a stop. `run` counts into it."""
    free, done, many = FreeMemory(GROWTH_BYTES), 0, sum(map(len, waiting))
    for batch in waiting:
        if stop():
            break
        run.run(batch)
        reading.read[[row.number for row in batch]] = True
        free.bound()
        done += len(batch)
        progress(READING, done / many)
    return reading
