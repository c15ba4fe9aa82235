"""Random sentences with clauses of time, reason, place and exception: until, unless, since, wherever, although."""

from __future__ import annotations

from dataclasses import replace

from corpora.en_ur_clauses import Pair
from corpora.en_ur_phrases import NounPhrase, possessive, words
from corpora.everyday.clauses import Clause, rename
from corpora.everyday.clauses import english as english_of
from corpora.everyday.clauses import urdu as urdu_of
from corpora.everyday.commands import KEEP
from corpora.everyday.complex_sentences import again
from corpora.everyday.consequences import Weigher
from corpora.everyday.deeds import in_phase, infinite
from corpora.everyday.when_clauses import done_already

PLACED = ["go", "work", "sit", "stay", "travel", "sleep", "eat", "study", "play"]
STEADY = ["wait", "work", "study", "rest", "play", "sleep", "talk", "read", "dance", "cry"]


class Chronicler(Weigher):
    """A speaker who also says until when, unless what, wherever, and although what something is done."""

    def chronicle_kinds(self) -> list[tuple]:
        return [
            (self.as_soon_as, 5),
            (self.by_the_time, 4),
            (self.while_doing, 5),
            (self.waited_until, 4),
            (self.after_somebody, 4),
            (self.since_so, 4),
            (self.unless, 4),
            (self.whenever, 4),
            (self.wherever, 4),
            (self.still_although, 5),
        ]

    def clear(self, subject: NounPhrase, tense: str = "present") -> Clause:
        """A deed that is not spelled alike in the English present and past."""
        while True:
            deed = replace(self.told(subject, tense), adjuncts=())
            if tense != "present" or subject.be == "is" or deed.verb.base != deed.verb.english[2]:
                return deed

    def as_soon_as(self) -> Pair:
        """ "As soon as he saw me, he ran away", "I will call you as soon as I arrive": جیسے ہی."""
        main = replace(self.told(self.known_person(), self.choose(["past", "past", "future"])), adjuncts=())
        doer = again(main.subject) if self.chance(0.4) else self.known_person()
        if main.tense == "past":
            return self.front("as soon as", "جیسے ہی", self.clear(doer, "past").pair(), main.pair(), "")
        deed = self.clear(doer)
        first = Pair(english_of(deed), urdu_of(replace(deed, tense="future")))
        return self.front("as soon as", "جیسے ہی", first, main.pair(), "")

    def by_the_time(self) -> Pair:
        """ "By the time she came, we had eaten": جب تک وہ آئی ہم کھانا کھا چکے تھے."""
        event = self.clear(self.known_person(), "past")
        told = done_already(replace(self.doing(self.known_person()), adjuncts=()), self.chance(0.3))
        return self.front("by the time", "جب تک", event.pair(), told, "")

    def while_doing(self) -> Pair:
        """ "While I was cooking, he was reading", "While she was out, somebody called": جب ... تو."""
        first = replace(self.clear(self.known_person(), "past progressive"))
        tense = self.choose(["past progressive", "past", "past"])
        second = replace(self.told(self.known_person(), tense), negative=tense == "past" and self.chance(0.1))
        return self.front("while", "جب", first.pair(), second.pair(), "تو")

    def waited_until(self) -> Pair:
        """ "He waited until the train came": جب تک ٹرین نہیں آئی وہ انتظار کرتا رہا."""
        subject = self.known_person()
        doing = self.of_these(STEADY)
        main = Clause(subject, doing, "past", self.object(doing, subject))
        doer = again(subject) if self.chance(0.2) else self.known_person()
        event = self.clear(doer, "past")
        until = urdu_of(replace(event, negative=True))
        first = Pair(event.pair().english, tuple(one._replace(role="") if one.role == "not" else one for one in until))
        going_on = in_phase(KEEP, main, "past", "ing").urdu
        told = Pair(main.pair().english, tuple(one._replace(role=one.role.removeprefix("aim ")) for one in going_on))
        return self.front("until", "جب تک", first, told, "")

    def after_somebody(self) -> Pair:
        """ "After the guests left, we slept": مہمانوں کے جانے کے بعد ہم سوئے."""
        main = replace(self.told(self.known_person(), self.choose(["past", "past", "future"])), adjuncts=())
        subject = self.known_person()
        event = self.clear(subject, "past" if main.tense == "past" else "present")
        return after(event, main, self.chance(0.5))

    def since_so(self) -> Pair:
        """ "Since he was ill, he did not come": چونکہ وہ بیمار تھا اس لیے وہ نہیں آیا."""
        subject = self.known_person()
        tense = self.choose(["past", "past", "present"])
        main = self.clear(again(subject) if self.chance(0.7) else self.known_person(), "past")
        main = replace(main, tense="future" if tense == "present" else "past", negative=self.chance(0.3))
        reason, result = self.state(subject, tense), rename(main.pair(), "second")
        english = words("since", "joint") + reason.english + words(",") + result.english
        return Pair(english, words("چونکہ", "joint") + reason.urdu + words("اس لیے") + result.urdu)

    def unless(self) -> Pair:
        """ "Unless you hurry, you will be late", "I will not go unless he comes": اگر ... نہ ... تو."""
        subject = self.known_person()
        main = replace(self.told(self.known_person(), "future"), adjuncts=(), negative=self.chance(0.6))
        return self.front("unless", "اگر", if_not(self.clear(subject)), main.pair(), "تو")

    def whenever(self) -> Pair:
        """ "Whenever he came, he brought flowers": جب بھی وہ آتا تھا وہ پھول لاتا تھا."""
        subject = self.known_person()
        doer = again(subject) if self.chance(0.5) else self.known_person()
        tense = self.choose(["present", "past"])
        shown = {"present": "present", "past": "used to"}[tense]
        first, second = (self.clear(one, tense) for one in (subject, doer))
        told = [Pair(english_of(one), urdu_of(replace(one, tense=shown))) for one in (first, second)]
        return self.front("whenever", "جب بھی", told[0], told[1], "")

    def wherever(self) -> Pair:
        """ "Wherever you go, I will find you": جہاں بھی آپ جائیں گے میں ..."""
        subject = self.known_person()
        doing = self.of_these(PLACED)
        deed = Clause(subject, doing, "present", None if not doing.transitive else self.object(doing, subject))
        if deed.object is not None:
            return self.wherever()
        main = replace(self.told(self.known_person(), "future"), adjuncts=())
        first = Pair(english_of(deed), urdu_of(replace(deed, tense="future")))
        return self.front("wherever", "جہاں بھی", first, main.pair(), "")

    def still_although(self) -> Pair:
        """ "Although he was ill, he still came": اگرچہ وہ بیمار تھا پھر بھی وہ آیا."""
        subject = self.known_person()
        past = self.chance(0.7)
        state = self.state(subject, "past" if past else "present")
        if self.chance(0.4):
            state = replace(self.told(subject, "past"), adjuncts=(), negative=self.chance(0.4)).pair()
            past = True
        main = replace(self.told(again(subject), "past" if past else "future"), negative=self.chance(0.35))
        return although(state, replace(main, adjuncts=()), self.choose(["although", "though", "even though"]))


