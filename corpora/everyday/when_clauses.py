"""Random orders and deeds with a clause of time or condition: "before you sleep", "if you are tired"."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, Word, add_postposition, possessive, pronoun_phrase, words
from corpora.everyday.being import be_clause
from corpora.everyday.clauses import Clause, rename
from corpora.everyday.clauses import english as english_of
from corpora.everyday.clauses import urdu as urdu_of
from corpora.everyday.complex_sentences import FRIEND, again
from corpora.everyday.deeds import infinite
from corpora.everyday.indirect_questions import Wonderer
from corpora.everyday.lexicon import noun, verb
from corpora.everyday.phrases import make
from corpora.everyday.qualities import STATES
from corpora.everyday.unreal import WERE, would
from corpora.everyday.verb_groups import urdu_group
from corpora.urdu_forms import agree

HELP = {  # a bodily state -> verb and object of what helps
    "hungry": [("eat", "bread"), ("eat", "rice"), ("eat", "apple"), ("cook", "rice")],
    "thirsty": [("drink", "water"), ("drink", "juice"), ("drink", "milk")],
    "sleepy": [("sleep", ""), ("take a nap", ""), ("go to bed", "")],
    "cold": [("wear", "sweater"), ("wear", "coat"), ("close", "window"), ("drink", "tea")],
    "hot": [("open", "window"), ("drink", "water")],
}
RAIN = {"rains": "بارش ہوئی", "snows": "برف باری ہوئی"}
EVENTS = ["come", "come", "go home", "arrive", "come back", "wake up", "get up", "go to sleep", "eat", "sleep", "cook",
          "leave", "return", "come home", "call", "read", "write", "drink", "finish", "go to bed", "see"]  # fmt: skip
CHORES = ["turn on", "turn off", "close", "open", "lock", "wash", "call", "wait", "wait for", "clean", "cook", "read",
          "write", "eat", "drink", "help", "wake up", "come home", "put on", "take off", "rest", "go home"]  # fmt: skip
UNWELL = {"tired", "ill", "sick", "busy", "afraid", "angry", "bored", "worried", "sad", "free", "late", "alone", "weak"}
UNTIL = {"before": "سے پہلے", "after": "کے بعد"}


class Timekeeper(Wonderer):
    """A speaker who also says when, and on what condition, something is to be done or was done."""

    def time_kinds(self) -> list[tuple]:
        return [
            (self.order_before, 6),
            (self.order_when, 5),
            (self.order_until, 3),
            (self.order_if, 7),
            (self.already, 7),
            (self.before_somebody, 4),
            (self.since_then, 3),
            (self.had_done, 6),
            (self.what_would, 3),
        ]

    def event(self, subject: NounPhrase) -> Clause:
        """Something that often happens: somebody comes, leaves, sleeps or eats; now and then any deed."""
        if self.chance(0.25):
            return replace(self.deed(subject), adjuncts=())
        return self.among(EVENTS, subject)

    def among(self, names: list[str], subject: NounPhrase) -> Clause:
        """Somebody does what one of these verbs says, with an object where it takes one."""
        name = self.choose(names)
        while True:
            doing = self.of_these([name])
            if not doing.features & {"to", "where"} and not doing.dative:
                return Clause(subject, doing, "future", self.object(doing, subject))
            name = self.choose(names)

    def ordered(self) -> Pair:
        """An order, mostly to do something."""
        you = pronoun_phrase("subject", "you")
        deed = self.among(CHORES, you) if self.chance(0.6) else self.doing(you)
        return replace(deed, tense="imperative", negative=self.chance(0.15)).pair()

    def order_before(self) -> Pair:
        """ "Turn off the light before you go to bed": سونے سے پہلے بتی بند کریں."""
        you = pronoun_phrase("subject", "you")
        deed = replace(self.event(you), tense="present")
        return self.in_order(self.choose(list(UNTIL)), deed, self.ordered())

    def in_order(self, preposition: str, deed: Clause, main: Pair) -> Pair:
        """A clause with "before" or "after" of the same doer as the main clause: the Urdu infinitive."""
        inner = rename(Pair(english_of(deed), infinite(deed)), "second")
        joint = words(preposition, "joint")
        urdu = inner.urdu + words(UNTIL[preposition], "joint") + main.urdu
        if self.chance(0.4):
            return Pair(joint + inner.english + words(",") + main.english, urdu)
        return Pair(main.english + joint + inner.english, urdu)

    def order_when(self) -> Pair:
        """ "Call me when you arrive": جب آپ پہنچیں تو مجھے فون کریں."""
        subject = self.known_person()
        deed = replace(self.event(subject), tense="present")
        if subject.be != "is" and subject.possessive != "your" and deed.verb.base == deed.verb.english[2]:
            return self.order_when()
        first = Pair(english_of(deed), urdu_of(replace(deed, tense="subjunctive")))
        if self.chance(0.35):
            return self.front("as soon as", "جیسے ہی", first, self.ordered(), "")
        return self.front("when", "جب", first, self.ordered(), "تو")

    def order_until(self) -> Pair:
        """ "Wait here until I come": جب تک میں نہ آؤں یہاں انتظار کریں."""
        subject = self.known_person()
        deed = replace(self.event(subject), tense="present")
        urdu = urdu_of(replace(deed, tense="subjunctive", negative=True))
        first = Pair(english_of(deed), tuple(word._replace(role="") if word.role == "not" else word for word in urdu))
        main = replace(self.waiting(), tense=self.choose(["imperative", "imperative", "future"]))
        return self.front("until", "جب تک", first, main.pair(), "")

    def waiting(self) -> Clause:
        """What lasts until something happens."""
        doing = self.of_these(["wait", "work", "stay", "sit", "study", "rest", "play"])
        you = pronoun_phrase("subject", self.choose(["you", "you", "I", "we", "he", "they"]))
        return Clause(you, doing, "future", self.object(doing, you))

    def order_if(self) -> Pair:
        """ "If you are thirsty, drink some water", "If it rains, take the umbrella", "If you are tired, rest"."""
        roll = self.rng.random()
        you = pronoun_phrase("subject", "you")
        if roll < 0.2:
            rains = self.choose(list(RAIN))
            rain = Pair(words("it") + words(rains, "verb"), words(RAIN[rains], "verb"))
            return self.front("if", "اگر", rain, self.ordered(), "تو")
        if roll < 0.45:
            return self.front("if", "اگر", self.unwell(you), self.ordered(), "تو")
        if roll < 0.6:
            subject = self.known_person()
            condition = self.unwell(subject)
            return self.front("if", "اگر", condition, self.ordered(), "تو")
        subject = you if self.chance(0.5) else self.known_person()
        state = self.choose(list(HELP))
        doing, thing = self.choose(HELP[state])
        doer = you if subject is you else again(subject)
        mass = thing in ("bread", "rice", "water", "juice", "milk", "tea")
        what = make("object", noun(thing), "sg", "some" if mass and self.chance(0.5) else "" if mass else
                    "the" if thing == "window" else "a") if thing else None  # fmt: skip
        clause = Clause(doer, verb(doing), "imperative" if subject is you and self.chance(0.7) else
                        self.choose(["should", "should", "future", "can"]), what)  # fmt: skip
        return self.front("if", "اگر", bodily_state(subject, state), clause.pair(), "تو")

    def unwell(self, subject: NounPhrase) -> Pair:
        """ "You are tired"."""
        moods = [one for one in self.graded(FRIEND) if one.english in UNWELL]
        return be_clause(subject, "present", *self.predicate(self.choose(moods), subject))

    def already(self) -> Pair:
        """ "The train had already left when we arrived": جب ہم پہنچے تو ریل گاڑی جا چکی تھی."""
        main = self.event(self.known_person())
        event = replace(self.event(self.known_person()), tense="past")
        joint = self.choose(["when", "when", "before", "by the time"])
        told = done_already(main, joint != "by the time" or self.chance(0.6))
        if joint == "before":
            inner = rename(Pair(event.pair().english, before_words(event)), "second")
            return Pair(told.english + words("before", "joint") + inner.english, inner.urdu + told.urdu)
        return self.front(joint, "جب" if joint == "when" else "جب تک", event.pair(), told, "تو" * (joint == "when"))

    def before_somebody(self) -> Pair:
        """ "He closed the window before she came": اس کے آنے سے پہلے اس نے کھڑکی بند کی."""
        main = replace(self.doing(self.known_person()), tense=self.choose(["past", "past", "future"]), adjuncts=())
        same = self.chance(0.4)
        subject = again(main.subject) if same else self.known_person()
        event = replace(self.event(subject), tense="past" if main.tense == "past" else "present")
        if event.tense == "present" and subject.be != "is" and event.verb.base == event.verb.english[2]:
            return self.before_somebody()
        if same and main.tense == "future" and subject.possessive in ("his", "her", "their"):
            return self.before_somebody()
        if same:
            return self.in_order(self.choose(["before", "after"]), event, main.pair())
        inner = rename(Pair(event.pair().english, before_words(event)), "second")
        joint = words("before", "joint")
        if self.chance(0.4):
            return Pair(joint + inner.english + words(",") + main.pair().english, inner.urdu + main.pair().urdu)
        return Pair(main.pair().english + joint + inner.english, inner.urdu + main.pair().urdu)

    def since_then(self) -> Pair:
        """ "I have not eaten since he left": جب سے وہ گیا ہے میں نے نہیں کھایا."""
        event = replace(self.event(self.known_person()), tense="past")
        first = Pair(event.pair().english, urdu_of(replace(event, tense="perfect")))
        main = replace(self.doing(self.known_person()), adjuncts=())
        negative = self.chance(0.6)
        tense = "perfect" if negative else "perfect progressive"
        return self.front("since", "جب سے", first, replace(main, tense=tense, negative=negative).pair(), "")

    def had_done(self) -> Pair:
        """ "If he had asked me, I would have helped him": اگر اس نے مجھ سے پوچھا ہوتا تو میں اس کی مدد کرتا."""
        first = replace(self.doing(self.dreamer()), negative=self.chance(0.25), adjuncts=())
        doer = again(first.subject) if self.chance(0.5) else self.dreamer()
        main = replace(self.doing(doer), negative=self.chance(0.2), adjuncts=())
        return self.front("if", "اگر", if_had(first), would_have(main), "تو")

    def what_would(self) -> Pair:
        """ "What would you do if you were rich?": اگر آپ امیر ہوتے تو آپ کیا کرتے؟"""
        subject = self.pronoun("subject", "you you he she they we I")
        dreamt = subject if self.chance(0.6) else self.dreamer()
        state = rename(self.unreal_state(dreamt), "second")
        doing = self.choose(["do", "do", "do", "buy", "eat", "say"])
        urdu = {"do": "کر", "buy": "خرید", "eat": "کھا", "say": "کہ"}[doing]
        plain = verb("do")._replace(stem=urdu, complement="", vector="", agrees="", marker="")
        end = words("کیا", "question") + urdu_group(plain, "would", subject.agreement, False)
        english = words("what", "question") + words("would") + subject.english + words(doing, "verb")
        return Pair(
            english + words("if", "joint") + state.english,
            words("اگر", "joint") + state.urdu + words("تو") + subject.direct + end,
            True,
        )


def bodily_state(subject: NounPhrase, state: str) -> Pair:
    """ "You are thirsty": آپ کو پیاس لگی ہے."""
    urdu, now, _ = STATES[state]
    role = "predicate/adjective"
    verb_ = {"cold": ("feels", "feel"), "hot": ("feels", "feel")}.get(state)
    be = subject.be if verb_ is None else verb_[0] if subject.be == "is" else verb_[1]
    return Pair(
        subject.english + words(be) + words(state, role),
        add_postposition(subject, "کو") + words(urdu, role) + words(now, role),
    )


def done_already(clause: Clause, already: bool = True) -> Pair:
    """ "He had already left": وہ جا چکا تھا. The Urdu subject has no نے."""
    plain = clause.verb._replace(vector="", ergative=False, features=clause.verb.features - {"state"})
    said = urdu_of(replace(clause, verb=plain, tense="past progressive"))
    still = next(i for i in range(len(said) - 1, -1, -1) if said[i].text in ("رہا", "رہے", "رہی"))
    subject = clause.subject
    done = Word(agree("چکا", subject.gender, subject.number), "already/time" if already else "")
    english = english_of(replace(clause, tense="pluperfect"))
    if already:
        place = len(subject.english) + 1
        english = english[:place] + words("already", "already/time") + english[place:]
    return Pair(english, (*said[:still], done, *said[still + 1 :]))


def before_words(event: Clause) -> tuple[Word, ...]:
    """ "Before she came": اس کے آنے سے پہلے."""
    return possessive(event.subject, "m", "pl", True) + infinite(event) + words("سے پہلے", "joint")


def if_had(clause: Clause) -> Pair:
    """ "He had asked": اس نے پوچھا ہوتا. A denial is نہ."""
    pair = replace(clause, tense="pluperfect").pair()
    last = pair.urdu[-1]
    urdu = (*pair.urdu[:-1], Word(WERE[last.text], last.role))
    return Pair(pair.english, tuple(word._replace(text="نہ") if word.text == "نہیں" else word for word in urdu))


def would_have(clause: Clause) -> Pair:
    """ "I would have gone": میں جاتا, as behind any condition that is not so."""
    english = english_of(replace(clause, tense="might have"))
    told = tuple(word._replace(text="would", role="") if word.text == "might" else word for word in english)
    return Pair(told, would(clause).urdu)
