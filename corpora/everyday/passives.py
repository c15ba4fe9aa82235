"""Random passives: with the one who did it, with a receiver ("was given a book"), with "must", and states."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, add_postposition, possessive, pronoun_phrase, words
from corpora.everyday.being import be_clause
from corpora.everyday.causing import Causer
from corpora.everyday.clauses import Clause
from corpora.everyday.clauses import english as english_of
from corpora.everyday.clauses import urdu as urdu_of
from corpora.everyday.lexicon import Verb, noun, nouns_of, verb, verbs
from corpora.everyday.phrases import decline_adjective, make

GIVEN = {  # English with a receiver -> what is given
    "give": "book letter money key gift ticket chance food job prize advice information",
    "offer": "job tea food money help seat coffee",
    "show": "house picture letter photo map room book",
    "send": "letter message gift invitation money book",
    "tell": "story truth secret news",
}
COVERED = {  # "The mountains are covered with snow": what, with what, and the Urdu participle
    "covered with": ("mountain road roof tree car table field", "snow sand cloth paper leaf flower", "ڈھکا ہوا"),
    "filled with": ("glass bag box bottle room basket bowl", "water milk sand book flower smoke gold", "بھرا ہوا"),
    "surrounded by": ("house village lake school garden city", "tree mountain forest wall field", "گھرا ہوا"),
}
MADE_OF = "table chair house box door ring spoon bridge toy cup bag knife wall bed"
MATERIALS = "wood gold silver metal iron plastic glass paper stone cloth"
WRITTEN = "letter book story poem message sign report"
LANGUAGES = "English Urdu"


class Undergoer(Causer):
    """A speaker who also says what was done by whom, what was given to whom, and in what state something is."""

    def passive_kinds(self) -> list[tuple]:
        return [(self.by_somebody, 6), (self.was_given, 6), (self.must_be_done, 5), (self.in_state, 5)]

    def by_somebody(self) -> Pair:
        """ "The house was built by my father": گھر میرے والد نے بنایا."""
        doing = self.choose_word(acting())
        agent = self.known_person()
        if self.chance(0.6):
            while agent.pronoun is not None:
                agent = self.known_person()
        thing = self.thing("object", doing.objects, agent, definite=True)
        if thing.direct[0].text.startswith("اپن") or thing.direct[-1].text == agent.direct[-1].text:
            return self.by_somebody()
        negative, question = self.question_or_not(thing)
        tense = self.choose(["past", "past", "past", "perfect", "future", "pluperfect"])
        return by_agent(agent, doing, thing, tense, negative, question)

    def was_given(self) -> Pair:
        """ "She was offered a job": اسے نوکری دی گئی; "Were they paid?"."""
        person = self.known_person()
        name = self.choose(list(GIVEN))
        word = noun(self.choose([one for one in GIVEN[name].split() if one in names()]))
        if self.chance(0.7):
            determiner = "the" if word.quantity == "mass" and name in ("tell", "show") else ""
            thing = make("object", word, "sg", determiner if word.quantity == "mass" else "a")
        else:
            thing = self.noun("object", word, None)
        negative, question = self.question_or_not(person)
        tense = self.choose(["past", "past", "past", "future", "perfect"])
        return given(person, verb(name), thing, tense, negative, question)

    def must_be_done(self) -> Pair:
        """ "The work must be finished", "The door should be closed", "Can the mountains be seen from here?" """
        doing = self.choose_word(acting())
        thing = self.thing("subject", doing.objects, None, definite=self.chance(0.8))
        tense = self.choose(["must", "should", "can", "can", "future"])
        negative, question = self.question_or_not(thing)
        time = self.time("future") if self.chance(0.25) and not question else None
        adjuncts = (time._replace(position="end"),) if time is not None else ()
        return Clause(thing, doing, tense, adjuncts=adjuncts, negative=negative, question=question, passive=True).pair()

    def in_state(self) -> Pair:
        """ "The mountains are covered with snow", "The table is made of wood", "Is it written in English?" """
        kind = self.choose([*COVERED, "made of", "written in"])
        things = COVERED[kind][0] if kind in COVERED else MADE_OF if kind == "made of" else WRITTEN
        with_ = COVERED[kind][1] if kind in COVERED else MATERIALS if kind == "made of" else LANGUAGES
        word, what = noun(self.choose(things.split())), noun(self.choose(with_.split()))
        subject = self.noun("subject", word, None, True)
        many = what.plural is not None and what.quantity == "count" and what.english not in MATERIALS.split()
        other = make("matter", what, "pl" if many else "sg", "")
        negative, question = self.question_or_not(subject)
        return state(subject, kind, other, self.choose(["present", "present", "past"]), negative, question)


@cache
def names() -> frozenset[str]:
    return frozenset(word.english for word in nouns_of(" ".join(w for one in GIVEN.values() for w in one.split())))


@cache
def acting() -> list[Verb]:
    """The verbs of people whose object becomes the subject of a passive."""
    found = [one for one in verbs() if one.transitive and not one.marker and not one.dative and one.ergative]
    fit = [one for one in found if "person" in one.subjects.split() and not one.features & {"where", "state", "-ne"}]
    return [one for one in fit if one.base not in ("have", "get", "take", "let", "make") and not one.particle]


def by_agent(
    agent: NounPhrase, doing: Verb, thing: NounPhrase, tense: str, negative: bool = False, question: str = ""
) -> Pair:
    """ "The lion was killed by the hunter": شیر کو شکاری نے مارا. In Urdu the one who did it is the subject."""
    passive = Clause(
        replace(thing, english_object=()), doing, tense, negative=negative, question=question, passive=True
    )
    if thing.pronoun is not None:
        subject = {"me": "I", "him": "he", "her": "she", "us": "we", "them": "they"}
        told = thing.as_object[0].text
        plain = pronoun_phrase("object", subject.get(told, told))
        passive = replace(passive, subject=plain)
    by = words("by", "by") + agent.as_object
    active = Clause(agent, doing, tense, thing, negative=negative, question=question, object_before=True)
    return Pair(english_of(passive) + by, urdu_of(active), bool(question))


def given(
    person: NounPhrase, doing: Verb, thing: NounPhrase, tense: str, negative: bool = False, question: str = ""
) -> Pair:
    """ "She was given a book": اسے ایک کتاب دی گئی."""
    english = english_of(Clause(person, doing, tense, thing, negative=negative, question=question, passive=True))
    shown = thing.without_article() if negative else thing
    urdu = urdu_of(Clause(shown, doing._replace(complement=doing.complement), tense, negative=negative, passive=True))
    start = words("کیا") if question else ()
    return Pair(english, start + add_postposition(person, "کو") + urdu, bool(question))


def state(
    subject: NounPhrase, kind: str, other: NounPhrase, tense: str = "present", negative: bool = False,
    question: str = "",
) -> Pair:  # fmt: skip
    """ "Covered with snow": برف سے ڈھکا ہوا; "made of wood": لکڑی کا بنا ہوا; "written in Urdu": اردو میں لکھا ہوا."""
    participle = COVERED[kind][2] if kind in COVERED else {"made of": "بنا ہوا", "written in": "لکھا ہوا"}[kind]
    form = words(decline_adjective(participle, subject.gender, subject.number), "state/verb")
    if kind == "made of":
        before = possessive(other, subject.gender, subject.number, False)
    else:
        before = add_postposition(other, "میں" if kind == "written in" else "سے")
    done, *preposition = kind.split()
    english = words(done, "state/verb") + words(" ".join(preposition), "matter/preposition") + other.english
    return be_clause(subject, tense, english, before + form, negative, question)
