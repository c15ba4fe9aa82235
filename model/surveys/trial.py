"""A rule that a reading has not tested: all its texts are read again for it."""

from __future__ import annotations

from collections.abc import Callable

from model.errors import ModelMismatch
from model.run import Model
from model.surveys.reading import Reading
from model.surveys.rules import Rule
from model.surveys.survey import never, survey
from model.zoo.files import Progress, no_progress


def try_rule(
    model: Model,
    reading: Reading,
    rule: Rule,
    *,
    begun: Reading | None = None,
    progress: Progress = no_progress,
    stop: Callable[[], bool] = never,
) -> Reading:
    """A reading of the same texts with this rule alone, as `survey` with `begun`, `progress` and `stop`.

    It takes a run of all texts, since a rule asks for the weights of every head, and a reading keeps none. Where it is
    whole, `reading.with_rule(rule, tried.rule_tallies)` has it among the others. Raises `ModelMismatch` for a reading
    of another model, or of a part of its texts; `DeviceFull`.
    """
    reading.made_of.check(model)
    if not reading.is_whole:
        raise ModelMismatch("Only a part of the texts was read. Read the others, then test a rule on all of them.")
    texts, edits = reading.collection, reading.edits
    return survey(model, texts, edits=edits, rules=[rule], begun=begun, progress=progress, stop=stop, keep=False)
