"""Random noun phrases that say more: names beside relatives, titles, groups, pieces, compounds, and what one wears.

They stand wherever a noun phrase can stand, because they are drawn in the place of plain ones.
"""

from __future__ import annotations

from corpora.en_ur_phrases import NounPhrase, name_phrase, words
from corpora.everyday.clauses import Adjunct, at, postposed
from corpora.everyday.compounds import compound_modifiers
from corpora.everyday.groups import (
    AMONG,
    ELSE,
    ROUGHLY,
    TOGETHER,
    called,
    city_of,
    everyone_in,
    everything_in,
    mine,
    of_them,
    piece_of,
    roughly,
    somebody_else,
    someone_from,
    standing_alone,
    this_one,
    title,
)
from corpora.everyday.lexicon import (
    Adjective,
    adjectives,
    adjectives_of,
    names,
    noun,
    nouns_of,
    places,
    rows,
)
from corpora.everyday.measures import PIECES
from corpora.everyday.phrases import described, make
from corpora.everyday.speaker import COLOURS, Speaker
from corpora.urdu_lexicon import Noun

NAMED = "brother sister son daughter uncle aunt cousin friend husband wife nephew niece neighbour colleague classmate"
TITLES = {  # English -> Urdu, and the gender of whom it names
    "Mr": ("مسٹر", "m"),
    "Mrs": ("مسز", "f"),
    "Miss": ("مس", "f"),
    "Dr": ("ڈاکٹر", "mf"),
    "Uncle": ("چچا", "m"),
    "Aunt": ("خالہ", "f"),
}
CITIES = "Lahore Karachi Islamabad Peshawar Quetta Multan Delhi Mumbai Dhaka Kabul Istanbul London Paris Berlin Tokyo"
GATHERED = "village city room house school class office family team street shop country world"
SHELVES = "shop room house box bag kitchen market city world museum"
LAST = Adjective("last", "آخری", frozenset())
ALONE = "new old big small good cheap expensive long short clean"
FEATURES = {  # what somebody has, and how it is
    "hair": "long short black white curly",
    "eye": "blue green brown black big beautiful",
    "nose": "long big small",
    "beard": "long white black short",
    "moustache": "big black",
}
SPOTS = {  # where a building is: the English preposition, the nouns behind it, and the Urdu before والا
    "near": ("river school park mosque station market hospital bridge bank", "کے قریب"),
    "on": ("corner road hill", "bare"),
    "next to": ("bank school park mosque shop", "کے ساتھ"),
    "behind": ("school mosque market station", "کے پیچھے"),
    "across from": ("bank school park mosque", "کے سامنے"),
}


