"""Random noun phrases of the English-Urdu world, with words that go together."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from corpora.en_ur_clauses import PlacePhrase
from corpora.en_ur_phrases import (
    PRONOUNS,
    NounPhrase,
    adverb_phrase,
    both,
    name_phrase,
    noun_phrase,
    pronoun_phrase,
    words,
)
from corpora.urdu_lexicon import (
    ADJECTIVES,
    COLOURS,
    HERE,
    NAMES,
    NOT_GRADED,
    NOUNS,
    NUMBERS,
    Adjective,
    Name,
    Noun,
)

# Kinds of nouns, or nouns, that can stand after each preposition.
PLACES = {
    "in": "place room",
    "on": "table chair bed mat road bridge mountain",
    "under": "tree table chair bed bridge",
    "near": "tree river lake house school park station mosque mountain",
    "behind": "tree house door school car",
    "in front of": "house school mosque shop door",
}
SHORE = next(noun for noun in NOUNS if (noun.english, noun.kind) == ("bank", "shore"))


def fits(noun: Noun | Name, kinds: str) -> bool:
    """Whether a noun is one of these kinds, or one of these nouns."""
    return noun.kind in kinds.split() or noun.english in kinds.split()


@cache
def nouns(kinds: str) -> list[Noun]:
    return [noun for noun in NOUNS if fits(noun, kinds) and noun is not SHORE]


@cache
def names(kinds: str) -> list[Name]:
    return [name for name in NAMES if fits(name, kinds)]


@cache
def adjectives(noun: Noun | Name, attributive: bool) -> list[Adjective]:
    return [a for a in ADJECTIVES if fits(noun, a.kinds) and not (attributive and a.predicate_only)]


class Speaker:
    """Makes phrases with a random number generator. The same seed gives the same phrases."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def pick(self, weights: dict[str, float]) -> str:
        return self.rng.choices(list(weights), list(weights.values()))[0]

    # Noun phrases

    def person(self, slot: str) -> NounPhrase:
        return self.phrase(slot, "person", pronouns="I you he she we they")

    def phrase(self, slot: str, kinds: str, pronouns: str = "", subject: NounPhrase | None = None) -> NounPhrase:
        """A pronoun, a name or a noun of these kinds. `subject` is the clause's subject, unless this is the subject."""
        if pronouns and self.chance(0.35):
            return pronoun_phrase(slot, self.rng.choice(pronouns.split()))
        choices: Sequence[Noun] = nouns(kinds)
        if names(kinds) and (not choices or self.chance(0.3)):
            return self.name_or_two(slot, kinds)
        noun = self.rng.choice(choices)
        if slot == "subject" and noun.kind in ("person", "animal", "bird") and self.chance(0.06):
            other = self.rng.choice([other for other in nouns(noun.kind) if other != noun])
            return both(self.noun(slot, noun, definite=True), self.noun("subject-too", other, definite=True))
        return self.noun(slot, noun, subject)

    def name_or_two(self, slot: str, kinds: str) -> NounPhrase:
        first = self.rng.choice(names(kinds))
        if first.kind == "person" and slot == "subject" and self.chance(0.15):
            second = self.rng.choice([name for name in names("person") if name != first])
            return both(name_phrase(slot, first), name_phrase("subject-too", second))
        return name_phrase(slot, first)

    def noun(
        self, slot: str, noun: Noun, subject: NounPhrase | None = None, definite: bool | None = None
    ) -> NounPhrase:
        """A noun with a determiner or an owner, and perhaps an adjective."""
        adjective, very = self.adjective(noun, 0.25)
        colour = self.colour(noun) if adjective and adjective.english not in COLOURS and self.chance(0.2) else None
        number = "pl" if noun.quantity == "plural" or (noun.plural is not None and self.chance(0.3)) else "sg"
        if definite is not False and self.chance(0.15):
            owner = self.owner(f"{slot}-owner", subject)
            own = subject is not None and owner.pronoun is not None and owner.possessive == subject.possessive
            return noun_phrase(slot, noun, number, "", adjective, very, owner, own, colour)
        determiner = self.determiner(noun, number, definite)
        return noun_phrase(slot, noun, number, determiner, adjective, very, colour=colour)

    def colour(self, noun: Noun) -> Adjective | None:
        choices = [adjective for adjective in adjectives(noun, True) if adjective.english in COLOURS]
        return self.rng.choice(choices) if choices else None

    def adjective(self, noun: Noun, share: float) -> tuple[Adjective | None, bool]:
        choices = adjectives(noun, True)
        if not choices or not self.chance(share):
            return None, False
        adjective = self.rng.choice(choices)
        return adjective, adjective.english not in NOT_GRADED and self.chance(0.15)

    def determiner(self, noun: Noun, number: str, definite: bool | None) -> str:
        pointing = (
            {"this": 4.0, "that": 4.0} if number == "sg" or noun.quantity == "mass" else {"these": 4.0, "those": 4.0}
        )
        definites = {"the": 45.0, **pointing}
        if noun.kind in ("sky", "weather", "parent"):
            return "the"
        if noun.quantity == "mass":
            indefinites = {"": 25.0, "some": 5.0}
        elif number == "sg":
            indefinites = {"a": 25.0, "every": 2.0, "one": 2.0}
            definites["the other"] = 2.0
        elif noun.quantity == "plural":
            indefinites = {"": 15.0, "some": 4.0}
        else:
            indefinites = {"": 8.0, "some": 4.0, "many": 4.0, self.rng.choice(list(NUMBERS)): 10.0}
        if definite is not None:
            indefinites.pop("every", None)
            return self.pick(definites if definite else indefinites)
        return self.pick(definites | indefinites)

    def owner(self, slot: str, subject: NounPhrase | None) -> NounPhrase:
        """An owner: a pronoun, a name or a person, often the subject. "Its" is possible only if the subject is "it"."""
        own = [row[0] for row in PRONOUNS if subject is not None and row[8] == subject.possessive]
        if own and self.chance(0.4):
            return pronoun_phrase(slot, own[0])
        if self.chance(0.6):
            choices = "I you he she we they it" if subject and subject.possessive == "its" else "I you he she we they"
            return pronoun_phrase(slot, self.rng.choice(choices.split()))
        if self.chance(0.6):
            return name_phrase(slot, self.rng.choice(names("person")))
        determiner = self.rng.choice(["the", "the", "this", "that"])
        return noun_phrase(slot, self.rng.choice(nouns("person")), "sg", determiner)

    def place(
        self, subject: NounPhrase | None, kinds: dict[str, str] | None = None, slot: str = "place"
    ) -> PlacePhrase:
        """A place where something happens."""
        if kinds is None and self.chance(0.12):
            return PlacePhrase(self.rng.choice(["on", "near"]), self.waterside(slot))
        if kinds is None and self.chance(0.1):
            return PlacePhrase("", adverb_phrase(slot, self.rng.choice(list(HERE))))
        kinds = kinds or PLACES
        preposition = self.pick({key: 4.0 if key == "in" else 1.0 for key in kinds})
        if preposition == "in" and self.chance(0.2):
            return PlacePhrase("in", name_phrase(slot, self.rng.choice(names("place"))))
        return PlacePhrase(
            preposition, self.noun(slot, self.rng.choice(nouns(kinds[preposition])), subject, definite=True)
        )

    def waterside(self, slot: str) -> NounPhrase:
        """ "The bank of the river", not the bank with the money."""
        water = noun_phrase(f"{slot}-owner", self.rng.choice(nouns("waters")))
        shore = noun_phrase(slot, SHORE, owner=water)
        english = words("the") + words("bank", f"{slot}/noun") + words("of") + water.english
        return replace(shore, english=english)
