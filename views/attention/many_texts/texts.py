"""The collections that come with the project, under the names that links and notebooks have for them; and a reading."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache

import numpy as np

from model import Model, survey
from model.arrays import Array
from model.errors import GlassformerError, UnreadableText
from model.surveys.reading import Reading
from model.surveys.rules import VOCABULARY, Rule
from model.surveys.survey import READING, never
from model.texts.collection import Collection
from model.texts.own import own_texts, small_world_texts
from model.zoo.files import Progress, no_progress
from views.attention.many_texts.names import OWN, SMALL_WORLD

BUILT_IN = {OWN: own_texts, SMALL_WORLD: small_world_texts}
BETWEEN = ", "  # the kinds of a choice
SAMPLE_STEP = 20  # of the texts by which a model is known that has not learnt their words
MOST_SPELLED = 0.12  # share of their tokens


@lru_cache(maxsize=32)
def built_in(name: str, kinds: str = "") -> Collection:
    """A collection that comes with the project. `kinds`: the kinds that are read, with commas between; "" for all.

    Raises `GlassformerError` for a name or a kind that there is not.
    """
    if name not in BUILT_IN:
        raise GlassformerError(f"There are no texts “{name}”. There are: {', '.join(BUILT_IN)}.")
    whole, chosen = BUILT_IN[name](), split_kinds(kinds)
    for kind in chosen:
        if kind not in whole.kinds:
            raise GlassformerError(f"{whole.name} have no kind “{kind}”. They have: {BETWEEN.join(whole.kinds)}.")
    if not chosen:
        return whole
    return Collection(whole.name, tuple(text for text in whole.texts if text.kind in chosen))


def split_kinds(kinds: str) -> tuple[str, ...]:
    """The kinds that a choice names."""
    return tuple(kind for kind in map(str.strip, kinds.split(",")) if kind)


def usual_texts(model: Model) -> str:
    """The built-in collection that is proposed for a model: that of the small world where it would spell the words of
    the other letter by letter."""
    spelled = []
    for text in own_texts().texts[::SAMPLE_STEP]:
        with suppress(UnreadableText):
            spelled += [is_spelled(token.text) for token in model.tokenizer.encode(text.content, add_special=False)]
    return SMALL_WORLD if spelled and sum(spelled) > MOST_SPELLED * len(spelled) else OWN


def is_spelled(word: str) -> bool:
    """Whether a token is a letter that goes on a word: mostly of a word that the model does not know."""
    return len(word) == 1 and word.isascii() and word.isalpha()


def spelled_shares(reading: Reading) -> Array:
    """Of each text, which share of its tokens are such letters: (texts,). 0 for a text that was not read."""
    tokens = next(iter(reading.tokens.values()))
    letters = np.isin(tokens.ids, [id for id, word in tokens.spelled.items() if is_spelled(word)])
    counts = np.concatenate([[0], np.cumsum(letters)])[tokens.begins]
    shares: Array = np.diff(counts) / np.maximum(np.diff(tokens.begins), 1)
    return shares


def read_texts(
    model: Model,
    texts: Collection | Sequence[str],
    rules: Sequence[Rule] = VOCABULARY,
    *,
    most: int | None = None,
    keep: bool = True,
) -> Reading:
    """The reading of texts by a model, which may be one with edits. Raises as `survey`.

    `most`: as many texts as were read when somebody stopped; None for all. `keep`: on the disk.
    """
    if most is None:
        return survey(model, texts, rules=rules, keep=keep)
    reading = read_step(model, texts, rules)
    while count_read(reading) < most and not reading.is_whole:
        reading = read_step(model, texts, rules, reading)
    return reading


def read_step(
    model: Model,
    texts: Collection | Sequence[str],
    rules: Sequence[Rule] = VOCABULARY,
    begun: Reading | None = None,
    *,
    goes_on: Callable[[], bool] = never,
    progress: Progress = no_progress,
    keep: bool = False,
) -> Reading:
    """The same reading after a further batch of texts, and after more of them as long as it `goes_on`."""
    has_read = False

    def note(step: str, share: float) -> None:
        nonlocal has_read
        has_read = step == READING
        progress(step, share)

    def stop() -> bool:
        return has_read and not goes_on()

    return survey(model, texts, rules=rules, begun=begun, progress=note, stop=stop, keep=keep)


def count_read(reading: Reading) -> int:
    """How many texts were read."""
    return int(reading.read.sum())
