"""Random sentences about where things are and where to go: "at the end of the street", "next to me", "turn left"."""

from __future__ import annotations

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, pronoun_phrase
from corpora.everyday.becoming import intransitive
from corpora.everyday.being import be_clause, there_is
from corpora.everyday.clauses import Adjunct, Clause, adverb, at
from corpora.everyday.joined_deeds import Joiner
from corpora.everyday.lexicon import noun, nouns_of, verb
from corpora.everyday.phrases import make
from corpora.everyday.speaker import others

PARTS_OF_PLACES = {  # English, the nouns behind it, and the Urdu postposition
    "at the end of": ("street road garden village", "کے آخر میں"),
    "at the back of": ("shop house room bus school class", "کے پیچھے"),
    "at the front of": ("bus class shop school", "کے آگے"),
    "at the top of": ("mountain hill tower building page", "کے اوپر"),
    "at the bottom of": ("sea river hill page well box", "کے نیچے"),
    "in the middle of": ("room street garden city village river", "کے بیچ میں"),
    "in the corner of": ("room garden kitchen classroom", "کے کونے میں"),
    "across": ("river street road lake", "کے پار"),
    "opposite": ("bank school mosque park station", "کے سامنے"),
    "beside": ("river road door bed window", "کے پاس"),
    "by": ("river sea window door road", "کے پاس"),
}
BY_PEOPLE = {
    "next to": "کے ساتھ",
    "behind": "کے پیچھے",
    "in front of": "کے سامنے",
    "near": "کے قریب",
    "beside": "کے پاس",
}
NEARBY = {
    "near here": "یہاں قریب",
    "near there": "وہاں قریب",
    "over there": "وہاں",
    "around here": "یہاں آس پاس",
    "up there": "وہاں اوپر",
    "in here": "یہاں اندر",
    "nearby": "قریب",
    "inside": "اندر",
    "outside": "باہر",
    "upstairs": "اوپر",
    "downstairs": "نیچے",
}
GOALS = {  # where somebody goes, in one word
    "inside": "اندر",
    "outside": "باہر",
    "upstairs": "اوپر",
    "downstairs": "نیچے",
    "home": "گھر",
    "there": "وہاں",
    "here": "یہاں",
    "abroad": "بیرون ملک",
}
GOING = {"go": "جا", "come": "آ", "run": "دوڑ", "walk": "چل"}
TURN = intransitive("turn", "مڑ")
SIDES = {"left": "بائیں", "right": "دائیں"}
CORNERS = "mosque bank school bridge corner station park shop crossroads hospital"
SEEN_THERE = "thing container animal furniture device writing text vehicle fruit clothes"


class Locator(Joiner):
    """A speaker who also says just where something is, and which way to go."""

    def place_kinds(self) -> list[tuple]:
        return [(self.where_it_is, 12), (self.what_is_there, 6), (self.turn, 7), (self.goal, 5)]

    def spot(self, subject: NounPhrase | None = None) -> Adjunct:
        """ "At the end of the street", "next to me", "near here"."""
        roll = self.rng.random()
        if roll < 0.4:
            preposition = self.choose(list(PARTS_OF_PLACES))
            names, marker = PARTS_OF_PLACES[preposition]
            return at(preposition, make("place", noun(self.choose(names.split()))), urdu=marker)
        if roll < 0.7:
            preposition = self.choose(list(BY_PEOPLE))
            pronouns = ["I", "you", "he", "she", "we", "they"] if subject is None else others(subject)
            beside = pronoun_phrase("place", self.choose(pronouns)) if self.chance(0.7) else self.relative("place")
            return at(preposition, beside, urdu=BY_PEOPLE[preposition])
        if roll < 0.85:
            english = self.choose(list(NEARBY))
            return adverb(english, NEARBY[english], "place")
        return self.place_of("place", {"in": "field garden street box bag drawer room", "on": "table roof shelf wall"})

    def where_it_is(self) -> Pair:
        """ "The keys are on the table", "The man is next to me", "My house is at the end of the street"."""
        if self.chance(0.35):
            subject = self.known_person()
        else:
            subject = self.noun("subject", self.choose_word(nouns_of(f"{SEEN_THERE} place")), definite=True)
        negative, question = self.question_or_not(subject)
        place = self.spot(subject)
        return be_clause(subject, self.be_tense(), place.english, place.urdu, negative, question)

    def what_is_there(self) -> Pair:
        """ "There is a shop at the end of the street", "There are two boys behind me"."""
        word = self.choose_word(nouns_of(f"{SEEN_THERE} place person"))
        thing = self.noun("thing", word, definite=False)
        if thing.english[0].text in ("most", "every"):
            thing = make("thing", word, determiner="a" if word.quantity == "count" else "")
        question = "yes/no" if self.chance(0.15) else ""
        return there_is(thing, self.spot(), self.choose(["present", "present", "past"]), question)

    def turn(self) -> Pair:
        """ "Turn left at the mosque", "Go straight", "He turned right": مسجد سے بائیں مڑیں."""
        order = self.chance(0.6)
        subject = pronoun_phrase("subject", "you") if order else self.known_person()
        tense = "imperative" if order else self.choose(["past", "future", "should", "have to", "progressive"])
        negative = self.chance(0.12)
        if self.chance(0.35):
            way = adverb("straight", "سیدھا", "manner")
            return Clause(subject, verb("go"), tense, adjuncts=(way,), negative=negative).pair()
        side = self.choose(list(SIDES))
        corner = make("place", noun(self.choose(CORNERS.split()))) if self.chance(0.6) else None
        return Clause(subject, TURN, tense, adjuncts=side_at(side, corner), negative=negative).pair()

    def goal(self) -> Pair:
        """ "Come inside", "She went upstairs", "I want to go home": without a postposition."""
        english = self.choose(list(GOALS))
        base = self.choose(["go", "go", "come", "run", "walk"])
        if base == "walk" and english in ("home", "here", "there"):
            base = "come" if english == "here" else "go"
        if (base, english) in (("go", "here"), ("come", "there"), ("run", "abroad"), ("walk", "abroad")):
            base = "come" if english == "here" else "go"
        order = self.chance(0.3)
        subject = pronoun_phrase("subject", "you") if order else self.known_person()
        tense = "imperative" if order else self.tense(verb(base))
        negative = tense in ("past", "present", "future", "imperative", "can", "should") and self.chance(0.2)
        asks = not order and not negative and tense in ("past", "future", "can") and self.chance(0.2)
        where = adverb(english, GOALS[english], "place")
        doing = intransitive(" ".join(verb(base).english[i] for i in (0, 2, 3, 4)), GOING[base])
        return Clause(
            subject, doing, tense, adjuncts=(where,), negative=negative, question="yes/no" if asks else ""
        ).pair()


def side_at(side: str, corner: NounPhrase | None = None) -> tuple[Adjunct, ...]:
    """ "Left", "left at the mosque": مسجد سے بائیں."""
    way = adverb(side, SIDES[side], "manner")
    return (way,) if corner is None else (way, at("at", corner, urdu="سے"))
