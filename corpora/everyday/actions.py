"""Random clauses in which something happens: statements, questions, requests, offers and passives."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Phrase, pronoun_phrase, who_phrase, words
from corpora.everyday.clauses import Adjunct, Clause, rename
from corpora.everyday.elaborated import Elaborator
from corpora.everyday.lexicon import Verb, daily_verbs, noun, nouns_of, verb, verbs
from corpora.everyday.phrases import join, make, whatever
from corpora.everyday.speaker import others
from corpora.urdu_forms import infinitive

TENSES = {
    "present": 16.0,
    "past": 22.0,
    "future": 12.0,
    "progressive": 10.0,
    "past progressive": 4.0,
    "perfect": 7.0,
    "pluperfect": 3.0,
    "can": 4.0,
    "could": 2.0,
    "must": 2.0,
    "should": 3.0,
    "may": 1.0,
    "might": 1.0,
    "want to": 4.0,
    "wanted to": 1.5,
    "would like to": 1.5,
    "have to": 3.0,
    "had to": 2.0,
    "will have to": 1.5,
    "need to": 1.5,
    "used to": 2.0,
    "going to": 2.0,
    "able to": 0.7,
    "was able to": 0.7,
    "try to": 1.0,
    "tried to": 1.0,
    "began to": 1.0,
    "started to": 0.5,
    "forgot to": 0.7,
    "decided to": 0.7,
    "like to": 1.0,
    "future progressive": 0.5,
    "was going to": 0.5,
}
POSITIVE = {
    "going to",
    "was going to",
    "try to",
    "tried to",
    "began to",
    "started to",
    "forgot to",
    "decided to",
    "future progressive",
}
WITHOUT_PROGRESS = {"progressive", "past progressive", "future progressive", "perfect progressive"}
SIMPLE = ("present", "past", "future")
PARTICLES = {
    *["up", "down", "on", "off", "back", "out", "away", "after", "home", "shopping", "swimming", "fishing"],
    *["fun", "breakfast", "friends", "questions", "notes", "hello", "for", "in", "at"],
}
DAILY_SHARE = 0.35  # of the verbs are those of daily life, with what they usually go with
EVERYBODY = ("everyone", "everybody", "everything")  # "everyone does not come" is rarely said
DAILY = {
    *["get up", "sit down", "stand up", "wake up", "come back", "go out", "turn on", "turn off", "put on", "take off"],
    *["pick up", "hurry up", "go home", "wait for", "look after", "listen to", "laugh at", "ask a question"],
    *["go shopping", "go swimming", "make a mistake", "have fun", "have a good time", "take a break"],
}


class Actor(Elaborator):
    """A speaker who makes sentences about actions."""

    def action(self) -> Pair:
        return self.clause().pair()

    def clause(self, plain: bool = False, tense: str = "", subject: NounPhrase | None = None) -> Clause:
        """Somebody does something. With `plain` it is a short statement."""
        doing = self.verb_for(subject)
        tense = tense or self.tense(doing)
        if doing.dative and tense not in SIMPLE:
            tense = self.choose(SIMPLE)
        subject = subject or self.subject(doing.subjects)
        question = "" if plain else self.question(doing, tense)
        if question == "subject":
            subject = who_phrase()
        deniable = not is_negative(subject) and subject.english[0].text not in EVERYBODY
        negative = not question and tense not in POSITIVE and deniable and self.chance(0.18)
        if (
            tense == "present"
            and not question
            and not negative
            and doing.base == doing.english[2]
            and subject.be != "is"
        ):
            tense = "past"  # "They read": English spells present and past alike; this stands for the past
        object_ = self.object(doing, subject, bool(question) or negative)
        clause = Clause(subject, doing, tense, object_, negative=negative, question=question)
        if question == "object":
            clause = replace(clause, object=self.asked(doing))
        elif question in ("where", "where from"):
            clause = (
                replace(clause, object=None, verb=doing._replace(particle="")) if doing.marker == "bare" else clause
            )
        if "to" in doing.features and (self.chance(0.8) or plain):
            clause = replace(clause, recipient=self.recipient(subject), recipient_first=self.chance(0.4))
        return self.circumstances(clause, plain)

    def verb_for(self, subject: NounPhrase | None) -> Verb:
        """A verb, fit for a subject that is given: then a person's."""
        while True:
            doing = self.choose_word(self.verb_list())
            if subject is None or "person" in doing.subjects.split():
                return doing

    def verb_list(self) -> tuple[Verb, ...]:
        """The verbs to draw from: those of daily life often."""
        if self.chance(DAILY_SHARE):
            return daily_verbs()
        return phrasal_verbs() if self.chance(0.15) else verbs()

    def tense(self, doing: Verb) -> str:
        living = "person" in doing.subjects.split()
        while True:
            tense = self.pick(TENSES)
            if tense == "forgot to" and not doing.transitive:
                continue
            if tense in WITHOUT_PROGRESS and ("stative" in doing.features or doing.dative):
                continue
            if living or tense in (
                "present",
                "past",
                "future",
                "progressive",
                "perfect",
                "past progressive",
                "began to",
            ):
                return tense

    def question(self, doing: Verb, tense: str) -> str:
        """The kind of question, or "" for a statement."""
        if self.chance(0.75) or tense in ("may", "might"):
            return ""
        weights = {"yes/no": 12.0}
        if "person" in doing.subjects.split() and not doing.dative:
            weights["subject"] = 3.0
        if doing.transitive and doing.marker != "bare" and tense not in POSITIVE and not doing.dative:
            weights["object"] = 6.0
        if tense in (*SIMPLE, "progressive", "perfect", "can") and not doing.dative:
            weights["why"] = 3.0
            if tense != "perfect":
                weights |= {"when": 3.0, "how": 2.0}
            if doing.marker == "" or (doing.marker == "bare" and not doing.complement):
                weights["where"] = 3.0
        if tense in ("present", "future") and not doing.dative and doing.marker in ("", "bare"):
            weights |= {"how often": 1.0 if tense == "present" else 0.0, "what time": 1.0}
        return self.pick(weights)

    def asked(self, doing: Verb) -> NounPhrase:
        """ "What", "who", "which book", "how many books", "whose book"."""
        kinds = {word.kind for word in nouns_of(doing.objects)}
        people = "person" in doing.objects.split() or kinds <= {"person", "profession", "kin"}
        if self.chance(0.5):
            return who_phrase() if people else whatever()
        word = self.choose_word(
            [w for w in nouns_of(doing.objects) if w.kind not in ("kin", "parent", "parents", "sky")] or [noun("book")]
        )
        if word.quantity == "mass":
            return make("object", word, determiner=self.choose(["which", "how much"]))
        if word.plural is not None and self.chance(0.4):
            return make("object", word, "pl", "how many")
        return make("object", word, determiner=self.choose(["which", "which", "whose"]))

    def object(self, doing: Verb, subject: NounPhrase, open_: bool = False) -> NounPhrase | None:
        """The object: now and then a pronoun, two things, or a measure of something."""
        if not doing.transitive:
            return None
        kinds = doing.objects.split()
        people = "person" in kinds
        if people and self.chance(0.5):
            return self.person("object", " ".join(others(subject)), subject)
        if doing.base == "have" and self.chance(0.75):
            return make("object", self.choose(nouns_of(doing.objects)), determiner="")
        if doing.marker == "bare" or "place" in kinds:
            return make("object", self.choose_word(nouns_of(doing.objects)), determiner="the")
        if not people and not doing.dative and has_main_sense(doing) and self.chance(0.12):
            return pronoun_phrase("object", self.choose(["it", "they"]))
        for _ in range(20):
            phrase = self.thing("object", doing.objects, subject, definite=None)
            if phrase.direct[-1].text != subject.direct[-1].text:
                break
        if not people and doing.stem in ("خرید", "کھا", "لا", "بیچ") and self.chance(0.12):
            second = make("object-too", self.choose_word(nouns_of(doing.objects)), determiner="the")
            if second.direct[-1].text != phrase.direct[-1].text and phrase.pronoun is None:
                return join(phrase, second)
        return phrase

    def recipient(self, subject: NounPhrase) -> NounPhrase:
        while True:
            phrase = self.person("recipient", " ".join(others(subject)), subject)
            if phrase.direct[-1].text != subject.direct[-1].text:
                return phrase

    def circumstances(self, clause: Clause, plain: bool = False) -> Clause:
        """Adds when, where, how, with whom and what for: none, one or two."""
        found: list[Adjunct] = []
        doing, tense = clause.verb, clause.tense
        shared = 0.12 if plain else 0.3
        moves = doing.stem in ("جا", "آ", "پہنچ") and "person" in doing.subjects.split()
        if clause.question not in ("when", "what time", "how often") and self.chance(shared):
            time = self.time(tense)
            if time and (clause.question or plain) and time.position == "front":
                time = time._replace(position="end")
            found += [time] if time and not (time.english[-1].text in ("just", "already") and clause.question) else []
        if (
            tense == "present"
            and not clause.question
            and not clause.negative
            and not doing.dative
            and self.chance(0.25)
        ):
            frequency = self.frequency()
            found += [frequency] if not is_negative(clause.subject) else []
        needs_place = "where" in doing.features
        open_place = (
            clause.question not in ("where", "where from") and doing.marker not in ("bare", "میں") and not doing.dative
        )
        if moves and self.chance(0.15):
            found.append(self.vehicle())
        elif open_place and not moves and (needs_place or self.chance(shared)):
            kinds = {"on": "table chair bed floor shelf", "in": "box bag drawer room"}
            found.append(self.place_of("place", kinds) if needs_place else self.place(clause.subject))
        elif (
            self.chance(0.06)
            and not plain
            and "person" in doing.subjects.split()
            and not doing.marker
            and not doing.particle
        ):
            found.append(self.company(clause.subject))
        if (
            not plain
            and not doing.dative
            and "stative" not in doing.features
            and "person" in doing.subjects.split()
            and clause.question != "how"
            and self.chance(0.08)
        ):
            found.append(self.manner())
        if not plain and "person" in doing.subjects.split() and clause.question in ("", "yes/no") and self.chance(0.06):
            found.append(self.purpose(clause.subject))
        return replace(clause, adjuncts=tuple(sorted(found, key=lambda adjunct: adjunct.slot == "time")[:3]))

    def purpose(self, subject: NounPhrase) -> Adjunct:
        """ "To buy bread": روٹی خریدنے کے لیے."""
        doing = self.choose_word(
            [
                v
                for v in verbs()
                if v.transitive
                and not v.dative
                and v.marker in ("", "کا", "سے")
                and "person" in v.subjects.split()
                and "to" not in v.features
                and "where" not in v.features
            ]
        )
        object_ = self.object(doing, subject)
        assert object_ is not None
        aim = rename(infinitive_phrase(doing, object_), "aim")
        return Adjunct(words("to") + aim.english, aim.urdu + words("کے لیے"), "reason")


