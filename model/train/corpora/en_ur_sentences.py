"""Random sentences of the English-Urdu world: which words go into which clause."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from model.train.corpora.en_ur_clauses import MASCULINE, Clause, Pair, Place, Purpose, there_is, to_be, to_have
from model.train.corpora.en_ur_phrases import (
    PRONOUNS,
    NounPhrase,
    Phrase,
    Word,
    both,
    english_owner,
    name_phrase,
    noun_phrase,
    possessive,
    pronoun_phrase,
    who_phrase,
    words,
)
from model.train.corpora.urdu_forms import agree
from model.train.corpora.urdu_lexicon import (
    ADJECTIVES,
    GET_TO,
    LIVING,
    NAMES,
    NOT_GRADED,
    NOUNS,
    NUMBERS,
    TIMES,
    VERBS,
    Adjective,
    Name,
    Noun,
    Verb,
)

# What can stand after each preposition: kinds of nouns, or nouns.
PLACES = {
    "in": "place room",
    "on": "table chair bed road bridge mountain",
    "under": "tree table chair bed bridge",
    "near": "tree river lake house school park station mosque mountain",
    "behind": "tree house door school car",
    "in front of": "house school mosque shop door",
}
CONTAINERS = "box bag cup glass plate"
OCCUPATIONS = "teacher doctor student friend farmer driver worker guest soldier shopkeeper"
QUESTION_TENSES = {"where": "past progressive future", "when": "past future", "why": "past progressive present"}
AIMS = "buy see meet get help read eat call"


def fits(noun: Noun | Name, kinds: str) -> bool:
    return noun.kind in kinds.split() or noun.english in kinds.split()


@cache
def nouns(kinds: str) -> list[Noun]:
    return [noun for noun in NOUNS if fits(noun, kinds) and (noun.english, noun.kind) != ("bank", "shore")]


@cache
def names(kinds: str) -> list[Name]:
    return [name for name in NAMES if fits(name, kinds)]


@cache
def adjectives(noun: Noun | Name, attributive: bool) -> list[Adjective]:
    return [a for a in ADJECTIVES if fits(noun, a.kinds) and not (attributive and a.predicate_only)]


class Speaker:
    """Makes sentences up with a random number generator; the same generator makes the same sentences."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def pick(self, weights: dict[str, float]) -> str:
        return self.rng.choices(list(weights), list(weights.values()))[0]

    def sentence(self) -> Pair:
        """Any sentence."""
        kinds: list[tuple[Callable[[], Pair], int]] = [
            (self.action, 56),
            (self.quality, 12),
            (self.identity, 7),
            (self.location, 6),
            (self.existence, 5),
            (self.possession, 5),
            (self.comparison, 3),
            (self.small_talk, 3),
            (self.joined, 8),
        ]
        makers, weights = zip(*kinds, strict=True)
        pair = self.rng.choices(makers, weights)[0]()
        return self.greeted(pair) if self.chance(0.04) else pair

    # Noun phrases

    def person(self, slot: str) -> NounPhrase:
        return self.phrase(slot, "person", pronouns="I you he she we they")

    def phrase(self, slot: str, kinds: str, pronouns: str = "", subject: NounPhrase | None = None) -> NounPhrase:
        """A pronoun, a name or a noun of these kinds. `subject` is that of the clause, if this is not it."""
        if pronouns and self.chance(0.35):
            return pronoun_phrase(slot, self.rng.choice(pronouns.split()))
        choices: Sequence[Noun] = nouns(kinds)
        if names(kinds) and (not choices or self.chance(0.3)):
            return self.named(slot, kinds)
        return self.noun(slot, self.rng.choice(choices), subject)

    def named(self, slot: str, kinds: str) -> NounPhrase:
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
        number = "pl" if noun.count == "plural" or (noun.plural is not None and self.chance(0.3)) else "sg"
        if definite is not False and self.chance(0.15):
            owner = self.owner(f"{slot}-owner", subject)
            own = subject is not None and owner.pronoun is not None and owner.possessive == subject.possessive
            return noun_phrase(slot, noun, number, "", adjective, very, owner, own)
        determiner = self.determiner(noun, number, definite)
        return noun_phrase(slot, noun, number, determiner, adjective, very)

    def adjective(self, noun: Noun, share: float) -> tuple[Adjective | None, bool]:
        choices = adjectives(noun, True)
        if not choices or not self.chance(share):
            return None, False
        adjective = self.rng.choice(choices)
        return adjective, adjective.english not in NOT_GRADED and self.chance(0.15)

    def determiner(self, noun: Noun, number: str, definite: bool | None) -> str:
        pointing = {"this": 4.0, "that": 4.0} if number == "sg" or noun.count == "mass" else {"these": 4.0, "those": 4.0}
        definites = {"the": 45.0, **pointing}
        if noun.kind in ("sky", "weather", "parent"):
            return "the"
        if noun.count == "mass":
            indefinites = {"": 25.0, "some": 5.0}
        elif number == "sg":
            indefinites = {"a": 25.0, "every": 2.0, "one": 2.0}
            definites["the other"] = 2.0
        elif noun.count == "plural":
            indefinites = {"": 15.0, "some": 4.0}
        else:
            indefinites = {"": 8.0, "some": 4.0, "many": 4.0, self.rng.choice(list(NUMBERS)): 10.0}
        if definite is not None:
            indefinites.pop("every", None)
            return self.pick(definites if definite else indefinites)
        return self.pick(definites | indefinites)

    def owner(self, slot: str, subject: NounPhrase | None) -> NounPhrase:
        """Whose: a pronoun, a name, or a person. "Its" only where the subject is an "it"."""
        if self.chance(0.6):
            choices = "I you he she we they it" if subject and subject.possessive == "its" else "I you he she we they"
            return pronoun_phrase(slot, self.rng.choice(choices.split()))
        if self.chance(0.6):
            return name_phrase(slot, self.rng.choice(names("person")))
        determiner = self.rng.choice(["the", "the", "this", "that"])
        return noun_phrase(slot, self.rng.choice(nouns("person")), "sg", determiner)

    def place(self, subject: NounPhrase | None, kinds: dict[str, str] | None = None, slot: str = "place") -> Place:
        """Where something happens."""
        if kinds is None and self.chance(0.12):
            return Place(self.rng.choice(["on", "near"]), self.waterside(slot))
        kinds = kinds or PLACES
        preposition = self.pick({key: 4.0 if key == "in" else 1.0 for key in kinds})
        if preposition == "in" and self.chance(0.2):
            return Place("in", name_phrase(slot, self.rng.choice(names("place"))))
        return Place(preposition, self.noun(slot, self.rng.choice(nouns(kinds[preposition])), subject, definite=True))

    def waterside(self, slot: str) -> NounPhrase:
        """ "The bank of the river": not the bank that keeps money."""
        water = self.noun(f"{slot}-owner", self.rng.choice(nouns("water")), definite=True)
        if water.number == "pl" or water.direct[0].text in ("میرا", "اپنا"):
            water = noun_phrase(f"{slot}-owner", nouns("river")[0])
        shore = noun_phrase(slot, self.shore, owner=water)
        english = words("the") + words("bank", f"{slot}/noun") + words("of") + water.english
        return replace(shore, english=english)

    @property
    def shore(self) -> Noun:
        return next(noun for noun in NOUNS if (noun.english, noun.kind) == ("bank", "shore"))

    # Something happens

    def action(self) -> Pair:
        return self.clause().pair()

    def clause(self, plain: bool = False) -> Clause:
        """Somebody does something; `plain`: a short statement."""
        verb = self.rng.choice(VERBS)
        tense = self.tense(verb)
        subject = self.subject(verb)
        question = "" if plain or tense == "request" else self.question(verb, tense)
        if tense == "request":
            subject = pronoun_phrase("subject", "you")
        if question == "subject":
            subject = who_phrase()
        negative = question == "" and self.chance(0.2)
        if question == "" and not negative and tense == "present" and subject.be != "is" and verb.english[0] == verb.english[2]:
            tense = "past"  # "They read": English writes both alike, and the past is meant here
        asks_goal = question == "where" and verb.particle in ("to", "in") and not verb.recipient
        object_ = None if question == "object" or asks_goal else self.object(verb, subject)
        clause = Clause(subject, verb, tense, object_, negative=negative, question=question)
        if verb.recipient:
            clause = replace(clause, recipient=self.recipient(subject))
        return clause if plain else self.circumstances(clause)

    def subject(self, verb: Verb) -> NounPhrase:
        pronouns = "I you he she we they" if "person" in verb.subjects.split() else "it they"
        return self.phrase("subject", verb.subjects, pronouns)

    def tense(self, verb: Verb) -> str:
        weights = {"present": 20.0, "past": 26.0, "future": 16.0}
        if not verb.stative:
            weights |= {"perfect": 8.0, "can": 7.0, "want": 6.0}
            if verb.progressive:
                weights |= {"progressive": 16.0, "past progressive": 7.0}
            if "person" in verb.subjects:
                weights["request"] = 5.0
        return self.pick(weights)

    def question(self, verb: Verb, tense: str) -> str:
        """What is asked, or "" for a statement."""
        if self.chance(0.72):
            return ""
        weights = {"yes/no": 12.0}
        if "person" in verb.subjects:
            weights["subject"] = 4.0
        if verb.objects and verb.marker in ("", "سے", "کا", "کو", "کے بارے میں") and verb.particle not in ("from", "across"):
            weights["object"] = 5.0
        goal_is_named = verb.marker in ("سے", "تک", "پر", "کے اوپر سے", "جیسا") or verb.particle == "across"
        for word, tenses in QUESTION_TENSES.items():
            if tense in tenses and not (word == "where" and goal_is_named):
                weights[word] = 3.0
        return self.pick(weights)

    def object(self, verb: Verb, subject: NounPhrase) -> NounPhrase | None:
        if not verb.objects:
            return None
        pronouns = ""
        if verb.takes_people:
            pronouns = " ".join(row[0] for row in PRONOUNS if row[8] != subject.possessive and row[0] != "it")
        if "shore" in verb.objects and self.chance(0.5):
            return noun_phrase("object", self.shore, determiner=self.rng.choice(["the", "the other"]))
        for _ in range(20):
            phrase = self.phrase("object", verb.objects, pronouns, subject)
            if phrase.direct[-1].text != subject.direct[-1].text and phrase.number + phrase.kind != "plplace":
                return phrase
        return phrase

    def recipient(self, subject: NounPhrase) -> NounPhrase:
        pronouns = " ".join(row[0] for row in PRONOUNS if row[8] != subject.possessive and row[0] != "it")
        for _ in range(20):
            phrase = self.phrase("recipient", "person", pronouns, subject)
            if phrase.direct[-1].text != subject.direct[-1].text:
                return phrase
        return phrase

    def circumstances(self, clause: Clause) -> Clause:
        """When, where, how often and what for."""
        verb, tense = clause.verb, clause.tense
        moves = bool(verb.manner) or verb.stem in ("جا", "آ")
        if clause.question not in ("when", "why") and tense in TIMES and not (verb.stative and tense == "past"):
            if self.chance(0.2):
                clause = replace(clause, time=self.rng.choice(list(TIMES[tense])))
        if tense == "present" and not (clause.time or clause.negative or clause.question) and self.chance(0.2):
            clause = replace(clause, frequency=self.rng.choice(["always", "often", "never"]))
        if clause.question in ("where", "why"):
            return clause
        if verb.english[0] in ("buy", "get") and self.chance(0.5):
            sources = {"from": "bank" if verb.english[0] == "get" else "market shop village city"}
            return replace(clause, place=self.place(clause.subject, sources))
        if moves and verb.particle in ("to", "across") and self.chance(0.25):
            return replace(clause, purpose=self.purpose(clause))
        if not moves and not verb.stative and verb.particle not in ("over",) and self.chance(0.25):
            if "person" in verb.subjects and not verb.takes_people and not verb.recipient and self.chance(0.25):
                return replace(clause, place=self.company(clause.subject))
            return replace(clause, place=self.place(clause.subject))
        return clause

    def company(self, subject: NounPhrase) -> Place:
        """ "With" somebody else."""
        return Place("with", replace(self.recipient(subject)))

    def purpose(self, clause: Clause) -> Purpose:
        """ "To buy bread": what somebody goes for."""
        if clause.verb.particle == "across" and self.chance(0.5):
            goal = self.noun("aim", self.rng.choice(nouns("place")), clause.subject, definite=True)
            if fits(nouns("river")[0], clause.verb.objects) or self.chance(0.3):
                goal = noun_phrase("aim", self.shore, determiner="the other")
            return Purpose(GET_TO, goal)
        verb = self.rng.choice([v for v in VERBS if v.english[0] in AIMS.split()])
        object_ = self.object(verb, clause.subject)
        assert object_ is not None
        slot = {word.role: word.role.replace("object", "aim") for word in object_.english + object_.direct + object_.oblique}

        def moved(phrase: Phrase) -> Phrase:
            return tuple(Word(word.text, slot.get(word.role, word.role.replace("object", "aim"))) for word in phrase)

        object_ = replace(
            object_,
            english=moved(object_.english),
            english_object=moved(object_.english_object),
            direct=moved(object_.direct),
            oblique=moved(object_.oblique),
        )
        source = None
        if verb.english[0] == "get" and self.chance(0.6):
            source = Place("from", self.noun("source", self.rng.choice(nouns("bank")), clause.subject, definite=True))
        return Purpose(verb, object_, source)
