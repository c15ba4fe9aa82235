"""Random noun phrases and circumstances of everyday sentences, of words that go together."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TypeVar

from corpora.en_ur_phrases import PRONOUNS, NounPhrase, name_phrase, noun_form, pronoun_phrase, words
from corpora.everyday.clauses import Adjunct, adverb, at
from corpora.everyday.lexicon import (
    Adjective,
    Verb,
    adjectives_of,
    adverbs,
    is_common,
    names,
    noun,
    nouns_of,
    places,
)
from corpora.everyday.measures import CONTENTS
from corpora.everyday.phrases import described, indefinite, join, make, measured, number_words
from corpora.everyday.spelled_names import spelled_name
from corpora.urdu_lexicon import Noun

Item = TypeVar("Item")
Lemma = TypeVar("Lemma", Noun, Adjective, Verb)
PRONOUN_SUBJECTS = "I you he she we they"
PLACES = {  # kinds of nouns, or nouns, that can stand after each preposition
    "in": "place room east west north south",
    "on": "road bridge mountain roof bench floor beach sofa",
    "under": "tree table chair bed bridge",
    "near": "river lake school park station mosque door hospital market",
    "behind": "tree house door school car wall",
    "in front of": "house school mosque shop door hospital mirror",
    "next to": "bank school house window river",
    "inside": "house box room shop mosque",
    "outside": "house school city",
    "around": "tree house table",
}
OFTEN_SEVERAL = {
    "brother",
    "sister",
    "son",
    "daughter",
    "child",
    "cousin",
    "friend",
    "uncle",
    "aunt",
    "nephew",
    "niece",
    "relative",
}
TIME_UNITS = "second minute hour day week month year"
UNCOUNTED = {"sky", "weather", "parent", "school_subject", "language", "region", "illness", "parents", "sport"}


class Speaker:
    """Makes phrases with a random number generator. The same seed gives the same phrases."""

    rare_names = 0.08  # share of the names that are made of syllables, outside the vocabulary

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def choose(self, items: Sequence[Item]) -> Item:
        return items[int(self.rng.random() * len(items))]

    def choose_word(self, items: Sequence[Lemma]) -> Lemma:
        """A noun, adjective or verb: in half of the draws a common one, where there is one; else any."""
        common = [word for word in items if is_common(word)] if self.chance(0.5) else []
        return self.choose(common or items)

    def pick(self, weights: Mapping[str, float]) -> str:
        return self.rng.choices(list(weights), list(weights.values()))[0]

    # People and things

    def pronoun(self, slot: str, english: str = PRONOUN_SUBJECTS) -> NounPhrase:
        return pronoun_phrase(slot, self.choose(english.split()))

    def name(self, slot: str) -> NounPhrase:
        """A person's name: from the list, or now and then a rare one, which the tokenizer spells."""
        if self.chance(self.rare_names):
            return name_phrase(slot, spelled_name(self.rng))
        return name_phrase(slot, self.choose(names()))

    def person(self, slot: str, pronouns: str = PRONOUN_SUBJECTS, subject: NounPhrase | None = None) -> NounPhrase:
        """A pronoun, a name, a relative or another person, sometimes two."""
        kind = self.pick(
            {"pronoun": 40 if pronouns else 0, "name": 18, "kin": 18, "person": 20, "two": 3, "anybody": 3}
        )
        if kind == "pronoun":
            return self.pronoun(slot, pronouns)
        if kind == "name":
            return self.name(slot)
        if kind == "anybody" and slot == "subject":
            return indefinite(slot, self.choose(["somebody", "everyone", "nobody", "everybody", "someone"]))
        if kind == "two":
            second = self.name(f"{slot}-too") if self.chance(0.5) else self.relative(f"{slot}-too", subject)
            return join(self.relative(slot, subject) if self.chance(0.4) else self.name(slot), second)
        return (
            self.relative(slot, subject)
            if kind == "kin"
            else self.noun(slot, self.choose_word(nouns_of("person profession")), subject)
        )

    def relative(self, slot: str, subject: NounPhrase | None = None, depth: int = 0) -> NounPhrase:
        """ "My brother", "Ali's sister", "my brother's wife": a relative always has an owner."""
        word = self.choose_word(nouns_of("kin parent parents"))
        if depth == 0 and self.chance(0.25):
            owner = self.relative(f"{slot}-owner", subject, 1)
        elif self.chance(0.7):
            owner = self.pronoun(f"{slot}-owner")
        else:
            owner = self.name(f"{slot}-owner")
        ambiguous = owner.pronoun is not None and owner.possessive in ("my", "your", "our", "their")
        if not ambiguous and (word.english, owner.gender) in (("husband", "m"), ("wife", "f")):
            return self.relative(slot, subject, depth)
        own = subject is not None and owner.pronoun is not None and owner.possessive == subject.possessive
        number = "pl" if word.english in OFTEN_SEVERAL and self.chance(0.2) else "sg"
        chosen: tuple[Adjective, ...] = ()
        if word.english in ("brother", "sister", "son", "daughter") and self.chance(0.2):
            chosen = (self.choose(ELDERS),)
        return make(slot, word, number, owner=owner, adjectives=chosen, own=own)

    def subject(self, kinds: str) -> NounPhrase:
        """A subject of these kinds."""
        return self.person("subject") if "person" in kinds.split() else self.thing("subject", kinds)

    def thing(
        self, slot: str, kinds: str, subject: NounPhrase | None = None, definite: bool | None = None
    ) -> NounPhrase:
        choices = nouns_of(kinds)
        if any(word.kind == "drink" for word in choices) and self.chance(0.15):
            return self.measure(slot, "glass cup")
        word = self.choose_word(choices)
        if word.kind in ("kin", "parent", "parents"):
            return self.relative(slot, subject)
        if word.kind in ("person", "profession") and self.chance(0.2):
            return self.name(slot)
        return self.noun(slot, word, subject, definite)

    def noun(
        self, slot: str, word: Noun, subject: NounPhrase | None = None, definite: bool | None = None
    ) -> NounPhrase:
        """A noun with a determiner or an owner, perhaps counted, described or joined with another."""
        chosen, degree = self.describing(word)
        number = "pl" if word.quantity == "plural" or (word.plural is not None and self.chance(0.3)) else "sg"
        if word.kind in UNCOUNTED:
            bare = word.kind in ("school_subject", "language", "illness", "sport") or (
                word.kind == "weather" and word.english not in ("wind", "weather") and self.chance(0.2)
            )
            if word.kind == "weather" and word.quantity == "count":
                return make(slot, word, determiner="the")
            return make(slot, word, determiner="" if bare else "the")
        if definite is not False and self.chance(0.2):
            return self.owned(slot, word, number, chosen, degree, subject)
        determiner, count = self.determiner(word, number, definite)
        phrase = make(slot, word, number, determiner, chosen, count=count, degree=degree)
        if determiner in ("the", "a") and not count and self.chance(0.15):
            return self.with_phrase(slot, phrase, word)
        return phrase

    def owned(
        self,
        slot: str,
        word: Noun,
        number: str,
        chosen: tuple[Adjective, ...],
        degree: tuple[str, str],
        subject: NounPhrase | None,
    ) -> NounPhrase:
        """ "My book", "her father's old car"; what belongs to the subject is its own: اپنا."""
        owners = [row[0] for row in PRONOUNS if subject is not None and row[8] == subject.possessive]
        if owners and self.chance(0.5):
            owner = pronoun_phrase(f"{slot}-owner", owners[0])
        else:
            owner = self.owner(f"{slot}-owner")
        own = subject is not None and owner.pronoun is not None and owner.possessive == subject.possessive
        return make(slot, word, number, adjectives=chosen, owner=owner, own=own, degree=degree)

    def owner(self, slot: str) -> NounPhrase:
        kind = self.pick({"pronoun": 55, "name": 20, "kin": 15, "person": 10})
        if kind == "pronoun":
            return self.pronoun(slot)
        if kind == "name":
            return self.name(slot)
        if kind == "kin":
            return self.relative(slot)
        number = "pl" if self.chance(0.3) else "sg"
        return make(
            slot,
            self.choose_word(nouns_of("person profession")),
            number,
            self.choose(["the", "the", "this" if number == "sg" else "these"]),
        )

    def describing(self, word: Noun) -> tuple[tuple[Adjective, ...], tuple[str, str]]:
        """No adjective, or one, perhaps with "very", or two."""
        choices = [a for a in adjectives_of(word) if "pred" not in a.features] if self.chance(0.25) else []
        if not choices:
            return (), ("", "")
        first = self.choose_word(choices)
        if "plain" not in first.features and self.chance(0.15):
            return (first,), self.choose(
                [("very", "بہت"), ("very", "بہت"), ("extremely", "انتہائی"), ("quite", "کافی")]
            )
        colours = [a for a in choices if "red" in a.kinds or a.english in COLOURS]
        if colours and first.english not in COLOURS and self.chance(0.25):
            return (first, self.choose(colours)), ("", "")
        return (first,), ("", "")

    def determiner(self, word: Noun, number: str, definite: bool | None) -> tuple[str, int]:
        """A determiner, and a count (0 for none)."""
        one = number == "sg"
        pointing = {"this": 5.0, "that": 5.0} if one else {"these": 5.0, "those": 5.0}
        definites = {"the": 40.0, **pointing}
        if word.quantity == "mass":
            indefinites = {
                "": 22.0,
                "some": 5.0,
                "a lot of": 3.0,
                "more": 2.0,
                "enough": 1.0,
                "too much": 2.0,
                "so much": 2.0,
            }
        elif one:
            indefinites = {"a": 28.0, "every": 2.0, "another": 2.0}
            definites |= {"the other": 2.0, "the same": 2.0, "each": 1.0}
        elif word.quantity == "plural":
            indefinites = {"": 12.0, "some": 4.0}
        else:
            indefinites = {
                "": 8.0,
                "some": 4.0,
                "many": 4.0,
                "a few": 2.0,
                "several": 2.0,
                "a lot of": 2.0,
                "too many": 2.0,
                "so many": 2.0,
                "few": 1.0,
                "count": 12.0,
                "most": 1.0,
            }
            definites |= {"all": 2.0, "both": 2.0, "the count": 2.0}
        if definite is not None:
            indefinites.pop("every", None)
        weights = definites | indefinites if definite is None else definites if definite else indefinites
        chosen = self.pick(weights)
        if chosen.endswith("count"):
            return chosen.removesuffix("count").strip(), self.count()
        return chosen, 0

    def count(self) -> int:
        """A number from 2 on, small ones more often."""
        if self.chance(0.7):
            return self.rng.randint(2, 10)
        return self.rng.randint(11, 100) if self.chance(0.8) else self.rng.randint(2, 9) * 100

    def with_phrase(self, slot: str, phrase: NounPhrase, word: Noun) -> NounPhrase:
        """ "The girl with the red hat", "the book on the table", "the door of the house"."""
        if word.kind in ("person", "profession", "kin") and self.chance(0.6):
            worn = self.noun(
                f"{slot}-with", self.choose_word(nouns_of("clothes bag stick umbrella beard")), definite=True
            )
            worn = worn if worn.pronoun is None else phrase
            return described(
                phrase, words("with", f"{slot}/with") + worn.as_object, worn.oblique, "والا", f"{slot}/with"
            )
        if word.kind in ("text", "thing", "writing", "container", "device", "fruit"):
            place = self.place_of(
                f"{slot}-place", {"on": "table chair bed desk floor shelf", "in": "bag box drawer room"}
            )
            return described(phrase, place.english, place.urdu, "رکھا ہوا", f"{slot}/verb")
        if word.kind in ("person", "profession", "animal", "bird"):
            place = self.place_of(
                f"{slot}-place", {"in": "place room east west north south", "near": "door tree river"}
            )
            return described(phrase, place.english, place.urdu, "موجود", f"{slot}-place/preposition")
        return phrase

    def measure(self, slot: str, units: str = "") -> NounPhrase:
        """ "A glass of water", "two kilos of rice"."""
        unit = self.choose(units.split() or list(CONTENTS))
        word = noun(self.choose(CONTENTS[unit].split()))
        content = make(slot, word, "sg" if word.quantity == "mass" else "pl", "")
        return measured(slot, 1 if self.chance(0.5) else self.rng.randint(2, 5), noun(unit), content)

    # Circumstances

    def place_of(self, slot: str, kinds: dict[str, str], subject: NounPhrase | None = None) -> Adjunct:
        preposition = self.choose(list(kinds))
        word = self.choose_word(nouns_of(kinds[preposition]))
        roll = self.rng.random()
        if roll < 0.2:
            return at(preposition, self.noun(slot, word, subject, True))
        if roll < 0.3:  # a place is not introduced: محفوظ جگہ پر
            chosen, degree = self.describing(word)
            somewhere = make(slot, word, determiner="a", adjectives=chosen, degree=degree)
            return at(preposition, somewhere.without_article())
        several = roll < 0.37 and word.plural is not None and word.quantity == "count"
        return at(preposition, make(slot, word, "pl" if several else "sg", "the"))

    def place(self, subject: NounPhrase | None = None) -> Adjunct:
        """Where something happens."""
        kind = self.pick({"word": 15, "city": 12, "in": 40, "other": 33})
        if kind == "word":
            chosen = self.choose(adverbs("place"))
            return adverb(chosen.english, chosen.urdu, "place")
        if kind == "city":
            return at("in", name_phrase("place", self.choose(places())))
        kinds = {"in": PLACES["in"]} if kind == "in" else PLACES
        return self.place_of("place", kinds, subject)

    def time(self, tense: str) -> Adjunct | None:
        """When something happens, at the end of the English sentence or at its front."""
        group = {"habitual": "present", "going to": "future", "was able to": "past", "had to": "past"}.get(tense, tense)
        choices = adverbs(f"time {group}")
        if not choices:
            return None
        if group in ("past", "future") and self.chance(0.15):
            return self.distant_time(group)
        chosen = self.choose(choices)
        position = "mid" if chosen.feature == "mid" else "front" if self.chance(0.15) else "end"
        return adverb(chosen.english, chosen.urdu, "time", position)

    def distant_time(self, group: str) -> Adjunct:
        """ "Two weeks ago", "after three months", "in five minutes": دو ہفتے پہلے, تین مہینے بعد."""
        amount, unit = self.rng.randint(2, 10), self.choose(nouns_of(TIME_UNITS))
        before, after, marker = ("", "ago", "پہلے")
        if group == "future":
            before, after, marker = self.choose([("after", "", "بعد"), ("in", "", "میں")])
        count = number_words(amount, "time/count")
        english = words(before) + count[0] + words(unit.plural or "", "time/unit") + words(after)
        return Adjunct(english, count[1] + words(noun_form(unit, "pl", False), "time/unit") + words(marker), "time")

    def frequency(self) -> Adjunct:
        chosen = self.choose(adverbs("frequency")[:6])
        return adverb(chosen.english, chosen.urdu, "frequency", "mid", chosen.feature == "negative")

    def manner(self) -> Adjunct:
        chosen = self.choose([one for one in adverbs("manner") if one.feature != "group"])
        return adverb(chosen.english, chosen.urdu, "manner")

    def vehicle(self) -> Adjunct:
        """ "By bus"."""
        return at(
            "by",
            make(
                "vehicle", self.choose_word(nouns_of("bus car train taxi bicycle boat plane rickshaw")), determiner=""
            ),
            "with",
        )

    def company(self, subject: NounPhrase) -> Adjunct:
        """ "With my sister"."""
        other = self.person("company", " ".join(others(subject)), subject)
        return at("with", other, "with")


def others(subject: NounPhrase) -> list[str]:
    """The pronouns of other people than the subject."""
    return [
        row[0]
        for row in PRONOUNS
        if row[8] != subject.possessive and row[0] not in ("it", "I" if subject.be == "am" else "it")
    ]


ELDERS = tuple(
    Adjective(english, urdu, frozenset({"kin"}), "", frozenset({"attr"}))
    for english, urdu in [
        ("older", "بڑا"),
        ("elder", "بڑا"),
        ("younger", "چھوٹا"),
        ("eldest", "سب سے بڑا"),
        ("youngest", "سب سے چھوٹا"),
        ("little", "چھوٹا"),
    ]
)
COLOURS = {"black", "white", "red", "green", "blue", "yellow", "brown", "pink", "grey", "purple", "golden"}
