"""A number of every head on many texts, by its name in keys: "induction", "induction in code", "layer"."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from model.arrays import Array
from model.surveys.measures import MEASURES
from model.surveys.reading import Reading, mean_of_known
from views.attention.measures import measure_induction
from views.head_of_run import HeadOfRun
from viz.attention.many_texts import HeadNumbers

LAYER, RANDOM = "layer", "random induction"
IN = " in "  # between a measure and the kind of the texts
TITLES = {  # on an axis and in a sentence
    "previous": "previous token",
    "first": "first token",
    "self": "the token itself",
    "same": "same token elsewhere",
    "induction": "induction on the texts",
    "strongest": "largest weight",
    "spread": "entropy over its maximum",
    "distance": "distance in tokens",
}
assert TITLES.keys() == MEASURES.keys()


def titles_of(reading: Reading, attention: str) -> dict[str, str]:
    """What each number that heads have on these texts is called, by its name: the measures, then those that stand
    beside them, then each measure on the texts of one kind. A measure that no text has is none of them."""
    found = reading.tally(attention).measures
    on = {name: np.atleast_1d(np.isfinite(found[name][:, 0]).any(0)) for name in TITLES if name in found}  # (texts,)
    titles = {name: TITLES[name] for name, has in on.items() if has.any()}
    beside = {LAYER: LAYER}
    if not attention.endswith("cross_attn"):
        beside[RANDOM] = "induction, random tokens"
    kinds = np.array([text.kind for text in reading.collection.texts])
    of_kinds = {
        f"{name}{IN}{kind}": f"{titles[name]}, {kind}"
        for name in titles
        for kind in reading.collection.kinds
        if on[name][kinds == kind].any()
    }
    return titles | beside | of_kinds


def number_of(head: HeadOfRun, reading: Reading, attention: str, name: str) -> HeadNumbers:
    """A number of each head of an attention: the mean of a measure over the texts. `head` is one of its heads.

    "random induction" runs the model over random tokens. Raises `ModelMismatch` for a measure that there is not.
    """
    title = titles_of(reading, attention).get(name, name)
    if name == RANDOM:
        return HeadNumbers(title, measure_induction(head).values)
    layers, heads = next(iter(reading.tally(attention).measures.values())).shape[:2]
    if name == LAYER:
        return HeadNumbers(title, np.repeat(np.arange(layers)[:, None], heads, 1).astype(float), is_count=True)
    return HeadNumbers(title, mean_of_known(on_texts(reading, attention, name)))


def on_texts(reading: Reading, attention: str, name: str) -> Array:
    """A measure of each head on each text, of one kind where the name says so: (layers, heads, texts)."""
    measure, _, kind = name.partition(IN)
    values = reading.measure(measure, attention)
    if kind:
        values = values[..., [text.kind == kind for text in reading.collection.texts]]
    return values


def usual_axes(titles: Mapping[str, str]) -> dict[str, str]:
    """The numbers that are shown where the reader has chosen none, by the axis: those of `titles_of` that tell most."""
    across = next(name for name in ("previous", "first", "strongest") if name in titles)
    upwards = next(name for name in ("induction", "spread", "strongest") if name in titles)
    return {"x": across, "y": upwards, "colour": LAYER}
