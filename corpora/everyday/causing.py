"""Random sentences about what makes somebody sad or laugh, whom somebody saw doing something, and "glad to see"."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Phrase, Word, pronoun_phrase, words
from corpora.everyday.becoming import intransitive
from corpora.everyday.being import be_clause
from corpora.everyday.clauses import Adjunct, Clause, rename
from corpora.everyday.deeds import aim, infinite
from corpora.everyday.direct_speech import Quoter
from corpora.everyday.english import verb_forms
from corpora.everyday.lexicon import Verb, noun
from corpora.everyday.phrases import indefinite
from corpora.urdu_forms import Agreement, habitual

MOODS = {
    "sad": "اداس", "happy": "خوش", "angry": "ناراض", "worried": "پریشان", "surprised": "حیران", "nervous": "پریشان",
    "famous": "مشہور", "ill": "بیمار",
}  # fmt: skip
CAUSES = "news story film letter song message idea rain war noise weather answer work game decision accident"
FELT = {"surprised": "حیران", "happy": "خوش", "glad": "خوش", "sad": "اداس", "pleased": "خوش", "shocked": "حیران"}
FOUND = ["see", "see", "meet", "hear", "read", "leave", "lose", "come back", "receive"]
CAUSED = {"laugh": "ہنسا", "cry": "رلا", "wait": "انتظار کرا", "sleep": "سلا"}
BECAME = {"تھا": "ہوا", "تھے": "ہوئے", "تھی": "ہوئی", "تھیں": "ہوئیں"}
FORCE = Verb(verb_forms("make made made making"), "", "کر", "مجبور", "کو", "", "person", "person", True, "",
             frozenset())  # fmt: skip


class Causer(Quoter):
    """A speaker who also says what makes people so, and what they are seen doing."""

    def causing_kinds(self) -> list[tuple]:
        return [(self.made_so, 6), (self.made_do, 4), (self.seen_doing, 6), (self.glad_to, 5)]

    def affected(self, subject: NounPhrase) -> NounPhrase:
        """Who is made to feel or do something: somebody else than the subject, or everyone."""
        if self.chance(0.15):
            return indefinite("object", "everyone")
        while True:
            other = self.person("object", "I I you he she we they")
            same = other.possessive == subject.possessive and other.pronoun is not None
            if not same and other.direct[0].text not in ("سب", "کوئی", *[subject.direct[0].text]):
                return other

    def made_so(self) -> Pair:
        """ "The news made everyone sad": خبر نے سب کو اداس کر دیا; "Nothing makes her happy"."""
        if self.chance(0.2):
            other = self.affected(pronoun_phrase("subject", "it"))
            return nothing_makes(other, self.choose(list(MOODS)), self.choose(["present", "past"]))
        person = self.chance(0.25)
        cause = self.known_person() if person else self.cause()
        tense = self.choose(["past", "past", "present", "future", "can", "perfect"])
        if tense == "present" and cause.be != "is":
            tense = "past"
        negative, question = self.question_or_not(cause)
        return make_so(cause, self.affected(cause), self.choose(list(MOODS)), tense, negative, question)

    def cause(self) -> NounPhrase:
        return self.noun("subject", noun(self.choose(CAUSES.split())), None, True)

    def made_do(self) -> Pair:
        """ "The story made me laugh": کہانی نے مجھے ہنسایا; "He made us work": ہمیں کام کرنے پر مجبور کیا."""
        if self.chance(0.4):
            cause = self.cause() if self.chance(0.7) else self.known_person()
            tense = self.choose(["past", "past", "future", "present" if cause.be == "is" else "past"])
            return makes_laugh(cause, self.affected(cause), self.choose(["laugh", "cry"]), tense)
        first, second = self.two_people()
        return forced(first, self.deed(second, own=False), self.choose(["past", "past", "future", "perfect"]))

    def seen_doing(self) -> Pair:
        """ "I saw him crossing the road": میں نے اسے سڑک پار کرتے ہوئے دیکھا."""
        first, second = self.two_people()
        sense = self.choose(["see", "see", "see", "hear"])
        names = ["sing", "laugh", "cry", "talk", "shout", "read", "speak", "complain", "play"]
        deed = self.among(names, second) if sense == "hear" else self.deed(second, own=False)
        negative, question = self.question_or_not(first)
        tense = self.choose(["past", "past", "past", "can", "future", "perfect"])
        return seen(first, sense, replace(deed, adjuncts=deed.adjuncts[:1]), tense, negative, question)

    def glad_to(self) -> Pair:
        """ "She was surprised to see him": وہ اسے دیکھ کر حیران ہوئی."""
        subject = self.known_person()
        name = self.choose(FOUND)
        deed = self.among([name], subject)
        negative, question = self.question_or_not(subject)
        tense = self.choose(["past", "past", "past", "future", "present"])
        return glad(subject, self.choose(list(FELT)), deed, tense, negative, question)


def make_so(
    cause: NounPhrase, other: NounPhrase, english: str, tense: str, negative: bool = False, question: str = ""
) -> Pair:
    """ "The news made me sad": خبر نے مجھے اداس کر دیا."""
    told = Adjunct(words(english, "mood/adjective"), words(MOODS[english], "mood/adjective"), "manner")
    making = Verb(verb_forms("make made made making"), "", "کر", "", "", "", "person", "person", True, "دے",
                  frozenset({"ko"}))  # fmt: skip
    return Clause(cause, making, tense, other, adjuncts=(told,), negative=negative, question=question).pair()


def nothing_makes(other: NounPhrase, english: str, tense: str) -> Pair:
    """ "Nothing makes her happy": کوئی چیز اسے خوش نہیں کرتی."""
    thing = words("کوئی چیز", "subject/pronoun")
    nothing = replace(indefinite("subject", "nothing"), direct=thing, oblique=words("کسی چیز", "subject/pronoun"),
                      gender="f")  # fmt: skip
    return make_so(nothing, other, english, tense)


def makes_laugh(cause: NounPhrase, other: NounPhrase, name: str, tense: str) -> Pair:
    """ "The story made me laugh": کہانی نے مجھے ہنسایا."""
    doing = Verb(verb_forms("make made made making"), "", CAUSED[name], "", "", "", "person", "person", True, "",
                 frozenset({"ko"}))  # fmt: skip
    pair = Clause(cause, doing, tense, other).pair()
    return Pair(pair.english + words(name, "verb"), pair.urdu)


def forced(first: NounPhrase, deed: Clause, tense: str, negative: bool = False) -> Pair:
    """ "He made us work": اس نے ہمیں کام کرنے پر مجبور کیا."""
    done = rename(Pair(aim(deed, ""), infinite(deed) + words("پر")), "aim")
    clause = Clause(first, FORCE, tense, deed.subject, negative=negative)
    return replace(clause, adjuncts=(Adjunct(done.english, done.urdu, "late"),)).pair()


def seen(first: NounPhrase, sense: str, deed: Clause, tense: str, negative: bool = False, question: str = "") -> Pair:
    """ "I saw him crossing the road": میں نے اسے سڑک پار کرتے ہوئے دیکھا."""
    stem = {"see": "دیکھ", "hear": "سن"}[sense]
    forms = {"see": "see saw seen seeing", "hear": "hear heard heard hearing"}[sense]
    seeing = intransitive(forms, stem)._replace(objects="person", ergative=True)
    going = infinite(deed)[:-1] + words(habitual(deed.verb.stem, Agreement("m", "pl")), "verb") + words("ہوئے")
    done = rename(Pair(aim(deed, "ing"), going), "aim")
    clause = Clause(first, seeing, tense, deed.subject, negative=negative, question=question)
    return replace(clause, adjuncts=(Adjunct(done.english, done.urdu, "late"),)).pair()


def glad(
    subject: NounPhrase, english: str, deed: Clause, tense: str = "past", negative: bool = False, question: str = ""
) -> Pair:
    """ "She was surprised to see him": وہ اسے دیکھ کر حیران ہوئی."""
    role = "felt/adjective"
    done = rename(Pair(aim(deed), having_done(deed)), "aim")
    rest = words(english, role) + done.english
    pair = be_clause(subject, tense, rest, done.urdu + words(FELT[english], role), negative, question)
    last = pair.urdu[-1]
    return Pair(pair.english, (*pair.urdu[:-1], Word(BECAME.get(last.text, last.text), last.role)), pair.asks)


def having_done(deed: Clause) -> Phrase:
    """The Urdu of a deed that is done first: اسے دیکھ کر, کام کر کے."""
    stem = deed.verb.stem
    end = "کے" if stem == "کر" else "کر"
    return infinite(deed)[:-1] + words(stem, "verb") + words(end)
