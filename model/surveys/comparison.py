"""Two readings of the same texts: which heads do something else in the second model, and what."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from model.arrays import Array
from model.errors import ModelMismatch
from model.numerals import fixed
from model.surveys.reading import Reading, mean_of_known

RTOL, ATOL = 1e-5, 1e-6  # means of two equal models differ by no more, from rounding


@dataclass(frozen=True)
class HeadMatch:
    """A head of the first reading and the head of the second that it is compared with.

    `change`: how far their profiles are apart, in standard deviations between heads. `measure` is the one that changed
    most, and `before` and `after` its means over the texts.
    """

    layer: int
    head: int
    other_layer: int
    other_head: int
    change: float
    measure: str
    before: float
    after: float

    def __str__(self) -> str:
        which = f"{self.layer}.{self.head} → {self.other_layer}.{self.other_head}"
        return f"{which}: {self.measure} {fixed(self.before, 2)} → {fixed(self.after, 2)}"


@dataclass(frozen=True, eq=False)
class Comparison:
    """What `compare` gives. `by_place`: heads are matched by layer and place; else each by the nearest profile.

    `matches`: one for each head of the first reading, those that changed most first. `measures`: what a profile is made
    of. `profiles` and `other_profiles` (heads, measures): the means over the texts that both have read.
    """

    first: Reading
    second: Reading
    attention: str
    other_attention: str
    by_place: bool
    measures: tuple[str, ...]
    profiles: Array
    other_profiles: Array
    matches: tuple[HeadMatch, ...]

    @property
    def texts(self) -> int:
        """How many texts both have read."""
        return int((self.first.read & self.second.read).sum())

    def of_head(self, layer: int, head: int) -> HeadMatch:
        """The match of a head of the first reading. Raises `ModelMismatch` for one that is not there."""
        self.first.checked_name(self.attention, layer, head)
        return next(match for match in self.matches if (match.layer, match.head) == (layer, head))


def compare(first: Reading, second: Reading, attention: str = "", other_attention: str = "") -> Comparison:
    """The heads of two readings of the same texts, matched: what changed most comes first.

    A head is matched with that of the same layer and place where both models have as many layers and heads. Otherwise
    with the head whose profile is nearest: its measures, as means over the texts, each in standard deviations between
    all heads of both. Attentions are by default the last stack's self-attention. Raises `ModelMismatch` for readings
    of different texts, and for two that have no text in common.
    """
    if first.made_of.texts != second.made_of.texts:
        raise ModelMismatch("These readings are of different texts. Survey the same collection with both models.")
    read = first.read & second.read
    if not read.any():
        raise ModelMismatch("There is no text that both models have read.")
    names = first.name_of(attention), second.name_of(other_attention)
    has = second.tally(names[1]).measures
    measures = tuple(name for name in first.tally(names[0]).measures if name in has)
    means = [
        np.stack([mean_of_known(reading.measure(name, attended)[..., read]) for name in measures], axis=-1)
        for reading, attended in zip((first, second), names, strict=True)
    ]  # (layers, heads, measures) each
    shapes = [each.shape[:2] for each in means]
    profiles, others = (each.reshape(-1, len(measures)).astype(np.float64) for each in means)
    scaled, others_scaled = _standardise(profiles, others)
    by_place = shapes[0] == shapes[1]
    nearest = [int(np.square(others_scaled - each).sum(1).argmin()) for each in scaled]
    chosen = list(range(len(profiles))) if by_place else nearest
    is_same = np.isclose(profiles, others[chosen], RTOL, ATOL, equal_nan=True)
    differences = np.where(is_same, 0.0, others_scaled[chosen] - scaled)  # (heads, measures)
    matches = []
    for place, other in enumerate(chosen):
        (layer, head), (other_layer, other_head) = divmod(place, shapes[0][1]), divmod(other, shapes[1][1])
        most = int(np.abs(differences[place]).argmax())
        change = float(np.sqrt(np.square(differences[place]).mean()))
        values = float(profiles[place, most]), float(others[other, most])
        matches.append(HeadMatch(layer, head, other_layer, other_head, change, measures[most], *values))
    matches.sort(key=lambda match: -match.change)
    return Comparison(first, second, *names, by_place, measures, profiles, others, tuple(matches))


def _standardise(profiles: Array, others: Array) -> tuple[Array, Array]:
    """Both with each measure in standard deviations from the mean of all heads; a measure without a number is 0."""
    both = np.concatenate([profiles, others])
    spread = np.nanstd(both, axis=0)
    scaled = np.nan_to_num((both - np.nanmean(both, axis=0)) / np.where(spread > 0, spread, np.inf))
    return scaled[: len(profiles)], scaled[len(profiles) :]