def after(event: Clause, main: Clause, first: bool = True) -> Pair:
    """ "After she left": اس کے جانے کے بعد."""
    inner = rename(Pair(event.pair().english, possessive(event.subject, "m", "pl", True) + infinite(event)), "second")
    joint = words("after", "joint")
    told = inner.urdu + words("کے بعد", "joint") + main.pair().urdu
    if first:
        return Pair(joint + inner.english + words(",") + main.pair().english, told)
    return Pair(main.pair().english + joint + inner.english, told)


def if_not(deed: Clause) -> Pair:
    """ "Unless he comes": اگر وہ نہ آیا."""
    denied = urdu_of(replace(deed, tense="past", negative=True))
    urdu = tuple(one._replace(text="نہ", role="") if one.role == "not" else one for one in denied)
    return Pair(english_of(deed), urdu)


def although(state: Pair, main: Clause, joint: str = "although") -> Pair:
    """ "Although he was ill, he still came": پھر بھی stands where English has "still"."""
    second = rename(main.pair(), "second")
    count = len(main.subject.english)
    auxiliary = count + (1 if main.tense == "future" or main.negative else 0)
    place = count if main.negative else auxiliary
    english = second.english[:place] + words("still", "still") + second.english[place:]
    start = words(joint, "joint") + state.english + words(",")
    return Pair(start + english, words("اگرچہ", "joint") + state.urdu + words("پھر بھی", "still") + second.urdu)
