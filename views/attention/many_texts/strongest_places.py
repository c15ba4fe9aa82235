"""The places where the chosen head has its largest weights, in their texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from model.cached_property import cached_property
from model.surveys.reading import Place
from model.surveys.rules import Rule
from views.attention.many_texts.text_places import PlacesOfHead
from viz.shared.style import count_noun, markdown_text

SHOWN = 20
LEAST_SHARE = 0.3  # of the places that a rule predicts, to be told
LARGEST = "the weight of the strongest place"
FOLLOWED = "the rule that predicts most of the strongest places"


@dataclass(frozen=True)
class StrongestPlaces(PlacesOfHead):
    """The strongest places of the head. Those of the first token and of the query itself are left out."""

    @property
    def name(self) -> str:
        return "strongest places"

    def groups(self) -> Sequence[tuple[str, Sequence[Place]]]:
        at = self.head.at
        return [("", self.reading.strongest(self.attention, at.layer, self.head.head, SHOWN))]

    def told(self) -> Mapping[str, float | str]:
        if not self.places:
            return {}
        told: dict[str, float | str] = {LARGEST: self.places[0].weight}
        return told | ({FOLLOWED: max(self.predicted, key=self.predicted.__getitem__).words} if self.predicted else {})

    @cached_property
    def predicted(self) -> dict[Rule, int]:
        """How many of the places each rule predicts; without rules in cross-attention, where they predict nothing."""
        if self.head.at.is_cross:
            return {}
        found = {}
        for rule in self.reading.rules:
            keys = {place.number: rule.keys(self.sides(place)[0]) for place in self.places}
            found[rule] = sum(place.key in keys[place.number][place.query] for place in self.places)
        return found

    def caption(self) -> str:
        if not self.places:
            return self.none_found()
        count, texts = len(self.places), len({place.number for place in self.places})
        places, stand = count_noun(count, "strongest place"), "stands" if count == 1 else "stand"
        found = f"The {places} of {self.head.place} {stand} in {count_noun(texts, 'text')}."
        return " ".join([found, *self._say_rule(), "The strongest alone mislead: look at some from every tenth, too."])

    def _say_rule(self) -> list[str]:
        """Which rule predicts most of the places."""
        if not self.predicted:
            return []
        best = max(self.predicted, key=self.predicted.__getitem__)
        most, count = self.predicted[best], len(self.places)
        if most < LEAST_SHARE * count:
            return [f"No rule of the vocabulary predicts more than {most} of them."]
        return [f"Of these, {most} {'looks' if most == 1 else 'look'} {markdown_text(best.words)}."]
