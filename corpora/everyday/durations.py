"""Random sentences about how long something has lasted, and about what happens until, during, through or towards."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Phrase, Word, name_phrase, pronoun_phrase, words
from corpora.everyday.actions import is_negative
from corpora.everyday.being import be_clause
from corpora.everyday.clauses import Adjunct, Clause, adverb, at, postposed
from corpora.everyday.clauses import english as english_of
from corpora.everyday.clauses import urdu as urdu_of
from corpora.everyday.complex_sentences import FRIEND
from corpora.everyday.counting import Teller, table
from corpora.everyday.lexicon import Verb, noun, nouns_of, places, verb, verbs
from corpora.everyday.phrases import INDEFINITES, join, make, number_words

STARTS = {  # what stands behind "since", and before سے
    "morning": "صبح",
    "this morning": "آج صبح",
    "yesterday": "کل",
    "last night": "کل رات",
    "last week": "پچھلے ہفتے",
    "last month": "پچھلے مہینے",
    "last year": "پچھلے سال",
    "childhood": "بچپن",
}
ENDS = {  # what stands behind "until", and before تک
    "evening": "شام",
    "noon": "دوپہر",
    "midnight": "آدھی رات",
    "tomorrow": "کل",
    "morning": "صبح",
    "late at night": "رات گئے",
}
UNITS = {  # Urdu after one, and after more than one, before سے
    "minute": ("منٹ", "منٹ"),
    "hour": ("گھنٹے", "گھنٹوں"),
    "day": ("دن", "دنوں"),
    "week": ("ہفتے", "ہفتوں"),
    "month": ("مہینے", "مہینوں"),
    "year": ("سال", "سال"),
}
LONG = {"a long time": "کافی عرصے", "many years": "کئی سالوں", "several days": "کئی دنوں", "many weeks": "کئی ہفتوں"}
LASTING = [
    "wait",
    "work",
    "study",
    "sleep",
    "cry",
    "play",
    "sit",
    "stand",
    "talk",
    "rest",
    "laugh",
    "swim",
    "travel",
    "wait for",
    "live in",
    "work in",
    "learn",
    "teach",
    "look for",
    "talk to",
    "write",
    "read",
]
UNTIL = ["wait", "work", "study", "rest", "talk", "wait for", "work in", "play"]
SPANS = ["lesson", "journey", "meeting", "exam", "film", "class", "wedding", "night", "war", "storm"]
PASS = verb("run")._replace(english=("pass", "passes", "passed", "passed", "passing"), stem="گزر")
PATHS = {  # verb -> postposition, and what may stand before it; English verb and preposition -> Urdu
    ("walk", "through"): ("گزر", "سے", "forest village garden market park city field"),
    ("pass", "through"): ("گزر", "سے", "forest village tunnel desert city"),
    ("run", "towards"): ("دوڑ", "کی طرف", "door house school river station tree"),
    ("walk", "towards"): ("چل", "کی طرف", "door mosque river station village"),
    ("walk", "along"): ("چل", "کے کنارے", "river sea lake road"),
    ("run", "into"): ("دوڑ کر جا", "میں", "room house kitchen garden forest"),
    ("go", "into"): ("جا", "میں", "room house kitchen shop mosque"),
    ("jump", "into"): ("کود", "میں", "river pool lake sea"),
    ("fly", "over"): ("گزر", "کے اوپر سے", "city house mountain river sea"),
}


class Timer(Teller):
    """A speaker who also says how long something has lasted, and where something moves."""

    def lasting(self) -> Pair:
        """ "She has been working since morning", "Have they been waiting for two weeks?" """
        clause = self.lasting_clause()
        if self.chance(0.12):
            return how_long(clause)
        return lasting(replace(clause, question="yes/no" if self.chance(0.12) else ""), self.span(clause))

    def lasting_clause(self) -> Clause:
        """Somebody does something that takes its time."""
        doing = self.of_these(LASTING)
        subject = self.living_subject()
        return Clause(subject, doing, "perfect progressive", self.object(doing, subject))

    def of_these(self, names: list[str]) -> Verb:
        """A verb of one of these names whose subject is a person."""
        return self.choose(deeds_of(tuple(names)))

    def living_subject(self) -> NounPhrase:
        while True:
            subject = self.person("subject")
            if not is_negative(subject):
                return subject

    def span(self, clause: Clause) -> Adjunct:
        """Since when, or for how long."""
        return self.long_span() if clause.verb.particle == "in" else self.any_span()

    def long_span(self) -> Adjunct:
        if self.chance(0.3):
            return since(self.choose(["last month", "last year", "childhood"]))
        return lasted(self.rng.randint(1, 20), self.choose(["month", "year"]))

    def any_span(self) -> Adjunct:
        roll = self.rng.random()
        if roll < 0.3:
            return since(self.choose([one for one in STARTS if one != "childhood"]))
        if roll < 0.45:
            return since(self.choose(list(table("weekday"))))
        if roll < 0.55:
            return since(self.choose(list(table("month"))))
        if roll < 0.65:
            return lasted(0, self.choose(list(LONG)))
        return lasted(self.rng.randint(1, 10), self.choose(list(UNITS)))

    def known(self) -> Pair:
        """ "I have known him for ten years", "She has been ill since Monday"."""
        subject = self.living_subject()
        if self.chance(0.4):
            other = self.person("object", "he she they", subject)
            if other.direct[-1].text == subject.direct[-1].text:
                return self.known()
            return lasting(Clause(subject, verb("know"), "perfect", other), self.long_span())
        state = self.choose([a for a in self.graded(FRIEND) if a.english in STATES_THAT_LAST])
        return has_been(subject, *self.predicate(state, subject), self.any_span())

    def not_for_long(self) -> Pair:
        """ "I have not seen him for two years", "We have not eaten since morning"."""
        doing = self.of_these(["see", "meet", "eat", "sleep", "call", "drink"])
        subject = self.living_subject()
        if doing.base in ("eat", "drink"):
            word = self.choose([w for w in nouns_of(doing.objects or "food") if w.quantity == "mass" or w.plural])
            food = make("object", word, "sg" if word.quantity == "mass" else "pl", "") if doing.objects else None
            when = self.choose([since("yesterday"), since("morning"), lasted(self.rng.randint(2, 7), "day")])
            return Clause(subject, doing, "perfect", food, adjuncts=(when,), negative=True).pair()
        other = self.object(doing, subject, True)
        return Clause(subject, doing, "perfect", other, adjuncts=(self.any_span(),), negative=True).pair()

    def until(self) -> Pair:
        """ "They worked until evening", "We will wait for you until Monday"."""
        doing = self.of_these(UNTIL)
        subject = self.living_subject()
        tense = self.choose(["past", "past", "future", "had to", "have to"])
        ends = [one for one in ENDS if one != "tomorrow" or tense in ("future", "have to")]
        end = self.choose(ends if self.chance(0.7) else list(table("weekday")))
        return Clause(subject, doing, tense, self.object(doing, subject), adjuncts=(until(end),)).pair()

    def during(self) -> Pair:
        """ "She slept during the lesson", "I met him during the holidays"."""
        span = make("place", noun("holiday"), "pl") if self.chance(0.3) else None
        span = span or make("place", noun(self.choose(SPANS)))
        clause = self.clause(True, self.choose(["past", "past", "future"]), self.living_subject())
        if clause.verb.dative or "stative" in clause.verb.features or clause.verb.marker in ("bare", "میں"):
            return self.during()
        when = at("during", span)._replace(slot="time")
        return replace(clause, adjuncts=(when,)).pair()

    def path(self) -> Pair:
        """ "He walked through the forest", "The plane flew over the city", "They ran towards the door"."""
        verb_name, preposition = self.choose(list(PATHS))
        subject = self.flier() if verb_name == "fly" else self.living_subject()
        place = make("place", self.choose(nouns_of(PATHS[verb_name, preposition][2])))
        tense = self.choose(["past", "past", "future", "progressive", "past progressive"])
        return move(subject, verb_name, tense, preposition, place)

    def flier(self) -> NounPhrase:
        word = noun(self.choose(["plane", "bird", "bird", "helicopter"]))
        return make("subject", word, self.choose(["sg", "pl"]))

    def between(self) -> Pair:
        """ "The bank is between the school and the mosque", "He sat between Ali and Sara"."""
        if self.chance(0.5):
            one, first, second = self.rng.sample(nouns_of("shop bank school mosque hospital park house market"), 3)
            both = join(make("place", first), make("place-too", second))
            tense = self.choose(["present", "present", "past"])
            where = at_both("between", both)
            return be_clause(make("subject", one), tense, where.english, where.urdu)
        subject = self.living_subject()
        near, far = self.relative("place", subject), self.name("place-too")
        doing = verb(self.choose(["sit", "stand"]))
        tense = self.choose(["past", "progressive", "past progressive"]) if doing.base == "sit" else "progressive"
        return Clause(subject, doing, tense, adjuncts=(at_both("between", join(near, far)),)).pair()

    def against(self) -> Pair:
        """ "They fought against the enemy", "We are playing against them"."""
        doing = verb(self.choose(["fight", "play"]))
        doing = next(v for v in verbs() if v.base == doing.base and not v.objects and "person" in v.subjects.split())
        subject = self.pronoun("subject", "we they he she")
        if doing.base == "fight":
            rival = make("rival", noun("enemy"), self.choose(["sg", "pl"]))
        else:
            rival = pronoun_phrase("rival", self.choose(["we", "they", "he", "you"]))
        if rival.possessive == subject.possessive:
            return self.against()
        tense = self.choose(["past", "future", "progressive", "past progressive", "want to"])
        return Clause(subject, doing, tense, adjuncts=(at("against", rival, "with"),)).pair()

    def birth(self) -> Pair:
        """ "She was born in Lahore", "When were you born?" """
        subject = self.living_subject()
        if subject.english[0].text in INDEFINITES:
            return self.birth()
        if self.chance(0.2):
            return born(subject, question=self.choose(["when", "where"]))
        if self.chance(0.4):
            month = self.choose(list(table("month")))
            return born(
                subject, Adjunct(words(f"in {month}", "month"), words(f"{table('month')[month]} میں", "month"), "time")
            )
        return born(subject, at("in", name_phrase("place", self.choose(places()))), negative=self.chance(0.1))


STATES_THAT_LAST = {"sick", "ill", "busy", "sad", "angry", "worried", "free", "tired", "happy", "alone", "married"}


@cache
def deeds_of(names: tuple[str, ...]) -> list[Verb]:
    """The verbs of these names whose subject is a person."""
    found = [v for v in verbs() if "person" in v.subjects.split() and f"{v.base} {v.particle}".strip() in names]
    return [v for v in found if v.base != "play" or "guitar" not in v.objects]


def since(english: str) -> Adjunct:
    """ "Since Monday": پیر سے."""
    urdu = STARTS.get(english) or {"Friday": "جمعے", "Saturday": "ہفتے"}.get(english)
    urdu = urdu or (table("weekday") | table("month"))[english]
    return adverb(f"since {english}", f"{urdu} سے", "time")


def until(english: str) -> Adjunct:
    """ "Until evening": شام تک."""
    urdu = ENDS.get(english) or {"Friday": "جمعے", "Saturday": "ہفتے"}.get(english) or table("weekday")[english]
    return adverb(f"until {english}", f"{urdu} تک", "time")


def lasted(count: int, unit: str) -> Adjunct:
    """ "For two weeks": دو ہفتوں سے. Without a count, `unit` is one of `LONG`."""
    if not count:
        return adverb(f"for {unit}", f"{LONG[unit]} سے", "time")
    told = noun(unit)
    role = "amount/unit"
    if count == 1:
        one = words("an" if unit == "hour" else "a", "amount/number"), words("ایک", "amount/number")
        return Adjunct(
            words("for", role) + one[0] + words(unit, role), one[1] + words(f"{UNITS[unit][0]} سے", role), "time"
        )
    number = number_words(count, "amount/number")
    english = words("for", role) + number[0] + words(told.plural or "", role)
    return Adjunct(english, number[1] + words(f"{UNITS[unit][1]} سے", role), "time")


def lasting(clause: Clause, span: Adjunct) -> Pair:
    """What began before and goes on: in Urdu the present, progressive unless the verb names a state."""
    clause = replace(clause, adjuncts=(*clause.adjuncts, span))
    now = "present" if "stative" in clause.verb.features else "progressive"
    return Pair(english_of(clause), urdu_of(replace(clause, tense=now)), bool(clause.question))


def how_long(clause: Clause) -> Pair:
    """ "How long have you been waiting?": آپ کب سے انتظار کر رہے ہیں؟"""
    asked = lasting(replace(clause, question="yes/no"), Adjunct((), words("کب سے", "question"), "time"))
    return Pair(words("how long", "question") + asked.english, asked.urdu[1:], True)


def has_been(subject: NounPhrase, english: Phrase, urdu: Phrase, span: Adjunct) -> Pair:
    """ "She has been ill since Monday": وہ پیر سے بیمار ہے."""
    told = be_clause(subject, "perfect", english, urdu, adjuncts=(span,))
    return Pair(told.english, be_clause(subject, "present", english, urdu, adjuncts=(span,)).urdu)


def move(subject: NounPhrase, verb_name: str, tense: str, preposition: str, place: NounPhrase) -> Pair:
    """Somebody or something moves through, into, over, along or towards a place."""
    *complement, stem = PATHS[verb_name, preposition][0].split()
    plain = PASS if verb_name == "pass" else verb(verb_name)
    doing = plain._replace(
        stem=stem, complement=" ".join(complement), ergative=False, vector="", features=frozenset(), objects=""
    )
    where = at(preposition, place, urdu=PATHS[verb_name, preposition][1])
    return Clause(subject, doing, tense, adjuncts=(where,)).pair()


def at_both(preposition: str, both: NounPhrase) -> Adjunct:
    """A preposition before two phrases. Its Urdu stands behind the second and translates the preposition."""
    role = "both/preposition"
    said = postposed(both, "کے درمیان")
    last = Word(said[-1].text, role)
    return Adjunct(words(preposition, role) + both.as_object, (*said[:-1], last), "place")


def born(subject: NounPhrase, where: Adjunct | None = None, question: str = "", negative: bool = False) -> Pair:
    """ "She was born in Lahore": وہ لاہور میں پیدا ہوئی."""
    adjuncts = (where,) if where else ()
    doing = verb("happen")._replace(complement="پیدا", english=("born",) * 5)
    told = be_clause(subject, "past", words("born", "verb"), (), negative, question, adjuncts)
    clause = Clause(subject, doing, "past", adjuncts=adjuncts, negative=negative, question=question)
    return Pair(told.english, clause.pair().urdu, bool(question))
