"""Random sentences of joined deeds and of what is said: "came home and ate", "neither ... nor", "he promised that"."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Phrase, Word, add_postposition, pronoun_phrase, words
from corpora.everyday.being import be_clause
from corpora.everyday.clauses import Adjunct, Clause, rename, without_subject
from corpora.everyday.clauses import english as english_of
from corpora.everyday.clauses import urdu as urdu_of
from corpora.everyday.comparisons import doings
from corpora.everyday.complex_sentences import FRIEND, again
from corpora.everyday.counting import at_hour
from corpora.everyday.deeds import aim, infinite
from corpora.everyday.lexicon import Adjective, Verb, noun, verb, verbs
from corpora.everyday.phrases import decline_adjective, join, make
from corpora.everyday.verb_groups import english_group
from corpora.everyday.when_clauses import Timekeeper

SHOPS = "shop bank museum library market office school restaurant hospital post office zoo park"
SHIFTS = {"future": "would", "progressive": "past progressive", "past": "pluperfect"}
SAYINGS = {  # verb in the past, or present -> marker of the Urdu subject and the words behind it; whether it is past
    "said": ("نے", "کہا", True),
    "thought": ("کا", "خیال تھا", True),
    "knew": ("کو", "معلوم تھا", True),
    "hoped": ("کو", "امید تھی", True),
    "heard": ("نے", "سنا", True),
    "saw": ("نے", "دیکھا", True),
    "promised": ("نے", "وعدہ کیا", True),
    "forgot": ("", "بھول گیا", True),
    "sure": ("کو", "یقین ہے", False),
    "not sure": ("کو", "یقین نہیں ہے", False),
    "glad": ("کو", "خوشی ہے", False),
    "sorry": ("کو", "افسوس ہے", False),
    "think": ("کا", "خیال ہے", False),
}


class Joiner(Timekeeper):
    """A speaker who also joins deeds of one person or two, and says what was said and thought."""

    def joined_kinds(self) -> list[tuple]:
        return [
            (self.and_did, 8),
            (self.at_own_times, 5),
            (self.and_then, 4),
            (self.three_deeds, 4),
            (self.not_only, 3),
            (self.either_or, 3),
            (self.neither_nor, 4),
            (self.with_oneself, 4),
            (self.said_that, 8),
            (self.better, 3),
            (self.rather, 2),
        ]

    def told(self, subject: NounPhrase, tense: str) -> Clause:
        """An event or a deed in this tense."""
        return replace(self.event(subject) if self.chance(0.6) else self.doing(subject), tense=tense)

    def and_did(self) -> Pair:
        """ "He came home and ate bread", "She called but did not wait": Urdu says it again where نے differs."""
        subject = self.known_person()
        tense = self.choose(["past", "past", "past", "future", "progressive"])
        first = replace(self.told(subject, tense), adjuncts=())
        second = self.told(subject, tense)
        negative = tense == "past" and self.chance(0.3)
        joint = "but" if negative else "and"
        return follow(first.pair(), joint, replace(second, negative=negative), first.marker)

    def at_own_times(self) -> Pair:
        """ "The shop opens at eight and closes at ten", "He gets up at six and goes home at five"."""
        hours = at_hour(self.hour()), at_hour(self.hour())
        if hours[0].urdu == hours[1].urdu:
            return self.at_own_times()
        if self.chance(0.4):
            names = SHOPS.replace("post office", "park").split()
            subject = make(
                "subject", noun(self.choose(names)), owner=self.pronoun("owner") if self.chance(0.1) else None
            )
            tense = self.choose(["present", "present", "past", "future"])
            deeds = [Clause(subject, doing, tense) for doing in opening()]
        else:
            subject = self.known_person()
            tense = (
                self.choose(["past", "future", "present"]) if subject.be == "is" else self.choose(["past", "future"])
            )
            deeds = [replace(self.told(subject, tense), adjuncts=()) for _ in range(2)]
        first, second = (replace(deed, adjuncts=(hour,)) for deed, hour in zip(deeds, hours, strict=True))
        return follow(first.pair(), "and", second, first.marker)

    def and_then(self) -> Pair:
        """ "He washed his hands and then he slept": اور پھر."""
        subject = self.known_person()
        tense = self.choose(["past", "past", "future"])
        first, second = replace(self.told(subject, tense), adjuncts=()), self.told(again(subject), tense)
        rest = rename(second.pair(), "second")
        if self.chance(0.5):
            return follow(first.pair(), "and then", replace(second, subject=subject), first.marker)
        return Pair(
            first.pair().english + words("and then", "joint") + rest.english,
            first.pair().urdu + words("اور پھر", "joint") + rest.urdu,
        )

    def three_deeds(self) -> Pair:
        """ "She got up, washed her face and went home"."""
        subject = self.known_person()
        tense = self.choose(["past", "past", "future"])
        first, second, third = (replace(self.told(subject, tense), adjuncts=()) for _ in range(3))
        start = follow(first.pair(), ",", second, first.marker)
        return follow(start, "and", third, second.marker, "third")

    def not_only(self) -> Pair:
        """ "She is not only beautiful but also clever": نہ صرف ... بلکہ ... بھی."""
        subject = self.known_person()
        one, two = self.two_moods(subject)
        tense = self.choose(["present", "present", "past"])
        english = words("not only", "only") + one[0] + words("but", "joint") + words("also", "also") + rename_(two[0])
        urdu = words("نہ صرف", "only") + one[1]
        be = be_clause(subject, tense, english, urdu)
        return Pair(
            be.english, be.urdu + words("بلکہ", "joint") + rename_(two[1]) + words("بھی", "also") + be.urdu[-1:]
        )

    def two_moods(self, subject: NounPhrase) -> tuple[tuple[Phrase, Phrase], tuple[Phrase, Phrase]]:
        moods = [one for one in self.graded(FRIEND) if len(one.english.split()) == 1 and " " not in one.urdu]
        first, second = self.choose_word(moods), self.choose_word(moods)
        if first.urdu == second.urdu:
            return self.two_moods(subject)
        return plainly(first, subject), plainly(second, subject)

    def either_or(self) -> Pair:
        """ "Either Ali or Sara will come", "He is either ill or tired": یا تو ... یا."""
        if self.chance(0.5):
            subject = self.known_person()
            one, two = self.two_moods(subject)
            both = (
                words("either", "either") + one[0] + words("or", "joint") + rename_(two[0]),
                words("یا تو", "either") + one[1] + words("یا", "joint") + rename_(two[1]),
            )
            return be_clause(subject, self.choose(["present", "past"]), *both)
        return self.pair_of("either", "or", "یا تو", "یا")

    def pair_of(self, first: str, last: str, urdu: str, urdu_last: str) -> Pair:
        """Two people joined: the Urdu verb agrees with the last."""
        one, two = self.name("subject"), self.known_one("subject-too")
        if one.direct == two.direct:
            return self.pair_of(first, last, urdu, urdu_last)
        both = join(one, two, last, urdu_last)
        start, before = words(first, "joined/either"), words(urdu, "joined/either")
        subject = replace(
            both, english=start + both.english, direct=before + both.direct, oblique=before + both.oblique,
            gender=two.gender, number=two.number, be="is",
        )  # fmt: skip
        clause = replace(self.told(subject, self.choose(["future", "past"])), adjuncts=())
        if clause.verb.dative or clause.marker or "their" in [word.text for word in clause.pair().english]:
            return self.pair_of(first, last, urdu, urdu_last)
        return clause.pair()

    def neither_nor(self) -> Pair:
        """ "Neither Ali nor Sara came", "He is neither rich nor poor", "She neither ate nor slept": نہ ... نہ."""
        roll = self.rng.random()
        if roll < 0.3:
            return self.pair_of("neither", "nor", "نہ", "نہ")
        subject = self.known_person()
        if roll < 0.65:
            one, two = self.two_moods(subject)
            tense = self.choose(["present", "present", "past"])
            be = be_clause(subject, tense, (), ())
            english = words("neither", "either") + one[0] + words("nor", "joint") + rename_(two[0])
            urdu = words("نہ", "either") + one[1] + be.urdu[-1:] + words("نہ", "joint") + rename_(two[1])
            return Pair(be.english + english, subject.direct + urdu)
        pair = [one for one in doings("eat") + doings("sleep") + doings("come") + doings("laugh") if not one.transitive]
        first, second = self.choose(pair), self.choose(pair)
        marker = Clause(subject, first, "past").marker
        if first == second or marker != Clause(subject, second, "past").marker:
            return self.neither_nor()
        return neither(subject, first._replace(vector=""), second._replace(vector=""), "past")

    def with_oneself(self) -> Pair:
        """ "Take your umbrella with you", "Close the door behind you", "He took his son with him": اپنے ساتھ."""
        order = self.chance(0.6)
        subject = pronoun_phrase("subject", "you") if order else self.known_person()
        with_ = self.chance(0.75)
        name = self.choose(["take", "bring"] if with_ else ["close", "lock"])
        doing = TAKE if name == "take" else verb(name)
        things = "umbrella book bag key phone water food coat passport ticket son daughter friend child money dog"
        word = noun(self.choose(things.split() if with_ else ["door", "door", "window", "gate"]))
        person = word.english in ("son", "daughter", "friend")
        owner = pronoun_phrase("object-owner", OWNERS[subject.possessive]) if person or self.chance(0.5) else None
        owner = owner if with_ else None
        thing = make("object", word, "pl" if word.quantity == "plural" else "sg", owner=owner, own=owner is not None)
        object_form = pronoun_phrase("oneself", OWNERS[subject.possessive])
        told = words("with" if with_ else "behind", "self/preposition") + object_form.as_object
        urdu = words("اپنے", "oneself/pronoun") + words("ساتھ" if with_ else "پیچھے", "self/preposition")
        tense = "imperative" if order else self.choose(["past", "future", "past"])
        clause = Clause(subject, doing, tense, thing, adjuncts=(Adjunct(told, urdu, "late" if with_ else "place"),),
                        negative=order and self.chance(0.15))  # fmt: skip
        return clause.pair()

    def said_that(self) -> Pair:
        """ "He said that she was working", "I thought you were ill", "I am sure that he will come"."""
        kind = self.choose([*SAYINGS, "said", "said", "thought"])
        past = SAYINGS[kind][2]
        subject = self.known_person()
        about = again(subject) if kind == "promised" or self.chance(0.3) else self.known_person()
        tense = "future" if kind == "promised" else self.choose(list(SHIFTS))
        if kind != "promised" and self.chance(0.45):
            inner = self.state_said(about, past)
        else:
            deed = replace(self.told(about, tense), adjuncts=())
            english = english_of(replace(deed, tense=SHIFTS[tense] if past else tense))
            inner = Pair(english, urdu_of(deed))
        return say_that(subject, kind, rename(inner, "second"), "that" if self.chance(0.6) else "")

    def state_said(self, subject: NounPhrase, past: bool) -> Pair:
        """Somebody is, or in English was, ill or at a place."""
        if self.chance(0.4):
            place = self.place(subject)
            english, urdu = place.english, place.urdu
        else:
            english, urdu = self.predicate(self.choose_word(self.graded(FRIEND)), subject)
        now = be_clause(subject, "present", english, urdu)
        return Pair(be_clause(subject, "past", english, urdu).english if past else now.english, now.urdu)

    def better(self) -> Pair:
        """ "You had better go home": بہتر ہو گا کہ آپ گھر جائیں."""
        deed = replace(self.told(self.known_person(), "subjunctive"), negative=self.chance(0.2))
        negation = words("not", "not") if deed.negative else ()
        start = deed.subject.english + words("had") + words("better", "better/adjective") + negation
        english = start + aim(replace(deed, negative=False), "")
        return Pair(english, words("بہتر", "better/adjective") + words("ہو گا کہ") + urdu_of(deed))

    def rather(self) -> Pair:
        """ "I would rather stay at home": میں گھر میں رہنے کو ترجیح دوں گا."""
        deed = self.told(self.known_person(), "future")
        prefer = verb("give")._replace(stem="دے", complement="ترجیح", vector="", marker="", agrees="f")
        main = Clause(deed.subject, prefer, "future").pair().urdu
        shown = len(deed.subject.direct)
        role = "rather/verb"
        rest = tuple(Word(word.text, role if word.text == "ترجیح" else "") for word in main[shown:])
        english = deed.subject.english + words("would") + words("rather", role) + aim(deed, "")
        return Pair(english, main[:shown] + infinite(deed) + words("کو") + rest)


OWNERS = {"my": "I", "your": "you", "his": "he", "her": "she", "our": "we", "their": "they", "its": "it"}
TAKE = verb("take")._replace(stem="لے جا", complement="", marker="", vector="", ergative=False, agrees="")


def opening() -> list[Verb]:
    """To open and to close, of a shop."""
    found = {
        f"{one.complement} {one.stem}".strip(): one._replace(vector="")
        for one in verbs()
        if "shop" in one.subjects.split()
    }
    return [found["کھل"], found["بند ہو"]]


def follow(first: Pair, joint: str, second: Clause, marker: str, prefix: str = "second") -> Pair:
    """ "..., and did": without the subject in English, and in Urdu where both verbs mark it alike."""
    urdu = {"and": "اور", "but": "لیکن", "and then": "اور پھر", ",": "،"}[joint]
    if marker == second.marker:
        rest = without_subject(second)
        if second.tense == "future":
            rest = Pair(rest.english, urdu_of(replace(second, silent=True)))
    else:
        subject = again(second.subject)
        rest = Pair(
            without_subject(second).english,
            urdu_of(replace(second, subject=replace(subject, english=second.subject.english))),
        )
    rest = rename(rest, prefix)
    role = f"{prefix} joint" if joint != "," else ""
    return Pair(first.english + words(joint, role) + rest.english, first.urdu + words(urdu, role) + rest.urdu)


def rename_(phrase: Phrase) -> Phrase:
    return rename(Pair(phrase, ()), "second").english


def plainly(adjective: Adjective, subject: NounPhrase) -> tuple[Phrase, Phrase]:
    """An adjective as a predicate, without a degree."""
    role = "predicate/adjective"
    return words(adjective.english, role), words(
        decline_adjective(adjective.urdu, subject.gender, subject.number), role
    )


def neither(subject: NounPhrase, first: Verb, second: Verb, tense: str) -> Pair:
    """ "She neither ate nor slept": اس نے نہ کھایا نہ پیا."""
    one, two = Clause(subject, first, tense), Clause(subject, second, tense)
    rest = rename_(english_group(second, tense, subject.be, False, False).rest)
    english = subject.english + words("neither", "either") + english_of(one)[len(subject.english) :]
    urdu_subject = add_postposition(subject, one.marker) if one.marker else subject.direct
    told, after = (urdu_of(replace(each, silent=True)) for each in (one, two))
    return Pair(
        english + words("nor", "joint") + rest,
        urdu_subject + words("نہ", "either") + told + words("نہ", "joint") + rename_(after),
    )


def say_that(subject: NounPhrase, kind: str, inner: Pair, that: str) -> Pair:
    """ "He said that ...": اس نے کہا کہ ..."""
    marker, urdu, past = SAYINGS[kind]
    role = "saying/verb"
    start = add_postposition(subject, marker) if marker else subject.direct
    if kind == "forgot":
        urdu = "بھول " + urdu_of(Clause(subject, verb("go"), "past", silent=True))[-1].text
    if past:
        english = words(kind, role)
    elif kind == "think":
        english = words("thinks" if subject.be == "is" else "think", role)
    else:
        *negation, mood = kind.split()
        english = words(subject.be) + words(" ".join(negation), "not") + words(mood, role)
    last = tuple(
        Word(word, "not" if word == "نہیں" else role if not place else "") for place, word in enumerate(urdu.split())
    )
    return Pair(
        subject.english + english + words(that, "joint") + inner.english,
        start + last + words("کہ", "joint") + inner.urdu,
    )
