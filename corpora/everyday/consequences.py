"""Random sentences with "so ... that" and "too ... to": who is so tired, what is so heavy, and what follows."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, pronoun_phrase, words
from corpora.everyday.being import be_clause
from corpora.everyday.clauses import Clause, rename
from corpora.everyday.clauses import urdu as urdu_of
from corpora.everyday.complex_sentences import FRIEND, again
from corpora.everyday.deeds import aim
from corpora.everyday.degrees import described_as
from corpora.everyday.lexicon import Adjective, Verb, adjectives_of, nouns_of, verbs
from corpora.everyday.phrases import make
from corpora.everyday.ranks import Ranker
from corpora.urdu_forms import agree
from corpora.urdu_lexicon import Noun

HINDERED = {"tired", "weak", "ill", "sick", "busy", "shy", "lazy", "poor", "proud", "angry", "stupid", "young", "sad"}
HARD = {  # what a thing is, so that nobody can do this with it
    "heavy": "lift carry move push pull",
    "expensive": "buy",
    "difficult": "understand answer solve learn",
    "hot": "drink eat touch",
    "dirty": "wear use",
    "boring": "read finish watch",
    "long": "read finish learn",
    "small": "wear read",
    "old": "wear use repair",
}
TEMPTING = {  # what a thing is, so that somebody does this
    "beautiful": "buy keep",
    "interesting": "read finish",
    "cheap": "buy",
    "delicious": "eat finish order",
    "good": "read buy watch",
    "dirty": "wash clean",
}
LITTLE = Adjective("young", "چھوٹا", frozenset())  # too young for something


class Weigher(Ranker):
    """A speaker who also says that something is so, and what therefore happens or cannot be done."""

    def weighing_kinds(self) -> list[tuple]:
        return [(self.so_somebody, 5), (self.so_something, 4), (self.too_somebody, 4), (self.too_something, 3)]

    def so_somebody(self) -> Pair:
        """ "He was so angry that he did not answer me": وہ اتنا ناراض تھا کہ اس نے مجھے جواب نہیں دیا."""
        subject = self.known_person()
        mood = self.choose_word([one for one in self.graded(FRIEND) if "plain" not in one.features])
        doer = again(subject) if self.chance(0.7) else self.known_person()
        tense = self.choose(["past", "past", "can", "could", "could", "had to", "future"])
        able = tense in ("can", "could")
        deed = replace(self.told(doer, tense), adjuncts=(), negative=able or (tense == "past" and self.chance(0.3)))
        return so_that(subject, mood, deed.pair(), "present" if tense in ("can", "future") else "past")

    def so_something(self) -> Pair:
        """ "The box was so heavy that nobody could lift it", "The book is so good that I read it"."""
        hard = self.chance(0.6)
        mood, doing, word = self.choose(matters(hard))
        thing, it = self.thing_and_it(word)
        doer = self.known_person()
        if not hard:
            return so_that(thing, mood, Clause(doer, doing, "past", it).pair(), "past")
        tense = self.choose(["can", "could", "could"])
        unable = Clause(doer, doing, tense, it, negative=True)
        return so_that(thing, mood, unable.pair(), "present" if tense == "can" else "past")

    def thing_and_it(self, word: Noun) -> tuple[NounPhrase, NounPhrase]:
        """A thing as the subject, and the pronoun for it."""
        many = word.quantity == "plural" or (word.plural is not None and self.chance(0.2))
        pointing = self.choose(["the", "the", "these" if many else "this"])
        thing = make("subject", word, "pl" if many else "sg", pointing)
        return thing, pronoun_phrase("object", "they" if thing.be == "are" else "it")

    def too_somebody(self) -> Pair:
        """ "She is too tired to cook the food": وہ اتنی تھکی ہوئی ہے کہ کھانا نہیں پکا سکتی."""
        subject = self.known_person()
        moods = [one for one in self.graded(FRIEND) if one.english in HINDERED - {"young"}]
        mood = self.choose([*moods, LITTLE])
        deed = replace(self.doing(subject), adjuncts=())
        return too_to(subject, mood, deed, self.choose(["present", "past"]))

    def too_something(self) -> Pair:
        """ "The box is too heavy for me to lift": ڈبہ اتنا بھاری ہے کہ میں اسے نہیں اٹھا سکتا."""
        mood, doing, word = self.choose(matters(True))
        thing, it = self.thing_and_it(word)
        doer = self.person("doer", "I I you he she we they")
        if doer.direct[0].text in ("سب", "کوئی"):
            return self.too_something()
        return too_for(thing, mood, Clause(doer, doing, "can", it), self.choose(["present", "past"]))


@cache
def matters(hard: bool) -> list[tuple[Adjective, Verb, Noun]]:
    """What things are, what is done with them or cannot be, and the things."""
    found = []
    for name, deeds in (HARD if hard else TEMPTING).items():
        for doing in verbs():
            fit = doing.base in deeds.split() and not doing.particle and not doing.dative and doing.transitive
            if not fit or doing.features & {"to", "where", "state"} or "person" in doing.objects.split():
                continue
            for word in nouns_of(doing.objects):
                mood = next((one for one in adjectives_of(word) if one.english == name), None)
                if mood is not None and word.quantity != "mass" and word.urdu_number != "sg":
                    found.append((mood, doing, word))
    return found


def so_that(subject: NounPhrase, mood: Adjective, result: Pair, tense: str) -> Pair:
    """ "He was so tired that he slept": اتنا ... کہ."""
    english, urdu = described_as(mood, subject)
    so = words("so", "q/very"), words(agree("اتنا", subject.gender, subject.number), "q/very")
    first, second = be_clause(subject, tense, so[0] + english, so[1] + urdu), rename(result, "second")
    english = first.english + words("that", "joint") + second.english
    return Pair(english, first.urdu + words("کہ", "joint") + second.urdu)


def too_to(subject: NounPhrase, mood: Adjective, deed: Clause, tense: str) -> Pair:
    """ "Too tired to walk": اتنا تھکا ہوا ہے کہ نہیں چل سکتا."""
    first = too_much(subject, mood, tense)
    able = replace(deed, tense="can" if tense == "present" else "could", negative=True, silent=True)
    urdu = tuple(word._replace(role="") if word.role in ("not", "modal") else word for word in urdu_of(able))
    second = rename(Pair(aim(deed), urdu), "second")
    return Pair(first.english + second.english, first.urdu + words("کہ") + second.urdu)


def too_for(thing: NounPhrase, mood: Adjective, deed: Clause, tense: str) -> Pair:
    """ "Too heavy for me to lift": اتنا بھاری ہے کہ میں اسے نہیں اٹھا سکتا."""
    first = too_much(thing, mood, tense)
    able = replace(deed, tense="can" if tense == "present" else "could", negative=True)
    urdu = tuple(word._replace(role="") if word.role in ("not", "modal") else word for word in urdu_of(able))
    done = words("to") + words(deed.verb.base, "verb")
    second = rename(Pair(words("for") + deed.subject.as_object + done, urdu), "second")
    return Pair(first.english + second.english, first.urdu + words("کہ") + second.urdu)


def too_much(subject: NounPhrase, mood: Adjective, tense: str) -> Pair:
    english, urdu = described_as(mood, subject)
    so = words(agree("اتنا", subject.gender, subject.number), "q/very")
    return be_clause(subject, tense, words("too", "q/very") + english, so + urdu)
