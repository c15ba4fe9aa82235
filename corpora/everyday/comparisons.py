"""Random sentences that compare: people, things, days and how somebody does something."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import (
    NounPhrase,
    Phrase,
    name_phrase,
    possessive,
    pronoun_phrase,
    words,
)
from corpora.everyday.actions import is_negative
from corpora.everyday.being import be_clause
from corpora.everyday.clauses import Adjunct, Clause, at
from corpora.everyday.lexicon import (
    Adjective,
    Verb,
    adjectives,
    adjectives_of,
    noun,
    nouns_of,
    places,
    rows,
    verbs,
)
from corpora.everyday.phrases import UNCHANGED, decline_adjective, decline_words, make, whatever
from corpora.everyday.qualities import GRADED, Qualifier, comparable, feminine
from corpora.urdu_forms import agree, copula
from corpora.urdu_lexicon import Noun

ROLE = "predicate/adjective"
ELDER_THAN = [
    Adjective("older", "بڑا", frozenset(), "older"),
    Adjective("younger", "چھوٹا", frozenset(), "younger"),
]
STATE_WORDS = {"ashamed", "afraid", "nervous", "surprised", "sick", "ill", "tired", "worried", "jealous", "single"}
OWN_PRONOUNS = {"I": "mine", "you": "yours", "he": "his", "she": "hers", "we": "ours", "they": "theirs"}
OWNED = "clothes device vehicle bag house book room car bicycle cat dog garden pen chair question answer"
TOLD_APART = ["red", "blue", "green", "white", "black"]
DAYS = [  # English and Urdu of a time, its rival, and the tense in which they are compared
    (("today", "آج"), ("yesterday", "کل"), "present"),
    (("tomorrow", "کل"), ("today", "آج"), "future"),
    (("yesterday", "کل"), ("today", "آج"), "past"),
    (("this year", "اس سال"), ("last year", "پچھلے سال"), "present"),
    (("last year", "پچھلے سال"), ("this year", "اس سال"), "past"),
    (("this week", "اس ہفتے"), ("last week", "پچھلے ہفتے"), "present"),
]
HEAT = {"hotter": ("گرمی", "گرم"), "colder": ("سردی", "ٹھنڈا")}  # Urdu noun, and the adjective of a place
MANNERS = [  # a comparative adverb, its Urdu behind سے, and the verbs that it suits
    ("faster", "زیادہ تیز", "run walk swim"),
    ("more slowly", "زیادہ آہستہ", "run walk swim"),
    ("harder", "زیادہ محنت سے", "work"),
    ("better", "بہتر", "sing swim cook dance"),
    ("louder", "زیادہ اونچی آواز میں", "laugh speak sing"),
    ("more loudly", "زیادہ اونچی آواز میں", "laugh speak sing"),
    ("longer", "زیادہ دیر تک", "sleep work"),
    ("more", "زیادہ", "work laugh sleep"),
    ("less", "کم", "work laugh sleep"),
    ("earlier", "پہلے", "arrive come leave"),
]
TOO_MUCH = {  # a state, and what somebody in it cannot do
    "tired": "walk run work dance",
    "sick": "work come walk",
    "weak": "walk run work",
    "busy": "come",
    "sad": "laugh sing",
    "angry": "speak laugh",
}


class Comparer(Qualifier):
    """A speaker who also compares."""

    def comparison(self) -> Pair:
        """A comparison of a random kind."""
        kinds = {
            self.compare: 50,
            self.compare_two: 12,
            self.compare_owned: 10,
            self.compare_days: 10,
            self.compare_manners: 16,
            self.too_much: 6,
        }
        return self.rng.choices(list(kinds), list(kinds.values()))[0]()

    def compare(self) -> Pair:
        """ "Ali is taller than me", "This book is more interesting", "She is as tall as her mother"."""
        people = self.chance(0.5)
        word = self.choose_word([w for w in nouns_of(GRADED) if w.quantity == "count" and comparable(w)])
        subject = self.person("subject") if people else self.noun("subject", word, definite=True)
        if is_negative(subject):
            return self.compare()
        adjective = self.choose_word(ELDER_THAN + lasting(noun("man")) if people else lasting(word) or comparable(word))
        if people:
            than = self.rival(subject)
        else:
            than = self.noun(
                "rival",
                self.choose_word([w for w in nouns_of(word.kind) if adjective in adjectives_of(w)]),
                definite=True,
            )
        if than.direct[-1].text == subject.direct[-1].text or is_negative(than):
            return self.compare()
        negative, question = self.question_or_not(subject)
        tense = self.choose(["present", "present", "past"])
        if adjective.english not in ("older", "younger") and self.chance(0.2):
            return be_clause(subject, tense, *as_much(adjective, subject, than), negative, question)
        said = more_than(adjective, subject, than.as_object, than.oblique, self.chance(0.12))
        return be_clause(subject, tense, *said, negative, question)

    def rival(self, subject: NounPhrase) -> NounPhrase:
        """Somebody else, with whom the subject is compared."""
        pronouns = [x for x in ["I", "you", "he", "she", "we", "they"] if x != subject.english[0].text]
        return self.person("rival", " ".join(pronouns), subject if subject.pronoun else None)

    def compare_two(self) -> Pair:
        """ "The red dress is prettier than the blue one", "The first chapter is easier than the third"."""
        if self.chance(0.4):
            ordinals = [row.cells[:2] for row in rows("function_words.tsv") if row.section == "ordinal"][:7]
            first, second = self.rng.sample(ordinals, 2)
            word = self.choose_word(nouns_of("chapter question lesson story exam film book house room"))
            one = self.chance(0.3)
        else:
            colours = [(a.english, a.urdu) for a in adjectives() if a.english in TOLD_APART]
            first, second = self.rng.sample(colours, 2)
            word = self.choose_word([w for w in nouns_of("clothes vehicle flower bird") if w.quantity == "count"])
            one = True
        adjective = self.choose_word(lasting(word) or comparable(word))
        tense = self.choose(["present", "present", "past"])
        negative, question = self.question_or_not(whatever())
        return two_of_a_kind(word, first, second, adjective, tense, one, negative, question)

    def compare_owned(self) -> Pair:
        """ "My bag is heavier than yours", "Ali's house is bigger than mine"."""
        word = self.choose_word([w for w in nouns_of(OWNED) if w.quantity == "count" and lasting(w)])
        owner, rival = self.rng.sample(list(OWN_PRONOUNS), 2)
        subject = make("subject", word, owner=pronoun_phrase("owner", owner))
        if self.chance(0.3):
            subject = make("subject", word, owner=self.name("owner"))
        adjective = self.choose_word(lasting(word))
        negative, question = self.question_or_not(subject)
        said = than_mine(adjective, subject, word, rival)
        return be_clause(subject, self.choose(["present", "present", "past"]), *said, negative, question)

    def compare_days(self) -> Pair:
        """ "Today is hotter than yesterday", "Karachi is hotter than Lahore"."""
        more = self.choose(list(HEAT))
        if self.chance(0.35):
            names = self.rng.sample([one for one in places() if one.english != "Asia"], 2)
            here, there = (name_phrase(slot, one) for slot, one in zip(("subject", "rival"), names, strict=True))
            adjective = next(a for a in adjectives() if a.comparative == more)
            said = more_than(adjective, here, there.as_object, there.oblique, self.chance(0.15))
            return be_clause(here, "present", *said, question="yes/no" if self.chance(0.15) else "")
        return day_and_day(*self.choose(DAYS), more, self.chance(0.5), self.chance(0.12))

    def compare_manners(self) -> Pair:
        """ "He works harder than his brother", "She runs faster than me"."""
        subject = self.person("subject")
        than = self.rival(subject)
        if is_negative(subject) or is_negative(than) or than.direct[-1].text == subject.direct[-1].text:
            return self.compare_manners()
        english, urdu, suited = self.choose(MANNERS)
        doing = self.choose([v for base in suited.split() for v in doings(base)])
        tense = self.pick({"present": 60, "past": 25, "future": 15})
        negative, question = self.question_or_not(subject)
        how = Adjunct(*manner_than(english, urdu, than), "manner")
        return Clause(subject, doing, tense, adjuncts=(how,), negative=negative, question=question).pair()

    def too_much(self) -> Pair:
        """ "She is so tired that she cannot walk", "He was too sick to work"."""
        state = self.choose(list(TOO_MUCH))
        adjective = next(a for a in adjectives() if a.english == state)
        base = self.choose(TOO_MUCH[state].split())
        doing = doings(base)[0]
        subject = self.pronoun("subject", "I he she we they you") if self.chance(0.6) else self.relative("subject")
        tense = self.choose(["present", "present", "past"])
        return so_that_not(subject, tense, adjective, doing, too=self.chance(0.4))

    def superlative(self) -> Pair:
        """ "This is the biggest house in the city", "She is the most intelligent girl in the class"."""
        word = self.choose_word(
            nouns_of("person animal place fruit text vehicle street mountain river profession student")
        )
        people = word.kind in ("person", "profession")
        choices = lasting(word)
        if not choices or word.quantity != "count":
            return self.superlative()
        subject = self.person_named() if people else self.this_one(word)
        word = feminine(word) if subject.gender == "f" and word.kind == "profession" else word
        if people and word.gender != subject.gender:
            return self.superlative()
        among = "city village country world" + (" school class family" if people else "")
        place = make("place", noun(self.choose(among.split())))
        if word.english in {w.text for w in place.english}:
            return self.superlative()
        said = best_of(self.choose(choices), word, "in", place)
        question = "yes/no" if self.chance(0.12) else ""
        return be_clause(subject, self.choose(["present", "present", "past"]), *said, question=question)

    def person_named(self) -> NounPhrase:
        return self.name("subject") if self.chance(0.6) else self.pronoun("subject", "he she")

    def this_one(self, word: Noun) -> NounPhrase:
        that = self.choose(["this", "that", "it"])
        urdu = words("وہ" if that == "that" else "یہ", "subject/pronoun")
        return replace(make("subject", word), english=words(that, "subject/pronoun"), direct=urdu, oblique=urdu)


@cache
def lasting(word: Noun) -> list[Adjective]:
    """The adjectives of a noun that tell lasting qualities: what somebody feels today is rarely compared."""
    return [a for a in comparable(word) if a.english not in STATE_WORDS and not a.urdu.endswith("ہوا")]


@cache
def doings(base: str) -> list[Verb]:
    """The verbs of this name that people do, without an object."""
    plain = [v for v in verbs() if v.base == base and not (v.objects or v.particle)]
    return [v for v in plain if "person" in v.subjects.split()]


def english_more(adjective: Adjective) -> Phrase:
    if adjective.comparative:
        return words(adjective.comparative, ROLE)
    return words("more") + words(adjective.english, ROLE)


def more_than(
    adjective: Adjective, subject: NounPhrase, english: Phrase, urdu: Phrase, much: bool = False
) -> tuple[Phrase, Phrase]:
    """ "(Much) taller than" the rival, who is in the oblique case: adjectives that agree need no زیادہ."""
    form = decline_adjective(adjective.urdu, subject.gender, subject.number)
    before = words("کہیں" if much else "", "predicate/very")
    agrees = agree(adjective.urdu, "f", "sg") != adjective.urdu and adjective.urdu not in UNCHANGED
    more = () if agrees else words("زیادہ", ROLE)
    told = words("much" if much else "", "predicate/very") + english_more(adjective) + words("than") + english
    return told, urdu + words("سے") + before + more + words(form, ROLE)


def as_much(adjective: Adjective, subject: NounPhrase, than: NounPhrase) -> tuple[Phrase, Phrase]:
    """ "As tall as": جتنا agrees with the subject, as the adjective does."""
    form = decline_adjective(adjective.urdu, subject.gender, subject.number)
    english = words("as") + words(adjective.english, ROLE) + words("as", "as") + than.as_object
    return english, than.oblique + words(agree("جتنا", subject.gender, subject.number), "as") + words(form, ROLE)


def two_of_a_kind(
    word: Noun,
    first: tuple[str, ...],
    second: tuple[str, ...],
    adjective: Adjective,
    tense: str = "present",
    one: bool = True,
    negative: bool = False,
    question: str = "",
) -> Pair:
    """ "The red dress is prettier than the blue (one)": Urdu has no "one", and its adjective stands alone."""
    plain = make("subject", word)
    mark = "subject-0/adjective"
    front, back = decline_words(first[1], word.gender, "sg", False), decline_words(second[1], word.gender, "sg", True)
    subject = replace(
        plain,
        english=plain.english[:1] + words(first[0], mark) + plain.english[1:],
        direct=words(front, mark) + plain.direct,
    )
    english = words("the") + words(second[0], "rival/adjective") + words("one" if one else "")
    said = more_than(adjective, subject, english, words(back, "rival/adjective"))
    return be_clause(subject, tense, *said, negative, question)


def than_mine(adjective: Adjective, subject: NounPhrase, word: Noun, rival: str) -> tuple[Phrase, Phrase]:
    """ "Heavier than yours": in Urdu the noun is said again."""
    role = "rival/pronoun"
    again = make("subject", word)
    whose = words(" ".join(w.text for w in possessive(pronoun_phrase("rival", rival), word.gender, "sg", True)), role)
    return more_than(adjective, subject, words(OWN_PRONOUNS[rival], role), whose + again.oblique)


def day_and_day(
    day: tuple[str, str], rival: tuple[str, str], tense: str, more: str, first: bool = True, much: bool = False
) -> Pair:
    """ "Today is hotter than yesterday", or "It is hotter today than yesterday": آج کل سے زیادہ گرمی ہے."""
    be = words({"present": "is", "past": "was", "future": "will be"}[tense])
    told = words("much" if much else "", "predicate/very") + words(more, ROLE)
    than = words("than") + words(rival[0], "rival/time")
    when = words(day[0], "subject/time")
    english = when + be + told + than if first else words("it") + be + told + when + than
    urdu = words(day[1], "subject/time") + words(rival[1], "rival/time") + words("سے")
    urdu += words("کہیں" if much else "", "predicate/very") + words(f"زیادہ {HEAT[more][0]}", ROLE)
    return Pair(english, urdu + words(copula(tense, make("x", noun("rain")).agreement)))


def manner_than(english: str, urdu: str, than: NounPhrase) -> tuple[Phrase, Phrase]:
    """ "Harder than his brother": the rival stands before the adverb in Urdu."""
    role = "manner/time"
    return words(english, role) + words("than") + than.as_object, than.oblique + words("سے") + words(urdu, role)


def so_that_not(subject: NounPhrase, tense: str, adjective: Adjective, doing: Verb, too: bool = False) -> Pair:
    """ "So tired that she cannot walk" and "too tired to walk": both are اتنی تھکی ہوئی ہے کہ چل نہیں سکتی."""
    so = agree("اتنا", subject.gender, subject.number)
    form = decline_adjective(adjective.urdu, subject.gender, subject.number)
    start = be_clause(
        subject,
        tense,
        words("too" if too else "so", "predicate/very") + words(adjective.english, ROLE),
        words(so, "predicate/very") + words(form, ROLE),
    )
    able = "can" if tense == "present" else "could"
    back = {"he": "he", "his": "he", "her": "she", "my": "I", "your": "you", "our": "we", "their": "they"}
    he = replace(pronoun_phrase("again", back[subject.possessive]), gender=subject.gender, number=subject.number)
    unable = Clause(he, doing, able, negative=True, silent=True).pair()
    if not too:
        return Pair(start.english + words("that") + unable.english, start.urdu + words("کہ") + unable.urdu)
    aim = words("to") + words(doing.base, "verb")
    urdu = tuple(word._replace(role="verb" if word.role == "verb" else "") for word in unable.urdu)
    return Pair(start.english + aim, start.urdu + words("کہ") + urdu)


def best_of(adjective: Adjective, word: Noun, preposition: str, place: NounPhrase) -> tuple[Phrase, Phrase]:
    """ "The best student in the class": جماعت کا سب سے اچھا طالب علم."""
    best = words(adjective.superlative, ROLE) if adjective.comparative else words("most") + english_more(adjective)[1:]
    english = words("the") + best + words(word.english, "predicate/noun") + at(preposition, place).english
    form = decline_adjective(adjective.urdu, word.gender, "sg")
    urdu = possessive(place, word.gender, "sg", False) + words("سب سے") + words(form, ROLE)
    return english, urdu + words(word.urdu, "predicate/noun")