class Elaborator(Speaker):
    """A speaker whose noun phrases say more than a noun and its determiner."""

    def person(
        self, slot: str, pronouns: str = "I you he she we they", subject: NounPhrase | None = None
    ) -> NounPhrase:
        """Somebody: now and then by a title, by name beside a relation, or as one of a group."""
        roll = self.rng.random()
        if roll < 0.02:
            return self.titled(slot)
        if roll < 0.045:
            return self.by_name(slot, subject)
        groups = [one for one in pronouns.split() if one in ("we", "you", "they")]
        if roll < 0.07 and groups:
            return of_them(slot, self.choose(groups), self.choose([*TOGETHER, *TOGETHER, *AMONG]))
        if roll < 0.09:
            return self.anybody(slot)
        return super().person(slot, pronouns, subject)

    def place(self, subject: NounPhrase | None = None) -> Adjunct:
        """Where something happens: now and then "in the city of Lahore"."""
        if self.chance(0.03):
            chosen = self.choose([one for one in places() if one.english in CITIES.split()])
            return at("in", city_of("place", name_phrase("place", chosen)))
        return super().place(subject)

    def titled(self, slot: str) -> NounPhrase:
        """ "Mr Khan", "Aunt Sara", "Dr Ahmed"."""
        english, (urdu, genders) = self.choose(list(TITLES.items()))
        return title(
            slot, name_phrase(slot, self.choose([one for one in names() if one.gender in genders])), english, urdu
        )

    def by_name(self, slot: str, subject: NounPhrase | None = None) -> NounPhrase:
        """ "My friend Ali", "his sister Sara"."""
        name = name_phrase(slot, self.choose(names()))
        kin = [word for word in nouns_of(NAMED) if word.gender == name.gender or word.kind != "kin"]
        word = self.choose_word([*kin, noun("friend")])._replace(gender=name.gender)
        owner = self.pronoun(f"{slot}-owner")
        own = subject is not None and owner.possessive == subject.possessive
        if (word.english, owner.gender) in (("husband", "m"), ("wife", "f")):
            word = noun("friend")._replace(gender=name.gender)
        return called(make(slot, word, owner=owner, own=own), name)

    def anybody(self, slot: str) -> NounPhrase:
        """ "Everyone in the village", "someone from the office", "everyone else"."""
        place = make(
            f"{slot}-place", noun(self.choose(GATHERED.split())), determiner=self.choose(["the", "the", "this"])
        )
        roll = self.rng.random()
        if roll < 0.4:
            return somebody_else(slot, self.choose([one for one in ELSE if not one.endswith("thing else")]))
        if roll < 0.6:
            return someone_from(slot, place)
        negative = "nobody" if slot == "subject" else "everyone"
        return everyone_in(slot, self.choose(["everyone", "everyone", negative]), place)

    def thing(
        self, slot: str, kinds: str, subject: NounPhrase | None = None, definite: bool | None = None
    ) -> NounPhrase:
        """A thing: now and then without its noun, or with everything there."""
        bought = bool({"thing", "clothes"} & set(kinds.split()))
        if bought and definite is not False and self.chance(0.12):
            return self.without_noun(slot)
        if bought and definite is None and self.chance(0.04):
            place = make(f"{slot}-place", noun(self.choose(SHELVES.split())), determiner=self.choose(["the", "this"]))
            return everything_in(slot, place)
        if bought and definite is None and self.chance(0.03):
            return somebody_else(slot, self.choose([one for one in ELSE if one.endswith("thing else")]))
        if "food" in kinds.split() and definite is not True and self.chance(0.06):
            return self.piece(slot)
        return super().thing(slot, kinds, subject, definite)

    def without_noun(self, slot: str) -> NounPhrase:
        """ "The blue one", "the third", "this one", "the other one", "mine"."""
        kind = self.pick({"colour": 30, "adjective": 20, "ordinal": 20, "this": 25, "other": 10, "mine": 70})
        one = self.choose(["one", "one", "ones"])
        if kind in ("colour", "adjective"):
            fitting = COLOURS if kind == "colour" else ALONE.split()
            chosen = self.choose([a for a in adjectives() if a.english in fitting])
            return standing_alone(slot, chosen.english, f"{chosen.urdu}+والا", one)
        if kind == "ordinal":
            ordinals = [(row.cell(0), row.cell(1)) for row in rows("function_words.tsv") if row.section == "ordinal"][
                :6
            ]
            english, urdu = self.choose(ordinals)
            return standing_alone(slot, english, urdu, self.choose(["one", ""]))
        if kind == "other":
            return standing_alone(slot, "other", "دوسرا", one)
        if kind == "this":
            return this_one(slot, self.choose(["this", "that"]))
        return mine(slot, self.choose(["I", "you", "he", "she", "we", "they"]))

    def piece(self, slot: str) -> NounPhrase:
        """ "A piece of bread", "the last bottle of milk", "two plates of rice"."""
        unit = self.choose(list(PIECES))
        word = noun(self.choose(PIECES[unit].split()))
        content = make(f"{slot}-of", word, "sg" if word.quantity == "mass" or unit == "piece" else "pl", "")
        if self.chance(0.2):
            return piece_of(make(slot, noun(unit), determiner="the", adjectives=(LAST,)), content)
        if self.chance(0.6):
            return piece_of(make(slot, noun(unit), determiner=self.choose(["a", "a", "another"])), content)
        return piece_of(make(slot, noun(unit), "pl", "", count=self.rng.randint(2, 6)), content)

    def measure(self, slot: str, units: str = "") -> NounPhrase:
        """A measure; of a piece or a full container Urdu says کا."""
        return self.piece(slot) if not units and self.chance(0.4) else super().measure(slot, units)

    def noun(
        self, slot: str, word: Noun, subject: NounPhrase | None = None, definite: bool | None = None
    ) -> NounPhrase:
        """A noun; its count is now and then "more than", "about" or "only" so many."""
        phrase = super().noun(slot, word, subject, definite)
        counted = phrase.english[0].role.endswith("/count") and phrase.direct[0].role.endswith("/count")
        return roughly(phrase, self.choose(list(ROUGHLY))) if counted and self.chance(0.25) else phrase

    def describing(self, word: Noun) -> tuple[tuple[Adjective, ...], tuple[str, str]]:
        """The adjectives; now and then a noun stands before the noun, or what it is made of: "tea shop"."""
        before = compound_modifiers(word)
        if before and self.chance(0.3):
            return (self.choose(before),), ("", "")
        shown = [a for a in adjectives_of(word) if a.features & {"participle", "material"}]
        if shown and self.chance(0.09):
            return (self.choose(shown),), ("", "")
        return super().describing(word)

    def with_phrase(self, slot: str, phrase: NounPhrase, word: Noun) -> NounPhrase:
        """ "The man in the blue shirt", "the girl with long hair", "the house near the river"."""
        people = word.kind in ("person", "profession", "kin")
        if people and self.chance(0.6):
            return self.wearing(slot, phrase) if self.chance(0.6) else self.featured(slot, phrase)
        if word.kind in ("place", "building", "room", "street") and word.english not in ("country", "city", "world"):
            preposition = self.choose(list(SPOTS))
            others, marker = SPOTS[preposition]
            spot = make(f"{slot}-place", noun(self.choose([one for one in others.split() if one != word.english])))
            return described(
                phrase,
                words(preposition, f"{slot}-place/preposition") + spot.english,
                postposed(spot, marker),
                "والا",
                f"{slot}-place/preposition",
            )
        return super().with_phrase(slot, phrase, word)

    def wearing(self, slot: str, phrase: NounPhrase) -> NounPhrase:
        """ "The man in the blue shirt": نیلی قمیض والا آدمی."""
        word = self.choose_word(nouns_of("clothes"))
        colour = self.choose([a for a in adjectives_of(word) if a.english in COLOURS] or [LAST])
        several = word.quantity == "plural" or word.english in ("shoe", "glove", "boot", "sock")
        given = "" if several else self.choose(["the", "a"])
        worn = make(f"{slot}-with", word, "pl" if several else "sg", given, (colour,)).without_article()
        return described(phrase, words("in", f"{slot}/with") + worn.english, worn.oblique, "والا", f"{slot}/with")

    def featured(self, slot: str, phrase: NounPhrase) -> NounPhrase:
        """ "The girl with long hair": لمبے بالوں والی لڑکی."""
        english = self.choose(list(FEATURES))
        if phrase.gender == "f" and english in ("beard", "moustache"):
            english = "hair"
        word = noun(english)
        fit = [a for a in adjectives() if a.english in FEATURES[english].split()]
        several = english == "eye"
        given = "" if several or english == "hair" else "a"
        part = make(f"{slot}-with", word, "pl" if several else "sg", given, (self.choose(fit),))
        part = part.without_article()
        return described(phrase, words("with", f"{slot}/with") + part.english, part.oblique, "والا", f"{slot}/with")