@cache
def has_main_sense(doing: Verb) -> bool:
    """Whether "it" can be the object: then nothing but the first sense of the verb is meant ("take it": لے)."""
    name = f"{doing.base} {doing.particle}".strip()
    return doing.base not in ("have", "leave", "play") and verb(name) == doing


@cache
def phrasal_verbs() -> tuple[Verb, ...]:
    """The verbs of daily life of two words or more, which come up more often: "get up", "turn on", "go shopping"."""
    light = [one for one in verbs() if len(one.particle.split()) > 1 or one.particle in PARTICLES]
    daily = [one for one in light if f"{one.base} {one.particle}" in DAILY]
    return (*light, *3 * daily, *[one for one in verbs() if one.base == "have" and one.objects] * 10)


def infinitive_phrase(doing: Verb, object_: NounPhrase | None, oblique: bool = True) -> Pair:
    """ "Buy bread", and روٹی خریدنے: the infinitive with its object."""
    clause = Clause(pronoun_phrase("subject", "I"), doing, "imperative", object_)
    stem = clause.pair().urdu
    end = words(f"{doing.complement} {infinitive(doing.stem, oblique)}", "verb")
    return Pair(
        clause.pair().english, stem[: len(stem) - 1 - len(doing.complement.split()) - (doing.vector == "جا")] + end
    )


def is_negative(phrase: NounPhrase) -> bool:
    return phrase.english[0].text in ("nobody", "nothing", "no", "none")


def ing_phrase(doing: Verb, object_: NounPhrase | None) -> tuple[Phrase, Phrase]:
    """ "Reading books", and the oblique infinitive کتابیں پڑھنے."""
    pair = infinitive_phrase(doing, object_)
    return words(doing.english[4], "verb") + pair.english[1:], pair.urdu
